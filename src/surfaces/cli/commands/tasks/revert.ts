// cadre revert: returns a task to planned.
import { taskCommand } from '../../action-command.ts';

export const run = taskCommand('revert');
