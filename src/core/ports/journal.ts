// The journal and its checkpoints, as ports.
import type { JournalRecord } from '../model/record.ts';
import type { World } from '../model/world.ts';

/** How far a reader has come. Only the journal that handed it out can interpret it. */
export type Cursor = string & { readonly brand: 'Cursor' };

/** Before the first record of any journal. */
export const START = '' as Cursor;

export interface Reading {
  readonly records: readonly JournalRecord[];
  /** After the last of the records. */
  readonly cursor: Cursor;
}

/** What a transaction finds once it has the journal to itself. */
export interface Found {
  /** Everything after the caller's cursor, durable by now. */
  readonly records: readonly JournalRecord[];
  /** What this process had to repair and no commit of this process has followed yet. */
  readonly repairs: readonly JournalRepair[];
}

/** The journal ended in bytes that are not a record, left by a process that was stopped while writing. They were cut off. */
export interface JournalRepair {
  readonly bytes: number;
  /** Where a copy of the bytes is kept. */
  readonly copy: string;
}

/** What `decide` answers: the records to append, and anything else its caller wants back. */
export interface Decided {
  readonly records: readonly JournalRecord[];
}

export interface Transaction<D extends Decided> {
  readonly decided: D;
  /** After the last record of this commit; if nothing was appended, after everything found. */
  readonly cursor: Cursor;
  /** A checkpoint at this cursor would spare the next process a lot of reading. */
  readonly checkpointDue: boolean;
}

/**
 * The truth: an append-only log of records, numbered from 1 without gaps. A commit counts whole or not at all, for readers
 * too. Every method fails with a sentence on damage, on missing records and on records of a newer version; none is skipped.
 */
export interface Journal {
  /** Everything after the cursor. Takes no lock and changes nothing. */
  read(after: Cursor): Promise<Reading>;
  /**
   * The same for readers that act on it: when it returns, nothing up to its cursor can be lost, not even by a power failure.
   * Without this, a record whose writer was killed before its sync could be read, acted on, and then vanish.
   */
  readDurable(after: Cursor): Promise<Reading>;
  /**
   * Takes the journal's lock, makes durable what others appended after the cursor, calls `decide` once, and appends its
   * answer as one commit. When it returns the commit is durable; when it fails, none of it is, or this process can no longer
   * write. `decide` is synchronous, and no other code of this process runs between taking the lock and the commit. It
   * numbers its records on from those it found; if it throws, nothing is appended. There is no write without the lock: after
   * `patience` milliseconds the transaction fails and names the holder.
   */
  transact<D extends Decided>(after: Cursor, decide: (found: Found) => D, patience: number): Promise<Transaction<D>>;
  /** Every record after the cursor, each once and in order, then those that are appended later, until stopped. */
  follow(after: Cursor, stop: AbortSignal): AsyncIterable<JournalRecord>;
  /** The cursor as text that a later process can turn back into a cursor. */
  store(cursor: Cursor): string;
  /**
   * The cursor that `store` wrote; undefined for a text that is not one of this journal's. Fails if the journal has lost
   * records from before the cursor, which a reader that starts there would not notice.
   */
  restore(text: string): Promise<Cursor | undefined>;
}

/** A folded world with its cursor, so that starting is quick. Losing it loses nothing. */
export interface Checkpoint {
  readonly world: World;
  readonly cursor: Cursor;
}

export interface Checkpoints {
  /** The last one saved; undefined if it is missing or cannot be used. Fails if `Journal.restore` does. */
  load(): Promise<Checkpoint | undefined>;
  save(checkpoint: Checkpoint): Promise<void>;
}
