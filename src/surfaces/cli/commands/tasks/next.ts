// cadre next: takes the step that the agent of a run would take.
import { taskCommand } from '../../action-command.ts';

export const run = taskCommand('next');
