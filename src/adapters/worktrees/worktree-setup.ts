// Sets up a worktree for work: its branch, ignored files, ports, and the project's setup command.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Commit } from '../../core/model/commit.ts';
import { runBranch, type Tree } from '../../core/model/run-name.ts';
import { portVariables, type SetupOutcome, type SetupRequest } from '../../core/ports/worktrees.ts';
import { showText } from '../../text/show.ts';
import { baseRef } from '../git/cadre-refs.ts';
import { NO_LOCKS } from '../git/git.ts';
import { ensureWorktree } from '../git/git-worktrees.ts';
import { hasCommit, isAncestor } from '../git/history.ts';
import { realPath } from '../git/real-path.ts';
import { ignoreHere } from '../repo/init-repo.ts';
import { bringDependencies, type CachedDependencies, dependenciesIn, keepDependencies } from './dependency-cache.ts';
import { lastHead, pinWorktree } from './pin.ts';
import type { TreeContext } from './tree-context.ts';
import { undoWorktree } from './undo.ts';
import { copyIncluded } from './worktree-include.ts';

export async function setUpRun(
  context: TreeContext,
  run: Tree,
  tip: Commit,
  request: SetupRequest,
): Promise<SetupOutcome> {
  const [path, branch] = [context.pathOf(run), runBranch(run)];
  const isPrepared = request.isFirst === true && (await discardForeignBase(context, run, tip));
  const base = await createBranch(context, run, tip, request.head);
  context.reached('set-up.branch');
  const ensured = await ensureWorktree(context, { path, branch, commit: base });
  if (ensured === 'other-branch') {
    // Commits made there are not on the run's branch, and perhaps on no branch.
    await pinWorktree(context, run, path, 'The worktree was not on the branch of its run.');
    await context.git.must(path, ['switch', '--quiet', branch]);
  }
  const foreign = isPrepared ? await undoWorktree(context, run, branch, tip) : undefined;
  context.reached('set-up.tree');
  const ready = await makeReady(context, run, base, request);
  if (ready.kind !== 'ready' || foreign?.kind !== 'undone') return ready;
  return { ...ready, notes: [...ready.notes, foreignWork(branch, foreign.pinned.ref)] };
}

/**
 * An agent can create the branch of a later run, and the ref for its first commit, so that what it commits there would be
 * taken for work of that run that was there from the start. A setup that was cut off leaves both at one commit of the plan's.
 */
async function discardForeignBase({ git, root }: TreeContext, run: Tree, tip: Commit): Promise<boolean> {
  const [head, base] = await git.resolve(root, [`refs/heads/${runBranch(run)}`, baseRef(run)]);
  if (head === base && (base === undefined || (await isAncestor({ git, root }, base, tip)))) return false;
  await git.must(root, ['update-ref', '--no-deref', baseRef(run), tip]);
  return true;
}

function foreignWork(branch: string, ref: string): string {
  return `${branch} existed before the run, at a commit that is not on the plan branch. The run starts from the plan branch; what was there is pinned as ${ref}.`;
}

/** Creates the branch and the ref for its first commit in one transaction; the plan's branch moves on and does not say. */
async function createBranch(
  { git, root, links, pathOf }: TreeContext,
  run: Tree,
  tip: Commit,
  lastKnown: Commit | undefined,
): Promise<Commit> {
  const branch = `refs/heads/${runBranch(run)}`;
  const start = baseRef(run);
  const [head, base] = await git.resolve(root, [branch, start]);
  if (head !== undefined && base !== undefined) return base;
  if (head !== undefined) {
    const common = (await git.ask(root, ['merge-base', head, tip])).stdout.trim() || tip;
    await git.must(root, ['update-ref', '--no-deref', start, common, '']);
    return common;
  }
  const own = links.folderOf(pathOf(run));
  const isKnown = lastKnown !== undefined && (await hasCommit({ git, root }, lastKnown));
  const commit = (own === undefined ? undefined : lastHead(own)) ?? (isKnown ? lastKnown : undefined) ?? base ?? tip;
  const input = [`create ${branch} ${commit}`, ...(base === undefined ? [`create ${start} ${tip}`] : []), ''].join(
    '\n',
  );
  await git.must(root, ['update-ref', '--no-deref', '--stdin'], { input });
  return base ?? tip;
}

/** Claims ports, copies ignored files and runs the setup command. A mark remembers that this is done. */
async function makeReady(context: TreeContext, tree: Tree, base: Commit, request: SetupRequest): Promise<SetupOutcome> {
  const path = context.pathOf(tree);
  const portBase = await context.ports.claim(realPath(path));
  context.reached('set-up.ports');
  const mark = join(context.links.folderOf(path) ?? path, 'cadre-ready');
  const dependencies = dependenciesIn(path, request.setup, context.home);
  // Where lock files say what is installed, another commit with the same ones needs nothing new.
  const stamp = JSON.stringify([dependencies?.key ?? base, request.setup]);
  if (readIfExists(mark) === stamp) return { kind: 'ready', path, base, portBase, notes: [] };
  const notes = await copyIncluded({ ...context, into: path, temporary: join(context.folderOf(tree), 'copying') });
  context.reached('set-up.copied');
  const failed = await installed(context, dependencies, () => runSetup(context, tree, portBase, request));
  if (failed !== undefined) return failed;
  context.reached('set-up.command');
  const unignored = request.setup.length === 0 ? [] : await ignoreInstalled(context, path);
  writeFileSync(mark, stamp);
  context.reached('set-up.ready');
  return { kind: 'ready', path, base, portBase, notes: [...notes, ...unignored] };
}

/** Of worktrees with the same dependencies that are set up at the same time, the first one installs them. */
async function installed(
  { queue }: TreeContext,
  dependencies: CachedDependencies | undefined,
  runCommand: () => Promise<SetupOutcome | undefined>,
): Promise<SetupOutcome | undefined> {
  if (dependencies === undefined) return runCommand();
  return queue.run(`dependencies ${dependencies.key}`, async () => {
    if (await bringDependencies(dependencies)) return undefined;
    const failed = await runCommand();
    if (failed === undefined) await keepDependencies(dependencies);
    return failed;
  });
}

/** What tools install into a worktree. In a project that does not ignore it, an agent would commit it. */
const INSTALLED = ['node_modules/', '.venv/', '*.egg-info/', 'vendor/bundle/'] as const;

async function ignoreInstalled(context: TreeContext, path: string): Promise<readonly string[]> {
  const untracked = await context.git.must(path, ['ls-files', '-z', '--others', '--exclude-standard', '--directory'], {
    env: NO_LOCKS,
  });
  const folders = untracked.split('\0').filter((name) => name.endsWith('/'));
  const found = INSTALLED.filter((pattern) => folders.some((name) => isLike(pattern, name)));
  if (found.length === 0) return [];
  ignoreHere(context.disk, context.gitFolder, found);
  return [`${found.join(', ')} is not in .gitignore. cadre has added it to .git/info/exclude; add it to .gitignore.`];
}

function isLike(pattern: (typeof INSTALLED)[number], folder: string): boolean {
  const [first = '', last = ''] = pattern.includes('*') ? pattern.split('*') : [pattern, ''];
  return last === '' ? folder === first || folder.endsWith(`/${first}`) : folder.endsWith(last);
}

async function runSetup(
  context: TreeContext,
  tree: Tree,
  portBase: number,
  { setup, patience, stop }: SetupRequest,
): Promise<SetupOutcome | undefined> {
  if (setup.length === 0) return undefined;
  const output = join(context.folderOf(tree), 'setup.log');
  const end = await context.runCommand({
    argv: setup,
    cwd: realPath(context.pathOf(tree)),
    env: context.env,
    given: portVariables(tree, portBase),
    output,
    patience,
    stop,
  });
  const command = `The setup command "${showText(setup.join(' '))}"`;
  const failed = (how: string): SetupOutcome => ({
    kind: 'failed',
    why: `${command} ${how} Its output is in ${output}.`,
    tail: end.tail,
  });
  switch (end.kind) {
    case 'exited':
      return end.exitCode === 0 ? undefined : failed(`exited with ${end.exitCode}.`);
    case 'killed':
      return failed(`was killed by ${end.signal}.`);
    case 'not-started':
      return failed(`could not be started: ${end.why}`);
    case 'too-long':
      return failed(`took longer than ${Math.round(patience / 1000)} s and was stopped.`);
    case 'stopped':
      return failed('was stopped.');
  }
}

export async function setUpDetached(
  context: TreeContext,
  tree: Tree,
  at: Commit,
  request: SetupRequest,
): Promise<SetupOutcome> {
  const path = context.pathOf(tree);
  const wanted = { path, branch: undefined, commit: at };
  const ensured = await ensureWorktree(context, wanted);
  context.reached('set-up.tree');
  if (ensured !== 'created') await undoWorktree(context, tree, undefined, at);
  return makeReady(context, tree, at, request);
}

function readIfExists(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
