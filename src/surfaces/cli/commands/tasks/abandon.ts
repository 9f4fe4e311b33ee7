// cadre abandon: abandons the run of a task.
import { taskCommand } from '../../action-command.ts';

export const run = taskCommand('abandon');
