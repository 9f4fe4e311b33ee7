// cadre thaw: what was kept from beginning begins.
import { setFrozen } from '../../freeze.ts';

export const run = setFrozen('thaw');
