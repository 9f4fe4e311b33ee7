// cadre launch: launches one task.
import { taskCommand } from '../../action-command.ts';

export const run = taskCommand('launch');
