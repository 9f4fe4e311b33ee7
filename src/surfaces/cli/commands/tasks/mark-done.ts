// cadre mark-done: marks a task done without merging anything.
import { taskCommand } from '../../action-command.ts';

export const run = taskCommand('mark-done');
