// The worktree of each session: one of its own where a person began it, else that of its run or of the plan's review.
import { Failure } from '../../core/model/failure.ts';
import { type Tree, treeOfSession } from '../../core/model/run-name.ts';
import type { SessionEntry } from '../../core/model/session.ts';
import type { Workspaces } from '../../core/ports/workspaces.ts';
import { portVariables, type RunTrees, type SetUpRequest } from '../../core/ports/worktrees.ts';
import { showText } from '../../text/show.ts';

export interface SessionWorktrees {
  /** There it is, with what its programs are told about it. */
  make(entry: SessionEntry): Promise<{ readonly path: string; readonly variables: Readonly<Record<string, string>> }>;
  find(entry: SessionEntry): string | undefined;
  /** Only for one that a person began. */
  giveBack(entry: SessionEntry, message: string): void;
}

export function sessionWorktrees(own: Workspaces, trees: RunTrees, request: SetUpRequest): SessionWorktrees {
  return {
    async make(entry) {
      const tree = treeOfSession(entry);
      if (tree === undefined) return { path: own.ensure(entry.place, entry.branch, entry.from), variables: {} };
      const path = entry.reviews === true ? await detached(trees, tree, entry, request) : madeBefore(trees, tree);
      return { path, variables: portVariables(tree, await trees.portsOf(tree)) };
    },
    find(entry) {
      const tree = treeOfSession(entry);
      if (tree === undefined) return own.find(entry.place);
      return trees.isThere(tree) ? trees.pathOf(tree) : undefined;
    },
    giveBack: (entry, message) => own.release(entry.place, entry.branch, message),
  };
}

async function detached(trees: RunTrees, tree: Tree, entry: SessionEntry, request: SetUpRequest): Promise<string> {
  const made = await trees.detach(tree, entry.from, request);
  if (made.kind === 'failed') throw new Failure('failed', 'no-worktree', made.why);
  return made.path;
}

/** The worktree of a run is made before its agent is begun. */
function madeBefore(trees: RunTrees, tree: Tree): string {
  const path = trees.pathOf(tree);
  if (trees.isThere(tree)) return path;
  throw new Failure('failed', 'no-worktree', `${showText(path)} is no worktree of this repository.`);
}
