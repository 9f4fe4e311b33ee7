// Worktrees of runs on real git: set up, inspected, undone, pinned, removed and restored.
import { basename } from 'node:path';
import type { Commit } from '../../core/model/commit.ts';
import { runBranch, type Tree, treeBranch } from '../../core/model/run-name.ts';
import { type CommitOutcome, MAX_LISTED, type RunWorktrees, type TreeLook } from '../../core/ports/worktrees.ts';
import { branchOf } from '../../plan/name.ts';
import { showText } from '../../text/show.ts';
import { baseRef } from '../git/cadre-refs.ts';
import { commitAll } from '../git/commit-all.ts';
import { NO_LOCKS } from '../git/git.ts';
import { gitFolderOf, unfinishedOperation } from '../git/git-worktrees.ts';
import { dropPlanBranch, ensurePlanBranch, planTip } from '../git/plan-branches.ts';
import { statusOf } from '../git/tree-status.ts';
import { listPins, pinWorktree } from './pin.ts';
import { removeWorktree } from './remove.ts';
import { restoreWorktree } from './restore.ts';
import type { TreeContext } from './tree-context.ts';
import { undoWorktree } from './undo.ts';
import { setUpDetached, setUpRun } from './worktree-setup.ts';

export function runWorktrees(context: TreeContext): RunWorktrees {
  const counts: Counts = new Map();
  const inTurn = <T>(tree: Tree, work: () => Promise<T>): Promise<T> => context.queue.run(context.pathOf(tree), work);
  return {
    // Runs that are launched together all ask for it, and only one can create it.
    planBranch: (plan, base) => context.queue.run(branchOf(plan), () => ensurePlanBranch(context, plan, base)),
    tipOf: (plan) => planTip(context, plan),
    renewBranch: (plan, generation) => dropPlanBranch(context, plan, generation),
    setUp: (run, planBranch, request) => inTurn(run, () => setUpRun(context, run, planBranch, request)),
    detach: (tree, at, request) => inTurn(tree, () => setUpDetached(context, tree, at, request)),
    exists: (tree) => gitFolderOf(context.pathOf(tree), context.gitFolder) !== undefined,
    headOf: (tree) => headOf(context, tree),
    look: (tree) => lookAt(context, counts, tree),
    pathOf: (tree) => context.pathOf(tree),
    portBaseOf: (tree) => context.ports.claim(context.pathOf(tree)),
    undo: (tree, pin) => inTurn(tree, () => undoWorktree(context, tree, treeBranch(tree), pin)),
    pin: (tree, why) => inTurn(tree, () => pinWorktree(context, tree, context.pathOf(tree), why)),
    pins: async (tree) => (await listPins(context, tree)).map(({ ref, commit }) => ({ ref, commit, missing: [] })),
    remove: (tree) => inTurn(tree, () => removeWorktree(context, tree)),
    restore: (tree, ref) => inTurn(tree, () => restoreWorktree(context, tree, ref)),
    commitFor: (run, message) => inTurn(run, () => commitFor(context, run, message)),
  };
}

async function headOf({ git, root, gitFolder, pathOf }: TreeContext, tree: Tree): Promise<Commit | undefined> {
  const own = gitFolderOf(pathOf(tree), gitFolder);
  return own === undefined ? undefined : (await git.resolve(root, [headIn(own)]))[0];
}

/** The worktree's HEAD, under the name that it has in the whole repository. */
function headIn(own: string): string {
  return `worktrees/${basename(own)}/HEAD`;
}

async function lookAt(context: TreeContext, counts: Counts, tree: Tree): Promise<TreeLook> {
  const { git, root, gitFolder, pathOf } = context;
  const path = pathOf(tree);
  const own = gitFolderOf(path, gitFolder);
  if (own === undefined) return { kind: 'gone', why: `${showText(path)} is not a worktree of this repository.` };
  const [base, head] = await git.resolve(root, [baseRef(tree), headIn(own)]);
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

async function commitFor({ git, gitFolder, pathOf }: TreeContext, run: Tree, message: string): Promise<CommitOutcome> {
  const path = pathOf(run);
  const own = gitFolderOf(path, gitFolder);
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
