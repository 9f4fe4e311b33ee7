// cadre launch: one task, whatever becomes of the others.
import { actCommand } from '../../act.ts';

export const run = actCommand('launch');
