// cadre cancel: short for "cadre move <plan> cancel".
import { userOnlyStep } from '../../step.ts';

export const run = userOnlyStep('cancel');
