// What is left of runs and sessions on disk and in git, and its removal; damage that can be repaired. Both as ports.
import type { Commit } from '../model/commit.ts';
import type { SessionId } from '../model/ids.ts';
import type { Tree } from '../model/run-name.ts';
import type { Kept } from './kept.ts';

/** Everything that cadre may have left, whether it is still needed or not. */
export interface Leftovers {
  readonly trees: readonly LeftTree[];
  readonly branches: readonly LeftBranch[];
  readonly kept: readonly Kept[];
  /** Folders with the output of commands and long texts for agents. */
  readonly outputs: readonly LeftOutput[];
  readonly sessions: readonly LeftSession[];
  readonly boxes: readonly LeftBox[];
  /** Refused signals that are kept with their reasons. */
  readonly refused: readonly { readonly id: string; readonly at: string }[];
  /** Worktrees of this repository that no longer exist and still have ports. */
  readonly ports: readonly string[];
}

/** In the names of plans, worktrees and branches: the plan's name without ".md", or `adhoc`. */
export interface LeftPart {
  readonly plan: string;
  readonly part: string;
}

export interface LeftTree extends LeftPart {
  readonly path: string;
}

/** A branch of a run, or of a session that a person started. */
export interface LeftBranch extends LeftPart {
  readonly branch: string;
  readonly commit: Commit;
  /** A branch or tag that is not of a run has the commit too. */
  readonly isElsewhere: boolean;
}

export interface LeftOutput extends LeftPart {
  readonly folder: string;
}

export interface LeftSession {
  readonly session: SessionId;
  /** Every process of it has ended. */
  readonly isStopped: boolean;
  readonly at: string;
}

export interface LeftBox {
  readonly session: string;
  /** How many messages in it nobody has taken. */
  readonly waiting: number;
  readonly at: string;
}

/** What to remove, and how it is recognized at the last moment. */
export type Target =
  | { readonly kind: 'worktree'; readonly tree: Tree }
  /** Pins the commit first, under the name of the tree, unless it is somewhere else. */
  | { readonly kind: 'branch'; readonly branch: string; readonly commit: Commit; readonly pinFor: Tree | null }
  | { readonly kind: 'pin'; readonly ref: string; readonly commit: Commit }
  | { readonly kind: 'files'; readonly folder: string }
  | { readonly kind: 'output'; readonly plan: string; readonly part: string }
  | { readonly kind: 'session'; readonly session: SessionId }
  | { readonly kind: 'box'; readonly session: string }
  | { readonly kind: 'refused'; readonly id: string }
  | { readonly kind: 'port'; readonly worktree: string };

/**
 * Contract: removes only what cadre created, in its own folders and under its own names, and nothing through a symbolic
 * link. Everything can be called again after it was cut off.
 */
export interface Cleanup {
  /** Takes no lock and changes nothing. */
  survey(): Promise<Leftovers>;
  /** The space that it takes on disk, in bytes. For pins and branches 0: git frees that, and only together. */
  bytesOf(target: Target): number;
  /** What git can free once none of these refs exists. */
  bytesInGit(refs: readonly string[]): Promise<number>;
  /** Removes it, and returns undefined; or why it stays. */
  remove(target: Target): Promise<string | undefined>;
  /** Excludes restoring, and another cleanup, until the work is done. */
  undisturbed<T>(work: () => Promise<T>): Promise<T>;
}

/** Damage outside the journal that can be repaired without losing anything. */
export interface Damage {
  readonly kind: 'git-lock' | 'ignores' | 'signals-folder' | 'terminals';
  /** What is damaged: a path, or the name of a tmux server. */
  readonly id: string;
  /** `bad` where something does not work because of it. */
  readonly weight: 'note' | 'bad';
  /** What is wrong, as the check-up shows it. */
  readonly sentence: string;
  /** What the repair does. */
  readonly repair: string;
}

/** Contract: looks again before it changes something, and can be called again after it was cut off. */
export interface Repairs {
  /** Takes no lock and changes nothing. */
  find(): Promise<readonly Damage[]>;
  /** Repairs it, and returns undefined; or why it stays as it is. */
  apply(damage: Damage): Promise<string | undefined>;
}
