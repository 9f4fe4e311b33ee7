// The refs that cadre keeps for itself, below refs/cadre.
import type { Tree } from '../../core/model/run-name.ts';
import { type PlanFile, slugOf } from '../../plan/name.ts';

/** Remembers the commit that a run started from. */
export function baseRef({ plan, name }: Tree): string {
  return `refs/cadre/base/${slugOf(plan)}/${name}`;
}

/** Work that was pinned from a worktree is below this. */
export function pinsOf({ plan, name }: Tree): string {
  return `refs/cadre/keep/${slugOf(plan)}/${name}`;
}

/** Pins the plan's branch when the plan starts over. */
export function planPin(plan: PlanFile, generation: number): string {
  return `refs/cadre/keep/${slugOf(plan)}/plan/${generation}`;
}

/** A symbolic ref to the branch that the plan started from. */
export function landingRef(plan: PlanFile): string {
  return `refs/cadre/landing/${slugOf(plan)}`;
}
