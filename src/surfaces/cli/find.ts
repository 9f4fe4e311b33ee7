// From what a person typed to the plan they mean, or a sentence that helps.

import { Failure } from '../../core/model/failure.ts';
import { unknownFailure, unknownPlan } from '../../core/model/refusals.ts';
import type { PlanEntry, World } from '../../core/model/world.ts';
import { findPlan, lastSegment, type PlanFile } from '../../plan/name.ts';
import { showName } from '../../text/show.ts';

export function planNamed(world: World, reference: string): PlanEntry {
  const plan = oneOf(world.plans.keys(), reference);
  const entry = plan === undefined ? undefined : world.plans.get(plan);
  if (entry === undefined) throw unknownFailure('unknown-plan', unknownPlan(reference));
  return entry;
}

/** The one of these plans that is meant, if it is any. */
export function oneOf(plans: Iterable<PlanFile>, reference: string): PlanFile | undefined {
  if (lastSegment(reference) === '')
    throw new Failure('usage', 'no-plan', 'Which plan? Name it by its file, with or without ".md".');
  const found = findPlan(reference, plans);
  if (found.kind === 'several')
    throw new Failure(
      'usage',
      'ambiguous-plan',
      `"${showName(reference)}" could be any of ${found.plans.join(', ')}. Type more of the name.`,
    );
  return found.kind === 'found' ? found.plan : undefined;
}
