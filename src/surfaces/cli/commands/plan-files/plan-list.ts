// cadre plan list: the plans, each as one line.
import { answer, EXIT, type Run } from '../../context.ts';
import { planLines, unregisteredLines } from '../views/status.ts';

export const run: Run = async (context, given) => {
  const status = await context.app().status({ all: given.options.all === true });
  const { active, archived, unregistered } = status;
  const plans = status.plans.map(({ plan, status: state, since, progress, owner, sentence, archived: retired }) => ({
    plan,
    status: state,
    since,
    progress,
    owner,
    sentence,
    archived: retired,
  }));
  answer(context, { active, plans, unregistered, archived }, [
    ...planLines(status),
    ...unregisteredLines(unregistered),
    ...(archived === 0 ? [] : [`Archived: ${archived}. "cadre plan list --all" shows them.`]),
  ]);
  return EXIT.ok;
};
