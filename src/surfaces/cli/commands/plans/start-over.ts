// cadre start-over: short for "cadre move <plan> start_over".
import { userOnlyStep } from '../../step.ts';

export const run = userOnlyStep('start_over');
