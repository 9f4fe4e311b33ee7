// cadre reject: sends a task's plan, its code or a whole plan back with feedback.
import { performOnSubject } from '../../action-command.ts';
import { feedbackFrom, type Run, refuse } from '../../context.ts';
import { referenceWithText } from '../../reference.ts';

export const run: Run = async (context, given) => {
  const { on, text } = referenceWithText(given);
  const option = await feedbackFrom(context, given);
  if (text !== undefined && option !== undefined)
    return refuse(context, 'two-answers', 'The feedback is given both as words and as an option. Leave one out.');
  const feedback = text ?? option;
  return performOnSubject(context, { do: 'reject', on, input: feedback === undefined ? {} : { feedback } });
};
