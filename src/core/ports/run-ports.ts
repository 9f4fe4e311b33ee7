// What runs need from git and from the machine: worktrees, merges, and the verify command. Everything may be asked twice.

import type { PlanFile } from '../../plan/name.ts';
import { slugOf } from '../../plan/name.ts';

/** The whole name of a commit. */
export type Commit = string;

/** As much of it as a person needs to tell it from others. */
export function short(commit: Commit): string {
  return commit.slice(0, 10);
}

/** A worktree of cadre's. Its name is that of a run (`t3-a1`), or says what it is for. */
export interface Tree {
  readonly plan: PlanFile;
  readonly name: TreeName;
}

/** It becomes part of branches and paths: letters, digits, and single ".", "_" or "-" between them. */
export type TreeName = string & { readonly brand: 'TreeName' };

export function treeName(text: string): TreeName | undefined {
  const fits = /^[\p{L}\p{N}]+(?:[._-][\p{L}\p{N}]+)*$/u.test(text) && text.length <= 64 && !text.endsWith('.lock');
  return fits ? (text as TreeName) : undefined;
}

/** Where the plan's reviewer looks, and where a merged tree is verified before the branch has it. */
export const REVIEW_TREE = 'review' as TreeName;
export const MERGED_TREE = 'merged' as TreeName;

export function runBranch({ plan, name }: Tree): string {
  return `cadre/${slugOf(plan)}/${name}`;
}

/** The branch that a worktree has checked out; nothing where it is for looking only. */
export function treeBranch(tree: Tree): string | undefined {
  return tree.name === REVIEW_TREE || tree.name === MERGED_TREE ? undefined : runBranch(tree);
}

export interface PlanBranch {
  readonly branch: string;
  readonly tip: Commit;
  /** The branch that it began from and is landed on. To be remembered: a person may check out another one tomorrow. */
  readonly base: string;
}

export interface SetUpRequest {
  /** The command that makes a worktree ready, as a list of words; nothing to do where it is empty. */
  readonly setup: readonly string[];
  /** How long the command may take, in milliseconds. */
  readonly patience: number;
  readonly stop?: AbortSignal;
  /** The last commit of the run's branch that is known: there it begins again should somebody have deleted it. */
  readonly head?: Commit;
}

export type SetUp =
  | {
      readonly kind: 'ready';
      readonly path: string;
      /** The commit that the run began from, also where the plan's branch has moved on since. */
      readonly base: Commit;
      /** The first of the ports that are this worktree's own. */
      readonly ports: number;
      /** What a person should know: files that were named to be copied and were not. */
      readonly notes: readonly string[];
    }
  | { readonly kind: 'failed'; readonly why: string; readonly tail: string };

/** Each worktree has so many ports of its own. */
export const PORTS_EACH = 10;

/** What every program in the worktree is told about its ports. */
export function portVariables({ plan, name }: Tree, ports: number): Readonly<Record<string, string>> {
  const project = `cadre-${slugOf(plan)}-${name}-${ports}`.toLowerCase().replace(/[^a-z0-9_-]/g, '_');
  return { CADRE_PORT_BASE: `${ports}`, PORT: `${ports}`, COMPOSE_PROJECT_NAME: project };
}

export type TreeLook =
  | {
      readonly kind: 'there';
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
export interface Kept {
  readonly ref: string;
  readonly commit: Commit;
  /** Files that no commit can hold: repositories inside, and what cannot be read. */
  readonly missing: readonly string[];
}

export type Undone =
  | { readonly kind: 'nothing-to-undo' }
  /** `changed`: what was undone, at most `MOST_LISTED` of it. */
  | { readonly kind: 'undone'; readonly kept: Kept; readonly changed: readonly string[] };

export type Removed =
  | { readonly kind: 'removed'; readonly kept: Kept | undefined; readonly aside: readonly string[] }
  | { readonly kind: 'gone' }
  | { readonly kind: 'stays'; readonly why: string };

export type Restored =
  | { readonly kind: 'restored'; readonly path: string; readonly branch: string; readonly ref: string }
  | { readonly kind: 'refused'; readonly why: string };

export type Committed =
  | { readonly kind: 'committed'; readonly head: Commit }
  | { readonly kind: 'nothing-to-commit'; readonly head: Commit }
  | { readonly kind: 'refused'; readonly why: string };

/**
 * Worktrees of runs, of the plan's reviewer and of merged trees. Contract: what was done before is not done again, a call
 * that was cut off is finished by the next one, work is pinned under refs/cadre/keep before anything takes it away, and
 * the person's own checkouts are not touched. A worktree in which a session works is not undone, removed or restored.
 */
export interface RunTrees {
  /** The plan's branch; begun at the tip of its base where there is none. `base`: the branch that is configured. */
  planBranch(plan: PlanFile, base: string | undefined): Promise<PlanBranch>;
  /** The last commit of the plan's branch; nothing where there is no such branch, and none is made. */
  tipOf(plan: PlanFile): Promise<Commit | undefined>;
  /** Pins the plan's branch and lets it go, once for each generation, so that the next one begins from the base. */
  renewBranch(plan: PlanFile, generation: number): Promise<Renewed>;
  /** The run's worktree on its own branch, from the tip that the plan's branch had at the first call, made ready. */
  setUp(run: Tree, planBranch: string, request: SetUpRequest): Promise<SetUp>;
  /** A worktree on no branch at this commit, made ready. What was changed in it is pinned and undone. */
  detach(tree: Tree, at: Commit, request: SetUpRequest): Promise<SetUp>;
  /** Where the worktree is, or would be. */
  pathOf(tree: Tree): string;
  /** The first of the ports that are its own. */
  portsOf(tree: Tree): Promise<number>;
  /** Whether it is a worktree of this repository at all; git is not asked. */
  isThere(tree: Tree): boolean;
  /** The commit that it is at; nothing where it is gone. */
  headOf(tree: Tree): Promise<Commit | undefined>;
  /** Takes no lock and changes nothing, so that it may be asked while an agent works. */
  look(tree: Tree): Promise<TreeLook>;
  /** Brings the worktree and its branch back to the commit; ignored files stay. */
  undo(tree: Tree, pin: Commit): Promise<Undone>;
  /** Pins what is committed and what is not, and touches neither files nor index. */
  keep(tree: Tree, why: string): Promise<Kept>;
  /** Everything that was pinned of this worktree, the last first. */
  kept(tree: Tree): Promise<readonly Kept[]>;
  /**
   * Pins everything, puts ignored files that stand by themselves into the run's folder, and gives the worktree back. What
   * lies in an ignored folder can be made again and goes. The branch stays.
   */
  remove(tree: Tree): Promise<Removed>;
  /** The worktree again as it was when it was pinned, last or under this ref; what was not committed then is not now. */
  restore(tree: Tree, ref?: string): Promise<Restored>;
  /** Commits everything in the worktree, for an agent whose sandbox cannot. */
  commitFor(run: Tree, message: string): Promise<Committed>;
}

/** `pinned`: what the branch was; nothing where there was none. */
export type Renewed = { readonly kind: 'renewed'; readonly pinned: Commit | undefined } | Occupied;

/** A branch cannot be moved, because someone has it checked out and is at work there. */
export interface Occupied {
  readonly kind: 'occupied';
  readonly path: string;
  readonly why: string;
}

export type MergeAnswer =
  | { readonly kind: 'merged'; readonly commit: Commit }
  /** It was merged before, perhaps by a call that was cut off; or there is nothing in it that the branch has not. */
  | { readonly kind: 'already'; readonly commit: Commit }
  | { readonly kind: 'conflict'; readonly files: readonly string[] }
  /** The branch is elsewhere than was thought. `isAhead`: it has gone on from there, and was not set to something else. */
  | { readonly kind: 'moved'; readonly tip: Commit; readonly isAhead: boolean }
  /** The merged tree is one that nobody has verified, and verifying it did not end well. */
  | { readonly kind: 'unverified'; readonly result: Exclude<Verified, { kind: 'passed' }> }
  /** The pull request was closed, or the remote sees a conflict that is none here. */
  | { readonly kind: 'turned-down'; readonly why: string }
  /** It is decided elsewhere, and not yet: the remote wants something first, or has what is not here. */
  | { readonly kind: 'waits'; readonly why: string; readonly needsPerson: boolean }
  | Occupied;

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
export type Check = (merged: Commit) => Promise<Verified>;

/**
 * Merges, made without any checkout and put in place by moving a ref from where it was. Contract: a branch moves only
 * forward and only to a finished commit; killed anywhere and asked again, the same answer comes about. A clean checkout of
 * the branch that moves is brought along, one with changes in it is left alone and named.
 */
export interface Merging {
  /** Squashes the run's commits into one on the plan's branch. */
  merge(request: MergeRequest, check: Check): Promise<MergeAnswer>;
  /**
   * The same by a pull request against the plan's branch, which is merged on the remote and then taken in here. What is on
   * the remote's branch alone is taken in first; what is here alone is pushed.
   */
  offer(request: MergeRequest, check: Check): Promise<MergeAnswer>;
  /** Takes in what the plan's branch has on the remote alone, so that looking at it here tells all. */
  takeIn(planBranch: string): Promise<void>;
  /** Whether this very commit of the run is on the plan's branch; where it got there. */
  merged(run: Tree, planBranch: string, pin: Commit): Promise<Commit | undefined>;
  /** Brings what is new on the base into the plan's branch. */
  syncBase(request: BaseRequest & { readonly message: string }, check: Check): Promise<MergeAnswer>;
  /** What landing would come to. */
  canLand(request: BaseRequest): Promise<LandingTrial>;
  /** Brings the plan's branch into its base. */
  land(request: BaseRequest & { readonly message: string }, check: Check): Promise<MergeAnswer>;
}

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

export type Pulled =
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
  merge(pull: PullRequest): Promise<Pulled>;
}

export type LandingTrial =
  | { readonly kind: 'lands'; readonly how: 'fast-forward' | 'merge' | 'nothing-to-do' }
  /** `base`: what git calls the branch that it conflicts with. */
  | { readonly kind: 'conflict'; readonly base: string; readonly files: readonly string[] };

export type Verified =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly exitCode: number; readonly tail: string }
  /** Nothing is said about the work: the command could not start, took too long, or was killed. */
  | { readonly kind: 'infrastructure'; readonly why: string; readonly tail: string };

export interface VerifyRequest {
  readonly tree: Tree;
  readonly ports: number;
  /** Which of the run's verifications this is; its output is kept under this name. */
  readonly name: string;
  readonly command: readonly string[];
  /** How long it may take, in milliseconds. */
  readonly patience: number;
  readonly stop?: AbortSignal;
}

/** Runs the verify command. Contract: when it answers, nothing that the command started runs any more. */
export interface Verifier {
  verify(request: VerifyRequest): Promise<Verified>;
  /** The command that is configured, or the one that the main checkout's files call for; a Failure where there is none. */
  command(configured: VerifySetting | undefined): VerifyCommand;
  /** Where the output of a verification is kept. */
  outputOf(tree: Tree, name: string): string;
}

/** Keeps a text in a file of the run, under this name; returns where. */
export interface RunFiles {
  keep(tree: Tree, file: string, text: string): string;
}

/** As it stands in cadre.json. */
export type VerifySetting = readonly string[] | string | { readonly prompt: string };

export type VerifyCommand =
  | { readonly kind: 'command'; readonly words: readonly string[]; readonly why: string }
  /** The project says that there is nothing to run. */
  | { readonly kind: 'none' }
  /** The agent is asked to verify. */
  | { readonly kind: 'prompt'; readonly prompt: string };
