// The refs that cadre keeps for itself, below refs/cadre.
import type { Tree } from '../../core/model/run-name.ts';
import { type PlanFile, slugOf } from '../../plan/name.ts';

/** Remembers the commit that a run started from. */
export function baseRef({ plan, name }: Tree): string {
  return refPrefix({ plan: slugOf(plan), part: name });
}

/** The same for what was pinned from a run. */
export function refPrefix({ plan, part }: { readonly plan: string; readonly part: string }): string {
  return `refs/cadre/base/${plan}/${part}`;
}

/** Everything that is pinned is below this, in a folder for the plan, and in that one for each of its parts. */
export const KEEP = 'refs/cadre/keep/';

/** The part that is the plan's branch. */
export const PLAN_PART = 'plan';

/** Work that was pinned from a worktree is below this. */
export function pinsOf({ plan, name }: Tree): string {
  return `${KEEP}${slugOf(plan)}/${name}`;
}

/** Pins the plan's branch when the plan starts over. */
export function planPin(plan: PlanFile, generation: number): string {
  return `${KEEP}${slugOf(plan)}/${PLAN_PART}/${generation}`;
}

/** Commits that were on the plan's branch when a person decided about an incident are below this. */
export function foundPins(plan: PlanFile): string {
  return `${KEEP}${slugOf(plan)}/found`;
}

/** Pins the commit at which cadre left the plan's branch, so that the branch can be restored. */
export function tipPin(plan: PlanFile): string {
  return `refs/cadre/tip/${slugOf(plan)}`;
}

/** A symbolic ref to the branch that the plan started from, written by version 0.1.0. Now the journal has its name. */
export function landingRef(plan: PlanFile): string {
  return `refs/cadre/landing/${slugOf(plan)}`;
}
