// cadre reject: sends a task's plan, its code or a whole plan back with feedback.
import { performOnSubject } from '../../action-command.ts';
import { feedbackFrom, type Run } from '../../context.ts';
import { referenceIn } from '../../reference.ts';

export const run: Run = async (context, given) => {
  const feedback = await feedbackFrom(context, given);
  const input = feedback === undefined ? {} : { feedback };
  return performOnSubject(context, { do: 'reject', on: referenceIn(given), input });
};
