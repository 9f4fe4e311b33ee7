// Pull requests, as a port.
import type { Commit } from '../model/commit.ts';

export interface PullRequest {
  /** The branch, the same here and on the remote, and the commit of it that is to be merged. */
  readonly head: string;
  readonly commit: Commit;
  readonly into: string;
  /** The first line becomes its title. */
  readonly message: string;
  /** Its commits stay what they are; otherwise they become one. */
  readonly keepsHistory: boolean;
}

export type PullOutcome =
  | { readonly kind: 'merged'; readonly url: string }
  | { readonly kind: 'turned-down'; readonly url: string; readonly why: string }
  /** `needsPerson`: otherwise it may be over by itself, when what the remote runs has ended. */
  | { readonly kind: 'waits'; readonly url: string; readonly why: string; readonly needsPerson: boolean };

/**
 * Pull requests of the repository's remote. Contract: a branch has one at a time, which is opened once however often it is
 * asked for; only the commit that is named is merged; no branch or checkout here is changed.
 */
export interface PullRequests {
  /** One that waits is left alone for so many milliseconds before it is asked for again. */
  readonly patience: number;
  /** Why there can be none here, as the end of a sentence. */
  problem(): Promise<string | undefined>;
  merge(pull: PullRequest): Promise<PullOutcome>;
}
