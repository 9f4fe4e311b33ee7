// What setting up a run and merging it costs beside a shell script with the git commands that it comes to.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { median, milliseconds, ratioLimit } from './report.mjs';

/** Files, and how often it is done: more of them take longer and vary less. */
const SIZES = new Map([
  [10, 25],
  [500, 9],
]);
const MOST_OF_A_SCRIPT = 1.3;

const PLAN = 'bench.md';
const PLAN_BRANCH = 'plan/bench';

/** The least that makes a worktree from the tip of a branch, and later one commit of what was done there. */
const SET_UP = `
set -e
tip=$(git rev-parse --verify refs/heads/plan/by-script)
git worktree add -q -b "by-script/$1" "$2/$1" "$tip"
`;
const MERGE = `
set -e
pin=$(git rev-parse --verify "refs/heads/by-script/$1")
tip=$(git rev-parse --verify refs/heads/plan/by-script)
tree=$(git merge-tree --write-tree "$tip" "$pin")
commit=$(echo message | git commit-tree "$tree" -p "$tip" -F -)
git update-ref refs/heads/plan/by-script "$commit" "$tip"
`;

export async function measureRunGit() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'cadre-bench-git-')));
  try {
    const opened = await openAdapters(base);
    const measured = [];
    for (const [size, rounds] of SIZES) measured.push({ size, ...(await measureRepo(base, size, rounds, opened)) });
    return report(measured);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

/** The adapters as the program has them, bundled by themselves. */
async function openAdapters(base) {
  const outfile = join(base, 'adapters.cjs');
  const contents = `export { runWorktrees } from './src/adapters/worktrees/run-worktrees.ts';
export { treeContext } from './src/adapters/worktrees/tree-context.ts';
export { merging } from './src/adapters/worktrees/merging.ts';
export { disk } from './src/adapters/system/disk.ts';`;
  await build({
    stdin: { contents, resolveDir: process.cwd() },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    outfile,
    external: ['koffi'],
    logLevel: 'warning',
  });
  return createRequire(outfile)(outfile);
}

async function measureRepo(base, size, rounds, { runWorktrees, treeContext, merging, disk }) {
  const folder = join(base, `${size}`);
  const root = join(folder, 'repo');
  const env = { PATH: process.env.PATH, HOME: folder };
  const git = (where, ...words) =>
    execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@b', '-C', where, ...words], {
      env,
      encoding: 'utf8',
    });
  makeRepo(root, size, git);
  writeFileSync(join(folder, '.gitconfig'), '[user]\n\tname = b\n\temail = b@b\n');
  const places = {
    root,
    gitFolder: join(root, '.git'),
    worktrees: join(folder, 'worktrees'),
    runs: join(folder, 'runs'),
    ownGit: join(folder, 'git'),
    home: join(folder, 'home'),
    env,
    disk,
    locks: { take: async () => ({ release() {}, stillOurs: () => true }) },
  };
  const context = treeContext(places);
  const [trees, merges] = [runWorktrees(context), merging(context)];
  // Each has its own: in a real build nobody else moves the branch of a plan.
  for (const branch of [PLAN_BRANCH, 'plan/by-script']) git(root, 'branch', branch, 'main');
  const script = (text, ...words) => execFileSync('sh', ['-c', text, 'script', ...words], { cwd: root, env });
  const work = (path, name) => {
    writeFileSync(join(path, name), name);
    git(path, 'add', '--all');
    git(path, 'commit', '-q', '-m', name);
    return git(path, 'rev-parse', 'HEAD').trim();
  };
  const byScript = join(folder, 'by-script');
  mkdirSync(byScript);
  const times = { cadre: [], script: [] };
  for (let round = 0; round < rounds; round++) {
    const name = `t${round}-a1`;
    const run = { plan: PLAN, name };
    const tip = git(root, 'rev-parse', PLAN_BRANCH).trim();
    let setUp;
    const before = await timed(async () => {
      setUp = await trees.setUp(run, tip, { setup: [], patience: 60_000 });
    });
    const pin = work(setUp.path, name);
    const after = await timed(async () => {
      const answer = await merges.merge({ run, pin, tip, base: 'main', message: name }, refuse, agree);
      if (answer.kind !== 'merged') throw new Error(`A merge of the benchmark ended in ${answer.kind}.`);
    });
    times.cadre.push({ before, after });
    const scriptBefore = await timed(() => script(SET_UP, name, byScript));
    work(join(byScript, name), `${name}-by-script`);
    const scriptAfter = await timed(() => script(MERGE, name));
    times.script.push({ before: scriptBefore, after: scriptAfter });
    // Worktrees that are no longer needed would make later rounds slower than earlier ones, for both.
    git(root, 'worktree', 'remove', '--force', setUp.path);
    git(root, 'worktree', 'remove', '--force', join(byScript, name));
  }
  return times;
}

function makeRepo(root, size, git) {
  mkdirSync(root, { recursive: true });
  git(root, 'init', '-q', '-b', 'main');
  for (let file = 0; file < size; file++) {
    const folder = join(root, `folder${file % 50}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${file}`), `file ${file}\n`);
  }
  git(root, 'add', '--all');
  git(root, 'commit', '-q', '-m', 'start');
}

function refuse() {
  throw new Error('The tree that is merged is the one that was verified.');
}

async function agree() {
  return true;
}

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function report(measured) {
  const both = ({ before, after }) => before + after;
  const rows = measured.map(({ size, cadre, script }) => {
    const [ours, theirs] = [median(cadre.map(both)), median(script.map(both))];
    const parts = [cadre, script].flatMap((times) => [
      median(times.map(({ before }) => before)),
      median(times.map(({ after }) => after)),
    ]);
    return { size, ours, theirs, ratio: ours / theirs, parts };
  });
  return {
    title: 'Setting up a run and merging it, beside a shell script with the git commands that it comes to',
    tables: [
      [
        ['files', 'cadre', 'script', 'ratio', 'cadre set-up', 'cadre merge', 'script set-up', 'script merge'],
        ...rows.map(({ size, ours, theirs, ratio, parts }) => [
          `${size}`,
          milliseconds(ours),
          milliseconds(theirs),
          ratio.toFixed(2),
          ...parts.map(milliseconds),
        ]),
      ],
    ],
    notes: ['Medians of rounds in which both take turns.'],
    limits: rows.map(({ size, ratio }) =>
      ratioLimit(`set-up and merge in a repository of ${size} files`, ratio, MOST_OF_A_SCRIPT),
    ),
  };
}
