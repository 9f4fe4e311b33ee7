// From runs and sessions to the worktrees they work in.
import type { PlanFile } from '../../plan/name.ts';
import type { SessionFields } from './session.ts';
import { REVIEW_TREE, type Tree, treeName } from './worktree-name.ts';

/** A run's worktree is named like the last part of its branch. */
export function treeOfBranch(plan: PlanFile, branch: string): Tree {
  const name = treeName(branch.slice(branch.lastIndexOf('/') + 1));
  if (name === undefined) throw new Error(`"${branch}" is no branch of a run.`);
  return { plan, name };
}

/** Nothing for a session that a person began: its worktree is its own. */
export function treeOfSession({ plan, attempt, reviews, branch }: SessionFields): Tree | undefined {
  if (plan === undefined) return undefined;
  if (reviews === true) return { plan, name: REVIEW_TREE };
  return attempt === undefined ? undefined : treeOfBranch(plan, branch);
}
