// Removes lock files that a killed git left behind, where only cadre and its agents work.
import { realpathSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { allProcesses, commandOf, hasOpen, tellsOfProcesses, worksIn } from '../system/processes.ts';

/**
 * In a worktree of cadre's: every agent that is started there would fail at such a lock. Does nothing while a git runs
 * in the worktree. `own`: git's folder for it.
 */
export function unlockWorktree(worktree: string, own: string): void {
  const locks = ['index.lock', 'HEAD.lock'].map((name) => join(own, name)).filter(exists);
  if (locks.length === 0 || hasGitIn(worktree)) return;
  for (const lock of locks) if (tellsOfProcesses() || ageOf(lock) > OLD) rmSync(lock, { force: true });
}

function hasGitIn(worktree: string): boolean {
  if (!tellsOfProcesses()) return false;
  const path = realpathSync(worktree);
  return allProcesses().some(({ pid }) => worksIn(pid, path) && /^(?:\S*\/)?git\b/.test(commandOf(pid) ?? ''));
}

/**
 * Removes the lock of a ref that only cadre writes if nobody holds it: it has not changed for as long as git is given to do
 * its work, and no process has it open. Returns whether it did.
 */
export function removeDeadRefLock(lock: string, patience: number): boolean {
  if (!OWN_REFS.test(lock) || !exists(lock) || ageOf(lock) < patience) return false;
  const path = join(realpathSync(dirname(lock)), basename(lock));
  const isHeld = tellsOfProcesses() ? allProcesses().some(({ pid }) => hasOpen(pid, path)) : ageOf(lock) <= OLD;
  if (!isHeld) rmSync(lock, { force: true });
  return !isHeld;
}

/** Whether this lock is left over: it is old, no process has it open, and no git runs in the checkout. */
export function isDeadLock(checkout: string, lock: string): boolean {
  if (ageOf(lock) < OLD || hasGitIn(checkout)) return false;
  if (!tellsOfProcesses()) return ageOf(lock) >= VERY_OLD;
  const path = join(realpathSync(dirname(lock)), basename(lock));
  return !allProcesses().some(({ pid }) => hasOpen(pid, path));
}

/** Returns whether it is gone. Not if another lock has taken its place meanwhile. */
export function removeDeadLock(checkout: string, lock: string): boolean {
  const before = statSync(lock, { throwIfNoEntry: false });
  if (before === undefined) return true;
  if (!isDeadLock(checkout, lock) || statSync(lock, { throwIfNoEntry: false })?.ino !== before.ino) return false;
  rmSync(lock, { force: true });
  return true;
}

/** In milliseconds. Where the system does not list its processes, a person may have an editor open for a message. */
const VERY_OLD = 60 * 60_000;

/** Branches of plans and runs, and pinned work. */
const OWN_REFS = /\/refs\/(?:heads\/(?:plan|cadre)|cadre)\/[^\n]+\.lock$/;

/** In milliseconds: older than anything that a git does to a ref or an index. */
const OLD = 60_000;

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function ageOf(path: string): number {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
}
