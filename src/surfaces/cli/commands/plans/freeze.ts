// cadre freeze: starts nothing new in this repository.
import { freezeCommand } from '../../freeze-command.ts';

export const run = freezeCommand('freeze');
