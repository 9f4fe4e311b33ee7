// cadre plan reject: sends the plan of a workshop back. Without feedback, a person's or the architect's, the planner could only
// repeat it.
import { suggest } from '../../../../core/model/suggestion.ts';
import { feedbackFrom, type Run, refuse } from '../../context.ts';
import { decideInWorkshop } from '../../workshop-command.ts';

export const run: Run = async (context, given) => {
  const [on] = given.arguments;
  const feedback = await feedbackFrom(context, given);
  const advice = (await context.app().planning(on ?? ''))?.workshop.advice ?? null;
  if (advice === null && (feedback === undefined || feedback.trim() === ''))
    return refuse(context, 'no-feedback', 'Rejecting a plan needs feedback: say what has to change.', [
      suggest('plan-redo', on),
    ]);
  return decideInWorkshop(context, { do: 'plan-redo', on, input: feedback === undefined ? {} : { feedback } });
};
