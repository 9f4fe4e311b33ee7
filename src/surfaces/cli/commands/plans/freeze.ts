// cadre freeze: nothing new is begun.
import { setFrozen } from '../../freeze.ts';

export const run = setFrozen('freeze');
