// Refs resolved by a long-lived git: the answers are current, whatever has changed since it started.
import { describe, expect, test } from 'vitest';
import { openGit } from '../../../src/adapters/git/git.ts';
import { processesWith } from '../../support/hosts.ts';
import { BRANCH, runBench, work } from '../../support/run-bench.ts';

function resolving() {
  const at = runBench();
  const git = openGit(at.places);
  return { at, resolve: (...names: readonly string[]) => git.resolve(at.root, names) };
}

describe('a name resolves to', () => {
  test('the same object as in git', async () => {
    const { at, resolve } = resolving();
    await at.setUp();
    const head = work(at, { one: '1' });
    expect(
      await resolve('refs/heads/main', `refs/heads/${BRANCH}`, 'worktrees/t1-a1/HEAD', `${head}^{tree}`, 'HEAD'),
    ).toEqual([at.commit('main'), head, head, at.commit(`${head}^{tree}`), at.commit('main')]);
  });

  test('undefined if it does not exist, whatever is asked before and after it', async () => {
    const { at, resolve } = resolving();
    const [main, none] = [at.commit('main'), undefined];
    expect(await resolve('refs/heads/none', 'refs/heads/main', '', 'a b', 'ż', 'refs/heads/main', 'a\nb')).toEqual([
      none,
      main,
      none,
      none,
      none,
      main,
      none,
    ]);
    expect(await resolve('refs/heads/none', 'refs/heads/main', '', 'a b', 'ż')).toEqual([none, main, none, none, none]);
    expect(await resolve()).toEqual([]);
  });

  test('the current object after it was moved, packed or deleted', async () => {
    const { at, resolve } = resolving();
    const [before] = await resolve('refs/heads/main');
    at.git(at.root, 'commit', '-q', '--allow-empty', '-m', 'more');
    const [moved] = await resolve('refs/heads/main');
    expect([before, moved]).toEqual([at.commit('main~1'), at.commit('main')]);
    at.git(at.root, 'branch', 'side');
    at.git(at.root, 'gc', '-q');
    expect(await resolve('refs/heads/side')).toEqual([moved]);
    at.git(at.root, 'branch', '-D', 'side');
    expect(await resolve('refs/heads/side', 'refs/heads/main')).toEqual([undefined, moved]);
  });
});

test('concurrent callers each get their own answers', async () => {
  const { at, resolve } = resolving();
  const main = at.commit('main');
  const asked = Array.from({ length: 50 }, (_, index) =>
    index % 2 === 0 ? resolve('refs/heads/main') : resolve('none', 'refs/heads/main'),
  );
  expect(await Promise.all(asked)).toEqual(
    Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? [main] : [undefined, main])),
  );
});

test('one git answers all questions, and another replaces it when it is killed', async () => {
  const { at, resolve } = resolving();
  const gits = () => processesWith(`HOME=${at.base}`);
  await resolve('refs/heads/main');
  await resolve('refs/heads/main');
  const [first, ...others] = gits();
  expect(others).toEqual([]);
  process.kill(first ?? 0, 'SIGSTOP');
  const waiting = resolve('refs/heads/main', 'none');
  process.kill(first ?? 0, 'SIGKILL');
  expect(await waiting).toEqual([at.commit('main'), undefined]);
  expect(await resolve('refs/heads/main')).toEqual([at.commit('main')]);
  expect(gits()).toHaveLength(1);
});

test('fails outside of the repository', async () => {
  const at = runBench();
  const git = openGit(at.places);
  await expect(git.resolve(at.base, ['refs/heads/main'])).rejects.toThrow(/is not a worktree of this repository/);
});
