// cadre cancel: short for "cadre move <plan> cancel".
import { planCommand } from '../../action-command.ts';

export const run = planCommand('cancel');
