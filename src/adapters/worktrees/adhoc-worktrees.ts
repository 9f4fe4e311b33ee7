// Worktrees of sessions that a person starts, one per place. Nothing that someone has in one is ever lost.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../core/model/failure.ts';
import type { PlaceId } from '../../core/model/ids.ts';
import { ADHOC } from '../../core/model/run-name.ts';
import type { AdhocWorktrees } from '../../core/ports/worktrees.ts';
import { commitAll } from '../git/commit-all.ts';
import { gitFailure } from '../git/git.ts';
import { discardHalfMade, ensureWorktree, isHalfMade, registrationOf, unregister } from '../git/git-worktrees.ts';
import { separateBranch } from '../git/own-branch.ts';
import { markRemoval, undoRemoval, unmarkRemoval } from '../git/removal-mark.ts';
import { statusOf, unhide } from '../git/tree-status.ts';
import { requireOwnPath } from './own-path.ts';
import type { TreeContext } from './tree-context.ts';

export function adhocWorktrees(context: TreeContext): AdhocWorktrees {
  const pathOf = (place: PlaceId): string => join(context.worktrees, ADHOC, place);
  const inTurn = <T>(place: PlaceId, work: () => Promise<T>): Promise<T> =>
    context.queue.run(pathOf(place), () => {
      requireOwnPath(context.worktrees, ADHOC, place);
      return work();
    });
  return {
    find: (place) => (existsSync(pathOf(place)) ? pathOf(place) : undefined),
    ensure: (place, branch, from) =>
      inTurn(place, () => ensure(context, { path: pathOf(place), branch, commit: from })),
    release: (place, branch, message) => inTurn(place, () => release(context, pathOf(place), branch, message)),
  };
}

interface AdhocTree {
  readonly path: string;
  readonly branch: string;
  readonly commit: string;
}

async function ensure(context: TreeContext, wanted: AdhocTree): Promise<string> {
  const { path, branch } = wanted;
  context.links.mustBeUnchanged(path);
  await undoRemoval(context, path);
  const ensured = await ensureWorktree(context, wanted);
  if (ensured === 'other-branch') await context.git.must(path, ['switch', '--quiet', branch]);
  return path;
}

async function release(context: TreeContext, path: string, branch: string, message: string): Promise<void> {
  const { git, links, reached } = context;
  links.mustBeUnchanged(path);
  await undoRemoval(context, path);
  await separateBranch(context, branch);
  const known = await registrationOf(context, path);
  if (known === undefined) return;
  if (isHalfMade(known)) return discardHalfMade(context, known);
  const own = links.folderOf(path);
  if (own === undefined) return unregister(context, known);
  const finished = await context.imports.finish(path);
  if (finished.kind === 'refused') throw new Failure('person', 'changed-worktree', finished.why);
  await unhide(git, path);
  await commitAll(git, path, message);
  reached('release.commit');
  // An agent that switched to another branch has its work there.
  if (known.branch !== branch) return;
  if (await hasUncommitted(git, path)) await git.must(path, ['switch', '--quiet', '--detach']);
  else await remove(context, path, own);
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

/** Ignored files and nested repositories are in no commit of the branch. */
async function hasUncommitted(git: TreeContext['git'], path: string): Promise<boolean> {
  const { changed, submodules, untracked, ignored } = await statusOf(git, path, 'ignored');
  return [changed, submodules, untracked, ignored].some((files) => files.length > 0) || hasNestedRepo(path);
}

function hasNestedRepo(path: string): boolean {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.some((entry) => entry.name === '.git' && entry.parentPath !== path);
}
