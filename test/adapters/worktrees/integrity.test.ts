// The files that link a worktree to its repository: git follows them, so a changed one is noticed and nothing runs there.
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Tree, TreeName } from '../../../src/core/model/run-name.ts';
import { contentsOf, failureOf } from '../../support/pieces.ts';
import {
  ADHOC_BRANCH,
  NOTHING_TO_SET_UP,
  openBench,
  PLACE,
  PLAN,
  PLAN_BRANCH,
  RUN,
  type RunBench,
  runBench,
  work,
} from '../../support/run-bench.ts';

const own = (at: RunBench): string => join(at.root, '.git', 'worktrees', 't1-a1');

const CHANGES: Readonly<Record<string, { readonly file: (at: RunBench) => string; change(at: RunBench): void }>> = {
  'a .git that names a folder in the worktree': {
    file: ({ path }) => join(path, '.git'),
    change: ({ path }) => writeFileSync(join(path, '.git'), 'gitdir: ./.e\n'),
  },
  'a .git that names the folder of another worktree': {
    file: ({ path }) => join(path, '.git'),
    change: (at) => {
      at.git(at.root, 'worktree', 'add', '-q', '--detach', join(at.base, 'elsewhere'));
      writeFileSync(join(at.path, '.git'), `gitdir: ${join(at.root, '.git', 'worktrees', 'elsewhere')}\n`);
    },
  },
  'a repository in place of .git': {
    file: ({ path }) => join(path, '.git'),
    change: ({ path, git }) => {
      rmSync(join(path, '.git'));
      git(path, 'init', '-q');
    },
  },
  'a symbolic link in place of .git': {
    file: ({ path }) => join(path, '.git'),
    change: ({ path }) => {
      renameSync(join(path, '.git'), join(path, '.e'));
      symlinkSync('.e', join(path, '.git'));
    },
  },
  'a commondir that names another repository': {
    file: (at) => join(own(at), 'commondir'),
    change: (at) => writeFileSync(join(own(at), 'commondir'), `${at.path}/.e\n`),
  },
  'a missing commondir': {
    file: (at) => join(own(at), 'commondir'),
    change: (at) => rmSync(join(own(at), 'commondir')),
  },
  'a gitdir that names another folder': {
    file: (at) => join(own(at), 'gitdir'),
    change: (at) => writeFileSync(join(own(at), 'gitdir'), `${at.base}/elsewhere/.git\n`),
  },
};

describe.each(Object.entries(CHANGES))('%s', (_what, { file, change }) => {
  test('is reported, by another process as well', async () => {
    const at = runBench();
    await at.setUp();
    expect(at.trees.integrity(RUN)).toBeUndefined();
    change(at);
    for (const { trees } of [at, openBench(at.base)])
      expect(trees.integrity(RUN)).toContain(`${file(at)} was changed: it`);
  });

  test('makes every operation on the worktree fail, and leaves its files alone', async () => {
    const at = runBench();
    await at.setUp();
    const head = work(at, { one: '1' });
    change(at);
    const before = contentsOf(at.path);
    const operations: Readonly<Record<string, () => Promise<unknown>>> = {
      setUp: () => at.trees.setUp(RUN, PLAN_BRANCH, NOTHING_TO_SET_UP),
      undo: () => at.trees.undo(RUN, head),
      pin: () => at.trees.pin(RUN, 'a test'),
      remove: () => at.trees.remove(RUN),
      restore: () => at.trees.restore(RUN),
      commitFor: () => at.trees.commitFor(RUN, 'a test'),
    };
    for (const [name, operation] of Object.entries(operations))
      expect([name, await failureOf(operation)]).toMatchObject([
        name,
        { kind: 'person', code: 'changed-worktree', message: expect.stringContaining(file(at)) },
      ]);
    expect(await at.trees.look(RUN)).toMatchObject({ kind: 'gone', why: expect.stringContaining(file(at)) });
    expect([at.trees.exists(RUN), await at.trees.headOf(RUN)]).toEqual([false, undefined]);
    expect(contentsOf(at.path)).toEqual(before);
  });
});

test('the worktree of a session of a person is neither used nor removed if its .git was changed', async () => {
  const at = runBench();
  await at.adhoc.ensure(PLACE, ADHOC_BRANCH, at.commit('HEAD'));
  writeFileSync(join(at.adhocPath, '.git'), 'gitdir: ./.e\n');
  const before = contentsOf(at.adhocPath);
  for (const use of [
    () => at.adhoc.ensure(PLACE, ADHOC_BRANCH, at.commit('HEAD')),
    () => at.adhoc.release(PLACE, ADHOC_BRANCH, 'cadre: paused'),
  ])
    expect(await failureOf(use)).toMatchObject({ kind: 'person', code: 'changed-worktree' });
  expect(contentsOf(at.adhocPath)).toEqual(before);
});

test('a worktree that is as before can be used again', async () => {
  const at = runBench();
  await at.setUp();
  const link = readFileSync(join(at.path, '.git'));
  writeFileSync(join(at.path, '.git'), 'gitdir: ./.e\n');
  await failureOf(() => at.setUp());
  writeFileSync(join(at.path, '.git'), link);
  expect(await at.setUp()).toMatchObject({ kind: 'ready' });
  expect(at.trees.integrity(RUN)).toBeUndefined();
});

test('a worktree of an earlier version, of which nothing is remembered, is taken as it is if its files agree', async () => {
  const at = runBench();
  await at.setUp();
  const remembered = join(at.runs, 'build-it', 't1-a1', 'link.json');
  rmSync(remembered);
  expect(at.trees.exists(RUN)).toBe(true);
  writeFileSync(join(own(at), 'commondir'), '../../elsewhere\n');
  expect(at.trees.integrity(RUN)).toContain('commondir was changed');
  rmSync(remembered);
  mkdirSync(join(at.root, '.git', 'elsewhere'));
  expect(at.trees.exists(RUN)).toBe(false);
});

test('a worktree without a change, or none at all, is not reported', async () => {
  const at = runBench();
  const missing: Tree = { plan: PLAN, name: 't9-a1' as TreeName };
  expect(at.trees.integrity(missing)).toBeUndefined();
  await at.setUp();
  await at.trees.remove(RUN);
  expect(at.trees.integrity(RUN)).toBeUndefined();
  await at.trees.restore(RUN);
  expect(at.trees.integrity(RUN)).toBeUndefined();
});
