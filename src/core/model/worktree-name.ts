// The names of cadre's worktrees and of the branches in them.
import { type PlanFile, slugOf } from '../../plan/name.ts';

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
