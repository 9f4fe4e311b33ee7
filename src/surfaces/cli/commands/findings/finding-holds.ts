// cadre finding holds: of a finding that contradicts the plan, the finding holds.
import { rulingCommand } from '../../action-command.ts';

export const run = rulingCommand('finding-holds');
