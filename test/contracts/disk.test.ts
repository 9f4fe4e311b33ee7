// The promises of the ports Disk and Locks, as suites that any implementation can be held to.
import { execFileSync } from 'node:child_process';
import { linkSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { disk } from '../../src/adapters/system/disk.ts';
import { throughProgram } from '../../src/adapters/system/flock.ts';
import { fileLocks } from '../../src/adapters/system/lock.ts';
import type { Disk } from '../../src/core/ports/disk.ts';
import type { Locks } from '../../src/core/ports/locks.ts';
import { failureOf, temporaryFolder } from '../support/pieces.ts';

interface DiskUnderTest {
  readonly disk: Disk;
  /** An empty folder on it. */
  readonly folder: string;
}

interface LocksUnderTest {
  /** The locks as one process has them. */
  open(command: string): Locks;
  /** A path for a lock. */
  readonly path: string;
  /** Deletes the file at the path. */
  remove(): void;
}

const DISKS: readonly (readonly [string, () => DiskUnderTest])[] = [
  ['the real disk', () => ({ disk, folder: temporaryFolder() })],
];

const LOCKS: readonly (readonly [string, () => LocksUnderTest])[] = [
  ['flock(2)', () => locksIn((command) => fileLocks({ command }))],
  ['flock(1)', () => locksIn((command) => fileLocks({ command, find: async () => throughProgram() }))],
];

describe.each(DISKS)('Disk: %s', (_name, make) => {
  test('reports the kind, size and links of a file, and undefined if it is missing', () => {
    const { disk, folder } = make();
    const path = join(folder, 'file');
    expect(disk.facts(path)).toBeUndefined();
    put(disk, path, 'text');
    expect(disk.facts(path)).toMatchObject({ kind: 'file', size: 4, links: 1 });
    expect(disk.facts(folder)?.kind).toBe('folder');
    const file = disk.open(path, 'read');
    expect(disk.factsOf(file)).toEqual(disk.facts(path));
    disk.close(file);
  });

  test('distinguishes a file from another that took its name, and recognises one that was only rewritten', () => {
    const { disk, folder } = make();
    const [one, other] = [join(folder, 'one'), join(folder, 'other')];
    put(disk, one, '1');
    put(disk, other, '2');
    const before = disk.facts(one);
    expect(disk.facts(other)?.inode).not.toBe(before?.inode);
    disk.rename(other, one);
    expect(disk.facts(one)?.inode).not.toBe(before?.inode);
    const renamed = disk.facts(one);
    put(disk, one, '3');
    expect(disk.facts(one)).toMatchObject({ inode: renamed?.inode, size: 1 });
  });

  test('an open file stays the same file when another takes its name', () => {
    const { disk, folder } = make();
    const [path, next] = [join(folder, 'file'), join(folder, 'next')];
    put(disk, path, 'old');
    put(disk, next, 'new');
    const file = disk.open(path, 'read');
    disk.rename(next, path);
    expect([disk.read(file, 0, 10).toString(), get(disk, path)]).toEqual(['old', 'new']);
    expect(disk.factsOf(file).inode).not.toBe(disk.facts(path)?.inode);
    disk.close(file);
    disk.remove(path);
    expect(disk.facts(path)).toBeUndefined();
  });

  test('creates one folder whose parent exists, and does nothing if the folder exists', () => {
    const { disk, folder } = make();
    const deep = join(folder, 'a', 'b');
    expect(() => disk.makeFolder(deep, 0o700)).toThrow('ENOENT');
    disk.makeFolder(join(folder, 'a'), 0o700);
    disk.makeFolder(deep, 0o700);
    put(disk, join(deep, 'file'), 'text');
    disk.makeFolder(deep, 0o700);
    expect([disk.facts(deep)?.mode, names(disk, deep)]).toEqual([0o700, ['file']]);
  });

  test('"append" creates the file, keeps its content and writes at the end, even after another writer', () => {
    const { disk, folder } = make();
    const path = join(folder, 'file');
    const [one, other] = [disk.open(path, 'append'), disk.open(path, 'append')];
    disk.write(one, Buffer.from('a'));
    disk.write(other, Buffer.from('b'));
    disk.write(one, Buffer.from('c'));
    disk.close(one);
    disk.close(other);
    expect(get(disk, path)).toBe('abc');
  });

  test('"write" creates the file or empties it', () => {
    const { disk, folder } = make();
    const path = join(folder, 'file');
    put(disk, path, 'a long text');
    put(disk, path, 'short');
    expect(get(disk, path)).toBe('short');
  });

  test('"read" creates nothing', () => {
    const { disk, folder } = make();
    expect(codeOf(() => disk.open(join(folder, 'none'), 'read'))).toBe('ENOENT');
    expect(names(disk, folder)).toEqual([]);
  });

  test('reads from any offset, and fewer bytes than requested only at the end', () => {
    const { disk, folder } = make();
    const path = join(folder, 'file');
    const bytes = Buffer.alloc(300_000, 'abcdefg');
    put(disk, path, bytes);
    const file = disk.open(path, 'read');
    expect(disk.read(file, 0, bytes.length).equals(bytes)).toBe(true);
    expect(disk.read(file, 7, 3).toString()).toBe('abc');
    expect(disk.read(file, bytes.length - 2, 100)).toHaveLength(2);
    expect(disk.read(file, bytes.length + 5, 100)).toHaveLength(0);
    disk.close(file);
  });

  test('reports how many bytes it wrote, and those are the first ones', () => {
    const { disk, folder } = make();
    const path = join(folder, 'file');
    const bytes = Buffer.alloc(100_000, 'abcdefg');
    const file = disk.open(path, 'write');
    const count = disk.write(file, bytes);
    disk.close(file);
    expect(count).toBeGreaterThan(0);
    expect(get(disk, path)).toBe(bytes.toString('latin1', 0, count));
  });

  test('truncates a file, after which an appender continues at its new end', () => {
    const { disk, folder } = make();
    const path = join(folder, 'file');
    const file = disk.open(path, 'append');
    disk.write(file, Buffer.from('abcdef'));
    disk.truncate(file, 2);
    disk.write(file, Buffer.from('X'));
    disk.sync(file);
    disk.close(file);
    disk.syncFolder(folder);
    expect(get(disk, path)).toBe('abX');
  });

  test('renames over an existing file in one step', () => {
    const { disk, folder } = make();
    const [from, to] = [join(folder, 'from'), join(folder, 'to')];
    put(disk, from, 'new');
    put(disk, to, 'old');
    disk.rename(from, to);
    expect([names(disk, folder), get(disk, to)]).toEqual([['to'], 'new']);
  });

  test('takes names as bytes, even invalid UTF-8', () => {
    const { disk, folder } = make();
    const name = Buffer.from([0xff, 0x0a, 0xc3, 0x28]);
    const path = Buffer.concat([Buffer.from(`${folder}/`), name]);
    const moved = Buffer.concat([path, Buffer.from([0xfe])]);
    put(disk, path, 'text');
    expect(disk.list(folder).map((listed) => listed.equals(name))).toEqual([true]);
    disk.rename(path, moved);
    expect([disk.facts(path), disk.facts(moved)?.size]).toEqual([undefined, 4]);
    disk.remove(moved);
    expect(disk.list(folder)).toEqual([]);
  });

  test.each<readonly [string, string, (disk: Disk, folder: string) => unknown]>([
    ['opening a file in a missing folder', 'ENOENT', (disk, folder) => disk.open(join(folder, 'no', 'file'), 'append')],
    ['listing a missing folder', 'ENOENT', (disk, folder) => disk.list(join(folder, 'none'))],
    ['listing a file', 'ENOTDIR', (disk, folder) => disk.list(join(folder, 'file'))],
    ['removing a missing file', 'ENOENT', (disk, folder) => disk.remove(join(folder, 'none'))],
    ['renaming a missing file', 'ENOENT', (disk, folder) => disk.rename(join(folder, 'none'), join(folder, 'x'))],
    ['syncing a missing folder', 'ENOENT', (disk, folder) => disk.syncFolder(join(folder, 'none'))],
    ['writing to a folder', 'EISDIR', (disk, folder) => disk.open(folder, 'write')],
    ['creating a folder below a file', 'ENOTDIR', (disk, folder) => disk.makeFolder(join(folder, 'file', 'x'), 0o700)],
    ['reading a closed file', 'EBADF', (disk, folder) => readClosed(disk, join(folder, 'file'))],
  ])('%s fails with %s', (_what, code, act) => {
    const { disk, folder } = make();
    put(disk, join(folder, 'file'), 'text');
    expect(codeOf(() => act(disk, folder))).toBe(code);
    expect(get(disk, join(folder, 'file'))).toBe('text');
  });
});

describe('Disk: only on a real disk', () => {
  test('a link is reported as a link and never followed', () => {
    const folder = temporaryFolder();
    const [target, link] = [join(folder, 'target'), join(folder, 'link')];
    put(disk, target, 'text');
    symlinkSync(target, link);
    expect(disk.facts(link)?.kind).toBe('link');
    for (const mode of ['read', 'append', 'write'] as const) expect(codeOf(() => disk.open(link, mode))).toBe('ELOOP');
    expect(get(disk, target)).toBe('text');
    disk.remove(link);
    expect(names(disk, folder)).toEqual(['target']);
  });

  test('a hard link is counted', () => {
    const folder = temporaryFolder();
    put(disk, join(folder, 'one'), 'text');
    linkSync(join(folder, 'one'), join(folder, 'two'));
    expect(disk.facts(join(folder, 'one'))?.links).toBe(2);
  });

  test('a pipe without a writer, a socket and a device are reported as such, and opening one to read never blocks', async () => {
    const folder = temporaryFolder();
    const [pipe, socket] = [join(folder, 'pipe'), join(folder, 'socket')];
    execFileSync('mkfifo', [pipe]);
    const server = createServer().listen(socket);
    onTestFinished(() => void server.close());
    await new Promise((listening) => server.once('listening', listening));
    expect([pipe, socket, '/dev/null'].map((path) => disk.facts(path)?.kind)).toEqual(['fifo', 'socket', 'device']);
    disk.close(disk.open(pipe, 'read'));
    expect(codeOf(() => disk.open(socket, 'read'))).toBe('ENXIO');
  });
});

describe.each(LOCKS)('Locks: %s', (_name, make) => {
  test('have one holder at a time, even within one process', async () => {
    const { open, path } = make();
    const [one, other] = [open('one'), open('other')];
    const held = await one.take(path, 0);
    expect([await other.tryTake(path), await one.tryTake(path)]).toEqual([undefined, undefined]);
    held.release();
    const next = await other.tryTake(path);
    expect(next?.stillOurs()).toBe(true);
    next?.release();
  });

  test('are waited for, and taken as soon as they are free', async () => {
    const { open, path } = make();
    const held = await open('one').take(path, 0);
    let free = false;
    const waiting = open('other')
      .take(path, 60_000)
      .then((lock) => ({ lock, free }));
    expect(await open('third').tryTake(path)).toBeUndefined();
    free = true;
    held.release();
    const next = await waiting;
    expect(next.free).toBe(true);
    next.lock.release();
  });

  test('never have two holders when many try at once', async () => {
    const { open, path } = make();
    let inside = 0;
    let most = 0;
    const turn = async (number: number): Promise<void> => {
      const lock = await open(`turn ${number}`).take(path, 60_000);
      most = Math.max(most, ++inside);
      await new Promise((later) => setImmediate(later));
      inside -= 1;
      lock.release();
    };
    await Promise.all(Array.from({ length: 5 }, (_, number) => turn(number)));
    expect(most).toBe(1);
  });

  test('fail after the given patience with a sentence that names the lock and says what to do', async () => {
    const { open, path } = make();
    const held = await open('one').take(path, 0);
    const failure = await failureOf(() => open('other').take(path, 30));
    expect([failure.code, failure.kind]).toEqual(['locked', 'person']);
    expect(failure.message).toMatch(/^Waited 0 s for x\.lock, which .+ holds\. .*stop it, then try again\.$/);
    expect(held.stillOurs()).toBe(true);
    held.release();
  });

  test('name the holder without taking the lock', async () => {
    const { open, path } = make();
    const looker = open('looker');
    expect(looker.holder(path)).toBeUndefined();
    const held = await open('cadre run').take(path, 0);
    expect(looker.holder(path)).toEqual({ pid: process.pid, command: 'cadre run' });
    held.release();
    expect(looker.holder(path)).toBeUndefined();
    (await looker.take(path, 0)).release();
  });

  test('notice when their file is no longer the one at the path', async () => {
    const { open, path, remove } = make();
    const held = await open('one').take(path, 0);
    expect(held.stillOurs()).toBe(true);
    remove();
    expect(held.stillOurs()).toBe(false);
    const other = await open('other').take(path, 0);
    expect([held.stillOurs(), other.stillOurs()]).toEqual([false, true]);
    held.release();
    expect(other.stillOurs()).toBe(true);
    other.release();
  });
});

function put(disk: Disk, path: string | Buffer, content: string | Buffer): void {
  const file = disk.open(path, 'write');
  for (let rest = Buffer.from(content); rest.length > 0; ) rest = rest.subarray(disk.write(file, rest));
  disk.close(file);
}

function get(disk: Disk, path: string): string {
  const file = disk.open(path, 'read');
  const text = disk.read(file, 0, disk.factsOf(file).size).toString('latin1');
  disk.close(file);
  return text;
}

function names(disk: Disk, folder: string): readonly string[] {
  return disk.list(folder).map((name) => name.toString());
}

function readClosed(disk: Disk, path: string): void {
  const file = disk.open(path, 'read');
  disk.close(file);
  disk.read(file, 0, 1);
}

/** The code of the system error that the act fails with. */
function codeOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
  return 'no error';
}

function locksIn(open: (command: string) => Locks): LocksUnderTest {
  const path = join(temporaryFolder(), 'x.lock');
  return { open, path, remove: () => rmSync(path) };
}
