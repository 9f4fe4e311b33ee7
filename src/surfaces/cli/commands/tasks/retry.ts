// cadre retry: another attempt after an error, or another agent where one is gone.
import { actCommand } from '../../act.ts';

export const run = actCommand('relaunch');
