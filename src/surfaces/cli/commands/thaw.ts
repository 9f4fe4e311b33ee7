// cadre thaw: what was kept from beginning begins.
import { setFrozen } from '../frost.ts';

export const run = setFrozen('thaw');
