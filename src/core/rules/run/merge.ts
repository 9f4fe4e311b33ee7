// The merge of a run: issued one at a time for each plan, for the pinned commit and nothing after it.
import { type Decision, refused } from '../../model/decision.ts';
import { mergingIn } from '../../model/tasks.ts';
import { giveUp } from './end.ts';
import { nameOf, type RunContext, recordStep, runEffectFields } from './step.ts';

export function startMerge(context: RunContext): Decision {
  const { entry, run, world } = context;
  const { mergeAttempts } = world.policy.budgets;
  const tip = entry.work?.tip ?? null;
  if (run.pinned === null || tip === null)
    return refused('not-looked', `${nameOf(context)} cannot be merged yet: the tip of the plan branch is not known.`);
  const other = mergingIn(entry);
  if (other !== undefined)
    return refused('state', `${nameOf({ entry, task: other })} is being merged, and tasks are merged one at a time.`);
  if (run.counts.mergeAttempts >= mergeAttempts)
    return giveUp(context, `The limit for merge attempts (${mergeAttempts}) is reached.`);
  return recordStep(context, {
    moves: [],
    name: 'merge_begun',
    change: { counts: { ...run.counts, mergeAttempts: run.counts.mergeAttempts + 1 } },
    issue: { do: 'merge', ...runEffectFields(context), pin: run.pinned, tip },
  });
}
