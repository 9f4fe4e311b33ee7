// cadre finding confirm: says that findings are addressed.
import { rulingCommand } from '../../action-command.ts';

export const run = rulingCommand('finding-confirm');
