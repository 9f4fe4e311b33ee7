// cadre merge-anyway: a task that is gone from the file.
import { actCommand } from '../../act.ts';

export const run = actCommand('merge-anyway');
