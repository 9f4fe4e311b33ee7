// A worktree made ready for work: its branch, its files, its ports, and the project's own command.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Commit } from '../../core/model/commit.ts';
import { Failure } from '../../core/model/failure.ts';
import { runBranch, type Tree } from '../../core/model/run-name.ts';
import { portVariables, type SetupOutcome, type SetupRequest } from '../../core/ports/worktrees.ts';
import { showText } from '../../text/show.ts';
import { baseRef } from '../git/cadre-refs.ts';
import { type Git, NO_LOCKS, resolveRefs } from '../git/git.ts';
import { ensureWorktree, gitFolderOf, realPath } from '../git/git-worktrees.ts';
import { lastHead, pinWorktree } from './pin.ts';
import type { TreeContext } from './tree-context.ts';
import { undoWorktree } from './undo.ts';
import { copyIncluded } from './worktree-include.ts';

export async function setUpRun(
  trees: TreeContext,
  run: Tree,
  planBranch: string,
  request: SetupRequest,
): Promise<SetupOutcome> {
  const [path, branch] = [trees.pathOf(run), runBranch(run)];
  const base = await beginBranch(trees, run, planBranch, request.head);
  trees.reached('set-up.branch');
  const ensured = await ensureWorktree(trees, { path, branch, commit: base });
  if (ensured === 'other-branch') {
    // What was done there is on no branch of ours, and may be on none at all.
    await pinWorktree(trees, run, path, 'It was not on the branch of its run.');
    await trees.git.must(path, ['switch', '--quiet', branch]);
  }
  trees.reached('set-up.tree');
  return makeReady(trees, run, base, request);
}

/** Both refs in one step of git's: the branch, and where it began, which its plan's branch does not tell for long. */
async function beginBranch(
  { git, root, gitFolder, pathOf }: TreeContext,
  run: Tree,
  planBranch: string,
  lastKnown: Commit | undefined,
): Promise<Commit> {
  const branch = `refs/heads/${runBranch(run)}`;
  const begun = baseRef(run);
  const found = await resolveRefs(git, root, [branch, begun, `refs/heads/${planBranch}`]);
  const [head, base, tip] = [branch, begun, `refs/heads/${planBranch}`].map((ref) => found.get(ref));
  if (head !== undefined && base !== undefined) return base;
  if (tip === undefined) throw noPlanBranch(planBranch);
  if (head !== undefined) {
    const common = (await git.ask(root, ['merge-base', head, tip])).stdout.trim() || tip;
    await git.must(root, ['update-ref', begun, common, '']);
    return common;
  }
  const own = gitFolderOf(pathOf(run), gitFolder);
  const isLeft = lastKnown !== undefined && (await hasCommit(git, root, lastKnown));
  const start = (own === undefined ? undefined : lastHead(own)) ?? (isLeft ? lastKnown : undefined) ?? base ?? tip;
  const input = [`create ${branch} ${start}`, ...(base === undefined ? [`create ${begun} ${tip}`] : []), ''].join('\n');
  await git.must(root, ['update-ref', '--stdin'], { input });
  return base ?? tip;
}

async function hasCommit(git: Git, root: string, commit: Commit): Promise<boolean> {
  return (await git.ask(root, ['cat-file', '-e', `${commit}^{commit}`], { env: NO_LOCKS })).exitCode === 0;
}

function noPlanBranch(branch: string): Failure {
  return new Failure(
    'person',
    'no-plan-branch',
    `The branch ${branch} is not there any more. "git reflog" may still know its commit; make it again ("git branch ${branch} <commit>"), then try again.`,
  );
}

/** The ports, the ignored files that are needed, and the project's own command: each done once, as a mark tells. */
async function makeReady(trees: TreeContext, tree: Tree, base: Commit, request: SetupRequest): Promise<SetupOutcome> {
  const path = trees.pathOf(tree);
  const portBase = await trees.ports.claim(realPath(path));
  trees.reached('set-up.ports');
  const mark = join(gitFolderOf(path, trees.gitFolder) ?? path, 'cadre-ready');
  const stamp = JSON.stringify([base, request.setup]);
  if (readIfThere(mark) === stamp) return { kind: 'ready', path, base, portBase, notes: [] };
  const notes = await copyIncluded({ ...trees, into: path, temporary: join(trees.folderOf(tree), 'copying') });
  trees.reached('set-up.copied');
  const failed = request.setup.length === 0 ? undefined : await runSetup(trees, tree, portBase, request);
  if (failed !== undefined) return failed;
  trees.reached('set-up.command');
  writeFileSync(mark, stamp);
  trees.reached('set-up.ready');
  return { kind: 'ready', path, base, portBase, notes };
}

async function runSetup(
  trees: TreeContext,
  tree: Tree,
  portBase: number,
  { setup, patience, stop }: SetupRequest,
): Promise<SetupOutcome | undefined> {
  const output = join(trees.folderOf(tree), 'setup.log');
  const end = await trees.runCommand({
    argv: setup,
    cwd: realPath(trees.pathOf(tree)),
    env: trees.env,
    given: portVariables(tree, portBase),
    output,
    patience,
    stop,
  });
  const said = `The setup command "${showText(setup.join(' '))}"`;
  const failed = (how: string): SetupOutcome => ({
    kind: 'failed',
    why: `${said} ${how} Its output is in ${output}.`,
    tail: end.tail,
  });
  switch (end.kind) {
    case 'exited':
      return end.exitCode === 0 ? undefined : failed(`ended with exit code ${end.exitCode}.`);
    case 'killed':
      return failed(`was ended by ${end.signal}.`);
    case 'not-started':
      return failed(`could not be started: ${end.why}`);
    case 'too-long':
      return failed(`took longer than ${Math.round(patience / 1000)} s and was stopped.`);
    case 'stopped':
      return failed('was stopped.');
  }
}

export async function setUpDetached(
  trees: TreeContext,
  tree: Tree,
  at: Commit,
  request: SetupRequest,
): Promise<SetupOutcome> {
  const path = trees.pathOf(tree);
  const wanted = { path, branch: undefined, commit: at };
  const ensured = await ensureWorktree(trees, wanted);
  trees.reached('set-up.tree');
  if (ensured !== 'created') await undoWorktree(trees, tree, undefined, at);
  return makeReady(trees, tree, at, request);
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
