// cadre plan continue: see its row in the table of actions.
import type { Run } from '../../context.ts';
import { decideInWorkshop } from '../../workshop-command.ts';

export const run: Run = (context, given) =>
  decideInWorkshop(context, { do: 'plan-continue', on: given.arguments[0], input: {} });
