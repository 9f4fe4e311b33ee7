// The files that link a worktree to its repository: git follows them, so a changed one is noticed and nothing runs there.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Tree, TreeName } from '../../../src/core/model/run-name.ts';
import { contentsOf, failureOf } from '../../support/pieces.ts';
import {
  ADHOC_BRANCH,
  BRANCH,
  NOTHING_TO_SET_UP,
  openBench,
  PLACE,
  PLAN,
  PLAN_BRANCH,
  RUN,
  type RunBench,
  runBench,
  work,
  write,
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

test('a worktree whose agent deleted its branch can still be pinned, and gets the branch back where it was', async () => {
  const at = runBench();
  await at.setUp();
  const head = work(at, { one: '1' });
  write(at.path, 'draft', 'not committed');
  at.git(at.path, 'update-ref', '-d', `refs/heads/${BRANCH}`);
  expect(await at.trees.headOf(RUN)).toBeUndefined();
  const { ref } = await at.trees.pin(RUN, 'a test');
  expect([at.git(at.root, 'show', `${ref}:one`), at.git(at.root, 'show', `${ref}:draft`)]).toEqual([
    '1',
    'not committed',
  ]);
  expect(await at.setUp()).toMatchObject({ kind: 'ready' });
  expect(await at.trees.headOf(RUN)).toBe(head);
  expect(readFileSync(join(at.path, 'draft'), 'utf8')).toBe('not committed');
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

describe('restoring a worktree whose link was changed', () => {
  test.each(Object.entries(CHANGES))(
    '%s: it is on its branch again, and what was in it is kept',
    async (_what, one) => {
      const at = runBench();
      await at.setUp();
      const head = work(at, { one: '1' });
      write(at.path, 'one', 'not committed');
      write(at.path, 'new', 'not committed either');
      one.change(at);
      const { kept } = await at.trees.relink(RUN);
      expect(at.trees.integrity(RUN)).toBeUndefined();
      expect(await at.trees.look(RUN)).toMatchObject({ kind: 'present', head, dirtyCount: 0, unfinished: undefined });
      const [pin] = await at.trees.pins(RUN);
      expect(kept[0]).toBe(pin?.ref);
      expect(at.git(at.root, 'show', `${pin?.ref}:one`)).toBe('not committed');
      expect(at.git(at.root, 'show', `${pin?.ref}:new`)).toBe('not committed either');
      for (const place of kept.slice(1)) expect(existsSync(place) || lstatSync(place).isSymbolicLink()).toBe(true);
      expect((await at.setUp()).kind).toBe('ready');
    },
  );

  test('keeps a repository that was put in the place of the link, with its commits', async () => {
    const at = runBench();
    await at.setUp();
    CHANGES['a repository in place of .git']?.change(at);
    const evil = work(at, { evil: 'x' });
    const { kept } = await at.trees.relink(RUN);
    const place = kept.find((one) => one.endsWith('.git'));
    expect(at.git(at.base, '--git-dir', place ?? '', 'rev-parse', evil).trim()).toBe(evil);
  });

  test('moves the whole worktree away if git’s own folder for it is gone, so that it counts as removed', async () => {
    const at = runBench();
    await at.setUp();
    work(at, { one: '1' });
    write(at.path, 'new', 'not committed');
    rmSync(own(at), { recursive: true });
    expect(at.trees.integrity(RUN)).toContain('was changed');
    const { kept } = await at.trees.relink(RUN);
    expect(readFileSync(join(kept[0] ?? '', 'new'), 'utf8')).toBe('not committed');
    expect([at.trees.exists(RUN), at.trees.integrity(RUN)]).toEqual([false, undefined]);
    expect((await at.setUp()).kind).toBe('ready');
  });

  test('takes neither the index nor the HEAD that an agent made with another repository', async () => {
    const at = runBench();
    await at.setUp();
    const head = work(at, { one: '1' });
    at.git(at.base, 'clone', '-q', '--bare', at.root, join(at.base, 'evil'));
    writeFileSync(join(own(at), 'commondir'), `${join(at.base, 'evil')}\n`);
    at.git(at.path, 'checkout', '-q', '--detach');
    const evil = work(at, { evil: 'x' });
    write(at.path, 'draft', 'not committed');
    await at.trees.relink(RUN);
    expect(await at.trees.look(RUN)).toMatchObject({ kind: 'present', head, branch: BRANCH, dirtyCount: 0 });
    const [pin] = await at.trees.pins(RUN);
    expect(at.git(at.root, 'show', `${pin?.ref}:draft`)).toBe('not committed');
    expect(at.git(at.root, 'show', `${pin?.ref}:evil`)).toBe('x');
    expect(() => at.git(at.root, 'cat-file', '-e', evil)).toThrow();
  });

  test('does not write through a symbolic link that somebody put there', async () => {
    const at = runBench();
    await at.setUp();
    const theirs = join(at.base, 'theirs');
    writeFileSync(theirs, 'a person’s');
    for (const file of ['commondir', 'commondir.cadre']) {
      rmSync(join(own(at), file), { force: true });
      symlinkSync(theirs, join(own(at), file));
    }
    await at.trees.relink(RUN);
    expect(readFileSync(theirs, 'utf8')).toBe('a person’s');
    expect(at.trees.integrity(RUN)).toBeUndefined();
  });
});
