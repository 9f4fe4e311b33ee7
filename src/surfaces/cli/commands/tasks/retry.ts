// cadre retry: launches a failed task again, or gives a halted run a new agent.
import { taskCommand } from '../../action-command.ts';

export const run = taskCommand('retry');
