// The worktree of each session: one of its own where a person began it, else that of its run or of the plan's review.
import { Failure } from '../../core/model/failure.ts';
import { type Tree, treeOfSession } from '../../core/model/run-name.ts';
import type { SessionEntry } from '../../core/model/session.ts';
import {
  type AdhocWorktrees,
  portVariables,
  type RunWorktrees,
  type SetupRequest,
} from '../../core/ports/worktrees.ts';
import { showText } from '../../text/show.ts';

export interface SessionWorktrees {
  /** There it is, with what its programs are told about it. */
  make(entry: SessionEntry): Promise<{ readonly path: string; readonly variables: Readonly<Record<string, string>> }>;
  find(entry: SessionEntry): string | undefined;
  /** Only for one that a person began. */
  giveBack(entry: SessionEntry, message: string): Promise<void>;
}

export function sessionWorktrees(adhoc: AdhocWorktrees, trees: RunWorktrees, request: SetupRequest): SessionWorktrees {
  return {
    async make(entry) {
      const tree = treeOfSession(entry);
      if (tree === undefined) return { path: await adhoc.ensure(entry.place, entry.branch, entry.from), variables: {} };
      const path = entry.reviews === true ? await detached(trees, tree, entry, request) : madeBefore(trees, tree);
      return { path, variables: portVariables(tree, await trees.portBaseOf(tree)) };
    },
    find(entry) {
      const tree = treeOfSession(entry);
      if (tree === undefined) return adhoc.find(entry.place);
      return trees.exists(tree) ? trees.pathOf(tree) : undefined;
    },
    giveBack: (entry, message) => adhoc.release(entry.place, entry.branch, message),
  };
}

async function detached(trees: RunWorktrees, tree: Tree, entry: SessionEntry, request: SetupRequest): Promise<string> {
  const made = await trees.detach(tree, entry.from, request);
  if (made.kind === 'failed') throw new Failure('failed', 'no-worktree', made.why);
  return made.path;
}

/** The worktree of a run is made before its agent is begun. */
function madeBefore(trees: RunWorktrees, tree: Tree): string {
  const path = trees.pathOf(tree);
  if (trees.exists(tree)) return path;
  throw new Failure('failed', 'no-worktree', `${showText(path)} is no worktree of this repository.`);
}
