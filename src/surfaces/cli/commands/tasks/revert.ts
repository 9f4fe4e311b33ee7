// cadre revert: a task is as if it had not been launched.
import { actCommand } from '../../act.ts';

export const run = actCommand('revert');
