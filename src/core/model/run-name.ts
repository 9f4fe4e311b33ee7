// The names of runs, and of the branches and worktrees named after them. No other file writes or parses one.
import { type PlanFile, slugOf } from '../../plan/name.ts';
import type { SessionFields } from './session.ts';

/** One attempt at one task. */
export interface RunName {
  /** The task's id. */
  readonly task: string;
  readonly attempt: number;
}

/** A worktree that cadre manages. Its name is that of a run (`t3-a1`), or says what the worktree is for. */
export interface Tree {
  readonly plan: PlanFile;
  readonly name: TreeName;
}

/** Part of branch names and paths: letters, digits, and single ".", "_" or "-" between them. */
export type TreeName = string & { readonly brand: 'TreeName' };

export function treeName(text: string): TreeName | undefined {
  const fits = /^[\p{L}\p{N}]+(?:[._-][\p{L}\p{N}]+)*$/u.test(text) && text.length <= 64 && !text.endsWith('.lock');
  return fits ? (text as TreeName) : undefined;
}

/** The worktree of the plan's reviewer. */
export const REVIEW_TREE = 'review' as TreeName;

/** The worktree of the planner of a workshop. */
export const PLANNING_TREE = 'planning' as TreeName;

/** The worktree in which a merge is verified before it reaches the plan branch. */
export const MERGED_TREE = 'merged' as TreeName;

/**
 * `t<task>-a<attempt>`. git does not allow "~" in a branch name, so the "~" of a task such as `1~2` is written as "-". Ids of
 * tasks contain no "-" themselves, so `parseRunName` can undo that.
 */
export function writeRunName({ task, attempt }: RunName): TreeName {
  return `t${task.replaceAll('~', '-')}-a${attempt}` as TreeName;
}

export function parseRunName(text: string): RunName | undefined {
  const [, task, attempt] = /^t(.+)-a(\d+)$/.exec(text) ?? [];
  return task === undefined ? undefined : { task: task.replaceAll('-', '~'), attempt: Number(attempt) };
}

/** The run in whose worktree a file of `docs/plans` is. */
export function runAroundFile(path: string): RunName | undefined {
  const name = treeAroundFile(path);
  return name === undefined ? undefined : parseRunName(name);
}

/** The worktree in which a file of `docs/plans` seems to be, by the names of the folders around it. */
export function treeAroundFile(path: string): TreeName | undefined {
  const name = treeName(/\/([^/]+)\/docs\/plans\//.exec(path)?.[1] ?? '');
  return name === REVIEW_TREE || (name !== undefined && parseRunName(name) !== undefined) ? name : undefined;
}

/** The folder of the worktrees of sessions that a person starts, and part of the names of their branches. */
export const ADHOC = 'adhoc';

/** The branch of a run, also of one that has ended: its commits are still there. */
export function branchOfRun(plan: PlanFile, run: RunName): string {
  return runBranch({ plan, name: writeRunName(run) });
}

export function runBranch({ plan, name }: Tree): string {
  return `cadre/${slugOf(plan)}/${name}`;
}

/** The worktrees that have no branch of their own. */
const READ_ONLY_TREES: readonly TreeName[] = [REVIEW_TREE, MERGED_TREE, PLANNING_TREE];

/** The branch that a worktree has checked out; nothing for a worktree that is only read. */
export function treeBranch(tree: Tree): string | undefined {
  return READ_ONLY_TREES.includes(tree.name) ? undefined : runBranch(tree);
}

/** A run's worktree is named like the last part of its branch. */
export function treeOfBranch(plan: PlanFile, branch: string): Tree {
  const name = treeName(branch.slice(branch.lastIndexOf('/') + 1));
  if (name === undefined) throw new Error(`"${branch}" is not the branch of a run.`);
  return { plan, name };
}

/** Nothing for a session that a person started: it has its own worktree. */
export function treeOfSession({ plan, attempt, reviews, plans, branch }: SessionFields): Tree | undefined {
  if (plan === undefined) return undefined;
  if (reviews === true) return { plan, name: REVIEW_TREE };
  if (plans === true) return { plan, name: PLANNING_TREE };
  return attempt === undefined ? undefined : treeOfBranch(plan, branch);
}
