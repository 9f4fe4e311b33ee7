// Merges, as a port.
import type { PlanFile } from '../../plan/name.ts';
import type { Commit } from '../model/commit.ts';
import type { Tree } from '../model/run-name.ts';
import type { VerifyOutcome } from './verifier.ts';
import type { FoundBase, OccupiedBranch } from './worktrees.ts';

export type MergeAnswer =
  | { readonly kind: 'merged'; readonly commit: Commit }
  /** The branch already has all of it. */
  | { readonly kind: 'already'; readonly commit: Commit }
  | { readonly kind: 'conflict'; readonly files: readonly string[] }
  /** The branch is not at the expected commit. `tip`: where it is; undefined if it does not exist. */
  | { readonly kind: 'moved'; readonly tip: Commit | undefined }
  /** `intend` did not agree. */
  | { readonly kind: 'withheld' }
  /** The merged tree differs from the verified one, and did not pass verification. */
  | { readonly kind: 'unverified'; readonly result: Exclude<VerifyOutcome, { kind: 'passed' }> }
  /** The pull request was closed, the remote sees a conflict, or the histories are unrelated. */
  | { readonly kind: 'turned-down'; readonly why: string }
  /** The remote does not merge it yet, or has commits that conflict with those here. */
  | { readonly kind: 'waits'; readonly why: string; readonly needsPerson: boolean }
  | OccupiedBranch;

export interface MergeRequest {
  readonly run: Tree;
  /** The commit that was verified and reviewed. */
  readonly pin: Commit;
  /** The commit at which the plan's branch must be. */
  readonly tip: Commit;
  /** The branch that the plan started from. What the run has merged from it counts as merged by the plan. */
  readonly base: string;
  readonly message: string;
}

export interface SyncRequest {
  readonly plan: PlanFile;
  /** The commit at which the plan's branch must be. */
  readonly tip: Commit;
  readonly base: FoundBase;
  readonly message: string;
}

export interface LandRequest {
  /** The commit that was approved. */
  readonly tip: Commit;
  /** The branch that it is merged into. */
  readonly base: string;
  readonly message: string;
}

/** Verifies a commit that no branch has yet. Called only if the merged tree differs from what was verified. */
export type VerifyMerged = (merged: Commit) => Promise<VerifyOutcome>;

/** `from` is null where the branch is created. */
export interface BranchStep {
  readonly from: Commit | null;
  readonly to: Commit;
}

/** Records what is about to happen. Called right before a branch moves, which it does only if the answer is true. */
export type Intend = (step: BranchStep) => Promise<boolean>;

export interface RecordedMove extends BranchStep {
  readonly branch: string;
  /** Present for the branch of a plan. */
  readonly plan?: PlanFile;
}

export type FinishAnswer =
  | Extract<MergeAnswer, { kind: 'merged' | 'moved' | 'occupied' }>
  /** The branch has not moved, and the commit that it should move to no longer exists. */
  | { readonly kind: 'lost' };

/** Null where the branch does not exist. */
export interface SetRequest {
  readonly plan: PlanFile;
  readonly from: Commit | null;
  readonly to: Commit | null;
  /** Pinned first. */
  readonly keep: Commit | null;
}

export type SetAnswer = { readonly kind: 'set' } | Extract<MergeAnswer, { kind: 'moved' | 'occupied' }>;

/**
 * Merges without a checkout: creates a commit, then moves a ref. Contract: a branch moves only from the expected commit to a
 * finished one, and only after `intend` agreed; what is on the plan's branch is pinned. A clean checkout of the branch is
 * fast-forwarded; one with changes is left alone and named in the answer.
 */
export interface Merging {
  /** Squashes the run's commits into one commit on the plan's branch. */
  merge(request: MergeRequest, verify: VerifyMerged, intend: Intend): Promise<MergeAnswer>;
  /**
   * The same with a pull request against the plan's branch, which is merged on the remote and then fetched. Before that, the
   * plan's branch is pushed.
   */
  offer(request: MergeRequest, verify: VerifyMerged, intend: Intend): Promise<MergeAnswer>;
  /** Makes a recorded move, or finds that it was made. */
  finish(move: RecordedMove): Promise<FinishAnswer>;
  /** Merges the base into the plan's branch. */
  syncBase(request: SyncRequest, verify: VerifyMerged, intend: Intend): Promise<MergeAnswer>;
  /** Tries landing without changing anything. */
  canLand(tip: Commit, base: FoundBase): Promise<LandingTrial>;
  /** Moves the plan's branch in any direction, unless it is checked out or elsewhere. */
  setBranch(request: SetRequest): Promise<SetAnswer>;
  /** Whether the history of `head` has the commit. */
  contains(head: Commit, commit: Commit): Promise<boolean>;
  /** The same, or its history has a commit with the same changes. */
  hasChangesOf(head: Commit, commit: Commit): Promise<boolean>;
  /** Merges the plan's branch into its base. */
  land(request: LandRequest, intend: Intend): Promise<MergeAnswer>;
}

export type LandingTrial =
  | { readonly kind: 'lands'; readonly how: 'fast-forward' | 'merge' | 'nothing-to-do' }
  /** `base`: git's name for the branch, such as `origin/main`. */
  | { readonly kind: 'conflict'; readonly base: string; readonly files: readonly string[] }
  /** The two have no common history. */
  | { readonly kind: 'unrelated'; readonly base: string };
