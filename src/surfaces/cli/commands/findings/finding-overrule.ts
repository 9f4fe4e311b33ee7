// cadre finding overrule: says that findings do not hold.
import { rulingCommand } from '../../action-command.ts';

export const run = rulingCommand('finding-overrule');
