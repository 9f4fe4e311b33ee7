// cadre finding plan-holds: of a finding that contradicts the plan, the plan holds.
import { rulingCommand } from '../../action-command.ts';

export const run = rulingCommand('finding-plan-holds');
