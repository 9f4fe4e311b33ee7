// Resets a worktree to a commit, after pinning everything that differs from it.

import { copyFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { type Commit, short } from '../../core/model/commit.ts';
import { Failure } from '../../core/model/failure.ts';
import type { Tree } from '../../core/model/run-name.ts';
import { MAX_LISTED, type UndoOutcome } from '../../core/ports/worktrees.ts';
import { showText } from '../../text/show.ts';
import { type Git, NO_LOCKS } from '../git/git.ts';
import { unfinishedOperation } from '../git/git-worktrees.ts';
import { separateBranch } from '../git/own-branch.ts';
import { statusOf } from '../git/tree-status.ts';
import { type ComparedFiles, comparingFiles } from './file-status.ts';
import { saveFiles } from './ignored-files.ts';
import { pinWorktree } from './pin.ts';
import type { TreeContext } from './tree-context.ts';

/** `branch` is undefined for a detached worktree. */
export function undoWorktree(
  context: TreeContext,
  tree: Tree,
  branch: string | undefined,
  commit: Commit,
): Promise<UndoOutcome> {
  const path = context.pathOf(tree);
  const own = context.links.folderOf(path);
  if (own === undefined)
    throw new Failure('failed', 'no-worktree', `${showText(path)} is no longer a worktree of this repository.`);
  return comparingFiles(context, tree, commit, (compared) =>
    undoChanges(context, { tree, path, own, branch, commit, compared }),
  );
}

interface Undoing {
  readonly tree: Tree;
  readonly path: string;
  /** Git's folder for the worktree. */
  readonly own: string;
  readonly branch: string | undefined;
  readonly commit: Commit;
  readonly compared: ComparedFiles;
}

async function undoChanges(context: TreeContext, undoing: Undoing): Promise<UndoOutcome> {
  const { git, reached } = context;
  const { tree, path, own, branch, commit, compared } = undoing;
  if (branch !== undefined) await separateBranch(context, branch);
  const before = await statusOf(git, path, 'all');
  const isMoved = before.head !== commit || before.branch !== branch;
  const dirty = [...before.changed, ...before.untracked, ...compared.differing];
  if (!isMoved && dirty.length === 0 && unfinishedOperation(own) === undefined) return { kind: 'nothing-to-undo' };
  const pinned = await pinWorktree(context, tree, path, `Undone, back to ${commit}.`);
  reached('undo.kept');
  const committed = isMoved ? await changedSince(git, path, commit, before.head) : [];
  for (const word of ['rebase', 'cherry-pick', 'revert', 'merge'])
    if (unfinishedOperation(own)?.endsWith(word)) await git.ask(path, [word, '--quit']);
  replaceIndex(own, compared.index);
  const where = branch === undefined ? ['--detach', commit] : ['--no-track', '-B', branch, commit];
  await git.must(path, ['checkout', '--quiet', '--force', ...where], { env: compared.env });
  reached('undo.reset');
  await git.must(path, ['clean', '--quiet', '-d', '--force']);
  // What clean leaves is a nested repository, which git cannot pin.
  saveFiles(context, tree, 'undone', (await statusOf(git, path, 'all')).untracked);
  const left = await compared.again();
  if (left.length > 0) throw notRestored(path, commit, left);
  const changed = [...new Set([...dirty, ...committed])];
  return { kind: 'undone', pinned, changed: changed.slice(0, MAX_LISTED) };
}

/** With cadre's index, a checkout writes exactly the files that differ. */
function replaceIndex(own: string, index: string): void {
  const copy = join(own, 'cadre-undo-index');
  copyFileSync(index, copy);
  renameSync(copy, join(own, 'index'));
}

function notRestored(path: string, commit: Commit, files: readonly string[]): Failure {
  const names = files.slice(0, 3).map(showText).join(', ');
  return new Failure(
    'person',
    'not-restored',
    `${names} in ${showText(path)} cannot be restored to ${short(commit)}: a program changes them at the same time, or objects of the repository are damaged. Check with "git fsck", then try again.`,
  );
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
