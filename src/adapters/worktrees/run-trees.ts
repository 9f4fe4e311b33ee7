// Worktrees of runs on real git: set up, looked at, put back, pinned, given back and brought back.
import { basename } from 'node:path';
import type { Commit } from '../../core/model/commit.ts';
import { KeyedQueue } from '../../core/model/keyed-queue.ts';
import { runBranch, type Tree, treeBranch } from '../../core/model/run-name.ts';
import { type Committed, MOST_LISTED, type RunTrees, type TreeLook } from '../../core/ports/worktrees.ts';
import { branchOf } from '../../plan/name.ts';
import { showText } from '../../text/show.ts';
import { commitWith, LOOKING } from '../git/git.ts';
import { ownFolder, unfinishedIn } from '../git/git-worktrees.ts';
import { ensurePlanBranch, letGo, planTip } from '../git/plan-branches.ts';
import { statusOf } from '../git/tree-status.ts';
import { keepWork, keptWork } from './pin.ts';
import { removeTree } from './remove.ts';
import { restoreWork } from './restore.ts';
import { baseRef, openTrees, type TreePlaces, type Trees } from './trees.ts';
import { undoTo } from './undo.ts';
import { setUpDetached, setUpRun } from './worktree-setup.ts';

export function runTrees(places: TreePlaces): RunTrees {
  const trees = openTrees(places);
  const turns = new KeyedQueue();
  const counts: Counts = new Map();
  /** What is done to one worktree is done one after the other. */
  const inTurn = <T>(tree: Tree, work: () => Promise<T>): Promise<T> => turns.run(trees.pathOf(tree), work);
  return {
    // Runs that are launched together all ask for it, and only one can begin it.
    planBranch: (plan, base) => turns.run(branchOf(plan), () => ensurePlanBranch(trees, plan, base)),
    tipOf: (plan) => planTip(trees, plan),
    renewBranch: (plan, generation) => letGo(trees, plan, generation),
    setUp: (run, planBranch, request) => inTurn(run, () => setUpRun(trees, run, planBranch, request)),
    detach: (tree, at, request) => inTurn(tree, () => setUpDetached(trees, tree, at, request)),
    isThere: (tree) => ownFolder(trees.pathOf(tree), trees.gitFolder) !== undefined,
    headOf: (tree) => headOf(trees, tree),
    look: (tree) => lookAt(trees, counts, tree),
    pathOf: (tree) => trees.pathOf(tree),
    portsOf: (tree) => trees.ports.claim(trees.pathOf(tree)),
    undo: (tree, pin) => inTurn(tree, () => undoTo(trees, tree, treeBranch(tree), pin)),
    keep: (tree, why) => inTurn(tree, () => keepWork(trees, tree, trees.pathOf(tree), why)),
    kept: async (tree) => (await keptWork(trees, tree)).map(({ ref, commit }) => ({ ref, commit, missing: [] })),
    remove: (tree) => inTurn(tree, () => removeTree(trees, tree)),
    restore: (tree, ref) => inTurn(tree, () => restoreWork(trees, tree, ref)),
    commitFor: (run, message) => inTurn(run, () => commitAll(trees, run, message)),
  };
}

async function headOf({ git, root, gitFolder, pathOf }: Trees, tree: Tree): Promise<Commit | undefined> {
  const own = ownFolder(pathOf(tree), gitFolder);
  return own === undefined ? undefined : (await git.resolve(root, [headIn(own)]))[0];
}

/** What a linked worktree has checked out, by the name that it has for the whole repository. */
function headIn(own: string): string {
  return `worktrees/${basename(own)}/HEAD`;
}

async function lookAt(trees: Trees, counts: Counts, tree: Tree): Promise<TreeLook> {
  const { git, root, gitFolder, pathOf } = trees;
  const path = pathOf(tree);
  const own = ownFolder(path, gitFolder);
  if (own === undefined) return { kind: 'gone', why: `${showText(path)} is no worktree of this repository.` };
  const [base, head] = await git.resolve(root, [baseRef(tree), headIn(own)]);
  const [status, counted] = await Promise.all([
    statusOf(git, path, 'normal'),
    commitsBetween(trees, counts, path, base, head),
  ]);
  if (status.head === undefined)
    return { kind: 'gone', why: `The branch ${status.branch} of ${showText(path)} was deleted.` };
  const dirty = [...status.changed, ...status.untracked];
  return {
    kind: 'there',
    head: status.head,
    branch: status.branch,
    // An agent may commit while we look.
    commits: status.head === head ? counted : await commitsBetween(trees, counts, path, base, status.head),
    dirty: dirty.slice(0, MOST_LISTED),
    dirtyCount: dirty.length,
    unfinished: unfinishedIn(own),
  };
}

/** How many commits were last found in a worktree, and between which two. That never changes. */
type Counts = Map<string, { readonly range: string; readonly count: number }>;

async function commitsBetween(
  { git, root }: Trees,
  counts: Counts,
  path: string,
  base: Commit | undefined,
  head: Commit | undefined,
): Promise<number> {
  if (base === undefined || head === undefined || base === head) return 0;
  const range = `${base}..${head}`;
  const known = counts.get(path);
  if (known?.range === range) return known.count;
  const answer = await git.ask(root, ['rev-list', '--count', range], { env: LOOKING });
  if (answer.exitCode !== 0) return 0;
  const count = Number(answer.stdout);
  counts.set(path, { range, count });
  return count;
}

async function commitAll({ git, gitFolder, pathOf }: Trees, run: Tree, message: string): Promise<Committed> {
  const path = pathOf(run);
  const own = ownFolder(path, gitFolder);
  if (own === undefined) return { kind: 'refused', why: `${showText(path)} is no worktree of this repository.` };
  const unfinished = unfinishedIn(own);
  if (unfinished !== undefined)
    return {
      kind: 'refused',
      why: `${unfinished} is not finished in ${showText(path)}, so nothing is committed there.`,
    };
  const { head, branch, changed, untracked } = await statusOf(git, path, 'all');
  if (branch !== runBranch(run) || head === undefined)
    return { kind: 'refused', why: `${showText(path)} is not on its branch ${runBranch(run)}.` };
  // Of a repository inside, a commit would hold nothing but a number.
  const inside = untracked.filter((file) => file.endsWith('/'));
  if (changed.length + untracked.length - inside.length === 0) return { kind: 'nothing-to-commit', head };
  const without = inside.map((file) => `:(top,exclude,literal)${file.slice(0, -1)}`);
  await git.must(path, ['add', '--all', '--', ':/', ...without]);
  const commit = ['commit', '--quiet', '--no-verify', '--cleanup=whitespace', '-F', '-'];
  await commitWith(git, path, commit, { input: message });
  return { kind: 'committed', head: (await git.must(path, ['rev-parse', 'HEAD'])).trim() };
}
