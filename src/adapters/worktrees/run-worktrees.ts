// Worktrees of runs on real git: set up, inspected, undone, pinned, removed and restored.
import { basename } from 'node:path';
import type { Commit } from '../../core/model/commit.ts';
import { Failure } from '../../core/model/failure.ts';
import { runBranch, type Tree, treeBranch } from '../../core/model/run-name.ts';
import {
  type CommitOutcome,
  MAX_LISTED,
  type RemoveOutcome,
  type RunWorktrees,
  type TreeLook,
} from '../../core/ports/worktrees.ts';
import { slugOf } from '../../plan/name.ts';
import { showText } from '../../text/show.ts';
import { baseRef } from '../git/cadre-refs.ts';
import { commitAll } from '../git/commit-all.ts';
import { unlockWorktree } from '../git/dead-locks.ts';
import { NO_LOCKS } from '../git/git.ts';
import { unfinishedOperation } from '../git/git-worktrees.ts';
import { nestedIn } from '../git/nested.ts';
import { baseOfPlan, dropPlanBranch, planTip, shadowOf } from '../git/plan-branches.ts';
import { statusOf } from '../git/tree-status.ts';
import { comparingFiles } from './file-status.ts';
import { requireOwnPath } from './own-path.ts';
import { listPins, pinWorktree } from './pin.ts';
import { relinkWorktree } from './relink.ts';
import { removeWorktree } from './remove.ts';
import { restoreWorktree } from './restore.ts';
import type { TreeContext } from './tree-context.ts';
import { undoWorktree } from './undo.ts';
import { setUpDetached, setUpRun } from './worktree-setup.ts';

export function runWorktrees(context: TreeContext): RunWorktrees {
  const counts: Counts = new Map();
  const inTurn = <T>(tree: Tree, work: () => Promise<T>): Promise<T> =>
    context.queue.run(context.pathOf(tree), async () => {
      requireOwnPath(context.worktrees, slugOf(tree.plan), tree.name);
      context.links.mustBeUnchanged(context.pathOf(tree));
      unlock(context, tree);
      await mustBring(context, tree);
      return work();
    });
  return {
    baseOf: (plan, branch) => baseOfPlan(context, plan, branch),
    tipOf: (plan) => planTip(context, plan),
    shadowOf: (plan) => shadowOf(context, plan),
    renewBranch: (plan, generation) => dropPlanBranch(context, plan, generation),
    setUp: (run, tip, request) => inTurn(run, () => setUpRun(context, run, tip, request)),
    detach: (tree, at, request) => inTurn(tree, () => setUpDetached(context, tree, at, request)),
    exists: (tree) => context.links.folderOf(context.pathOf(tree)) !== undefined,
    unlock: (tree) => unlock(context, tree),
    relink: (tree) =>
      context.queue.run(context.pathOf(tree), async () => {
        requireOwnPath(context.worktrees, slugOf(tree.plan), tree.name);
        return relinkWorktree(context, tree);
      }),
    integrity: (tree) => context.links.changed(context.pathOf(tree)),
    async headOf(tree) {
      await context.imports.bring(context.pathOf(tree));
      return headOf(context, tree);
    },
    changed: (from, to) => filesBetween(context, from, to),
    nestedIn: (from, to) => nestedIn(context, from, to),
    files: (commit) => filesIn(context, commit),
    textAt: (commit, path) => textAt(context, commit, path),
    look: (tree, base) => lookAt(context, counts, tree, base).catch((error) => unreadable(context, tree, error)),
    pathOf: (tree) => context.pathOf(tree),
    portBaseOf: (tree) => context.ports.claim(context.pathOf(tree)),
    differences: (tree, commit) =>
      inTurn(tree, () =>
        comparingFiles(context, tree, commit, async ({ differing }) => differing.slice(0, MAX_LISTED)),
      ),
    undo: (tree, pin) => inTurn(tree, () => undoWorktree(context, tree, treeBranch(tree), pin)),
    pin: (tree, why) => inTurn(tree, () => pinWorktree(context, tree, context.pathOf(tree), why)),
    pins: async (tree) => (await listPins(context, tree)).map(({ ref, commit }) => ({ ref, commit, missing: [] })),
    remove: (tree) => inTurn(tree, () => removeFinished(context, tree)).catch(staysInstead),
    restore: (tree, ref) => inTurn(tree, () => restoreWorktree(context, tree, ref)),
    commitFor: (run, message) => inTurn(run, () => commitFor(context, run, message)),
  };
}

function unlock({ links, pathOf }: TreeContext, tree: Tree): void {
  const own = links.folderOf(pathOf(tree));
  if (own !== undefined) unlockWorktree(pathOf(tree), own);
}

/** What an agent has committed behind a wall is part of its worktree. */
async function mustBring({ imports, pathOf }: TreeContext, tree: Tree): Promise<void> {
  const brought = await imports.bring(pathOf(tree));
  if (brought.kind === 'refused') throw new Failure('person', 'changed-worktree', brought.why);
}

async function removeFinished(context: TreeContext, tree: Tree): Promise<RemoveOutcome> {
  const finished = await context.imports.finish(context.pathOf(tree));
  return finished.kind === 'refused' ? { kind: 'stays', why: finished.why } : removeWorktree(context, tree);
}

function staysInstead(error: unknown): RemoveOutcome {
  if (error instanceof Failure && error.code === 'folder-in-the-way') return { kind: 'stays', why: error.message };
  throw error;
}

async function headOf({ git, root, links, pathOf }: TreeContext, tree: Tree): Promise<Commit | undefined> {
  const own = links.folderOf(pathOf(tree));
  return own === undefined ? undefined : (await git.resolve(root, [headIn(own)]))[0];
}

/** With plumbing, which reads no filters, and without renames: a file that was renamed away has changed. */
async function filesBetween({ git, root }: TreeContext, from: Commit, to: Commit): Promise<readonly string[]> {
  const words = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to];
  return (await git.must(root, words, { env: NO_LOCKS })).split('\0').filter((path) => path !== '');
}

async function filesIn({ git, root }: TreeContext, commit: Commit): Promise<readonly string[]> {
  const listed = await git.must(root, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit], { env: NO_LOCKS });
  return listed.split('\0').filter((path) => path !== '');
}

async function textAt({ git, root }: TreeContext, commit: Commit, path: string): Promise<string | undefined> {
  const answer = await git.ask(root, ['cat-file', 'blob', `${commit}:${path}`], { env: NO_LOCKS });
  return answer.exitCode === 0 ? answer.stdout : undefined;
}

/** The worktree's HEAD, under the name that it has in the whole repository. */
function headIn(own: string): string {
  return `worktrees/${basename(own)}/HEAD`;
}

/** An agent can damage what git keeps about its worktree. Then none of it counts, and the engine continues. */
function unreadable({ pathOf }: TreeContext, tree: Tree, error: unknown): TreeLook {
  if (!(error instanceof Failure) || error.code === 'git-locked') throw error;
  return { kind: 'gone', why: `${showText(pathOf(tree))} cannot be read: ${error.message}` };
}

async function lookAt(context: TreeContext, counts: Counts, tree: Tree, known?: Commit): Promise<TreeLook> {
  const { git, root, links, pathOf } = context;
  const path = pathOf(tree);
  const own = links.folderOf(path);
  if (own === undefined)
    return { kind: 'gone', why: links.changed(path) ?? `${showText(path)} is not a worktree of this repository.` };
  const brought = await context.imports.bring(path);
  if (brought.kind === 'refused') return { kind: 'gone', why: brought.why };
  const [base, head] = await git.resolve(root, [known ?? baseRef(tree), headIn(own)]);
  const commitsTo = (to: Commit | undefined): Promise<number> =>
    countCommits(context, counts, { path, base, head: to });
  const [status, counted] = await Promise.all([statusOf(git, path, 'normal'), commitsTo(head)]);
  if (status.head === undefined)
    return { kind: 'gone', why: `The branch ${status.branch} of ${showText(path)} was deleted.` };
  const dirty = [...status.changed, ...status.untracked];
  return {
    kind: 'present',
    head: status.head,
    branch: status.branch,
    // An agent may have committed in the meantime.
    commits: status.head === head ? counted : await commitsTo(status.head),
    dirty: dirty.slice(0, MAX_LISTED),
    dirtyCount: dirty.length,
    unfinished: unfinishedOperation(own),
  };
}

/** The last count for each worktree. The number of commits in a range never changes. */
type Counts = Map<string, { readonly range: string; readonly count: number }>;

interface WorktreeCommits {
  readonly path: string;
  readonly base: Commit | undefined;
  readonly head: Commit | undefined;
}

async function countCommits({ git, root }: TreeContext, counts: Counts, commits: WorktreeCommits): Promise<number> {
  const { path, base, head } = commits;
  if (base === undefined || head === undefined || base === head) return 0;
  const range = `${base}..${head}`;
  const known = counts.get(path);
  if (known?.range === range) return known.count;
  const answer = await git.ask(root, ['rev-list', '--count', range], { env: NO_LOCKS });
  if (answer.exitCode !== 0) return 0;
  const count = Number(answer.stdout);
  counts.set(path, { range, count });
  return count;
}

async function commitFor({ git, links, pathOf }: TreeContext, run: Tree, message: string): Promise<CommitOutcome> {
  const path = pathOf(run);
  const own = links.folderOf(path);
  if (own === undefined) return { kind: 'refused', why: `${showText(path)} is not a worktree of this repository.` };
  const unfinished = unfinishedOperation(own);
  if (unfinished !== undefined)
    return {
      kind: 'refused',
      why: `Nothing is committed in ${showText(path)} while ${unfinished} is in progress there.`,
    };
  const { head, branch } = await statusOf(git, path, 'normal');
  if (branch !== runBranch(run) || head === undefined)
    return { kind: 'refused', why: `${showText(path)} is not on its branch ${runBranch(run)}.` };
  if ((await commitAll(git, path, message)) === 'nothing-to-commit') return { kind: 'nothing-to-commit', head };
  return { kind: 'committed', head: (await git.must(path, ['rev-parse', 'HEAD'])).trim() };
}
