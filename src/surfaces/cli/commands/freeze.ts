// cadre freeze: nothing new is begun.
import { setFrozen } from '../frost.ts';

export const run = setFrozen('freeze');
