// cadre back: sends a task back to the implementer.
import { performOnSubject } from '../../action-command.ts';
import { feedbackFrom, type Run } from '../../context.ts';
import { referenceIn } from '../../reference.ts';

export const run: Run = async (context, given) => {
  const feedback = await feedbackFrom(context, given);
  const input = feedback === undefined ? {} : { feedback };
  return performOnSubject(context, { do: 'back', on: referenceIn(given), input });
};
