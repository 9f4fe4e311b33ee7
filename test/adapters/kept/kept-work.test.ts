// What cadre kept is listed with when and why, and comes back without touching anything that exists.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openGit } from '../../../src/adapters/git/git.ts';
import { keptWork } from '../../../src/adapters/kept/kept-work.ts';
import type { Kept, KeptCommit, KeptFiles, KeptWork } from '../../../src/core/ports/kept.ts';
import {
  BRANCH,
  filesOf,
  litter,
  ownOf,
  PLAN,
  PLAN_BRANCH,
  RUN,
  type RunBench,
  runBench,
  work,
  write,
} from '../../support/run-bench.ts';

function keptIn(at: RunBench): KeptWork {
  const { root, gitFolder, runs, locks } = at.places;
  const cleanupLock = join(at.base, 'state', 'cleanup.lock');
  return keptWork({ root, gitFolder, runs, git: openGit(at.places), trees: at.trees, locks, cleanupLock });
}

async function onlyCommit(kept: KeptWork): Promise<KeptCommit> {
  const [found, ...more] = (await kept.list()).filter((one) => one.kind === 'commit');
  if (found === undefined || more.length > 0) throw new Error('There is not one commit.');
  return found;
}

function pickFiles(all: readonly Kept[]): readonly KeptFiles[] {
  return all.filter((one) => one.kind === 'files');
}

describe('the list', () => {
  test('says what was pinned, when, why, and how many files it changes', async () => {
    const at = runBench();
    await at.setUp();
    const before = Date.now() - 1_000;
    work(at, { made: 'x', also: 'y' });
    await at.trees.pin(RUN, 'It was left.');
    litter(at);
    write(at.path, 'ignored-notes', 'mine');
    await at.trees.remove(RUN);
    const all = await keptIn(at).list();
    expect(all.map(({ id, plan, part, why, files }) => ({ id, plan, part, why, files }))).toEqual(
      expect.arrayContaining([
        {
          id: 'build-it/t1-a1/1',
          plan: 'build-it',
          part: 't1-a1',
          why: 'It was left.',
          files: 2,
        },
        { id: 'build-it/t1-a1/2', plan: 'build-it', part: 't1-a1', why: 'The worktree was removed.', files: 5 },
        {
          id: 'build-it/t1-a1/ignored-1',
          plan: 'build-it',
          part: 't1-a1',
          why: 'Git ignores them; their worktree was removed.',
          files: 1,
        },
      ]),
    );
    expect(all).toHaveLength(3);
    for (const { at: when } of all) expect(Date.parse(when ?? '')).toBeGreaterThanOrEqual(before);
    const commits = all.filter((one) => one.kind === 'commit').toSorted((a, b) => a.id.localeCompare(b.id));
    expect(commits.map(({ isUncommitted }) => isUncommitted)).toEqual([false, true]);
    expect(commits.map(({ range }) => range?.from)).toEqual([at.commit('main'), at.commit('main')]);
  });

  test('has the plan branch from before a plan was started over, against the branch that it lands on', async () => {
    const at = runBench();
    await at.setUp();
    work(at, { made: 'x' });
    at.git(at.root, 'update-ref', `refs/heads/${PLAN_BRANCH}`, BRANCH);
    work(at, { tracked: 'meanwhile\n' }, at.root);
    await at.trees.renewBranch(PLAN, 1);
    expect(await onlyCommit(keptIn(at))).toMatchObject({
      id: 'build-it/plan/1',
      part: 'plan',
      why: 'The plan was started over.',
      files: 1,
    });
  });

  test('has pins of an older cadre, which noted nothing, with the time of their commit', async () => {
    const at = runBench();
    await at.setUp();
    const commit = work(at, { made: 'x' });
    at.git(at.root, 'update-ref', 'refs/cadre/keep/build-it/t1-a1/1', commit);
    const [seconds] = at.git(at.root, 'log', '-1', '--format=%ct', commit).split('\n');
    expect(await onlyCommit(keptIn(at))).toMatchObject({
      why: null,
      at: new Date(Number(seconds) * 1000).toISOString(),
      files: 1,
    });
  });

  test('knows what a branch or tag has as well, other than the branch of the run', async () => {
    const at = runBench();
    await at.setUp();
    const isElsewhere = async () => (await onlyCommit(keptIn(at))).isElsewhere;
    const commit = work(at, { made: 'x' });
    await at.trees.pin(RUN, 'It was left.');
    expect(await isElsewhere()).toBe(false);
    at.git(at.root, 'tag', 'released', commit);
    expect(await isElsewhere()).toBe(true);
    at.git(at.root, 'tag', '-d', 'released');
    at.git(at.root, 'branch', 'mine', commit);
    expect(await isElsewhere()).toBe(true);
    at.git(at.root, 'branch', '-D', 'mine');
    at.git(at.root, 'update-ref', 'refs/cadre/keep/build-it/plan/1', commit);
    const both = (await keptIn(at).list()).filter((one) => one.kind === 'commit');
    expect(both.map(({ part, isElsewhere: is }) => [part, is]).toSorted()).toEqual([
      ['plan', false],
      ['t1-a1', true],
    ]);
  });

  test('has what git lost, too, and says so', async () => {
    const at = runBench();
    await at.setUp();
    const commit = work(at, { made: 'x' });
    await at.trees.pin(RUN, 'It was left.');
    work(at, { other: 'y' });
    await at.trees.pin(RUN, 'It was left again.');
    rmSync(join(at.root, '.git', 'objects', commit.slice(0, 2), commit.slice(2)));
    const all = (await keptIn(at).list()).filter((one) => one.kind === 'commit');
    const lost = all.find(({ id }) => id.endsWith('/1'));
    expect(lost).toMatchObject({ why: 'It was left.', files: 0 });
    expect(lost?.range).toBeUndefined();
    expect(all.find(({ id }) => id.endsWith('/2'))?.range).toBeDefined();
  });

  test('is empty in a repository that cadre has not worked in', async () => {
    expect(await keptIn(runBench()).list()).toEqual([]);
  });
});

describe('a branch', () => {
  test('is created at what was kept, once, and never moved', async () => {
    const at = runBench();
    await at.setUp();
    litter(at);
    await at.trees.remove(RUN);
    const [kept, before] = [keptIn(at), ownOf(at)];
    const pin = await onlyCommit(kept);
    expect(await kept.toBranch(pin, 'restored/it')).toBe('created');
    expect(at.git(at.root, 'show', 'restored/it:new/untracked')).toBe('x');
    expect(await kept.toBranch(pin, 'restored/it')).toBe('existing');
    expect(await kept.toBranch(pin, 'main')).toBe('taken');
    for (const bad of ['-x', 'a..b', '', 'a b', '@{-1}', 'x.lock'])
      expect(await kept.toBranch(pin, bad), bad).toBe('not-a-name');
    expect(ownOf(at)).toEqual(before);
    expect(at.commit('main')).not.toBe(pin.commit);
  });
});

describe('files', () => {
  test('are copied into a folder that is missing or empty, and stay kept', async () => {
    const at = runBench();
    await at.setUp();
    write(at.path, 'ignored-notes', 'mine');
    write(at.path, 'deep/.env', 'secret');
    await at.trees.remove(RUN);
    const kept = keptIn(at);
    const [files] = pickFiles(await kept.list());
    if (files === undefined) throw new Error('There are no files.');
    const to = join(at.base, 'here', 'new');
    expect(await kept.toFolder(files, to)).toBe(to);
    expect(filesOf(to)).toEqual(
      new Map([
        ['deep/.env', 'secret'],
        ['ignored-notes', 'mine'],
      ]),
    );
    writeFileSync(join(to, 'ignored-notes'), 'changed');
    expect(await kept.toFolder(files, to)).toBeUndefined();
    expect(readFileSync(join(to, 'ignored-notes'), 'utf8')).toBe('changed');
    mkdirSync(join(at.base, 'empty'));
    expect(await kept.toFolder(files, join(at.base, 'empty'))).toBe(join(at.base, 'empty'));
    expect(pickFiles(await kept.list())).toEqual([files]);
  });
});

test('a worktree comes back as it was', async () => {
  const at = runBench();
  await at.setUp();
  work(at, { made: 'x' });
  litter(at);
  write(at.path, 'ignored-notes', 'mine');
  const before = [filesOf(at.path), at.git(at.path, 'status', '--porcelain')];
  await at.trees.remove(RUN);
  const kept = keptIn(at);
  expect(kept.hasWorktree(RUN)).toBe(false);
  expect(await kept.toWorktree(await onlyCommit(kept), RUN)).toMatchObject({ kind: 'restored', branch: BRANCH });
  expect([filesOf(at.path), at.git(at.path, 'status', '--porcelain')]).toEqual(before);
  expect([kept.hasWorktree(RUN), existsSync(join(at.base, 'state', 'cleanup.lock'))]).toEqual([true, true]);
});
