// cadre thaw: continues after a freeze.
import { freezeCommand } from '../../freeze-command.ts';

export const run = freezeCommand('thaw');
