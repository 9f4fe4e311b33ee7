// cadre freeze: starts nothing new in this repository; with --now, also stops what is running.
import type { Run } from '../../context.ts';
import { freezeCommand } from '../../freeze-command.ts';
import { pauseCommand } from '../../pause-command.ts';

const [freeze, pause] = [freezeCommand('freeze'), pauseCommand('pause')];

export const run: Run = (context, given) => (given.options.now === true ? pause : freeze)(context, given);
