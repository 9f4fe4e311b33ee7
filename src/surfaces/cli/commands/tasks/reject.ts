// cadre reject: a task's plan, its code or a whole plan goes back, with what has to change.
import { refusedToAgent, takeAct } from '../../act.ts';
import { type Run, refuse } from '../../context.ts';
import { feedbackFrom } from '../../feedback.ts';
import { subjectMeant } from '../../find-task.ts';
import { judgePlan } from '../../judge-plan.ts';

export const run: Run = async (context, given) => {
  const no = refusedToAgent(context, 'reject');
  if (no !== undefined) return no;
  const app = context.app();
  const { world, entry, task } = await subjectMeant(app, given);
  const feedback = (await feedbackFrom(context, given)) ?? '';
  const name = task === undefined ? entry.plan : `${entry.plan}#${task.address}`;
  // Where the reviewer has asked for changes and only waits for a person, its words are the feedback.
  const isSaid = feedback.trim() !== '' || (task === undefined && entry.work?.waiting != null);
  if (!isSaid)
    return refuse(
      context,
      'no-feedback',
      `Say what has to change in ${name}, with --feedback "..." or --feedback-file <file>.`,
    );
  if (task !== undefined) return takeAct(context, { world, entry, task }, 'changes', feedback);
  const said = feedback.trim() === '' ? {} : { feedback };
  return judgePlan(context, entry, {
    kind: 'move',
    plan: entry.plan,
    event: 'review_changes_requested',
    by: app.by,
    ...said,
  });
};
