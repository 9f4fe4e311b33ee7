// cadre move: any event of the plan machine, for a plan.
import { readEvents } from '../../../../core/rules/plan/outline.ts';
import { fileProblem } from '../../../../core/views/plan.ts';
import { asEvent } from '../../../../machines/machine.ts';
import { planMachine } from '../../../../machines/plan.ts';
import { showName } from '../../../../text/show.ts';
import { type Run, refuse } from '../../context.ts';
import { feedbackFrom } from '../../feedback.ts';
import { planNamed } from '../../find.ts';
import { takeStep } from '../../step.ts';
import { EVENT_WORDS } from '../../text/words.ts';

export const run: Run = async (context, given) => {
  const [reference = '', word = ''] = given.arguments;
  // People type the dashes of the signals as well.
  const event = asEvent(planMachine, word.replaceAll('-', '_'));
  if (event === undefined)
    return refuse(context, 'unknown-event', `There is no event "${showName(word)}". A plan knows ${EVENT_WORDS}.`);
  const feedback = await feedbackFrom(context, given);
  if (feedback !== undefined && event !== 'review_changes_requested')
    return refuse(context, 'no-feedback', `"${event}" takes no feedback; only "review_changes_requested" does.`);
  const app = context.app();
  const entry = planNamed(await app.gateway.look(), reference);
  const { plan } = entry;
  const body = feedback === undefined ? {} : { feedback };
  const landing = event === 'review_approved' ? await app.landingFacts(entry) : undefined;
  // Whoever starts the building should build from what stands in the file now.
  const reading = event === 'implement_start' ? app.planFiles.read(plan) : undefined;
  const problem = reading === undefined ? undefined : fileProblem(plan, reading);
  return takeStep(
    context,
    {
      kind: 'move',
      plan,
      event,
      by: app.by,
      ...body,
      ...(problem === undefined ? {} : { fileProblem: problem }),
      ...(landing === undefined ? {} : { landing }),
    },
    { before: reading === undefined ? [] : readEvents(plan, reading) },
  );
};
