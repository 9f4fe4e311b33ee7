// cadre reopen: short for "cadre move <plan> reopen".
import { planCommand } from '../../action-command.ts';

export const run = planCommand('reopen');
