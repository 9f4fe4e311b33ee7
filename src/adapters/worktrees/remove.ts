// A worktree given back, after everything in it that cannot be made again was pinned or put aside.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Tree } from '../../core/model/run-name.ts';
import type { Removed } from '../../core/ports/worktrees.ts';
import { showText } from '../../text/show.ts';
import { forget, ownFolder, realPath, registrations } from '../git/git-worktrees.ts';
import { statusOf } from '../git/tree-status.ts';
import { putAside } from './ignored-files.ts';
import { keepWork } from './pin.ts';
import type { Trees } from './trees.ts';

export async function removeTree(trees: Trees, tree: Tree): Promise<Removed> {
  const { git, root, gitFolder, pathOf, ports, reached } = trees;
  const path = pathOf(tree);
  const real = realPath(path);
  const known = (await registrations(git, root)).find((one) => one.path === real);
  const stays = (why: string): Removed => ({ kind: 'stays', why: `${showText(path)} stays: ${why}` });
  if (known === undefined) return existsSync(path) ? stays('it is no worktree of this repository.') : GONE;
  const own = ownFolder(path, gitFolder);
  if (own === undefined) {
    if (existsSync(path) && !wasBeingRemoved(gitFolder, real))
      return stays('it is no worktree of this repository any more.');
    rmSync(path, { recursive: true, force: true });
    await forget(git, root, known);
    return GONE;
  }
  if (known.locked !== undefined) return stays(`someone has locked it ("git worktree unlock" lets go of it).`);
  const kept = await keepWork(trees, tree, path, 'The worktree was given back.');
  reached('remove.kept');
  if (kept.missing.length > 0) return stays(`git cannot keep what is in ${kept.missing.map(showText).join(', ')}.`);
  const aside = putAside(trees, tree, 'ignored', (await statusOf(git, path, 'ignored')).ignored);
  if (aside.tooMuch !== undefined) return stays(aside.tooMuch);
  writeFileSync(join(own, REMOVING), '');
  reached('remove.aside');
  const answer = await git.ask(root, ['worktree', 'remove', '--force', path]);
  if (answer.exitCode !== 0) {
    rmSync(join(own, REMOVING), { force: true });
    return stays(answer.stderr.trim());
  }
  reached('remove.tree');
  await ports.release(real);
  return { kind: 'removed', kept, aside: aside.files };
}

const GONE: Removed = { kind: 'gone' };

/** Beside the worktree's index from when everything in it is kept until it is gone: what is left then is a rest of that. */
const REMOVING = 'cadre-removing';

/** A git that was killed may have removed the file by which a worktree knows its repository, and not yet the others. */
function wasBeingRemoved(gitFolder: string, real: string): boolean {
  const all = join(gitFolder, 'worktrees');
  return readdirSync(all).some((name) => {
    const own = join(all, name);
    if (!existsSync(join(own, REMOVING)) || existsSync(join(real, '.git'))) return false;
    return resolve(own, readFileSync(join(own, 'gitdir'), 'utf8').trim()) === join(real, '.git');
  });
}
