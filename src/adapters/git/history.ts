// Where branches are, and how commits relate to each other.

import type { Commit } from '../../core/model/commit.ts';
import { Failure } from '../../core/model/failure.ts';
import { showName } from '../../text/show.ts';
import { type GitRepo, NO_LOCKS } from './git.ts';

export async function branchTip(repo: GitRepo, branch: string): Promise<Commit> {
  return (await findBranch(repo, branch)) ?? missingBranch(branch);
}

export async function findBranch({ git, root }: GitRepo, branch: string): Promise<Commit | undefined> {
  return (await git.resolve(root, [`refs/heads/${branch}`]))[0];
}

export async function hasCommit({ git, root }: Pick<GitRepo, 'git' | 'root'>, commit: Commit): Promise<boolean> {
  return (await git.ask(root, ['cat-file', '-e', `${commit}^{commit}`], { env: NO_LOCKS })).exitCode === 0;
}

export async function isAncestor(
  { git, root }: Pick<GitRepo, 'git' | 'root'>,
  older: Commit,
  newer: Commit,
): Promise<boolean> {
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
