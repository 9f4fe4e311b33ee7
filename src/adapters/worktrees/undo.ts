// A worktree brought back to a commit, after everything beyond that was pinned.

import type { Commit } from '../../core/model/commit.ts';
import { Failure } from '../../core/model/failure.ts';
import type { Tree } from '../../core/model/run-name.ts';
import { MOST_LISTED, type UndoOutcome } from '../../core/ports/worktrees.ts';
import { showText } from '../../text/show.ts';
import { type Git, NO_LOCKS } from '../git/git.ts';
import { gitFolderOf, unfinishedOperation } from '../git/git-worktrees.ts';
import { statusOf, unhide } from '../git/tree-status.ts';
import { saveFiles } from './ignored-files.ts';
import { pinWorktree } from './pin.ts';
import type { TreeContext } from './tree-context.ts';

/** Pins what is there beyond the commit, then takes it away. `branch`: nothing for a worktree on none. */
export async function undoWorktree(
  trees: TreeContext,
  tree: Tree,
  branch: string | undefined,
  pin: Commit,
): Promise<UndoOutcome> {
  const { git, gitFolder, pathOf, reached } = trees;
  const path = pathOf(tree);
  const own = gitFolderOf(path, gitFolder);
  if (own === undefined)
    throw new Failure('failed', 'no-worktree', `${showText(path)} is no worktree of this repository any more.`);
  const hidden = await unhide(git, path);
  const before = await statusOf(git, path, 'all');
  const dirty = [...before.changed, ...before.untracked];
  const isMoved = before.head !== pin || before.branch !== branch;
  if (!isMoved && dirty.length === 0 && unfinishedOperation(own) === undefined) return { kind: 'nothing-to-undo' };
  const pinned = await pinWorktree(trees, tree, path, `It was undone, back to ${pin}.`);
  reached('undo.kept');
  const committed = isMoved ? await changedSince(git, path, pin, before.head) : [];
  for (const word of ['rebase', 'cherry-pick', 'revert', 'merge'])
    if (unfinishedOperation(own)?.endsWith(word)) await git.ask(path, [word, '--quit']);
  const where = branch === undefined ? ['--detach', pin] : ['--no-track', '-B', branch, pin];
  await git.must(path, ['checkout', '--quiet', '--force', ...where]);
  reached('undo.reset');
  await git.must(path, ['clean', '--quiet', '-d', '--force']);
  // What clean leaves is a repository inside, of which git can pin nothing.
  saveFiles(trees, tree, 'undone', (await statusOf(git, path, 'all')).untracked);
  const changed = [...new Set([...hidden, ...dirty, ...committed])];
  return { kind: 'undone', pinned, changed: changed.slice(0, MOST_LISTED) };
}

async function changedSince(git: Git, path: string, pin: Commit, head: string | undefined): Promise<readonly string[]> {
  if (head === undefined) return [];
  const words = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', pin, head];
  return (await git.ask(path, words, { env: NO_LOCKS })).stdout.split('\0').filter((file) => file !== '');
}
