// cadre approve: a person's approval of a task's plan, of its code, or of a whole plan.
import { performOnSubject } from '../../action-command.ts';
import type { Run } from '../../context.ts';
import { referenceIn } from '../../reference.ts';

export const run: Run = async (context, given) => {
  const action = given.options.override === true ? 'override' : 'approve';
  return performOnSubject(context, { do: action, on: referenceIn(given), input: {} });
};
