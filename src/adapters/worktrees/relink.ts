// Links a worktree to the repository again after somebody changed the files of the link. Nothing that is there is lost.
import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { runBranch, type Tree, treeBranch } from '../../core/model/run-name.ts';
import { resolveRefs } from '../git/git.ts';
import type { WorktreeLinks } from '../git/worktree-links.ts';
import type { TreeContext } from './tree-context.ts';
import { undoWorktree } from './undo.ts';

/**
 * What was put in the place of the link is moved to the run's folder, everything else is pinned, and the worktree is reset to
 * its branch. One that was cut off is completed. Where git's own folder for the worktree or the branch is gone, the whole
 * worktree is moved there, and counts as removed.
 */
export async function relinkWorktree(context: TreeContext, tree: Tree): Promise<{ readonly kept: readonly string[] }> {
  const { links, pathOf, git, root, reached } = context;
  const path = pathOf(tree);
  const link = links.before(path);
  if (link === undefined) return { kept: [] };
  if (!isFolder(path)) {
    links.forget(path);
    return { kept: [] };
  }
  const aside = asideOf(links.kept(path));
  const ref = `refs/heads/${runBranch(tree)}`;
  const tip = (await resolveRefs(git, root, [ref])).get(ref);
  if (!isFolder(link.folder) || tip === undefined) {
    move(path, join(aside, 'worktree'));
    reached('relink.moved');
    links.forget(path);
    return { kept: [join(aside, 'worktree')] };
  }
  // The link is written last: until then nobody takes the worktree for restored.
  const files = [[join(link.folder, 'HEAD'), `ref: ${ref}\n`] as const, ...link.files.toReversed()];
  const index = join(link.folder, 'index');
  const wasChanged = files.some(([file, text]) => links.isChanged(file, text));
  const kept = [
    // It may name objects that only another repository has.
    ...(wasChanged && move(index, join(aside, 'index')) ? [join(aside, 'index')] : []),
    ...files.flatMap(([file, text]) => replaced(links, file, text, join(aside, basename(file)))),
  ];
  reached('relink.linked');
  await git.must(path, ['read-tree', tip]);
  const undone = await undoWorktree(context, tree, treeBranch(tree), tip);
  return { kept: [...(undone.kind === 'undone' ? [undone.pinned.ref] : []), ...kept] };
}

/** Where the file that was there is now. */
function replaced(links: WorktreeLinks, file: string, text: string, place: string): readonly string[] {
  if (!links.isChanged(file, text)) return [];
  const isMoved = move(file, place);
  write(file, text);
  return isMoved ? [place] : [];
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** A folder that does not exist yet. */
function asideOf(folder: string): string {
  for (let number = 1; ; number++) {
    const one = `${folder}-${number}`;
    if (lstatSync(one, { throwIfNoEntry: false }) === undefined) return one;
  }
}

/** Whether something was there. A symbolic link is moved as such. */
function move(from: string, to: string): boolean {
  if (lstatSync(from, { throwIfNoEntry: false }) === undefined) return false;
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  renameSync(from, to);
  return true;
}

/** Never through something that an agent put there. */
function write(file: string, text: string): void {
  const copy = `${file}.cadre`;
  rmSync(copy, { force: true, recursive: true });
  writeFileSync(copy, text, { flag: 'wx' });
  renameSync(copy, file);
}
