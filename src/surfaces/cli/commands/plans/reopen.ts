// cadre reopen: short for "cadre move <plan> reopen".
import { userOnlyStep } from '../../step.ts';

export const run = userOnlyStep('reopen');
