// File locks between processes. The kernel releases them when their holder dies, however it dies.
import { closeSync, constants, fstatSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { diskFailure, Failure, systemCode } from '../../core/model/failure.ts';
import type { HeldLock, LockHolder, Locks } from '../../core/ports/locks.ts';
import { showName } from '../../text/show.ts';
import { type Flock, findFlock } from './flock.ts';
import { commandOf, deviceName, hasOpen, listedLocks } from './processes.ts';

const { O_CREAT, O_NOFOLLOW, O_RDWR } = constants;

/** Pauses between attempts, in milliseconds: short at first, because a commit takes a millisecond or two. */
const SHORTEST_PAUSE = 0.5;
const LONGEST_PAUSE = 20;

/** A longer wait is reported, with the name of the holder. In milliseconds. */
const SILENT_WAIT = 1_000;

export interface LockOptions {
  /** The name by which others see this process as the holder of a lock. */
  readonly command: string;
  /** Called with a sentence when a wait takes long. */
  readonly waiting?: (sentence: string) => void;
  readonly find?: () => Promise<Flock | undefined>;
}

export function fileLocks({ command, waiting, find = findFlock }: LockOptions): Locks {
  let found: Promise<Flock> | undefined;
  const flock = (): Promise<Flock> => {
    found ??= find().then((way) => way ?? Promise.reject(noFlock()));
    return found;
  };
  return {
    async take(path, patience) {
      const way = await flock();
      const started = performance.now();
      let reported = false;
      for (let pause = SHORTEST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
        const lock = attempt(way, path, command);
        if (lock !== undefined) return lock;
        const waited = performance.now() - started;
        if (waited >= patience) throw heldTooLong(path, patience);
        if (waited >= SILENT_WAIT && !reported)
          waiting?.(`Waiting for ${basename(path)}, which ${nameOf(holderOf(path))} holds ...`);
        reported = waited >= SILENT_WAIT;
        // A random part keeps several waiters from retrying in step.
        await wait(pause * (0.5 + Math.random()));
      }
    },
    async tryTake(path) {
      return attempt(await flock(), path, command);
    },
    holder: signedHolder,
    wasAbandoned: (path) => readNote(path) !== undefined && signedHolder(path) === undefined,
  };
}

function attempt(flock: Flock, path: string, command: string): HeldLock | undefined {
  const file = openLockFile(path);
  try {
    if (flock.tryLock(file) && isStillNamed(file, path)) {
      writeNote(file, JSON.stringify({ pid: process.pid, command }));
      return { stillOurs: () => isStillNamed(file, path), release: () => release(file) };
    }
  } catch (error) {
    closeSync(file);
    throw error;
  }
  closeSync(file);
  return undefined;
}

/** Clears the note first, so that a note without a live holder means that the holder was killed. */
function release(file: number): void {
  writeNote(file, '');
  closeSync(file);
}

function openLockFile(path: string): number {
  try {
    return openSync(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600);
  } catch (error) {
    throw diskFailure(error, 'open the lock', path);
  }
}

/** A lock on a file that was deleted or replaced excludes nobody. */
function isStillNamed(file: number, path: string): boolean {
  try {
    const named = statSync(path, { bigint: true });
    const held = fstatSync(file, { bigint: true });
    return named.ino === held.ino && named.dev === held.dev;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Notes for waiters who holds the lock, for systems that cannot say. Always the same length, written over the old note: some file
 * systems sync when a file is truncated, which would cost as much as the commit itself.
 */
function writeNote(file: number, text: string): void {
  const note = Buffer.alloc(NOTE_BYTES, ' ');
  if (Buffer.byteLength(text) < NOTE_BYTES) note.write(text);
  note.write('\n', NOTE_BYTES - 1);
  try {
    writeSync(file, note, 0, NOTE_BYTES, 0);
  } catch (error) {
    // The note is optional, so a full disk must not prevent locking.
    if (systemCode(error) !== 'ENOSPC' && systemCode(error) !== 'EDQUOT') throw error;
  }
}

const NOTE_BYTES = 512;

/** The holder according to its note, if that process is alive and has the file open. Quick, and right for cadre's processes. */
function signedHolder(path: string): LockHolder | undefined {
  // A full disk may have had no room even for the note.
  if (statSync(path, { throwIfNoEntry: false })?.size === 0) return holderOf(path);
  const note = readNote(path);
  return note !== undefined && isAlive(note.pid) && hasOpen(note.pid, path) !== false ? note : undefined;
}

/** The holder, cadre or not. Asking the kernel for all locks takes milliseconds. */
function holderOf(path: string): LockHolder | undefined {
  const note = readNote(path);
  const locks = listedLocks();
  if (locks === undefined) return note !== undefined && isAlive(note.pid) ? note : undefined;
  const stats = statSync(path, { throwIfNoEntry: false });
  const here = locks.filter((lock) => lock.inode === stats?.ino);
  // On some file systems stat(2) and /proc report different devices; then the note decides.
  const lock =
    here.find((one) => one.device === deviceName(stats?.dev ?? 0)) ?? here.find((one) => one.pid === note?.pid);
  if (lock === undefined) return undefined;
  // A lock taken through flock(1) is listed with the pid of that program, which has ended; the note has the real holder.
  if (note !== undefined && (note.pid === lock.pid || (!isAlive(lock.pid) && isAlive(note.pid)))) return note;
  return { pid: lock.pid, command: commandOf(lock.pid) ?? 'a process' };
}

function readNote(path: string): LockHolder | undefined {
  try {
    const { pid, command } = JSON.parse(readFileSync(path, 'utf8'));
    return typeof pid === 'number' && typeof command === 'string' ? { pid, command } : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}

function heldTooLong(path: string, patience: number): Failure {
  return new Failure(
    'person',
    'locked',
    `Waited ${Math.round(patience / 1000)} s for ${basename(path)}, which ${nameOf(holderOf(path))} holds. If that process hangs, stop it, then try again.`,
  );
}

function nameOf(holder: LockHolder | undefined): string {
  return holder === undefined ? 'another process' : `"${showName(holder.command)}" (pid ${holder.pid})`;
}

function noFlock(): Failure {
  return new Failure(
    'environment',
    'no-flock',
    'flock(2) is not available: koffi could not be loaded, and flock(1) is not installed. cadre does not write without a lock. Reinstall cadre, or install util-linux.',
  );
}
