// Worktrees of sessions that a person starts, one per place. What someone has in one is never deleted.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PlaceId } from '../../core/model/ids.ts';
import type { AdhocWorktrees } from '../../core/ports/worktrees.ts';
import { commitAll } from '../git/commit-all.ts';
import { gitFailure } from '../git/git.ts';
import {
  discardHalfMade,
  ensureWorktree,
  gitFolderOf,
  isHalfMade,
  registrationOf,
  unregister,
} from '../git/git-worktrees.ts';
import { markRemoval, undoRemoval, unmarkRemoval } from '../git/removal-mark.ts';
import { statusOf, unhide } from '../git/tree-status.ts';
import type { TreeContext } from './tree-context.ts';

export function adhocWorktrees(trees: TreeContext): AdhocWorktrees {
  const pathOf = (place: PlaceId): string => join(trees.worktrees, 'adhoc', place);
  return {
    find: (place) => (existsSync(pathOf(place)) ? pathOf(place) : undefined),
    ensure: (place, branch, from) =>
      trees.queue.run(pathOf(place), () => ensure(trees, { path: pathOf(place), branch, commit: from })),
    release: (place, branch, message) =>
      trees.queue.run(pathOf(place), () => release(trees, pathOf(place), branch, message)),
  };
}

interface AdhocTree {
  readonly path: string;
  readonly branch: string;
  readonly commit: string;
}

async function ensure(trees: TreeContext, wanted: AdhocTree): Promise<string> {
  const { path, branch } = wanted;
  await undoRemoval(trees, path);
  const ensured = await ensureWorktree(trees, wanted);
  if (ensured === 'other-branch') await trees.git.must(path, ['switch', '--quiet', branch]);
  return path;
}

async function release(trees: TreeContext, path: string, branch: string, message: string): Promise<void> {
  const { git, gitFolder, reached } = trees;
  await undoRemoval(trees, path);
  const known = await registrationOf(trees, path);
  if (known === undefined) return;
  if (isHalfMade(known)) return discardHalfMade(trees, known);
  const own = gitFolderOf(path, gitFolder);
  if (own === undefined) return unregister(trees, known);
  await unhide(git, path);
  await commitAll(git, path, message);
  reached('release.commit');
  // An agent that switched to another branch has its work there.
  if (known.branch !== branch) return;
  if (await hasMoreThanCommits(git, path)) await git.must(path, ['switch', '--quiet', '--detach']);
  else await remove(trees, path, own);
}

async function remove({ git, root, reached }: TreeContext, path: string, own: string): Promise<void> {
  markRemoval(own);
  reached('release.mark');
  const words = ['worktree', 'remove', path];
  const answer = await git.ask(root, words);
  reached('release.tree');
  if (answer.exitCode === 0) return;
  unmarkRemoval(own);
  throw gitFailure(root, words, answer);
}

/** Ignored files and repositories inside are not in any commit of the branch. */
async function hasMoreThanCommits(git: TreeContext['git'], path: string): Promise<boolean> {
  const { changed, submodules, untracked, ignored } = await statusOf(git, path, 'ignored');
  return [changed, submodules, untracked, ignored].some((files) => files.length > 0) || hasRepoInside(path);
}

function hasRepoInside(path: string): boolean {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.some((entry) => entry.name === '.git' && entry.parentPath !== path);
}
