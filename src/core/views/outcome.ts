// How the building of a plan has ended, or whether only a person can continue it.
import type { PlanFile } from '../../plan/name.ts';
import type { PlanEntry, World } from '../model/world.ts';
import { hasNotLanded, isOutOfBudget, mayContinueAlone } from './why.ts';

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
  if (mayContinueAlone(world, entry)) return undefined;
  return {
    kind: isOutOfBudget(world, entry) ? 'budget' : 'person',
    sentence: `${plan} is ${entry.status} and waits for you:`,
  };
}

/** Landing is part of the end. */
function doneOutcome({ frozen }: World, entry: PlanEntry): Outcome | undefined {
  const { plan, work } = entry;
  const waits: Outcome = { kind: 'person', sentence: `${plan} is done and waits for you:` };
  if (work?.lands && frozen) return waits;
  if (work !== undefined && work.landed === null) return undefined;
  if (hasNotLanded(entry)) return waits;
  return { kind: 'done', sentence: `${plan} is done. ${work?.landed?.text ?? ''}`.trim() };
}
