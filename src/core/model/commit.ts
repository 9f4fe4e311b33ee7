// Commits, and the moves of branches between them. The journal has a move before it happens.

/** The full hash. */
export type Commit = string;

/** Enough of the hash for a person to recognise the commit. */
export function short(commit: Commit): string {
  return commit.slice(0, 10);
}

/**
 * A move that is about to happen. Until its result is recorded, the branch is at `from` (do it again) or at `to` (it is
 * done); anywhere else, somebody else moved it.
 */
export interface IntendedMove {
  /** The effect that moves the branch. */
  readonly effect: string;
  /** The plan branch, or the base branch that an approved plan lands on. */
  readonly branch: 'plan' | 'base';
  /** Null: the branch is created. */
  readonly from: Commit | null;
  readonly to: Commit;
  /** The plan branch contains this commit of its base branch from then on. */
  readonly base?: PlanBase;
}

/** The branch that a plan starts from and lands on, and the last of its commits that the plan branch contains. */
export interface PlanBase {
  readonly branch: string;
  readonly commit: Commit;
}
