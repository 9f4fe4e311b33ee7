// kill -9 for real while worktrees are changed: at every step, and at random moments, with or without git.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';

import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { type FailpointStep, STEPS } from '../../../src/adapters/system/failpoints.ts';
import { randomFrom } from '../../simulation/random.ts';
import { temporaryFolder } from '../../support/pieces.ts';
import { privateWork } from '../../support/private-work.ts';
import {
  ADHOC_BRANCH,
  BRANCH,
  benchIn,
  litter,
  ownOf,
  PLACE,
  PLAN_BRANCH,
  RUN,
  type RunBench,
  work,
  write,
} from '../../support/run-bench.ts';

/** Below node_modules, so that it finds its dependencies. */
const PROGRAM = resolve('node_modules/.cache/cadre-tests/run-steps.mjs');

/** Makes commits the same in every repository, so that the states after and without a kill can be compared. */
const ONE_MOMENT = { GIT_AUTHOR_DATE: '1700000000 +0000', GIT_COMMITTER_DATE: '1700000000 +0000' };

beforeAll(async () => {
  await build({
    entryPoints: ['test/support/programs/run-steps.ts'],
    outfile: PROGRAM,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['koffi'],
    logLevel: 'error',
  });
});

interface Ended {
  readonly wasKilled: boolean;
  readonly answer: { readonly kind: string; readonly code?: string; readonly why?: string };
}

/** Does one thing in a separate process group, which is killed after that many milliseconds. */
async function act(at: RunBench, words: readonly string[], failpoint = '', after?: number): Promise<Ended> {
  const env = { ...at.env, CADRE_FAILPOINT: failpoint };
  const child = spawn(process.execPath, [PROGRAM, at.base, ...words], { env, detached: true });
  let output = '';
  let errors = '';
  child.stdout.on('data', (bytes) => {
    output += bytes;
  });
  child.stderr.on('data', (bytes) => {
    errors += bytes;
  });
  const timer = after === undefined ? undefined : setTimeout(() => killGroup(child.pid), after);
  const signal = await new Promise((ended) => child.once('close', (_code, name) => ended(name)));
  clearTimeout(timer);
  if (signal === null && output === '') throw new Error(errors);
  return { wasKilled: signal === 'SIGKILL', answer: output === '' ? { kind: 'killed' } : JSON.parse(output) };
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

/** Prepares the repository, and returns the arguments for run-steps.ts. */
type Story = (at: RunBench) => Promise<readonly string[]>;

const STORIES: Readonly<Record<string, Story>> = {
  'set-up': async () => ['set-up'],
  async keep(at) {
    await at.setUp();
    work(at, { made: 'x' });
    litter(at);
    return ['keep'];
  },
  async undo(at) {
    await at.setUp();
    const pin = work(at, { made: 'x' });
    work(at, { reviewers: 'x' });
    litter(at);
    return ['undo', pin];
  },
  async relink(at) {
    await at.setUp();
    work(at, { made: 'x' });
    litter(at);
    writeFileSync(join(at.path, '.git'), 'gitdir: ./.e\n');
    return ['relink'];
  },
  'relink.moved': async (at) => {
    await at.setUp();
    work(at, { made: 'x' });
    rmSync(join(at.root, '.git', 'worktrees', 't1-a1'), { recursive: true });
    return ['relink'];
  },
  async remove(at) {
    await at.setUp();
    work(at, { made: 'x' });
    litter(at);
    write(at.path, 'ignored-notes', 'only here');
    return ['remove'];
  },
  async restore(at) {
    await at.setUp();
    work(at, { made: 'x' });
    litter(at);
    write(at.path, 'ignored-notes', 'only here');
    await at.trees.remove(RUN);
    return ['restore'];
  },
  ensure: async (at) => ['ensure', at.commit('main')],
  async release(at) {
    const path = await at.adhoc.ensure(PLACE, ADHOC_BRANCH, at.commit('main'));
    litter(at, path);
    return ['release'];
  },
  async import(at) {
    await at.setUp();
    const inside = await privateWork(at);
    inside('commit', '-q', '--allow-empty', '-m', 'one');
    write(at.path, 'made', 'x');
    inside('add', 'made');
    inside('commit', '-q', '-m', 'two');
    // On a branch that nobody knows, so that it is pinned.
    inside('switch', '-q', '-c', 'side', 'HEAD~1');
    inside('commit', '-q', '--allow-empty', '-m', 'elsewhere');
    inside('switch', '-q', BRANCH);
    return ['import'];
  },
  async renew(at) {
    await at.planBranch();
    return ['renew'];
  },
  async set(at) {
    await at.planBranch();
    const to = at.commit(PLAN_BRANCH);
    const tree = at.git(at.root, 'rev-parse', `${PLAN_BRANCH}^{tree}`).trim();
    const found = at.git(at.root, 'commit-tree', tree, '-p', to, '-m', 'by somebody else').trim();
    at.git(at.root, 'update-ref', `refs/heads/${PLAN_BRANCH}`, found);
    return ['set', found, to];
  },
  async merge(at) {
    await at.setUp();
    const pin = work(at, { made: 'x' });
    // The plan branch has moved on, so the merged tree must be verified.
    at.git(at.root, 'branch', 'side', 'main');
    const side = join(at.base, 'side');
    at.git(at.root, 'worktree', 'add', '-q', side, 'side');
    const tip = work(at, { other: 'y' }, side);
    at.git(at.root, 'update-ref', `refs/heads/${PLAN_BRANCH}`, tip);
    return ['merge', pin, tip];
  },
};

/** A repository with unfinished work of the person, prepared for the story. */
async function prepared(base: string, story: Story): Promise<{ at: RunBench; words: readonly string[] }> {
  const at = benchIn(base, { env: ONE_MOMENT });
  write(at.root, '.worktreeinclude', '.env*\n');
  write(at.root, '.env', 'SECRET=1\n');
  write(at.root, '.env.other', 'x'.repeat(100_000));
  litter(at, at.root);
  return { at, words: await story(at) };
}

/** Everything that must be the same with and without a kill. */
function stateOf(at: RunBench): unknown {
  const list = at.git(at.root, 'worktree', 'list', '--porcelain').replaceAll(at.base, '');
  const refs = at.git(at.root, 'show-ref');
  const trees = [at.path, at.adhocPath].map((path) =>
    existsSync(path) ? [filesBelow(path), at.git(path, 'status', '--porcelain')] : 'gone',
  );
  // Each call moves files to a new folder.
  const aside = existsSync(at.runs) ? filesBelow(at.runs).map((file) => file.replace(/ignored\/\d+/, 'ignored')) : [];
  return { list, refs, trees, aside };
}

function filesBelow(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length))
    .toSorted();
}

const storyOf = (step: FailpointStep): string => step.split('.')[0] ?? '';

describe('killed at a step and called again, has the same result as without the kill:', () => {
  test.each(STEPS.map((step) => [step] as const))('%s', async (step) => {
    const story = STORIES[step] ?? STORIES[storyOf(step)];
    if (story === undefined) throw new Error(`There is no story for ${step}.`);
    const [expected, killed] = await Promise.all([
      prepared(temporaryFolder(), story),
      prepared(temporaryFolder(), story),
    ]);
    await act(expected.at, expected.words);
    const own = ownOf(killed.at);
    const first = await act(killed.at, killed.words, step);
    expect(first).toEqual({ wasKilled: true, answer: { kind: 'killed' } });
    expect(ownOf(killed.at)).toEqual(own);
    const again = await act(killed.at, killed.words);
    expect(again.answer.kind).not.toBe('failure');
    // After an undo that was cut off halfway, the rest of the changes is pinned a second time.
    const compared = step === 'undo.reset' ? withoutKept : (state: unknown) => state;
    expect(compared(stateOf(killed.at))).toEqual(compared(stateOf(expected.at)));
    // Once more, after it is done.
    await act(killed.at, killed.words);
    expect(compared(stateOf(killed.at))).toEqual(compared(stateOf(expected.at)));
    expect(ownOf(killed.at)).toEqual(own);
  });
});

/** The long tests use more. */
const MOMENTS = process.env.CADRE_KILLS === undefined ? 5 : 50;

test.each(['set-up', 'merge', 'undo', 'relink', 'remove', 'ensure', 'release', 'import'])(
  'killed with its git at a random moment, %s is finished by the next call, after removing a lock at most',
  async (name) => {
    const story = STORIES[name];
    if (story === undefined) throw new Error(name);
    const random = randomFrom(name.length);
    const expected = await prepared(temporaryFolder(), story);
    const started = performance.now();
    await act(expected.at, expected.words);
    const undisturbed = performance.now() - started;
    const wanted = stateOf(expected.at);
    let kills = 0;
    for (let moment = 0; moment < MOMENTS; moment++) {
      const base = realpathSync(mkdtempSync(join(tmpdir(), 'cadre-kill-')));
      try {
        const { at, words } = await prepared(base, story);
        const own = ownOf(at);
        const { wasKilled } = await act(at, words, '', undisturbed * (0.2 + random.below(80) / 100));
        kills += wasKilled ? 1 : 0;
        await finish(at, words);
        expect(withoutKept(stateOf(at))).toEqual(withoutKept(wanted));
        expect(ownOf(at)).toEqual(own);
      } finally {
        rmSync(base, { recursive: true, force: true });
      }
    }
    expect(kills).toBeGreaterThan(0);
  },
  600_000,
);

/** Calls again, and removes a leftover lock as the message says. */
async function finish(at: RunBench, words: readonly string[]): Promise<void> {
  for (let time = 0; time < 5; time++) {
    const { answer } = await act(at, words);
    if (answer.code !== 'git-locked') return expect(answer.kind, answer.why).not.toBe('failure');
    const [, lock] = /^(.+\.lock) exists/.exec(answer.why ?? '') ?? [];
    rmSync(lock ?? '');
  }
  throw new Error('There is always another lock.');
}

function withoutKept(state: unknown): unknown {
  return JSON.parse(JSON.stringify(state).replaceAll(/[0-9a-f]{40} refs\/cadre\/keep\/[^\\]+\\n/g, ''));
}
