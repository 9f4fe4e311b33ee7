// How far a plan that is being built has come, and whether anybody but a person can go on with it.

import type { World } from '../../core/model/world.ts';
import { hasNotLanded, isOutOfBudget, mayGoOnAlone } from '../../core/views/why.ts';
import type { PlanFile } from '../../plan/name.ts';
import { type Need, needsIn } from './needs-you.ts';

export interface End {
  readonly kind: 'done' | 'cancelled' | 'person' | 'budget';
  readonly sentence: string;
}

/** Nothing while an agent or the engine is at work on it. */
export function endOf(world: World, plan: PlanFile): End | undefined {
  const entry = world.plans.get(plan);
  if (entry === undefined) return { kind: 'cancelled', sentence: `${plan} is not known any more.` };
  if (entry.status === 'done') {
    const { work } = entry;
    if (work?.lands && world.frozen) return { kind: 'person', sentence: `${plan} is done, and waits for you:` };
    // What becomes of the branch is part of the end.
    if (work !== undefined && work.landed === null) return undefined;
    if (hasNotLanded(entry)) return { kind: 'person', sentence: `${plan} is done, and waits for you:` };
    return { kind: 'done', sentence: `${plan} is done. ${work?.landed?.text ?? ''}`.trim() };
  }
  if (entry.status === 'cancelled')
    return { kind: 'cancelled', sentence: `${plan} was cancelled. What was built is kept.` };
  if (mayGoOnAlone(world, entry)) return undefined;
  return {
    kind: isOutOfBudget(world, entry) ? 'budget' : 'person',
    sentence: `${plan} is ${entry.status}, and waits for you:`,
  };
}

export function needsYou(world: World, plan: PlanFile): readonly Need[] {
  const entry = world.plans.get(plan);
  return entry === undefined ? [] : needsIn(world, entry);
}
