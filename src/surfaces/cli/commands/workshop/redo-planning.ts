// cadre redo planning: plans again from the brief.
import { feedbackFrom, type Run } from '../../context.ts';
import { decideInWorkshop } from '../../workshop-command.ts';

export const run: Run = async (context, given) => {
  const feedback = await feedbackFrom(context, given);
  return decideInWorkshop(context, {
    do: 'plan-redo',
    on: given.arguments[0],
    input: feedback === undefined ? {} : { feedback },
  });
};
