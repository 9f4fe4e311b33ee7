// Removes a worktree, after pinning or moving everything in it that cannot be rebuilt.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Tree } from '../../core/model/run-name.ts';
import type { RemoveOutcome } from '../../core/ports/worktrees.ts';
import { showText } from '../../text/show.ts';
import { discardHalfMade, isHalfMade, registrationOf, unregister } from '../git/git-worktrees.ts';
import { realPath } from '../git/real-path.ts';
import { interruptedRemoval, markRemoval, unmarkRemoval } from '../git/removal-mark.ts';
import { statusOf } from '../git/tree-status.ts';
import { saveFiles } from './ignored-files.ts';
import { pinWorktree } from './pin.ts';
import type { TreeContext } from './tree-context.ts';

export async function removeWorktree(context: TreeContext, tree: Tree): Promise<RemoveOutcome> {
  const { git, root, gitFolder, links, pathOf, ports, reached } = context;
  const path = pathOf(tree);
  const real = realPath(path);
  const known = await registrationOf(context, path);
  const stays = (why: string): RemoveOutcome => ({ kind: 'stays', why: `${showText(path)} stays: ${why}` });
  if (known === undefined) return existsSync(path) ? stays('it is not a worktree of this repository.') : GONE;
  if (isHalfMade(known)) {
    await discardHalfMade(context, known);
    return GONE;
  }
  const own = links.folderOf(path);
  if (own === undefined) {
    if (existsSync(path) && !wasBeingRemoved(gitFolder, path))
      return stays('it is no longer a worktree of this repository.');
    rmSync(path, { recursive: true, force: true });
    await unregister(context, known);
    return GONE;
  }
  if (known.locked !== undefined) return stays('someone locked it. Unlock it with "git worktree unlock".');
  const pinned = await pinWorktree(context, tree, path, 'The worktree was removed.');
  reached('remove.kept');
  if (pinned.missing.length > 0) return stays(`git cannot commit ${pinned.missing.map(showText).join(', ')}.`);
  const saved = saveFiles(context, tree, 'ignored', (await statusOf(git, path, 'ignored')).ignored);
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

/** A killed git may have removed the worktree's `.git` file, but not yet the others. */
function wasBeingRemoved(gitFolder: string, path: string): boolean {
  return !existsSync(join(path, '.git')) && interruptedRemoval(gitFolder, path) !== undefined;
}
