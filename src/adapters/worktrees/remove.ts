// A worktree given back, after everything in it that cannot be made again was pinned or put aside.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Tree } from '../../core/model/worktree-name.ts';
import type { Removed } from '../../core/ports/worktrees.ts';
import { showText } from '../../text/show.ts';
import { forget, ownFolder, realPath, registrationOf } from '../git/git-worktrees.ts';
import { interruptedRemoval, markRemoval, unmarkRemoval } from '../git/removal-mark.ts';
import { statusOf } from '../git/tree-status.ts';
import { putAside } from './ignored-files.ts';
import { keepWork } from './pin.ts';
import type { Trees } from './trees.ts';

export async function removeTree(trees: Trees, tree: Tree): Promise<Removed> {
  const { git, root, gitFolder, pathOf, ports, reached } = trees;
  const path = pathOf(tree);
  const real = realPath(path);
  const known = await registrationOf(trees, path);
  const stays = (why: string): Removed => ({ kind: 'stays', why: `${showText(path)} stays: ${why}` });
  if (known === undefined) return existsSync(path) ? stays('it is no worktree of this repository.') : GONE;
  const own = ownFolder(path, gitFolder);
  if (own === undefined) {
    if (existsSync(path) && !wasBeingRemoved(gitFolder, path))
      return stays('it is no worktree of this repository any more.');
    rmSync(path, { recursive: true, force: true });
    await forget(trees, known);
    return GONE;
  }
  if (known.locked !== undefined) return stays(`someone has locked it ("git worktree unlock" lets go of it).`);
  const kept = await keepWork(trees, tree, path, 'The worktree was given back.');
  reached('remove.kept');
  if (kept.missing.length > 0) return stays(`git cannot keep what is in ${kept.missing.map(showText).join(', ')}.`);
  const aside = putAside(trees, tree, 'ignored', (await statusOf(git, path, 'ignored')).ignored);
  if (aside.tooMuch !== undefined) return stays(aside.tooMuch);
  markRemoval(own);
  reached('remove.aside');
  const answer = await git.ask(root, ['worktree', 'remove', '--force', path]);
  if (answer.exitCode !== 0) {
    unmarkRemoval(own);
    return stays(answer.stderr.trim());
  }
  reached('remove.tree');
  await ports.release(real);
  return { kind: 'removed', kept, aside: aside.files };
}

const GONE: Removed = { kind: 'gone' };

/** A killed git may have removed the file that leads a worktree to its repository, and not yet the others. */
function wasBeingRemoved(gitFolder: string, path: string): boolean {
  return !existsSync(join(path, '.git')) && interruptedRemoval(gitFolder, path) !== undefined;
}
