// The journal port in memory, for tests that need a journal and no disk. The contract suite holds it to the same promises.
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../src/core/model/failure.ts';
import { type JournalRecord, RECORD_VERSION } from '../../src/core/model/record.ts';
import { type Cursor, type Journal, START } from '../../src/core/ports/journal.ts';

/** What several processes would share. */
export class MemoryLog {
  readonly records: JournalRecord[] = [];
  isLocked = false;
  readonly #changed = new Set<() => void>();

  append(records: readonly JournalRecord[]): void {
    this.records.push(...records);
    for (const changed of this.#changed) changed();
  }

  /** Resolves at the next append, or when stopped. */
  async change(stop: AbortSignal): Promise<void> {
    let wake = (): void => undefined;
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    this.#changed.add(wake);
    stop.addEventListener('abort', wake);
    await woken;
    stop.removeEventListener('abort', wake);
    this.#changed.delete(wake);
  }
}

/** The journal as one process has it. */
export function memoryJournal(log: MemoryLog): Journal {
  const read: Journal['read'] = async (after) => {
    const records = log.records.slice(seqOf(after));
    requireKnown(records);
    return { records, cursor: cursorAt(log.records.length) };
  };
  return {
    read,
    readDurable: read,
    async transact(after, decide, patience) {
      await lock(log, patience);
      try {
        const found = log.records.slice(seqOf(after));
        requireKnown(found);
        const decided = decide({ records: found, repairs: [] });
        requireFollowing(log.records.length, decided.records);
        log.append(decided.records);
        return { decided, cursor: cursorAt(log.records.length), checkpointDue: false };
      } finally {
        log.isLocked = false;
      }
    },
    async *follow(after, stop) {
      for (let seq = seqOf(after); ; ) {
        const record = log.records[seq];
        if (record !== undefined) {
          seq += 1;
          requireKnown([record]);
          yield record;
        } else if (stop.aborted) return;
        else await log.change(stop);
      }
    },
    store: (cursor) => cursor,
    restore: async (text) => (/^(?:[1-9]\d*)?$/.test(text) ? (text as Cursor) : undefined),
  };
}

async function lock(log: MemoryLog, patience: number): Promise<void> {
  const deadline = performance.now() + patience;
  while (log.isLocked) {
    if (performance.now() >= deadline)
      throw new Failure('person', 'locked', 'Another process has the journal to itself. Try again.');
    await pause(1);
  }
  log.isLocked = true;
}

function requireKnown(records: readonly JournalRecord[]): void {
  const newer = records.find((record) => record.v > RECORD_VERSION);
  if (newer !== undefined)
    throw new Failure('person', 'journal-newer', `Record ${newer.seq} was written by a newer cadre.`);
}

function requireFollowing(last: number, records: readonly JournalRecord[]): void {
  for (const [index, { seq }] of records.entries())
    if (seq !== last + index + 1) throw new Error(`Record ${seq} cannot follow record ${last + index}.`);
}

function seqOf(cursor: Cursor): number {
  return cursor === START ? 0 : Number(cursor);
}

function cursorAt(seq: number): Cursor {
  return seq === 0 ? START : (String(seq) as Cursor);
}
