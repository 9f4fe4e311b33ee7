// cadre next: the step that the agent of a run would take.
import { actCommand } from '../../act.ts';

export const run = actCommand('next');
