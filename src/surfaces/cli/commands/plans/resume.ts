// cadre resume: continues after a pause.
import { pauseCommand } from '../../pause-command.ts';

export const run = pauseCommand('resume');
