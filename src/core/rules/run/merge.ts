// Merging a run: one at a time per plan, and exactly the pinned commit.
import { type Decision, refused } from '../../model/decision.ts';
import type { RecordChange } from '../../model/run.ts';
import { mergingIn } from '../../model/tasks.ts';
import type { PlanEntry, TaskEntry } from '../../model/world.ts';
import { endInError } from './end.ts';
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
    return endInError(context, `The limit for merge attempts (${mergeAttempts}) is reached.`);
  return recordStep(context, {
    moves: [],
    name: 'merge_begun',
    change: { counts: { ...run.counts, mergeAttempts: run.counts.mergeAttempts + 1 } },
    issue: { do: 'merge', ...runEffectFields(context), pin: run.pinned, tip },
  });
}

/** A merge that is not performed costs no attempt, and is issued again later. */
export function withdrawMerge({ plan }: PlanEntry, { id, run }: TaskEntry): readonly RecordChange[] {
  if (run?.issued?.do !== 'merge') return [];
  const counts = { ...run.counts, mergeAttempts: run.counts.mergeAttempts - 1 };
  return [{ of: 'run', plan, task: id, change: { issued: null, counts } }];
}
