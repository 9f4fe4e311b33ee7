// A worktree given back, after everything in it that cannot be made again was pinned or put aside.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Tree } from '../../core/model/run-name.ts';
import type { RemoveOutcome } from '../../core/ports/worktrees.ts';
import { showText } from '../../text/show.ts';
import { gitFolderOf, realPath, registrationOf, unregister } from '../git/git-worktrees.ts';
import { interruptedRemoval, markRemoval, unmarkRemoval } from '../git/removal-mark.ts';
import { statusOf } from '../git/tree-status.ts';
import { saveFiles } from './ignored-files.ts';
import { pinWorktree } from './pin.ts';
import type { TreeContext } from './tree-context.ts';

export async function removeWorktree(trees: TreeContext, tree: Tree): Promise<RemoveOutcome> {
  const { git, root, gitFolder, pathOf, ports, reached } = trees;
  const path = pathOf(tree);
  const real = realPath(path);
  const known = await registrationOf(trees, path);
  const stays = (why: string): RemoveOutcome => ({ kind: 'stays', why: `${showText(path)} stays: ${why}` });
  if (known === undefined) return existsSync(path) ? stays('it is no worktree of this repository.') : GONE;
  const own = gitFolderOf(path, gitFolder);
  if (own === undefined) {
    if (existsSync(path) && !wasBeingRemoved(gitFolder, path))
      return stays('it is no worktree of this repository any more.');
    rmSync(path, { recursive: true, force: true });
    await unregister(trees, known);
    return GONE;
  }
  if (known.locked !== undefined) return stays(`someone has locked it ("git worktree unlock" lets go of it).`);
  const pinned = await pinWorktree(trees, tree, path, 'The worktree was given back.');
  reached('remove.kept');
  if (pinned.missing.length > 0) return stays(`git cannot keep what is in ${pinned.missing.map(showText).join(', ')}.`);
  const saved = saveFiles(trees, tree, 'ignored', (await statusOf(git, path, 'ignored')).ignored);
  if (saved.tooMuch !== undefined) return stays(saved.tooMuch);
  markRemoval(own);
  reached('remove.aside');
  const answer = await git.ask(root, ['worktree', 'remove', '--force', path]);
  if (answer.exitCode !== 0) {
    unmarkRemoval(own);
    return stays(answer.stderr.trim());
  }
  reached('remove.tree');
  await ports.release(real);
  return { kind: 'removed', pinned, saved: saved.files };
}

const GONE: RemoveOutcome = { kind: 'gone' };

/** A killed git may have removed the file that leads a worktree to its repository, and not yet the others. */
function wasBeingRemoved(gitFolder: string, path: string): boolean {
  return !existsSync(join(path, '.git')) && interruptedRemoval(gitFolder, path) !== undefined;
}
