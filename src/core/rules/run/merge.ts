// The merge of a run: issued one at a time for each plan, for the pinned commit and nothing after it.
import { type Decision, refused } from '../../model/decision.ts';
import { mergingIn } from '../../model/tasks.ts';
import { giveUp } from './end.ts';
import { nameOf, ofRun, type RunContext, recordStep } from './step.ts';

export function beginMerge(scene: RunContext): Decision {
  const { entry, run, world } = scene;
  const { mergeAttempts } = world.policy.budgets;
  const tip = entry.work?.tip ?? null;
  if (run.pinned === null || tip === null)
    return refused('not-looked', `${nameOf(scene)} cannot be merged yet: it is not known where the plan's branch is.`);
  const other = mergingIn(entry);
  if (other !== undefined) return refused('state', `${nameOf({ entry, task: other })} is being merged; one at a time.`);
  if (run.counts.mergeAttempts >= mergeAttempts)
    return giveUp(scene, `All ${mergeAttempts} attempts to merge it are used up.`);
  return recordStep(scene, {
    moves: [],
    name: 'merge_begun',
    change: { counts: { ...run.counts, mergeAttempts: run.counts.mergeAttempts + 1 } },
    issue: { do: 'merge', ...ofRun(scene), pin: run.pinned, tip },
  });
}
