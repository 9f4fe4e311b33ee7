// cadre merge-anyway: merges an approved task that is no longer in the plan file.
import { taskCommand } from '../../action-command.ts';

export const run = taskCommand('merge-anyway');
