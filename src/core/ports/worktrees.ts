// Worktrees of runs, as a port. Everything may be asked twice.
import { type PlanFile, slugOf } from '../../plan/name.ts';
import type { Commit } from '../model/commit.ts';
import type { PlaceId } from '../model/ids.ts';
import type { Tree } from '../model/run-name.ts';

export interface PlanBranch {
  readonly branch: string;
  readonly tip: Commit;
  /** The branch that it began from and is landed on. To be remembered: a person may check out another one tomorrow. */
  readonly base: string;
}

export interface SetupRequest {
  /** The command that makes a worktree ready, as a list of words; nothing to do where it is empty. */
  readonly setup: readonly string[];
  /** How long the command may take, in milliseconds. */
  readonly patience: number;
  readonly stop?: AbortSignal;
  /** The last commit of the run's branch that is known: there it begins again should somebody have deleted it. */
  readonly head?: Commit;
}

export type SetupOutcome =
  | {
      readonly kind: 'ready';
      readonly path: string;
      /** The commit that the run began from, also where the plan's branch has moved on since. */
      readonly base: Commit;
      /** The first of the ports that are this worktree's own. */
      readonly portBase: number;
      /** What a person should know: files that were named to be copied and were not. */
      readonly notes: readonly string[];
    }
  | { readonly kind: 'failed'; readonly why: string; readonly tail: string };

/** Each worktree has so many ports of its own. */
export const PORTS_EACH = 10;

/** What every program in the worktree is told about its ports. */
export function portVariables({ plan, name }: Tree, portBase: number): Readonly<Record<string, string>> {
  const project = `cadre-${slugOf(plan)}-${name}-${portBase}`.toLowerCase().replace(/[^a-z0-9_-]/g, '_');
  return { CADRE_PORT_BASE: `${portBase}`, PORT: `${portBase}`, COMPOSE_PROJECT_NAME: project };
}

export type TreeLook =
  | {
      readonly kind: 'present';
      readonly head: Commit;
      /** The branch that is checked out; nothing where it is none. */
      readonly branch: string | undefined;
      /** Commits beyond the one that the run began from. */
      readonly commits: number;
      /** What is changed, staged or not known to git, at most `MOST_LISTED` of it. */
      readonly dirty: readonly string[];
      readonly dirtyCount: number;
      /** What git is in the middle of, such as a merge whose conflicts are not resolved. */
      readonly unfinished: string | undefined;
    }
  | { readonly kind: 'gone'; readonly why: string };

/** So many files are named; of more there is only the number. */
export const MOST_LISTED = 50;

/** Work that was pinned: a commit that nothing deletes, under this ref. */
export interface Pinned {
  readonly ref: string;
  readonly commit: Commit;
  /** Files that no commit can hold: repositories inside, and what cannot be read. */
  readonly missing: readonly string[];
}

export type UndoOutcome =
  | { readonly kind: 'nothing-to-undo' }
  /** `changed`: what was undone, at most `MOST_LISTED` of it. */
  | { readonly kind: 'undone'; readonly pinned: Pinned; readonly changed: readonly string[] };

export type RemoveOutcome =
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
 * Worktrees of runs, of the plan's reviewer and of merged trees. Contract: what was done before is not done again, a call
 * that was cut off is finished by the next one, work is pinned under refs/cadre/keep before anything takes it away, and
 * the person's own checkouts are not touched. A worktree in which a session works is not undone, removed or restored.
 */
export interface RunWorktrees {
  /** The plan's branch; begun at the tip of its base where there is none. `base`: the branch that is configured. */
  planBranch(plan: PlanFile, base: string | undefined): Promise<PlanBranch>;
  /** The last commit of the plan's branch; nothing where there is no such branch, and none is made. */
  tipOf(plan: PlanFile): Promise<Commit | undefined>;
  /** Pins the plan's branch and lets it go, once for each generation, so that the next one begins from the base. */
  renewBranch(plan: PlanFile, generation: number): Promise<RenewOutcome>;
  /** The run's worktree on its own branch, from the tip that the plan's branch had at the first call, made ready. */
  setUp(run: Tree, planBranch: string, request: SetupRequest): Promise<SetupOutcome>;
  /** A worktree on no branch at this commit, made ready. What was changed in it is pinned and undone. */
  detach(tree: Tree, at: Commit, request: SetupRequest): Promise<SetupOutcome>;
  /** Where the worktree is, or would be. */
  pathOf(tree: Tree): string;
  /** The first of the ports that are its own. */
  portBaseOf(tree: Tree): Promise<number>;
  /** Whether it is a worktree of this repository at all; git is not asked. */
  exists(tree: Tree): boolean;
  /** The commit that it is at; nothing where it is gone. */
  headOf(tree: Tree): Promise<Commit | undefined>;
  /** Takes no lock and changes nothing, so that it may be asked while an agent works. */
  look(tree: Tree): Promise<TreeLook>;
  /** Brings the worktree and its branch back to the commit; ignored files stay. */
  undo(tree: Tree, commit: Commit): Promise<UndoOutcome>;
  /** Pins what is committed and what is not, and touches neither files nor index. */
  pin(tree: Tree, why: string): Promise<Pinned>;
  /** Everything that was pinned of this worktree, the last first. */
  pins(tree: Tree): Promise<readonly Pinned[]>;
  /**
   * Pins everything, puts ignored files that stand by themselves into the run's folder, and gives the worktree back. What
   * lies in an ignored folder can be made again and goes. The branch stays.
   */
  remove(tree: Tree): Promise<RemoveOutcome>;
  /** The worktree again as it was when it was pinned, last or under this ref; what was not committed then is not now. */
  restore(tree: Tree, ref?: string): Promise<RestoreOutcome>;
  /** Commits everything in the worktree, for an agent whose sandbox cannot. */
  commitFor(run: Tree, message: string): Promise<CommitOutcome>;
}

/** `pinned`: what the branch was; nothing where there was none. */
export type RenewOutcome = { readonly kind: 'renewed'; readonly pinned: Commit | undefined } | OccupiedBranch;

/** A branch cannot be moved, because someone has it checked out and is at work there. */
export interface OccupiedBranch {
  readonly kind: 'occupied';
  readonly path: string;
  readonly why: string;
}

/** Worktrees of sessions that a person starts, one for each place in which sessions follow one another. */
export interface AdhocWorktrees {
  /**
   * The worktree of the place, on the branch; returns its path. A missing branch is created at the commit `from`. An
   * existing worktree is left as it is.
   */
  ensure(place: PlaceId, branch: string, from: Commit): Promise<string>;
  /** Commits everything in it to its branch and removes it. One with files that git does not keep stays. */
  release(place: PlaceId, branch: string, message: string): Promise<void>;
  /** The path of the worktree, if it exists. */
  find(place: PlaceId): string | undefined;
}

/** Keeps a text in a file of the run, under this name; returns where. */
export interface RunFiles {
  write(tree: Tree, file: string, text: string): string;
}
