// cadre pause: stops the agents of a plan, or of all plans.
import { pauseCommand } from '../../pause-command.ts';

export const run = pauseCommand('pause');
