// cadre start-over: short for "cadre move <plan> start_over".
import { planCommand } from '../../action-command.ts';

export const run = planCommand('start-over');
