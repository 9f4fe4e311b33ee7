// The worktree of each session: its own if a person started it, otherwise that of its run or of the plan's review.
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

export interface SessionWorktree {
  readonly path: string;
  /** Environment variables for the programs in it. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface SessionWorktrees {
  make(entry: SessionEntry): Promise<SessionWorktree>;
  find(entry: SessionEntry): string | undefined;
  /** Only for a session that a person started. */
  giveBack(entry: SessionEntry, message: string): Promise<void>;
}

export function sessionWorktrees(adhoc: AdhocWorktrees, trees: RunWorktrees, request: SetupRequest): SessionWorktrees {
  return {
    async make(entry) {
      const tree = treeOfSession(entry);
      if (tree === undefined) return { path: await adhoc.ensure(entry.place, entry.branch, entry.from), variables: {} };
      const isDetached = entry.reviews === true || entry.plans === true;
      const path = isDetached ? await detached(trees, tree, entry, request) : madeBefore(trees, tree);
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

/** The worktree of a run is created before its agent starts. */
function madeBefore(trees: RunWorktrees, tree: Tree): string {
  const path = trees.pathOf(tree);
  if (trees.exists(tree)) {
    trees.unlock(tree);
    return path;
  }
  throw new Failure('failed', 'no-worktree', `${showText(path)} is not a worktree of this repository.`);
}
