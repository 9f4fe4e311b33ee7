// The journal port on files: lock, read, decide and append in one go.
import { Failure } from '../../core/model/failure.ts';
import type { JournalRecord } from '../../core/model/record.ts';
import {
  type Cursor,
  type Decided,
  type Found,
  type Journal,
  type JournalRepair,
  type Reading,
  START,
  type Transaction,
} from '../../core/ports/journal.ts';
import type { HeldLock, Locks } from '../../core/ports/locks.ts';
import type { Watcher } from '../../core/ports/watcher.ts';
import { cursorFrom, positionOf, restorePosition, storePosition } from './cursor-text.ts';
import { followRecords } from './follow.ts';
import type { Position, Segments } from './segments.ts';

export interface FileJournalPorts {
  readonly segments: Segments;
  readonly locks: Locks;
  /** The path of the journal's lock. */
  readonly lock: string;
  readonly watch: (changed: () => void) => Watcher;
}

export function fileJournal(ports: FileJournalPorts): Journal {
  return new FileJournal(ports);
}

/**
 * All calls to the disk are synchronous, so nothing else of this process runs between taking the lock and the commit
 * (docs/decisions/0007). Only waiting for the lock is asynchronous.
 */
class FileJournal implements Journal {
  readonly #ports: FileJournalPorts;
  /** The last record that this process knows to be on the disk. */
  #durable = 0;
  #repairs: readonly JournalRepair[] = [];

  constructor(ports: FileJournalPorts) {
    this.#ports = ports;
  }

  async read(after: Cursor): Promise<Reading> {
    const { records, position } = this.#ports.segments.read(positionOf(after));
    return { records, cursor: cursorFrom(position) };
  }

  async readDurable(after: Cursor): Promise<Reading> {
    const { records, position } = this.#ports.segments.read(positionOf(after));
    this.#confirm(position);
    return { records, cursor: cursorFrom(position) };
  }

  async transact<D extends Decided>(
    after: Cursor,
    decide: (found: Found) => D,
    patience: number,
  ): Promise<Transaction<D>> {
    const lock = await this.#ports.locks.take(this.#ports.lock, patience);
    try {
      return this.#commit(positionOf(after), decide, lock);
    } finally {
      lock.release();
    }
  }

  follow(after: Cursor, stop: AbortSignal): AsyncIterable<JournalRecord> {
    const { segments, watch } = this.#ports;
    return followRecords({ segments, watch, after: positionOf(after), stop });
  }

  store(cursor: Cursor): string {
    return cursor === START ? '' : storePosition(positionOf(cursor), this.#ports.segments);
  }

  async restore(text: string): Promise<Cursor | undefined> {
    const position = restorePosition(text, this.#ports.segments);
    return position === undefined ? undefined : cursorFrom(position);
  }

  #commit<D extends Decided>(after: Position, decide: (found: Found) => D, lock: HeldLock): Transaction<D> {
    const { segments } = this.#ports;
    const found = this.#catchUp(after);
    const decided = decide({ records: found.records, repairs: this.#repairs });
    requireFollowing(found.position, decided.records);
    if (!lock.stillOurs()) throw lockGone();
    const position = segments.append(found.position, decided.records);
    this.#durable = position.seq;
    if (decided.records.length > 0) this.#repairs = [];
    const next = this.#rotate(position);
    return { decided, cursor: cursorFrom(next), checkpointDue: next !== position };
  }

  /** With the lock held, bytes that are not a record were left by a process that died. */
  #catchUp(after: Position): { readonly records: readonly JournalRecord[]; readonly position: Position } {
    const { segments } = this.#ports;
    const { records, position, torn } = segments.read(after);
    this.#confirm(position);
    if (torn > 0) this.#repairs = [...this.#repairs, { bytes: torn, copy: segments.repair(position, torn) }];
    return { records, position };
  }

  /** Nothing is built on a record that could still be lost because its writer was killed before the sync. */
  #confirm(position: Position): void {
    if (position.seq <= this.#durable) return;
    this.#ports.segments.confirm(position);
    this.#durable = position.seq;
  }

  /** The commit is done by then, so a new segment that cannot be created must not make it fail; the next commit tries again. */
  #rotate(position: Position): Position {
    try {
      return this.#ports.segments.rotate(position);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return position;
    }
  }
}

function requireFollowing({ seq: last }: Position, records: readonly JournalRecord[]): void {
  for (const [index, { seq }] of records.entries())
    if (seq !== last + index + 1) throw new Error(`Record ${seq} cannot follow record ${last + index}.`);
}

function lockGone(): Failure {
  return new Failure(
    'person',
    'lock-gone',
    'The lock of the journal was deleted while cadre held it. Nothing was written. Try again; if it happens again, find out what deletes files in the state folder.',
  );
}
