// cadre move: any event of the plan machine, for a plan.
import { asEvent } from '../../../../machines/machine.ts';
import { planMachine } from '../../../../machines/plan.ts';
import { showName } from '../../../../text/show.ts';
import { performOnPlan } from '../../action-command.ts';
import { feedbackFrom, type Run, refuse } from '../../context.ts';
import { EVENT_WORDS } from '../../text/words.ts';

export const run: Run = async (context, given) => {
  const [on = '', word = ''] = given.arguments;
  // The dashes of signal names are accepted as well.
  const event = asEvent(planMachine, word.replaceAll('-', '_'));
  if (event === undefined)
    return refuse(context, 'unknown-event', `Unknown event "${showName(word)}". Events of a plan: ${EVENT_WORDS}.`);
  const feedback = await feedbackFrom(context, given);
  // These have names of their own, and ask first.
  if (feedback === undefined && event === 'cancel') return performOnPlan(context, { do: 'cancel', on, input: {} });
  if (feedback === undefined && event === 'start_over')
    return performOnPlan(context, { do: 'start-over', on, input: {} });
  return performOnPlan(context, { do: 'move', on, input: { event, ...(feedback === undefined ? {} : { feedback }) } });
};
