// cadre mark-done: a person says that a task is done; nothing is merged.
import { actCommand } from '../../act.ts';

export const run = actCommand('mark-done');
