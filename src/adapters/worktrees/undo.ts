// Resets a worktree to a commit, after pinning everything that differs from it.

import type { Commit } from '../../core/model/commit.ts';
import { Failure } from '../../core/model/failure.ts';
import type { Tree } from '../../core/model/run-name.ts';
import { MAX_LISTED, type UndoOutcome } from '../../core/ports/worktrees.ts';
import { showText } from '../../text/show.ts';
import { type Git, NO_LOCKS } from '../git/git.ts';
import { gitFolderOf, unfinishedOperation } from '../git/git-worktrees.ts';
import { statusOf, unhide } from '../git/tree-status.ts';
import { saveFiles } from './ignored-files.ts';
import { pinWorktree } from './pin.ts';
import type { TreeContext } from './tree-context.ts';

/** `branch` is undefined for a detached worktree. */
export async function undoWorktree(
  context: TreeContext,
  tree: Tree,
  branch: string | undefined,
  commit: Commit,
): Promise<UndoOutcome> {
  const { git, gitFolder, pathOf, reached } = context;
  const path = pathOf(tree);
  const own = gitFolderOf(path, gitFolder);
  if (own === undefined)
    throw new Failure('failed', 'no-worktree', `${showText(path)} is no longer a worktree of this repository.`);
  const hidden = await unhide(git, path);
  const before = await statusOf(git, path, 'all');
  const dirty = [...before.changed, ...before.untracked];
  const isMoved = before.head !== commit || before.branch !== branch;
  if (!isMoved && dirty.length === 0 && unfinishedOperation(own) === undefined) return { kind: 'nothing-to-undo' };
  const pinned = await pinWorktree(context, tree, path, `Undone, back to ${commit}.`);
  reached('undo.kept');
  const committed = isMoved ? await changedSince(git, path, commit, before.head) : [];
  for (const word of ['rebase', 'cherry-pick', 'revert', 'merge'])
    if (unfinishedOperation(own)?.endsWith(word)) await git.ask(path, [word, '--quit']);
  const where = branch === undefined ? ['--detach', commit] : ['--no-track', '-B', branch, commit];
  await git.must(path, ['checkout', '--quiet', '--force', ...where]);
  reached('undo.reset');
  await git.must(path, ['clean', '--quiet', '-d', '--force']);
  // What clean leaves is a nested repository, which git cannot pin.
  saveFiles(context, tree, 'undone', (await statusOf(git, path, 'all')).untracked);
  const changed = [...new Set([...hidden, ...dirty, ...committed])];
  return { kind: 'undone', pinned, changed: changed.slice(0, MAX_LISTED) };
}

async function changedSince(
  git: Git,
  path: string,
  commit: Commit,
  head: string | undefined,
): Promise<readonly string[]> {
  if (head === undefined) return [];
  const words = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', commit, head];
  return (await git.ask(path, words, { env: NO_LOCKS })).stdout.split('\0').filter((file) => file !== '');
}
