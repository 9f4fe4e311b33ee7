// Keeps plan-state.json equal to the journal, and knows when it must not touch the file.

import {
  NO_PLAN_STATE,
  type PlanStateFile,
  planStateTexts,
  projectPlanState,
  readPlanStateFile,
  unrecordedEdits,
} from '../core/files/plan-state.ts';
import { Failure } from '../core/model/failure.ts';
import type { JournalRecord } from '../core/model/record.ts';
import type { World } from '../core/model/world.ts';
import type { HeldLock, Locks } from '../core/ports/locks.ts';
import type { PlanStateStore } from '../core/ports/plan-state.ts';

export type FileLock =
  | { readonly kind: 'held'; readonly lock: HeldLock }
  | { readonly kind: 'not-held'; readonly why: string };

export type PlanStateFound =
  | { readonly kind: 'good'; readonly file: PlanStateFile; readonly ours: boolean; readonly text: string }
  | { readonly kind: 'bad'; readonly code: string; readonly why: string };

export interface PlanStateProjection {
  readonly path: string;
  /** The last record from which the file was written. */
  writtenUpTo(): number;
  /** Does not fail if another process keeps the lock: the step is then in the journal, and the file is updated later. */
  lock(patience: number): Promise<FileLock>;
  read(): PlanStateFound;
  /** The file if somebody else has edited it; undefined if cadre wrote it or if it cannot be read. */
  look(): PlanStateFile | undefined;
  /** Writes the file if it is behind the world. Returns a sentence for the person if that was not possible. */
  write(world: World, before: PlanStateFound, lock: FileLock, records: readonly JournalRecord[]): readonly string[];
  /** Whether there is nothing to import from the file and nothing to write to it. True for a file that is being written. */
  agreesWith(world: World): boolean;
  /** Why the file cannot be used until a person has dealt with it. */
  problem(): string | undefined;
  /** Rebuilds the file from the journal. Returns the new name of a file that could not be read. */
  rebuild(world: World): string | undefined;
}

/** A file with one of these problems is never replaced automatically: a person is editing it, or needs to look at it. */
const NEEDS_PERSON: readonly string[] = ['conflict', 'newer', 'unreadable'];

export function planStateProjection(store: PlanStateStore, locks: Locks, lockPath: string): PlanStateProjection {
  /** The file as this process last read or wrote it: an unchanged one is not parsed again. */
  let last: { readonly text: string; readonly file: PlanStateFile } | undefined;

  const texts = planStateTexts();

  const read = (): PlanStateFound => {
    try {
      return readSound();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { kind: 'bad', code: 'unreadable', why: `it cannot be read (${error.code})` };
    }
  };

  const readSound = (): PlanStateFound => {
    const found = store.read();
    if (found === undefined) return { kind: 'good', file: NO_PLAN_STATE, ours: true, text: '' };
    if (found.text === last?.text) return { kind: 'good', file: last.file, ours: found.ours, text: found.text };
    const result = readPlanStateFile(found.text);
    if (result.kind === 'bad') return result;
    last = { text: found.text, file: result.file };
    return { kind: 'good', file: result.file, ours: found.ours, text: found.text };
  };

  /** A file that cadre wrote does not have to be parsed. */
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
    if (!lock.lock.stillOurs()) return [behind('The lock of plan-state.json was deleted while cadre held it.')];
    if (before.kind === 'good') {
      replace(world, before.file);
      return [];
    }
    if (needsPerson(store, before)) return [behind(sentence(store, before))];
    const keptAs = store.setAside();
    replace(world, NO_PLAN_STATE);
    return [
      `plan-state.json could not be read: ${before.why}. It was rebuilt from the journal; the old file is ${keptAs}.`,
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
      // Half a file is not damaged yet: its writer gets a moment to finish.
      if (result.kind === 'bad') return store.isFresh();
      return !isBehind(world, result, []) && (result.ours || unrecordedEdits(world, result.file).length === 0);
    },
    problem() {
      if (isOurs()) return undefined;
      const result = read();
      return result.kind === 'bad' && needsPerson(store, result) ? sentence(store, result) : undefined;
    },
    rebuild(world) {
      const before = read();
      const keptAs = before.kind === 'bad' ? store.setAside() : undefined;
      replace(world, before.kind === 'good' ? before.file : NO_PLAN_STATE);
      return keptAs;
    },
  };
}

/** A file that cadre never wrote may contain plans that are not in the journal. */
function needsPerson(store: PlanStateStore, bad: Extract<PlanStateFound, { kind: 'bad' }>): boolean {
  return NEEDS_PERSON.includes(bad.code) || !store.everWritten();
}

/** A file that cadre wrote can only be late with a status; one that somebody else edited is restored in full. */
function isBehind(
  world: World,
  read: Extract<PlanStateFound, { kind: 'good' }>,
  records: readonly JournalRecord[],
): boolean {
  if (records.some((record) => record.moves.some((move) => move.machine === 'plan'))) return true;
  if (!read.ours) return projectPlanState(world, read.file).text !== read.text;
  return [...world.plans.values()].some((entry) => read.file.plans.get(entry.plan)?.status !== entry.status);
}

function sentence(store: PlanStateStore, bad: Extract<PlanStateFound, { kind: 'bad' }>): string {
  const help = bad.code === 'conflict' ? 'Resolve it' : bad.code === 'newer' ? 'Update cadre' : 'Repair it';
  return `${store.path} cannot be used: ${bad.why}. ${help}, or rebuild it from the journal; the present file is kept beside it.`;
}

function behind(why: string): string {
  return `plan-state.json was not written and will be updated with the next step: ${why} The step itself is in the journal.`;
}
