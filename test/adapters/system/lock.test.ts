// Locks between real processes: waiting, dying, hanging, and lock files that disappear.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BEGINNING } from '../../../src/adapters/journal/segments.ts';
import { type Flock, throughLibrary, throughProgram } from '../../../src/adapters/system/flock.ts';
import { fileLocks } from '../../../src/adapters/system/lock.ts';
import type { Locks } from '../../../src/core/ports/locks.ts';
import { faultyDisk } from '../../support/faulty-disk.ts';
import { FOREIGN_COMMAND, foreignHolder } from '../../support/foreign-lock.ts';
import { smallDisk } from '../../support/mounts.ts';
import { needing } from '../../support/needs.ts';
import { failureOf, impatient, openPieces, temporaryFolder } from '../../support/pieces.ts';
import { eventually, startEngine, temporaryRepo } from '../../support/repo.ts';
import { register } from '../../support/world.ts';

const WAYS: readonly (readonly [string, () => Promise<Flock | undefined>])[] = [
  ['flock(2)', throughLibrary],
  ['flock(1)', async () => throughProgram()],
];

describe.each(WAYS)('through %s', (way, find) => {
  const locksOf = (command: string): Locks => fileLocks({ command, find });

  test('is the requested implementation', async () => {
    expect((await find())?.way).toBe(way);
  });

  test('a lock has one holder at a time, and the next when it is released', async () => {
    const path = lockFile();
    const [one, other] = [locksOf('one'), locksOf('other')];
    const held = await one.take(path, 0);
    expect(await other.tryTake(path)).toBeUndefined();
    const waiting = other.take(path, 60_000);
    held.release();
    const next = await waiting;
    expect(next.stillOurs()).toBe(true);
    expect(await one.tryTake(path)).toBeUndefined();
    next.release();
  });

  test('flock(1) sees the lock exactly while it is held', async () => {
    const path = lockFile();
    const held = await locksOf('one').take(path, 0);
    expect(isFree(path)).toBe(false);
    held.release();
    expect(isFree(path)).toBe(true);
  });

  test('a lock held by flock(1) is noticed, waited for, and taken when that process is killed', async () => {
    const path = lockFile();
    const holder = await foreignHolder(path);
    const locks = locksOf('one');
    expect(await locks.tryTake(path)).toBeUndefined();
    const waiting = locks.take(path, 60_000);
    holder.kill('SIGKILL');
    (await waiting).release();
  });

  test('the lock is kept when a program started in the meantime has ended', async () => {
    const path = lockFile();
    const held = await locksOf('one').take(path, 0);
    spawnSync('true');
    expect(isFree(path)).toBe(false);
    held.release();
  });

  test('the holder is named when asked for and after a wait that failed', async () => {
    const path = lockFile();
    const held = await locksOf('cadre watch').take(path, 0);
    const other = locksOf('other');
    expect(other.holder(path)).toEqual({ pid: process.pid, command: 'cadre watch' });
    const failure = await failureOf(() => other.take(path, 50));
    expect([failure.code, failure.kind]).toEqual(['locked', 'person']);
    expect(failure.message).toBe(tooLong(path, 'cadre watch', process.pid));
    held.release();
    expect(other.holder(path)).toBeUndefined();
  });

  test('a lock file that is deleted or replaced no longer excludes anyone, and its holder notices', async () => {
    const path = lockFile();
    const held = await locksOf('one').take(path, 0);
    rmSync(path);
    expect(held.stillOurs()).toBe(false);
    writeFileSync(path, '');
    expect(held.stillOurs()).toBe(false);
    const other = await locksOf('other').take(path, 0);
    expect([held.stillOurs(), other.stillOurs()]).toEqual([false, true]);
    held.release();
    other.release();
  });
});

describe('two processes', () => {
  test('kill -9 of the holder frees the lock', async () => {
    const repo = temporaryRepo();
    const engine = await startEngine(repo);
    const path = join(repo.state(), 'engine.lock');
    const locks = fileLocks({ command: 'a test' });
    expect(await locks.tryTake(path)).toBeUndefined();
    const waiting = locks.take(path, 60_000);
    engine.process.kill('SIGKILL');
    (await waiting).release();
  });

  test('a holder that hangs is named with its pid and command, and keeps the lock', async () => {
    const repo = temporaryRepo();
    const engine = await startEngine(repo);
    const pid = engine.process.pid ?? 0;
    const path = join(repo.state(), 'engine.lock');
    engine.process.kill('SIGSTOP');
    await eventually(
      () => stateOf(pid),
      (state) => state === 'T',
    );
    const locks = fileLocks({ command: 'a test' });
    expect((await failureOf(() => locks.take(path, 100))).message).toBe(tooLong(path, 'cadre watch', pid));
    expect(await locks.tryTake(path)).toBeUndefined();
    const second = repo.cadre('watch');
    expect(second).toEqual({
      code: 3,
      stdout: '',
      stderr: `"cadre watch" (pid ${pid}) is already the engine of this repository.\n  try: cadre engine status\n       cadre engine stop\n`,
    });
  });

  test('a hanging process that is not cadre is named by its command line, made safe to print', async () => {
    const path = lockFile();
    const holder = await foreignHolder(path, 'no "quotes"\u001b[31m');
    holder.kill('SIGSTOP');
    const { message } = await failureOf(() => fileLocks({ command: 'a test' }).take(path, 50));
    expect(message).toContain(`(pid ${holder.pid}) holds.`);
    expect(message).toContain('no \\"quotes\\"\\u{1b}[31m');
    expect(message).not.toContain('\u001b');
  });

  test('a wait of more than a second is reported once, with the holder', async () => {
    const path = lockFile();
    const held = await fileLocks({ command: 'cadre run' }).take(path, 0);
    const reported: string[] = [];
    const waiting = fileLocks({ command: 'other', waiting: (sentence) => reported.push(sentence) }).take(path, 60_000);
    await eventually(
      () => reported.length,
      (count) => count > 0,
    );
    held.release();
    (await waiting).release();
    expect(reported).toEqual([`Waiting for ${basename(path)}, which "cadre run" (pid ${process.pid}) holds ...`]);
  });

  test('a lock counts as abandoned when its holder died, and not when it was released or never taken', async () => {
    const path = lockFile();
    const locks = fileLocks({ command: 'cadre watch' });
    expect(locks.wasAbandoned(path)).toBe(false);
    const held = await locks.take(path, 0);
    expect(locks.wasAbandoned(path)).toBe(false);
    held.release();
    expect(locks.wasAbandoned(path)).toBe(false);
    writeFileSync(path, `${JSON.stringify({ pid: spawnSync('true').pid, command: 'cadre watch' })}\n`);
    expect(locks.wasAbandoned(path)).toBe(true);
    (await locks.take(path, 0)).release();
    expect(locks.wasAbandoned(path)).toBe(false);
  });

  test('a note in the file does not name a holder while the lock is free', async () => {
    const path = lockFile();
    writeFileSync(path, `${JSON.stringify({ pid: process.pid, command: 'cadre watch' })}\n`);
    expect(fileLocks({ command: 'a test' }).holder(path)).toBeUndefined();
  });
});

describe('no lock, no write', () => {
  test('a lock file that disappears between open and lock does not count as the lock', async () => {
    const path = lockFile();
    const flock = await throughLibrary();
    let tries = 0;
    const find = async (): Promise<Flock> => ({
      way: 'flock(2)',
      tryLock(file) {
        tries += 1;
        if (tries === 1) rmSync(path);
        return flock?.tryLock(file) ?? false;
      },
    });
    const held = await fileLocks({ command: 'a test', find }).take(path, 60_000);
    expect([tries, held.stillOurs(), isFree(path)]).toEqual([2, true, false]);
    held.release();
  });

  test('a step whose lock file disappears while it is decided writes nothing and fails', async () => {
    const repo = temporaryRepo();
    const faulty = faultyDisk();
    const pieces = openPieces(repo, faulty.disk);
    await pieces.gateway.submit([register('a.md')]);
    faulty.before({ on: 'facts', path: 'plan-state.json' }, () => rmSync(pieces.places.journalLock));
    const failure = await failureOf(() => pieces.gateway.submit([register('b.md')]));
    expect([failure.code, failure.message]).toEqual([
      'lock-gone',
      'The lock of the journal was deleted while cadre held it. Nothing was written. Try again; if it happens again, find out what deletes files in the state folder.',
    ]);
    expect(pieces.segments.read(BEGINNING).records).toHaveLength(1);
    await pieces.gateway.submit([register('b.md')]);
    expect(pieces.segments.read(BEGINNING).records).toHaveLength(2);
  });

  test('a step that gives up waiting for the journal changes nothing', async () => {
    const repo = temporaryRepo();
    const pieces = openPieces(repo, undefined, impatient(fileLocks({ command: 'a test' }), 50));
    await pieces.gateway.submit([register('a.md')]);
    const holder = await foreignHolder(pieces.places.journalLock);
    const failure = await failureOf(() => pieces.gateway.submit([register('b.md')]));
    expect(failure.message).toBe(tooLong('journal.lock', FOREIGN_COMMAND, holder.pid ?? 0));
    expect([...(await pieces.gateway.look()).plans.keys()]).toEqual(['a.md']);
  });

  test('without any way to lock, a step fails and nothing is written', async () => {
    const repo = temporaryRepo();
    const pieces = openPieces(repo, undefined, fileLocks({ command: 'a test', find: async () => undefined }));
    const failure = await failureOf(() => pieces.gateway.submit([register('a.md')]));
    expect([failure.code, failure.kind, failure.message]).toEqual([
      'no-flock',
      'environment',
      'flock(2) is not available: koffi could not be loaded, and flock(1) is not installed. cadre does not write without a lock. Reinstall cadre, or install util-linux.',
    ]);
    expect(pieces.segments.numbers()).toEqual([]);
  });

  test.each([
    ['a folder', (path: string) => mkdirSync(path), 'EISDIR'],
    ['a link', (path: string) => symlinkSync('/dev/null', path), 'ELOOP'],
  ])('%s in the place of the lock file fails with a sentence', async (_what, put, code) => {
    const path = lockFile();
    put(path);
    const failure = await failureOf(() => fileLocks({ command: 'a test' }).take(path, 0));
    expect(failure.code).toBe(code);
    expect(failure.message).toContain(`Could not open the lock ${path}.`);
  });
});

needing('root', () => {
  test('a lock can be taken on a full disk, and its holder is known', async () => {
    const folder = smallDisk(16);
    const path = join(folder, 'x.lock');
    writeFileSync(path, '');
    spawnSync('dd', ['if=/dev/zero', `of=${join(folder, 'filler')}`, 'bs=1k', 'count=100']);
    const locks = fileLocks({ command: 'cadre run' });
    const held = await locks.take(path, 0);
    expect(readFileSync(path, 'utf8')).toBe('');
    expect(locks.holder(path)?.pid).toBe(process.pid);
    held.release();
  });

  test('the holder of a file with the same inode on another file system is not mistaken for the holder of this one', async () => {
    const [here, there] = [smallDisk(64), smallDisk(64)];
    const [free, taken] = [join(here, 'x.lock'), join(there, 'x.lock')];
    const locks = fileLocks({ command: 'cadre watch' });
    const held = await locks.take(taken, 0);
    writeFileSync(free, '');
    expect(statSync(free).ino).toBe(statSync(taken).ino);
    expect(locks.holder(free)).toBeUndefined();
    held.release();
  });
});

function lockFile(): string {
  return join(temporaryFolder(), 'x.lock');
}

function tooLong(path: string, command: string, pid: number): string {
  return `Waited 0 s for ${basename(path)}, which "${command}" (pid ${pid}) holds. If that process hangs, stop it, then try again.`;
}

/** Whether flock(1) gets the lock immediately. */
function isFree(path: string): boolean {
  return spawnSync('flock', ['--nonblock', path, 'true']).status === 0;
}

/** The state of a process as a letter, as Linux reports it: "T" for stopped. */
function stateOf(pid: number): string | undefined {
  return /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
}
