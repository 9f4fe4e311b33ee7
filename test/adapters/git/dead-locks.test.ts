// Lock files of a git that was killed: removed where only cadre works, and only if nobody holds them.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { removeDeadRefLock, unlockWorktree } from '../../../src/adapters/git/dead-locks.ts';
import { eventually, temporaryRepo } from '../../support/repo.ts';

function lockAt(path: string, ageInSeconds = 0): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
  const then = Date.now() / 1000 - ageInSeconds;
  utimesSync(path, then, then);
  return path;
}

describe('in a worktree', () => {
  test('they are removed', () => {
    const { root } = temporaryRepo();
    const own = join(root, '.git');
    const locks = ['index.lock', 'HEAD.lock'].map((name) => lockAt(join(own, name)));
    unlockWorktree(root, own);
    expect(locks.filter(existsSync)).toEqual([]);
  });

  test('they stay while a git runs there', async () => {
    const { root } = temporaryRepo();
    const lock = lockAt(join(root, '.git', 'index.lock'));
    const git = spawn('git', ['cat-file', '--batch'], { cwd: root });
    onTestFinished(() => void git.kill('SIGKILL'));
    git.stdin.write('HEAD\n');
    await new Promise((answered) => git.stdout.once('data', answered));
    unlockWorktree(root, join(root, '.git'));
    expect(existsSync(lock)).toBe(true);
    git.kill('SIGKILL');
    await eventually(
      () => git.signalCode,
      (signal) => signal !== null,
    );
    unlockWorktree(root, join(root, '.git'));
    expect(existsSync(lock)).toBe(false);
  });
});

describe('of a ref', () => {
  const PATIENCE = 10_000;
  const inRefs = (name: string): string => join(temporaryRepo().root, '.git', 'refs', `${name}.lock`);

  test.each(['heads/plan/x', 'heads/cadre/x/t1-a1', 'cadre/keep/x/t1-a1/1'])('that only cadre writes: %s', (name) => {
    const lock = lockAt(inRefs(name), 20);
    expect([removeDeadRefLock(lock, PATIENCE), existsSync(lock)]).toEqual([true, false]);
  });

  test.each([
    ['of somebody else', 'heads/main', 20],
    ['that is new', 'heads/plan/x', 5],
  ])('%s it stays', (_, name, age) => {
    const lock = lockAt(inRefs(name), age);
    expect([removeDeadRefLock(lock, PATIENCE), existsSync(lock)]).toEqual([false, true]);
  });

  test('that a process has open it stays', () => {
    const lock = lockAt(inRefs('heads/plan/x'), 20);
    const open = openSync(lock, 'r');
    expect(removeDeadRefLock(lock, PATIENCE)).toBe(false);
    closeSync(open);
    expect(removeDeadRefLock(lock, PATIENCE)).toBe(true);
  });
});
