// Merges, as a port.
import type { Commit } from '../model/commit.ts';
import type { Tree } from '../model/run-name.ts';
import type { VerifyOutcome } from './verifier.ts';
import type { OccupiedBranch } from './worktrees.ts';

export type MergeAnswer =
  | { readonly kind: 'merged'; readonly commit: Commit }
  /** It was merged before, perhaps by a call that was cut off; or there is nothing in it that the branch has not. */
  | { readonly kind: 'already'; readonly commit: Commit }
  | { readonly kind: 'conflict'; readonly files: readonly string[] }
  /** The branch is elsewhere than was thought. `isAhead`: it has gone on from there, and was not set to something else. */
  | { readonly kind: 'moved'; readonly tip: Commit; readonly isAhead: boolean }
  /** The merged tree is one that nobody has verified, and verifying it did not end well. */
  | { readonly kind: 'unverified'; readonly result: Exclude<VerifyOutcome, { kind: 'passed' }> }
  /** The pull request was closed, or the remote sees a conflict that is none here. */
  | { readonly kind: 'turned-down'; readonly why: string }
  /** It is decided elsewhere, and not yet: the remote wants something first, or has what is not here. */
  | { readonly kind: 'waits'; readonly why: string; readonly needsPerson: boolean }
  | OccupiedBranch;

export interface MergeRequest {
  readonly run: Tree;
  readonly planBranch: string;
  /** The commit that was verified and reviewed. */
  readonly pin: Commit;
  /** Where the plan's branch is, as far as is known. */
  readonly tip: Commit;
  /** The branch that the plan began from: what the run has taken in of it counts as taken in by the plan. */
  readonly base: string;
  readonly message: string;
}

export interface BaseRequest {
  readonly planBranch: string;
  readonly base: string;
}

/** Verifies a commit that no branch has yet. It is asked only where the merged tree differs from what was verified. */
export type VerifyMerged = (merged: Commit) => Promise<VerifyOutcome>;

/**
 * Merges, made without any checkout and put in place by moving a ref from where it was. Contract: a branch moves only
 * forward and only to a finished commit; killed anywhere and asked again, the same answer comes about. A clean checkout of
 * the branch that moves is brought along, one with changes in it is left alone and named.
 */
export interface Merging {
  /** Squashes the run's commits into one on the plan's branch. */
  merge(request: MergeRequest, check: VerifyMerged): Promise<MergeAnswer>;
  /**
   * The same by a pull request against the plan's branch, which is merged on the remote and then taken in here. What is on
   * the remote's branch alone is taken in first; what is here alone is pushed.
   */
  offer(request: MergeRequest, check: VerifyMerged): Promise<MergeAnswer>;
  /** Takes in what the plan's branch has on the remote alone, so that looking at it here tells all. */
  takeIn(planBranch: string): Promise<void>;
  /** Whether this very commit of the run is on the plan's branch; where it got there. */
  merged(run: Tree, planBranch: string, pin: Commit): Promise<Commit | undefined>;
  /** Brings what is new on the base into the plan's branch. */
  syncBase(request: BaseRequest & { readonly message: string }, check: VerifyMerged): Promise<MergeAnswer>;
  /** What landing would come to. */
  canLand(request: BaseRequest): Promise<LandingTrial>;
  /** Brings the plan's branch into its base. */
  land(request: BaseRequest & { readonly message: string }, check: VerifyMerged): Promise<MergeAnswer>;
}

export type LandingTrial =
  | { readonly kind: 'lands'; readonly how: 'fast-forward' | 'merge' | 'nothing-to-do' }
  /** `base`: what git calls the branch that it conflicts with. */
  | { readonly kind: 'conflict'; readonly base: string; readonly files: readonly string[] };
