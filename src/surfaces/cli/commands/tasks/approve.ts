// cadre approve: a person's word for a task's plan, for its code, or for a whole plan.
import { availableActions } from '../../../../core/views/why.ts';
import { refusedToAgent, takeAct } from '../../act.ts';
import { type Run, refuse } from '../../context.ts';
import { idOf, subjectMeant } from '../../find-task.ts';
import { judgePlan } from '../../judge-plan.ts';

export const run: Run = async (context, given) => {
  const no = refusedToAgent(context, 'approve');
  if (no !== undefined) return no;
  const app = context.app();
  const { world, entry, task } = await subjectMeant(app, given);
  const isOverride = given.options.override === true;
  if (task === undefined) {
    if (isOverride)
      return refuse(context, 'no-override', `--override is for a task; ${entry.plan} is approved without it.`);
    const landing = await app.landingFacts(entry);
    const seen = landing === undefined ? {} : { landing };
    return judgePlan(context, entry, { kind: 'move', plan: entry.plan, event: 'review_approved', by: app.by, ...seen });
  }
  if (!isOverride && availableActions(world, entry, task).includes('override'))
    return refuse(
      context,
      'needs-override',
      `${entry.plan}#${task.address} has not passed the verification. To have it merged all the same: "cadre approve ${idOf(entry, task)} --override".`,
    );
  return takeAct(context, { world, entry, task }, isOverride ? 'override' : 'approve');
};
