// Worktrees of runs on real git: set up, looked at, put back, pinned, given back and brought back.
import {
  type Commit,
  type Committed,
  MOST_LISTED,
  type RunTrees,
  runBranch,
  type Tree,
  type TreeLook,
  treeBranch,
} from '../core/run-ports.ts';
import { Turns } from '../core/turns.ts';
import { branchOf, showText } from '../plan/name.ts';
import { commitWith, LOOKING } from './git.ts';
import { ownFolder, unfinishedIn } from './git-worktrees.ts';
import { keepWork, keptWork } from './kept-work.ts';
import { ensurePlanBranch, letGo, planTip } from './plan-branches.ts';
import { removeTree } from './removed-tree.ts';
import { restoreWork } from './restored-work.ts';
import { setUpDetached, setUpRun } from './set-up.ts';
import { statusOf } from './tree-status.ts';
import { baseRef, openTrees, type TreePlaces, type Trees } from './trees.ts';
import { undoTo } from './undone-work.ts';

export function runTrees(places: TreePlaces): RunTrees {
  const trees = openTrees(places);
  const turns = new Turns();
  /** What is done to one worktree is done one after the other. */
  const inTurn = <T>(tree: Tree, work: () => Promise<T>): Promise<T> => turns.take(trees.pathOf(tree), work);
  return {
    // Runs that are launched together all ask for it, and only one can begin it.
    planBranch: (plan, base) => turns.take(branchOf(plan), () => ensurePlanBranch(trees, plan, base)),
    tipOf: (plan) => planTip(trees, plan),
    renewBranch: (plan, generation) => letGo(trees, plan, generation),
    setUp: (run, planBranch, request) => inTurn(run, () => setUpRun(trees, run, planBranch, request)),
    detach: (tree, at, request) => inTurn(tree, () => setUpDetached(trees, tree, at, request)),
    isThere: (tree) => ownFolder(trees.pathOf(tree), trees.gitFolder) !== undefined,
    headOf: (tree) => headOf(trees, tree),
    look: (tree) => lookAt(trees, tree),
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

async function headOf({ git, gitFolder, pathOf }: Trees, tree: Tree): Promise<Commit | undefined> {
  const path = pathOf(tree);
  if (ownFolder(path, gitFolder) === undefined) return undefined;
  const answer = await git.ask(path, ['rev-parse', '--verify', '--quiet', 'HEAD'], { env: LOOKING });
  return answer.exitCode === 0 ? answer.stdout.trim() : undefined;
}

async function lookAt({ git, gitFolder, pathOf }: Trees, tree: Tree): Promise<TreeLook> {
  const path = pathOf(tree);
  const own = ownFolder(path, gitFolder);
  if (own === undefined) return { kind: 'gone', why: `${showText(path)} is no worktree of this repository.` };
  const [status, counted] = await Promise.all([
    statusOf(git, path, 'normal'),
    git.ask(path, ['rev-list', '--count', `${baseRef(tree)}..HEAD`], { env: LOOKING }),
  ]);
  if (status.head === undefined)
    return { kind: 'gone', why: `The branch ${status.branch} of ${showText(path)} was deleted.` };
  const dirty = [...status.changed, ...status.untracked];
  return {
    kind: 'there',
    head: status.head,
    branch: status.branch,
    commits: counted.exitCode === 0 ? Number(counted.stdout) : 0,
    dirty: dirty.slice(0, MOST_LISTED),
    dirtyCount: dirty.length,
    unfinished: unfinishedIn(own),
  };
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
