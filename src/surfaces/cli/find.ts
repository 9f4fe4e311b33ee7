// From what a person typed to the plan they mean, or a sentence that helps.
import { unknownPlan } from '../../core/decide-plan.ts';
import { Failure } from '../../core/failure.ts';
import type { PlanEntry, World } from '../../core/world.ts';
import { findPlan, showName } from '../../plan/name.ts';

export function planNamed(world: World, reference: string): PlanEntry {
  const found = findPlan(reference, world.plans.keys());
  if (found.kind === 'several')
    throw new Failure(
      'usage',
      'ambiguous-plan',
      `"${showName(reference)}" could be any of ${found.plans.join(', ')}. Type more of the name.`,
    );
  const entry = found.kind === 'found' ? world.plans.get(found.plan) : undefined;
  if (entry === undefined) throw new Failure('usage', 'unknown-plan', unknownPlan(reference));
  return entry;
}
