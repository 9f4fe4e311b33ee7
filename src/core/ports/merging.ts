// Merges, as a port.
import type { Commit } from '../model/commit.ts';
import type { Tree } from '../model/run-name.ts';
import type { VerifyOutcome } from './verifier.ts';
import type { OccupiedBranch } from './worktrees.ts';

export type MergeAnswer =
  | { readonly kind: 'merged'; readonly commit: Commit }
  /** Merged before, perhaps by a call that was cut off; or the branch already has all of it. */
  | { readonly kind: 'already'; readonly commit: Commit }
  | { readonly kind: 'conflict'; readonly files: readonly string[] }
  /** The branch is not at the expected tip. `isAhead`: it is at a descendant of it. */
  | { readonly kind: 'moved'; readonly tip: Commit; readonly isAhead: boolean }
  /** The merged tree differs from the verified one, and did not pass verification. */
  | { readonly kind: 'unverified'; readonly result: Exclude<VerifyOutcome, { kind: 'passed' }> }
  /** The pull request was closed, the remote sees a conflict, or the histories are unrelated. */
  | { readonly kind: 'turned-down'; readonly why: string }
  /** The remote does not merge it yet, or has commits that conflict with those here. */
  | { readonly kind: 'waits'; readonly why: string; readonly needsPerson: boolean }
  | OccupiedBranch;

export interface MergeRequest {
  readonly run: Tree;
  readonly planBranch: string;
  /** The commit that was verified and reviewed. */
  readonly pin: Commit;
  /** The expected tip of the plan's branch. */
  readonly tip: Commit;
  /** The branch that the plan started from. What the run has merged from it counts as merged by the plan. */
  readonly base: string;
  readonly message: string;
}

export interface BaseRequest {
  readonly planBranch: string;
  readonly base: string;
}

/** Verifies a commit that no branch has yet. Called only if the merged tree differs from what was verified. */
export type VerifyMerged = (merged: Commit) => Promise<VerifyOutcome>;

/**
 * Merges without a checkout: creates a commit, then moves a ref. Contract: a branch only moves forward, and only to a
 * finished commit; a call that was killed and is repeated has the same result. A clean checkout of the branch is
 * fast-forwarded; one with changes is left alone and named in the answer.
 */
export interface Merging {
  /** Squashes the run's commits into one commit on the plan's branch. */
  merge(request: MergeRequest, verify: VerifyMerged): Promise<MergeAnswer>;
  /**
   * The same with a pull request against the plan's branch, which is merged on the remote and then fetched. Before that,
   * commits that only the remote has are fetched, and those that only the local branch has are pushed.
   */
  offer(request: MergeRequest, verify: VerifyMerged): Promise<MergeAnswer>;
  /** Fetches or pushes the plan's branch, so that it is the same here and on the remote. */
  takeIn(planBranch: string): Promise<void>;
  /** The commit that merged this commit of the run into the plan's branch, if any. */
  merged(run: Tree, planBranch: string, pin: Commit): Promise<Commit | undefined>;
  /** Merges the base into the plan's branch. */
  syncBase(request: BaseRequest & { readonly message: string }, verify: VerifyMerged): Promise<MergeAnswer>;
  /** Tries landing without changing anything. */
  canLand(request: BaseRequest): Promise<LandingTrial>;
  /** Merges the plan's branch into its base. */
  land(request: BaseRequest & { readonly message: string }, verify: VerifyMerged): Promise<MergeAnswer>;
}

export type LandingTrial =
  | { readonly kind: 'lands'; readonly how: 'fast-forward' | 'merge' | 'nothing-to-do' }
  /** `base`: git's name for the branch, such as `origin/main`. */
  | { readonly kind: 'conflict'; readonly base: string; readonly files: readonly string[] };
