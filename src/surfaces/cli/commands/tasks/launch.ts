// cadre launch: launches one task, whatever happens to the others.
import { taskCommand } from '../../action-command.ts';

export const run = taskCommand('launch');
