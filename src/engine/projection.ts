// Keeps plan-state.json equal to the journal, and knows when it must keep its hands off.

import {
  type EntryTexts,
  NO_PLAN_STATE,
  newsOf,
  type PlanStateFile,
  projectPlanState,
  readPlanStateFile,
} from '../core/files/plan-state.ts';
import { Failure } from '../core/model/failure.ts';
import type { JournalRecord } from '../core/model/record.ts';
import type { World } from '../core/model/world.ts';
import type { HeldLock, Locks } from '../core/ports/locks.ts';
import type { PlanStateStore } from '../core/ports/plan-state.ts';

export type FileLock =
  | { readonly kind: 'held'; readonly lock: HeldLock }
  | { readonly kind: 'not-held'; readonly why: string };

export type Read =
  | { readonly kind: 'good'; readonly file: PlanStateFile; readonly ours: boolean; readonly text: string }
  | { readonly kind: 'bad'; readonly code: string; readonly why: string };

export interface PlanStateProjection {
  readonly path: string;
  /** The last record from which the file was written. */
  writtenUpTo(): number;
  /** Never fails for want of the lock: the step then stands in the journal, and the file is caught up later. */
  lock(patience: number): Promise<FileLock>;
  read(): Read;
  /** What the file says beyond the journal, or nothing where it cannot be read. */
  look(): PlanStateFile | undefined;
  /** Writes the file if it is behind. Returns sentences for the person, if anything stood in the way. */
  write(world: World, before: Read, lock: FileLock, records: readonly JournalRecord[]): readonly string[];
  /** Whether there is nothing to import from the file and nothing to write to it. */
  agreesWith(world: World): boolean;
  /** What keeps the file from being used until a person has seen to it, as a sentence. */
  problem(): string | undefined;
  /** Makes the file anew from the journal, whatever is in it. Returns where a file that cannot be read went. */
  rebuild(world: World): string | undefined;
}

/** What must not be replaced without a person: they are in the middle of something, or something else is wrong. */
const HANDS_OFF: readonly string[] = ['conflict', 'newer', 'unreadable'];

export function planStateProjection(store: PlanStateStore, locks: Locks, lockPath: string): PlanStateProjection {
  /** The file as this process last read or wrote it, so that an unchanged one is not parsed again. */
  let last: { readonly text: string; readonly file: PlanStateFile } | undefined;

  const texts: EntryTexts = new WeakMap();

  const read = (): Read => {
    try {
      return readSound();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { kind: 'bad', code: 'unreadable', why: `it cannot be read (${error.code})` };
    }
  };

  const readSound = (): Read => {
    const found = store.read();
    if (found === undefined) return { kind: 'good', file: NO_PLAN_STATE, ours: true, text: '' };
    if (found.text === last?.text) return { kind: 'good', file: last.file, ours: found.ours, text: found.text };
    const result = readPlanStateFile(found.text);
    if (result.kind === 'bad') return result;
    last = { text: found.text, file: result.file };
    return { kind: 'good', file: result.file, ours: found.ours, text: found.text };
  };

  /** What cadre wrote itself need not be parsed to be known. */
  const isOurs = (): boolean => {
    try {
      return store.isOurs();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return false;
    }
  };

  const replace = (world: World, file: PlanStateFile): void => {
    const projected = projectPlanState(world, file, texts);
    last = undefined;
    store.write(projected.text, world.seq);
    last = projected;
  };

  const write: PlanStateProjection['write'] = (world, before, lock, records) => {
    if (before.kind === 'good' && !isBehind(world, before, records)) return [];
    if (lock.kind === 'not-held') return [behind(lock.why)];
    if (!lock.lock.stillOurs()) return [behind('The lock of plan-state.json was deleted while it was held.')];
    if (before.kind === 'good') {
      replace(world, before.file);
      return [];
    }
    if (needsPerson(store, before)) return [behind(sentence(store, before))];
    const aside = store.setAside();
    replace(world, NO_PLAN_STATE);
    return [
      `plan-state.json could not be read: ${before.why}. It was made anew from the journal; the old one is ${aside}.`,
    ];
  };

  return {
    path: store.path,
    writtenUpTo: () => store.writtenUpTo(),
    async lock(patience) {
      try {
        return { kind: 'held', lock: await locks.take(lockPath, patience) };
      } catch (error) {
        if (!(error instanceof Failure) || error.code === 'no-flock') throw error;
        return { kind: 'not-held', why: error.message };
      }
    },
    read,
    look() {
      if (isOurs()) return undefined;
      const result = read();
      return result.kind === 'good' ? result.file : undefined;
    },
    write(world, before, lock, records) {
      try {
        return write(world, before, lock, records);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        return [behind(error.message)];
      }
    },
    agreesWith(world) {
      const result = read();
      // Half a file is not a damaged one yet: whoever writes it is given a moment.
      if (result.kind === 'bad') return store.isFresh();
      return !isBehind(world, result, []) && (result.ours || newsOf(world, result.file).length === 0);
    },
    problem() {
      if (isOurs()) return undefined;
      const result = read();
      return result.kind === 'bad' && needsPerson(store, result) ? sentence(store, result) : undefined;
    },
    rebuild(world) {
      const before = read();
      const aside = before.kind === 'bad' ? store.setAside() : undefined;
      replace(world, before.kind === 'good' ? before.file : NO_PLAN_STATE);
      return aside;
    },
  };
}

/** A file that cadre never wrote may hold plans of which the journal has not heard. */
function needsPerson(store: PlanStateStore, bad: Extract<Read, { kind: 'bad' }>): boolean {
  return HANDS_OFF.includes(bad.code) || !store.everWritten();
}

/** Our own file can only be late with a status; one that someone else wrote is made exact again, whatever differs. */
function isBehind(world: World, read: Extract<Read, { kind: 'good' }>, records: readonly JournalRecord[]): boolean {
  if (records.some((record) => record.moves.some((move) => move.machine === 'plan'))) return true;
  if (!read.ours) return projectPlanState(world, read.file).text !== read.text;
  return [...world.plans.values()].some((entry) => read.file.plans.get(entry.plan)?.status !== entry.status);
}

function sentence(store: PlanStateStore, bad: Extract<Read, { kind: 'bad' }>): string {
  const help = bad.code === 'conflict' ? 'Resolve it' : bad.code === 'newer' ? 'Update cadre' : 'Repair it';
  return `${store.path} cannot be used: ${bad.why}. ${help}, or run "cadre doctor --use-journal" to make it anew from the journal; the present one is kept beside it.`;
}

function behind(why: string): string {
  return `plan-state.json was not written, and will be caught up with the next step: ${why} The step itself stands in the journal.`;
}
