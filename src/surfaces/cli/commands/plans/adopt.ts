// cadre adopt: where plan-state.json and the journal disagree, the file is right.
import { planCommand } from '../../action-command.ts';

export const run = planCommand('adopt');
