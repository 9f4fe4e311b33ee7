// How the building of a plan has ended, or whether only a person can continue it.
import type { PlanFile } from '../../plan/name.ts';
import { hasNotLanded } from '../model/plan-owner.ts';
import { isPaused, mayMoveBranches } from '../model/stops.ts';
import type { PlanEntry, World } from '../model/world.ts';
import { isOutOfBudget, mayContinueAlone } from './why.ts';

export interface Outcome {
  readonly kind: 'done' | 'cancelled' | 'person' | 'budget';
  readonly sentence: string;
}

/** Undefined while an agent or the engine is working on the plan. */
export function outcomeOf(world: World, plan: PlanFile): Outcome | undefined {
  const entry = world.plans.get(plan);
  if (entry === undefined) return { kind: 'cancelled', sentence: `${plan} is no longer a known plan.` };
  if (entry.status === 'done') return doneOutcome(world, entry);
  if (entry.status === 'cancelled')
    return { kind: 'cancelled', sentence: `${plan} was cancelled. Everything built so far is kept.` };
  if (isPaused(world, entry)) return { kind: 'person', sentence: `${plan} is paused:` };
  if (mayContinueAlone(world, entry)) return undefined;
  return {
    kind: isOutOfBudget(world, entry) ? 'budget' : 'person',
    sentence: `${plan} is ${entry.status} and waits for you:`,
  };
}

/** Landing is part of the end. */
function doneOutcome(world: World, entry: PlanEntry): Outcome | undefined {
  const { plan, work } = entry;
  const waits: Outcome = { kind: 'person', sentence: `${plan} is done and waits for you:` };
  if (work?.lands && !mayMoveBranches(world, entry)) return waits;
  if (work !== undefined && work.landed === null) return undefined;
  if (hasNotLanded(entry)) return waits;
  return { kind: 'done', sentence: `${plan} is done. ${work?.landed?.text ?? ''}`.trim() };
}
