// cadre abandon: a run that is not worth going on with.
import { actCommand } from '../../act.ts';

export const run = actCommand('abandon');
