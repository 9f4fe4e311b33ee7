// Where branches are, and how commits relate to each other.

import type { Commit } from '../../core/model/commit.ts';
import { Failure } from '../../core/model/failure.ts';
import { showName } from '../../text/show.ts';
import { type GitRepo, NO_LOCKS, resolveRefs } from './git.ts';
import { branchRefs } from './plan-branches.ts';

export async function branchTip({ git, root }: GitRepo, branch: string): Promise<Commit> {
  const ref = `refs/heads/${branch}`;
  return (await resolveRefs(git, root, [ref])).get(ref) ?? missingBranch(branch);
}

export interface BaseBranch {
  readonly commit: Commit;
  /** `origin/main` if only the remote has the branch. */
  readonly name: string;
}

export async function findBase({ git, root }: GitRepo, base: string): Promise<BaseBranch | undefined> {
  const found = await resolveRefs(git, root, branchRefs(base));
  for (const ref of branchRefs(base)) {
    const commit = found.get(ref);
    if (commit !== undefined) return { commit, name: ref.replace(/^refs\/(?:heads|remotes)\//, '') };
  }
  return undefined;
}

export async function isAncestor({ git, root }: GitRepo, older: Commit, newer: Commit): Promise<boolean> {
  return (await git.ask(root, ['merge-base', '--is-ancestor', older, newer], { env: NO_LOCKS })).exitCode === 0;
}

/** Undefined if the two have no common ancestor. */
export async function mergeBase({ git, root }: GitRepo, ours: Commit, theirs: Commit): Promise<Commit | undefined> {
  return (await git.ask(root, ['merge-base', ours, theirs], { env: NO_LOCKS })).stdout.trim() || undefined;
}

export function missingBranch(branch: string): never {
  throw new Failure(
    'person',
    'no-branch',
    `There is no branch "${showName(branch)}". Find its last commit in "git reflog" and create it again ("git branch ${showName(branch)} <commit>"), then try again.`,
  );
}
