// Pull requests, as a port.
import type { Commit } from '../model/commit.ts';

export interface PullRequest {
  /** The branch to merge, which has the same name here and on the remote. */
  readonly head: string;
  /** The commit of the branch to merge. */
  readonly commit: Commit;
  readonly into: string;
  /** The first line becomes the title. */
  readonly message: string;
  /** A merge commit; otherwise the commits are squashed. */
  readonly keepsHistory: boolean;
}

export type PullOutcome =
  /** `commit`: the merge on the remote. */
  | { readonly kind: 'merged'; readonly url: string; readonly commit: Commit }
  | { readonly kind: 'turned-down'; readonly url: string; readonly why: string }
  /** Unless it `needsPerson`, it may become mergeable when the remote's checks have finished. */
  | { readonly kind: 'waits'; readonly url: string; readonly why: string; readonly needsPerson: boolean };

/**
 * Pull requests on the repository's remote. Contract: a branch has at most one open pull request; only the given commit is
 * merged; no local branch or checkout changes.
 */
export interface PullRequests {
  /** How long to wait before asking again for one that waits, in milliseconds. */
  readonly patience: number;
  /** Why there can be no pull requests, as the end of a sentence. */
  problem(): Promise<string | undefined>;
  merge(pull: PullRequest): Promise<PullOutcome>;
  /** The commit on the remote that merged this commit of the branch; undefined if it is not merged. */
  mergedAs(head: string, commit: Commit): Promise<Commit | undefined>;
}
