// cadre finding park: leaves findings as they are; the review of the plan sees them.
import { rulingCommand } from '../../action-command.ts';

export const run = rulingCommand('finding-park');
