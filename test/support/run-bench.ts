// A repository with a plan and the worktrees of its runs, for tests on real git.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pullRequests } from '../../src/adapters/git/pull-requests.ts';
import { disk } from '../../src/adapters/system/disk.ts';
import type { Reached } from '../../src/adapters/system/failpoints.ts';
import { fileLocks } from '../../src/adapters/system/lock.ts';
import { adhocWorktrees } from '../../src/adapters/worktrees/adhoc-worktrees.ts';
import { merging } from '../../src/adapters/worktrees/merging.ts';
import { runWorktrees } from '../../src/adapters/worktrees/run-worktrees.ts';
import { type TreeOptions, treeContext } from '../../src/adapters/worktrees/tree-context.ts';
import { verifier } from '../../src/adapters/worktrees/verifier.ts';
import { ownPlaceOf, sessionIdFor } from '../../src/core/model/ids.ts';
import type { Tree, TreeName } from '../../src/core/model/run-name.ts';
import type {
  Intend,
  LandRequest,
  MergeRequest,
  Merging,
  SyncRequest,
  VerifyMerged,
} from '../../src/core/ports/merging.ts';
import type { Verifier } from '../../src/core/ports/verifier.ts';
import type { AdhocWorktrees, RunWorktrees, SetupOutcome } from '../../src/core/ports/worktrees.ts';
import type { PlanFile } from '../../src/plan/name.ts';
import { contentsOf, temporaryFolder } from './pieces.ts';
import { TEMPLATE } from './repo.ts';

export const PLAN = 'build-it.md' as PlanFile;
export const PLAN_BRANCH = 'plan/build-it';
export const RUN: Tree = { plan: PLAN, name: 't1-a1' as TreeName };
export const BRANCH = 'cadre/build-it/t1-a1';
/** A session of a person, and its branch. */
export const PLACE = ownPlaceOf(sessionIdFor(1));
export const ADHOC_BRANCH = 'cadre/adhoc/work-s1';
export const NOTHING_TO_SET_UP = { setup: [], patience: 60_000 };

export interface RunBench {
  readonly base: string;
  readonly root: string;
  readonly worktrees: string;
  readonly runs: string;
  readonly env: NodeJS.ProcessEnv;
  readonly trees: RunWorktrees;
  readonly adhoc: AdhocWorktrees;
  readonly merging: AgreedMerging;
  readonly verifier: Verifier;
  readonly places: TreeOptions;
  /** git as a person would run it. */
  git(folder: string, ...argv: readonly string[]): string;
  /** The path of the run's worktree. */
  readonly path: string;
  readonly adhocPath: string;
  commit(ref: string): string;
  /** Creates the plan branch at its base unless it exists, and returns its commit. */
  planBranch(): Promise<string>;
  setUp(run?: Tree): Promise<SetupOutcome>;
  pathOf(tree: Tree): string;
}

export interface BenchOptions {
  readonly folder?: string;
  readonly branch?: string;
  readonly format?: 'sha1' | 'sha256';
  readonly env?: NodeJS.ProcessEnv;
  readonly reached?: Reached;
}

export function runBench(options: BenchOptions = {}): RunBench {
  return benchIn(temporaryFolder(), options);
}

/** In a folder that the caller removes. */
export function benchIn(base: string, options: BenchOptions = {}): RunBench {
  const { folder = 'repo', branch = 'main', format = 'sha1' } = options;
  const bench = openBench(base, options);
  const root = join(base, folder);
  mkdirSync(root);
  bench.git(root, 'init', '-q', '-b', branch, `--object-format=${format}`, TEMPLATE);
  write(root, '.gitignore', 'ignored*\n.env*\nnode_modules/\n*.o\n');
  write(root, 'tracked', 'one\n');
  write(root, 'deep/kept', 'kept\n');
  bench.git(root, 'add', '--all');
  bench.git(root, '-c', 'maintenance.auto=false', 'commit', '-q', '-m', 'start');
  return bench;
}

/** The same repository, as a new process sees it. */
export function openBench(base: string, { folder = 'repo', env: more = {}, reached }: BenchOptions = {}): RunBench {
  const root = join(base, folder);
  const [worktrees, runs] = [join(base, 'state', 'worktrees'), join(base, 'state', 'runs')];
  const env = { PATH: process.env.PATH, HOME: base, ...more };
  const git = (where: string, ...argv: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...argv], {
      cwd: where,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const locks = fileLocks({ command: 'a test' });
  const ownGit = join(base, 'state', 'git');
  const common = { root, gitFolder: join(root, '.git'), worktrees, runs, ownGit, env, ...(reached && { reached }) };
  const places = { ...common, home: join(base, 'home'), disk, locks };
  const context = treeContext(places);
  const trees = runWorktrees(context);
  const merges = agreed(merging({ ...context, pulls: pullRequests(context) }));
  const planBranch = async (): Promise<string> => {
    const { commit: to } = await trees.baseOf(PLAN, undefined);
    return (
      (await trees.tipOf(PLAN)) ?? (await created(merges.finish({ plan: PLAN, branch: PLAN_BRANCH, from: null, to })))
    );
  };
  const pathOf = ({ plan, name }: Tree): string => join(worktrees, plan.replace(/\.md$/, ''), name);
  return {
    base,
    root,
    worktrees,
    runs,
    env,
    places,
    trees,
    adhoc: adhocWorktrees(context),
    merging: merges,
    verifier: verifier(common),
    git,
    pathOf,
    path: pathOf(RUN),
    adhocPath: join(worktrees, 'adhoc', PLACE),
    commit: (ref) => git(root, 'rev-parse', '--verify', ref).trim(),
    planBranch,
    setUp: async (run = RUN) => trees.setUp(run, await planBranch(), NOTHING_TO_SET_UP),
  };
}

async function created(move: ReturnType<Merging['finish']>): Promise<string> {
  const answer = await move;
  if (answer.kind !== 'merged') throw new Error(`The plan branch is not created: ${answer.kind}.`);
  return answer.commit;
}

/** Merges whose moves of branches nobody objects to, unless a test does. */
export interface AgreedMerging extends Pick<Merging, 'finish' | 'canLand' | 'setBranch'> {
  merge(request: MergeRequest, verify: VerifyMerged, intend?: Intend): ReturnType<Merging['merge']>;
  offer(request: MergeRequest, verify: VerifyMerged, intend?: Intend): ReturnType<Merging['offer']>;
  syncBase(request: SyncRequest, verify: VerifyMerged, intend?: Intend): ReturnType<Merging['syncBase']>;
  land(request: LandRequest, intend?: Intend): ReturnType<Merging['land']>;
}

export function agreed(merges: Merging): AgreedMerging {
  const yes: Intend = async () => true;
  return {
    ...merges,
    merge: (request, verify, intend = yes) => merges.merge(request, verify, intend),
    offer: (request, verify, intend = yes) => merges.offer(request, verify, intend),
    syncBase: (request, verify, intend = yes) => merges.syncBase(request, verify, intend),
    land: (request, intend = yes) => merges.land(request, intend),
  };
}

export function write(folder: string, file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

/** Unfinished work of an agent: changed, staged and new files. */
export function litter(at: RunBench, path = at.path): void {
  write(path, 'tracked', 'changed\n');
  write(path, 'staged', 'staged\r\n');
  at.git(path, 'add', 'staged');
  write(path, 'staged', 'changed since\n');
  write(path, 'new/untracked', 'x');
}

/** Commits these files as the agent. */
export function work(at: RunBench, files: Readonly<Record<string, string>>, path = at.path): string {
  for (const [file, text] of Object.entries(files)) write(path, file, text);
  at.git(path, 'add', '--all');
  at.git(path, 'commit', '-q', '-m', 'work');
  return at.git(path, 'rev-parse', 'HEAD').trim();
}

export function filesOf(folder: string): ReadonlyMap<string, string> {
  const all = [...contentsOf(folder)].map(([path, text]) => [path.slice(folder.length + 1), text] as const);
  return new Map(all.filter(([path]) => path !== '.git' && !path.startsWith('.git/')));
}

/** The person's files, index, HEAD and stash, byte for byte. */
export function ownOf(at: RunBench, root = at.root): readonly unknown[] {
  const [index, head] = ['index', 'HEAD'].map((file) => readFileSync(join(root, '.git', file), 'latin1'));
  return [[...filesOf(root)], index, head, at.git(root, 'stash', 'list')];
}

/** The merged tree passes verification. */
export const GOOD: VerifyMerged = async () => ({ kind: 'passed' });

/** The merged tree must not be verified. */
export const UNASKED: VerifyMerged = async () => {
  throw new Error('The merged tree is the verified one, so it must not be verified again.');
};
