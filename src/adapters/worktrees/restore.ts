// Restores a worktree as it was when it was pinned: uncommitted work is uncommitted again.

import { runBranch, type Tree } from '../../core/model/run-name.ts';
import type { RestoreOutcome } from '../../core/ports/worktrees.ts';
import { showText } from '../../text/show.ts';
import { NO_LOCKS, resolveRefs } from '../git/git.ts';
import { ensureWorktree } from '../git/git-worktrees.ts';
import { realPath } from '../git/real-path.ts';
import { statusOf } from '../git/tree-status.ts';
import { restoreFiles } from './ignored-files.ts';
import { listPins, type Pin, snapshot } from './pin.ts';
import type { TreeContext } from './tree-context.ts';

export async function restoreWorktree(
  context: TreeContext,
  tree: Tree,
  ref: string | undefined,
): Promise<RestoreOutcome> {
  const { git, pathOf, reached } = context;
  const path = pathOf(tree);
  const all = await listPins(context, tree);
  const wanted = ref === undefined ? all[0] : all.find((one) => one.ref === ref);
  if (wanted === undefined)
    return refused(ref === undefined ? `No work of ${tree.name} was pinned.` : `There is no ${ref}.`);
  const head = wanted.isUncommitted ? (wanted.parents[0] ?? wanted.commit) : wanted.commit;
  if (await hasOtherWork(context, path, wanted))
    return refused(`${showText(path)} has uncommitted work. Commit it or move it away, then try again.`);
  const branch = await branchAt(context, runBranch(tree), head);
  const ensured = await ensureWorktree(context, { path, branch, commit: head });
  if (ensured === 'other-branch') await git.must(path, ['switch', '--quiet', branch]);
  reached('restore.tree');
  if (wanted.isUncommitted) {
    await git.must(path, ['read-tree', '--reset', '-u', wanted.commit]);
    reached('restore.files');
    await git.must(path, ['read-tree', wanted.parents[1] ?? head]);
    await git.ask(path, ['update-index', '-q', '--refresh']);
  }
  restoreFiles(context, tree);
  return { kind: 'restored', path, branch, ref: wanted.ref };
}

function refused(why: string): RestoreOutcome {
  return { kind: 'refused', why };
}

/** Whether there is uncommitted work, apart from what an earlier call restored before it was cut off. */
async function hasOtherWork(context: TreeContext, path: string, wanted: Pin): Promise<boolean> {
  const { git, links } = context;
  const own = links.folderOf(path);
  if (own === undefined) return false;
  const { changed, untracked } = await statusOf(git, realPath(path), 'normal');
  if (changed.length + untracked.length === 0) return false;
  return (await snapshot(context, path, own)).tree !== wanted.tree;
}

/** The run's branch if it is at the commit or can be created there; a new one if the run's branch has moved on. */
async function branchAt({ git, root }: TreeContext, branch: string, head: string): Promise<string> {
  for (let number = 0; ; number++) {
    const name = number === 0 ? branch : `${branch}-restored-${number}`;
    const ref = `refs/heads/${name}`;
    const at = (await resolveRefs(git, root, [ref])).get(ref);
    if (at === head) return name;
    if (at !== undefined) continue;
    await git.must(root, ['update-ref', '--no-deref', ref, head, ''], { env: NO_LOCKS });
    return name;
  }
}
