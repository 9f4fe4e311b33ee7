// Worktrees, as a port.
import { type PlanFile, slugOf } from '../../plan/name.ts';
import type { Commit, PlanBase } from '../model/commit.ts';
import type { PlaceId } from '../model/ids.ts';
import type { Tree } from '../model/run-name.ts';

/** The branch that a plan starts from and lands on, with its last commit. */
export interface FoundBase extends PlanBase {
  /** Git's name for it: `origin/main` if only the remote has the branch. */
  readonly name: string;
}

export interface SetupRequest {
  /** The setup command as a list of words. Empty if the project has none. */
  readonly setup: readonly string[];
  /** How long the command may take, in milliseconds. */
  readonly patience: number;
  readonly stop?: AbortSignal;
  /** The last known commit of the run's branch, which is restored there if someone deleted it. */
  readonly head?: Commit;
  /** Nobody has worked for this run yet, so what its branch has beyond the plan's is not its own. */
  readonly isFirst?: boolean;
}

export type SetupOutcome =
  | {
      readonly kind: 'ready';
      readonly path: string;
      /** The commit that the run started from, even if the plan's branch has moved on since. */
      readonly base: Commit;
      /** The first of the worktree's ports. */
      readonly portBase: number;
      /** Warnings: files that could not be copied. */
      readonly notes: readonly string[];
    }
  | { readonly kind: 'failed'; readonly why: string; readonly tail: string };

/** Ports per worktree. */
export const PORTS_EACH = 10;

/** The environment variables by which programs in the worktree know its ports. */
export function portVariables({ plan, name }: Tree, portBase: number): Readonly<Record<string, string>> {
  const project = `cadre-${slugOf(plan)}-${name}-${portBase}`.toLowerCase().replace(/[^a-z0-9_-]/g, '_');
  return { CADRE_PORT_BASE: `${portBase}`, PORT: `${portBase}`, COMPOSE_PROJECT_NAME: project };
}

export type TreeLook =
  | {
      readonly kind: 'present';
      readonly head: Commit;
      /** Undefined if HEAD is detached. */
      readonly branch: string | undefined;
      /** Commits since the one that the run started from. */
      readonly commits: number;
      /** Changed, staged and untracked files, at most `MAX_LISTED`. */
      readonly dirty: readonly string[];
      readonly dirtyCount: number;
      /** The operation that git is in the middle of, such as `a merge`. */
      readonly unfinished: string | undefined;
    }
  | { readonly kind: 'gone'; readonly why: string };

/** How many files an answer lists. */
export const MAX_LISTED = 50;

/** Work that was pinned: a commit that the ref keeps alive. */
export interface Pinned {
  readonly ref: string;
  readonly commit: Commit;
  /** Files that no commit can hold: nested repositories, and files that cannot be read. */
  readonly missing: readonly string[];
}

export type UndoOutcome =
  | { readonly kind: 'nothing-to-undo' }
  /** `changed` lists at most `MAX_LISTED` files. */
  | { readonly kind: 'undone'; readonly pinned: Pinned; readonly changed: readonly string[] };

export type RemoveOutcome =
  /** `saved`: the ignored files that were moved to the run's folder. */
  | { readonly kind: 'removed'; readonly pinned: Pinned; readonly saved: readonly string[] }
  | { readonly kind: 'gone' }
  | { readonly kind: 'stays'; readonly why: string };

export type RestoreOutcome =
  | { readonly kind: 'restored'; readonly path: string; readonly branch: string; readonly ref: string }
  | { readonly kind: 'refused'; readonly why: string };

export type CommitOutcome =
  | { readonly kind: 'committed'; readonly head: Commit }
  | { readonly kind: 'nothing-to-commit'; readonly head: Commit }
  | { readonly kind: 'refused'; readonly why: string };

/**
 * Worktrees of runs, of the plan's reviewer and of merged trees. Contract: every call is idempotent and finishes what an
 * earlier call left when it was cut off; work is pinned under refs/cadre/keep before it is removed; and a person's own
 * checkouts are not touched. Do not undo, remove or restore a worktree in which a session is running.
 */
export interface RunWorktrees {
  /** `branch`: the branch that is configured or recorded; otherwise the one that is checked out. */
  baseOf(plan: PlanFile, branch: string | undefined): Promise<FoundBase>;
  /** The last commit of the plan's branch, or undefined if it does not exist. */
  tipOf(plan: PlanFile): Promise<Commit | undefined>;
  /** Pins and deletes the plan's branch, once per generation, so that the next one starts from the base. */
  /** Another ref that git takes for the plan's branch if a person types the name of that branch; undefined if there is none. */
  shadowOf(plan: PlanFile): Promise<string | undefined>;
  renewBranch(plan: PlanFile, generation: number): Promise<RenewOutcome>;
  /** Sets up the run's worktree on its own branch, which starts at the `tip` of the first call. */
  setUp(run: Tree, tip: Commit, request: SetupRequest): Promise<SetupOutcome>;
  /** Sets up a detached worktree at this commit. Changes in an existing one are pinned and undone. */
  detach(tree: Tree, at: Commit, request: SetupRequest): Promise<SetupOutcome>;
  /** The path of the worktree, which need not exist. */
  pathOf(tree: Tree): string;
  /** The first of its ports. */
  portBaseOf(tree: Tree): Promise<number>;
  /** Whether it is a worktree of this repository, without asking git. */
  exists(tree: Tree): boolean;
  /** Removes the lock files that a killed git left in it. Does nothing while a git runs there. */
  unlock(tree: Tree): void;
  /**
   * What somebody changed in the files that link the worktree to the repository, as a sentence; undefined if nothing. With
   * such a change the worktree counts as missing, and every call that works on it throws a Failure.
   */
  integrity(tree: Tree): string | undefined;
  /**
   * Links a worktree whose link was changed to the repository again, pins what is in it, and resets it to its branch.
   * `kept`: where the pin and the files that were there instead of the link are; none where nothing was changed.
   */
  relink(tree: Tree): Promise<{ readonly kept: readonly string[] }>;
  /** The commit that is checked out, or undefined if the worktree is gone. */
  headOf(tree: Tree): Promise<Commit | undefined>;
  /** The files that differ between two commits. */
  changed(from: Commit, to: Commit): Promise<readonly string[]>;
  /**
   * The folders that `to` has and `from` has not, and that are separate repositories: the commit names one of their
   * commits, and says nowhere where to find it.
   */
  nestedIn(from: Commit, to: Commit): Promise<readonly string[]>;
  /** The paths of all files in a commit. */
  files(commit: Commit): Promise<readonly string[]>;
  /** The text of a file in a commit; undefined if there is none. */
  textAt(commit: Commit, path: string): Promise<string | undefined>;
  /**
   * Takes no lock and changes nothing, so it is safe while an agent works. `base`: the commit that the run started from, where
   * the journal has it: an agent can change the ref.
   */
  look(tree: Tree, base?: Commit): Promise<TreeLook>;
  /**
   * The files that are not exactly as in the commit, and those that it does not have, whatever the worktree's index says.
   * Ignored files do not count. At most `MAX_LISTED`.
   */
  differences(tree: Tree, commit: Commit): Promise<readonly string[]>;
  /** Resets the worktree and its branch to the commit. Ignored files stay. */
  undo(tree: Tree, commit: Commit): Promise<UndoOutcome>;
  /** Pins committed and uncommitted work without touching files or index. */
  pin(tree: Tree, why: string): Promise<Pinned>;
  /** Everything that was pinned from this worktree, newest first. */
  pins(tree: Tree): Promise<readonly Pinned[]>;
  /**
   * Pins everything, moves single ignored files to the run's folder, and removes the worktree with its ignored folders,
   * whose content can be rebuilt. The branch stays.
   */
  remove(tree: Tree): Promise<RemoveOutcome>;
  /** Restores the worktree from this pin or the newest. Work that was uncommitted is uncommitted again. */
  restore(tree: Tree, ref?: string): Promise<RestoreOutcome>;
  /** Commits everything in the worktree for an agent whose sandbox cannot. */
  commitFor(run: Tree, message: string): Promise<CommitOutcome>;
}

/** `pinned`: the old tip of the branch, or undefined if there was no branch. */
export type RenewOutcome = { readonly kind: 'renewed'; readonly pinned: Commit | undefined } | OccupiedBranch;

/** A branch cannot be moved because a checkout of it has changes. */
export interface OccupiedBranch {
  readonly kind: 'occupied';
  readonly path: string;
  readonly why: string;
}

/** Worktrees of sessions that a person starts, one per place. Contract: as above; nothing in a worktree is ever lost. */
export interface AdhocWorktrees {
  /**
   * The worktree of the place, on the branch; returns its path. A missing branch is created at the commit `from`. An
   * existing worktree is left as it is.
   */
  ensure(place: PlaceId, branch: string, from: Commit): Promise<string>;
  /** Commits everything in it to its branch and removes it. It stays, detached, if it has files that no commit holds. */
  release(place: PlaceId, branch: string, message: string): Promise<void>;
  /** The path of the worktree, if it exists. */
  find(place: PlaceId): string | undefined;
}

export interface RunFiles {
  /** Writes a text to a file of the run and returns its path. */
  write(tree: Tree, file: string, text: string): string;
}
