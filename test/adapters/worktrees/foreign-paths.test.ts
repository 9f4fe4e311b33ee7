// A worktree's path may lead elsewhere by the time that cadre resets or removes it. What is there is not cadre's.
import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { contentsOf } from '../../support/pieces.ts';
import { ADHOC_BRANCH, BRANCH, litter, PLACE, RUN, type RunBench, runBench, work } from '../../support/run-bench.ts';

/** A worktree that a person created, with unfinished work in it. */
function personsWorktree(at: RunBench): string {
  const mine = join(at.base, 'mine');
  at.git(at.root, 'worktree', 'add', '-q', '-b', 'mine', mine);
  litter(at, mine);
  return mine;
}

const WAYS: readonly [string, (at: RunBench, mine: string) => void][] = [
  ['the path itself', (at, mine) => linkInstead(at.path, mine)],
  [
    'the folder of the plan',
    (at, mine) => {
      const elsewhere = join(at.base, 'elsewhere');
      mkdirSync(elsewhere);
      symlinkSync(mine, join(elsewhere, RUN.name));
      linkInstead(dirname(at.path), elsewhere);
    },
  ],
];

function linkInstead(path: string, target: string): void {
  renameSync(path, `${path}-away`);
  symlinkSync(target, path);
}

describe.each(WAYS)('with a link in place of %s', (_what, link) => {
  test('a worktree of a person is neither removed nor reset', async () => {
    const at = runBench();
    await at.setUp();
    work(at, { made: 'x' });
    const mine = personsWorktree(at);
    link(at, mine);
    const before = contentsOf(mine);
    expect(await at.trees.remove(RUN)).toMatchObject({ kind: 'stays', why: expect.stringContaining('symbolic link') });
    await expect(at.trees.undo(RUN, at.commit(BRANCH))).rejects.toMatchObject({ code: 'folder-in-the-way' });
    expect(contentsOf(mine)).toEqual(before);
    expect(at.git(mine, 'symbolic-ref', 'HEAD').trim()).toBe('refs/heads/mine');
  });

  test('nothing is restored into it', async () => {
    const at = runBench();
    await at.setUp();
    litter(at);
    await at.trees.pin(RUN, 'a test');
    const mine = personsWorktree(at);
    at.git(mine, 'reset', '-q', '--hard');
    at.git(mine, 'clean', '-q', '-f', '-d');
    link(at, mine);
    const before = contentsOf(mine);
    await expect(at.trees.restore(RUN)).rejects.toMatchObject({ code: 'folder-in-the-way' });
    expect(contentsOf(mine)).toEqual(before);
  });
});

test('the session of a person gets no worktree through a link either', async () => {
  const at = runBench();
  const mine = personsWorktree(at);
  mkdirSync(dirname(at.adhocPath), { recursive: true });
  symlinkSync(mine, at.adhocPath);
  const before = contentsOf(mine);
  const refused = { code: 'folder-in-the-way' };
  await expect(at.adhoc.ensure(PLACE, ADHOC_BRANCH, at.commit('main'))).rejects.toMatchObject(refused);
  await expect(at.adhoc.release(PLACE, ADHOC_BRANCH, 'x')).rejects.toMatchObject(refused);
  expect(contentsOf(mine)).toEqual(before);
});
