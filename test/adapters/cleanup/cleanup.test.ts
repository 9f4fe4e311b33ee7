// Cleaning up removes what cadre created, and nothing through a link, nothing that moved, nothing that somebody uses.
import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cleanup } from '../../../src/adapters/cleanup/cleanup.ts';
import { openGit } from '../../../src/adapters/git/git.ts';
import { keptWork } from '../../../src/adapters/kept/kept-work.ts';
import { reports } from '../../../src/adapters/sessions/reports.ts';
import { portBlocks } from '../../../src/adapters/worktrees/port-blocks.ts';
import type { SessionId } from '../../../src/core/model/ids.ts';
import type { Cleanup, Target } from '../../../src/core/ports/cleanup.ts';
import { contentsOf } from '../../support/pieces.ts';
import { BRANCH, litter, RUN, type RunBench, runBench, work, write } from '../../support/run-bench.ts';

const SESSION = 's7' as SessionId;

interface Bench extends RunBench {
  readonly state: string;
  readonly cleanup: Cleanup;
}

function bench(): Bench {
  const at = runBench();
  const state = join(at.base, 'state');
  const { places } = at;
  const git = openGit(places);
  const cleanupLock = join(state, 'cleanup.lock');
  const { trees } = at;
  const opened = cleanup({
    ...places,
    git,
    trees,
    kept: keptWork({ ...places, git, trees, cleanupLock }),
    ports: portBlocks(places),
    reports: reports(join(state, 'reports')),
    cleanupLock,
    sessions: join(state, 'sessions'),
    inbox: join(state, 'inbox'),
    quarantine: join(state, 'quarantine'),
  });
  return { ...at, state, cleanup: opened };
}

/** A run of which everything is left that can be. */
async function ended(): Promise<Bench> {
  const at = bench();
  await at.setUp();
  work(at, { made: 'x' });
  litter(at);
  write(at.path, 'ignored-notes', 'mine');
  write(join(at.runs, 'build-it', 't1-a1'), 'verify.log', 'output\n'.repeat(2_000));
  write(join(at.state, 'sessions', SESSION), 'stopped', '');
  write(join(at.state, 'sessions', SESSION), 'output.log', 'x'.repeat(5_000));
  write(join(at.state, 'reports'), `${SESSION}.json`, '{}');
  mkdirSync(join(at.state, 'inbox', SESSION, 'new'), { recursive: true });
  write(join(at.state, 'inbox', SESSION, 'tmp'), 'half', 'a message');
  write(join(at.state, 'quarantine'), 'q4.original', 'x');
  write(join(at.state, 'quarantine'), 'q4.json', '{}');
  return at;
}

const WORKTREE: Target = { kind: 'worktree', tree: RUN };
const OUTPUT: Target = { kind: 'output', plan: 'build-it', part: 't1-a1' };

test('the survey finds all of it, and so does a second one after a cleanup, which finds nothing', async () => {
  const at = await ended();
  const commit = at.commit(BRANCH);
  await at.trees.portBaseOf(RUN);
  const before = await at.cleanup.survey();
  expect(before).toMatchObject({
    trees: [{ plan: 'build-it', part: 't1-a1', path: at.path }],
    branches: [{ plan: 'build-it', part: 't1-a1', branch: BRANCH, commit, isElsewhere: false }],
    outputs: [{ plan: 'build-it', part: 't1-a1' }],
    sessions: [{ session: SESSION, isStopped: true }],
    boxes: [{ session: SESSION, waiting: 0 }],
    refused: [{ id: 'q4' }],
    kept: [],
    ports: [],
  });
  expect(at.cleanup.bytesOf(WORKTREE)).toBeGreaterThan(4_000);
  const first: readonly Target[] = [WORKTREE, { kind: 'branch', branch: BRANCH, commit, pinFor: RUN }, OUTPUT];
  for (const target of first) expect(await at.cleanup.remove(target)).toBeUndefined();
  const { kept } = await at.cleanup.survey();
  expect(kept.map(({ id }) => id).toSorted()).toEqual(['build-it/t1-a1/1', 'build-it/t1-a1/ignored-1']);
  const rest: readonly Target[] = [
    ...kept.map((one): Target => {
      return one.kind === 'files'
        ? { kind: 'files', folder: one.folder }
        : { kind: 'pin', ref: one.ref, commit: one.commit };
    }),
    { kind: 'session', session: SESSION },
    { kind: 'box', session: SESSION },
    { kind: 'refused', id: 'q4' },
  ];
  for (const target of [...rest, ...first, ...rest]) await at.cleanup.remove(target);
  expect(await at.cleanup.survey()).toEqual({
    ...{ trees: [], branches: [], outputs: [], sessions: [], boxes: [], refused: [], kept: [], ports: [] },
  });
  expect(at.git(at.root, 'for-each-ref', 'refs/cadre/keep', 'refs/cadre/base')).toBe('');
  expect([readdirSync(at.runs), readdirSync(join(at.state, 'reports'))]).toEqual([[], []]);
});

describe('stays, with a reason:', () => {
  test('a branch that is checked out somewhere, or has moved', async () => {
    const at = await ended();
    const old = at.commit('main');
    const remove = (commit: string) => at.cleanup.remove({ kind: 'branch', branch: BRANCH, commit, pinFor: null });
    expect(await remove(at.commit(BRANCH))).toContain('is checked out in');
    await at.cleanup.remove(WORKTREE);
    expect(await remove(old)).toContain('has moved');
    expect(at.commit(BRANCH)).toBeDefined();
  });

  test('a pin that is elsewhere by now, and what is not a pin', async () => {
    const at = await ended();
    const { ref, commit } = await at.trees.pin(RUN, 'a test');
    expect(await at.cleanup.remove({ kind: 'pin', ref, commit: at.commit('main') })).toContain('has moved');
    expect(await at.cleanup.remove({ kind: 'pin', ref: 'refs/heads/main', commit: at.commit('main') })).toContain(
      'not a pin',
    );
    expect([at.commit(ref), at.commit('main')]).toEqual([commit, at.commit('main')]);
  });

  test('the output of a run whose worktree is still there', async () => {
    const at = await ended();
    expect(await at.cleanup.remove(OUTPUT)).toContain('still exists');
    expect(existsSync(join(at.runs, 'build-it', 't1-a1', 'verify.log'))).toBe(true);
  });

  test('a session that is not stopped, and a box into which a message has come', async () => {
    const at = await ended();
    write(join(at.state, 'sessions', 's8'), 'output.log', 'x');
    expect(await at.cleanup.remove({ kind: 'session', session: 's8' as SessionId })).toContain('not stopped');
    writeFileSync(join(at.state, 'inbox', SESSION, 'new', '1.json'), '{}');
    expect(await at.cleanup.remove({ kind: 'box', session: SESSION })).toContain('not empty');
    expect(existsSync(join(at.state, 'inbox', SESSION, 'new', '1.json'))).toBe(true);
  });
});

describe('nothing is removed through a link', () => {
  /** Each target, with the path below the state folder that somebody replaces by a link. */
  const LINKS: readonly (readonly [string, Target])[] = [
    ['worktrees/build-it/t1-a1', WORKTREE],
    ['worktrees/build-it', WORKTREE],
    ['runs/build-it/t1-a1', OUTPUT],
    ['runs/build-it', OUTPUT],
    ['sessions/s7', { kind: 'session', session: SESSION }],
    ['inbox/s7', { kind: 'box', session: SESSION }],
    ['inbox/s7/new', { kind: 'box', session: SESSION }],
    ['inbox/s7/tmp', { kind: 'box', session: SESSION }],
  ];

  test.each(LINKS)('in place of %s', async (path, target) => {
    const at = await ended();
    // The worktree is out of the way, so that its output may go.
    if (target.kind === 'output') renameSync(join(at.state, 'worktrees'), join(at.state, 'worktrees-away'));
    const victim = join(at.base, 'mine');
    renameSync(join(at.state, path), victim);
    symlinkSync(victim, join(at.state, path));
    const before = contentsOf(victim);
    expect(await at.cleanup.remove(target)).toMatch(/symbolic link/);
    expect(contentsOf(victim)).toEqual(before);
    expect(existsSync(victim)).toBe(true);
  });

  test('a refused signal that is a link goes without what it leads to', async () => {
    const at = await ended();
    const [original, victim] = [join(at.state, 'quarantine', 'q4.original'), join(at.base, 'mine')];
    renameSync(original, victim);
    symlinkSync(victim, original);
    expect(await at.cleanup.remove({ kind: 'refused', id: 'q4' })).toBeUndefined();
    expect([existsSync(original), existsSync(victim)]).toEqual([false, true]);
  });

  test('and nothing outside of cadre’s folders', async () => {
    const at = await ended();
    write(at.base, 'mine/kept', 'x');
    for (const folder of [join(at.base, 'mine'), join(at.runs, '..', '..', 'mine'), dirname(at.runs), at.runs])
      expect(await at.cleanup.remove({ kind: 'files', folder }), folder).toMatch(/not a name/);
    expect(await at.cleanup.remove({ ...OUTPUT, plan: '..', part: 'mine' } as Target)).toMatch(
      /not a name|still exists/,
    );
    expect(await at.cleanup.remove({ kind: 'box', session: '..' })).toMatch(/not a name/);
    expect(existsSync(join(at.base, 'mine', 'kept'))).toBe(true);
    expect(existsSync(join(at.runs, 'build-it', 't1-a1', 'verify.log'))).toBe(true);
  });
});

test('what git would free is measured for all refs together', async () => {
  const at = await ended();
  write(at.path, 'large', Array.from({ length: 20_000 }, (_, index) => `${index * 7919}`).join('\n'));
  work(at, { more: 'x' });
  const { ref } = await at.trees.pin(RUN, 'a test');
  // The branch has the same commits, so neither of them alone frees anything.
  expect(await at.cleanup.bytesInGit([ref])).toBe(0);
  expect(await at.cleanup.bytesInGit([ref, `refs/heads/${BRANCH}`])).toBe(0);
  await at.cleanup.remove(WORKTREE);
  const refs = at.git(at.root, 'for-each-ref', '--format=%(refname)', 'refs/cadre/keep', 'refs/heads/cadre');
  expect(await at.cleanup.bytesInGit(refs.trim().split('\n'))).toBeGreaterThan(20_000);
  expect(await at.cleanup.bytesInGit([])).toBe(0);
});
