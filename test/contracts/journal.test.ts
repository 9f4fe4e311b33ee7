// The promises of the port Journal, as a suite that any implementation can be held to, a database too.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fileJournal } from '../../src/adapters/journal/file-journal.ts';
import { encodeRecord } from '../../src/adapters/journal/record-text.ts';
import { Segments } from '../../src/adapters/journal/segments.ts';
import { disk } from '../../src/adapters/system/disk.ts';
import { fileLocks } from '../../src/adapters/system/lock.ts';
import { watchFolders } from '../../src/adapters/system/watcher.ts';
import type { JournalRecord } from '../../src/core/model/record.ts';
import { type Cursor, type Found, type Journal, START } from '../../src/core/ports/journal.ts';
import { MemoryLog, memoryJournal } from '../support/memory-journal.ts';
import { failureOf, named, temporaryFolder } from '../support/pieces.ts';
import { eventually } from '../support/repo.ts';

interface JournalUnderTest {
  /** The journal as one process has it. */
  open(): Journal;
  /** Another process takes the journal for itself until it is released. */
  occupy(): Promise<() => void>;
  /** Appends the record without checking it, as a program of another version would. */
  plant(record: JournalRecord): void;
}

const JOURNALS: readonly (readonly [string, () => JournalUnderTest])[] = [
  ['files', () => inFiles()],
  ['files, a new segment after every commit', () => inFiles(1)],
  ['memory', inMemory],
];

const PATIENCE = 60_000;

describe.each(JOURNALS)('Journal: %s', (_name, make) => {
  describe('reading', () => {
    test('an empty journal has no records, and its end is the start', async () => {
      const journal = make().open();
      expect(await journal.read(START)).toEqual({ records: [], cursor: START });
      expect(await journal.readDurable(START)).toEqual({ records: [], cursor: START });
    });

    test('returns every record after the cursor, in order, to any process', async () => {
      const { open } = make();
      const one = await commit(open(), 1);
      const three = await commit(open(), 2);
      for (const read of ['read', 'readDurable'] as const) {
        expect(numbers((await open()[read](START)).records)).toEqual([1, 2, 3]);
        expect(numbers((await open()[read](one)).records)).toEqual([2, 3]);
        expect(await open()[read](three)).toEqual({ records: [], cursor: three });
      }
    });

    test('continues from its own cursor with exactly what was appended since', async () => {
      const { open } = make();
      const reader = open();
      const seen: number[] = [];
      let cursor: Cursor = START;
      for (const size of [1, 3, 2]) {
        await commit(open(), size);
        const reading = await reader.read(cursor);
        cursor = reading.cursor;
        seen.push(...numbers(reading.records));
      }
      expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
    });

    test('returns a record as it was appended', async () => {
      const { open } = make();
      const text = 'a "quoted" line\nand another\t\u0000 \u2028 é 日本 😀';
      await open().transact(START, () => ({ records: [record(1, text)] }), PATIENCE);
      expect((await open().read(START)).records).toEqual([record(1, text)]);
    });

    test('sees a commit whole or not at all, while writers are busy', async () => {
      const { open } = make();
      const reader = open();
      const writing = Promise.all(Array.from({ length: 5 }, () => commit(open(), 4)));
      const ends = new Set<number>();
      for (let done = false; !done; ) {
        done = await Promise.race([writing.then(() => true), nextTurn().then(() => false)]);
        ends.add((await reader.read(START)).records.length);
      }
      for (const end of ends) expect(end % 4).toBe(0);
      expect(ends).toContain(20);
    });
  });

  describe('a transaction', () => {
    test('appends what was decided as one commit, and returns the cursor after it', async () => {
      const { open } = make();
      const journal = open();
      const { decided, cursor } = await journal.transact(START, numbering(3), PATIENCE);
      expect(numbers(decided.records)).toEqual([1, 2, 3]);
      expect(await journal.read(cursor)).toEqual({ records: [], cursor });
      expect(numbers((await open().read(START)).records)).toEqual([1, 2, 3]);
    });

    test('returns everything else that was decided', async () => {
      const decide = (found: Found) => ({ ...numbering(1)(found), remark: 'as asked' });
      const { decided } = await make().open().transact(START, decide, PATIENCE);
      expect(decided.remark).toBe('as asked');
    });

    test('with a stale cursor decides on everything that was appended since', async () => {
      const { open } = make();
      const one = await commit(open(), 1);
      await commit(open(), 2);
      const found: number[] = [];
      const { cursor } = await open().transact(
        one,
        (seen) => {
          found.push(...numbers(seen.records));
          return { records: [record(4)] };
        },
        PATIENCE,
      );
      expect(found).toEqual([2, 3]);
      expect(numbers((await open().read(START)).records)).toEqual([1, 2, 3, 4]);
      expect(await open().read(cursor)).toEqual({ records: [], cursor });
    });

    test('that decides on nothing appends nothing, and still returns how far it has read', async () => {
      const { open } = make();
      await commit(open(), 2);
      const { cursor } = await open().transact(START, () => ({ records: [] }), PATIENCE);
      expect(numbers((await open().read(START)).records)).toEqual([1, 2]);
      await commit(open(), 1);
      expect(numbers((await open().read(cursor)).records)).toEqual([3]);
    });

    test('whose decision throws appends nothing, and the next one goes through', async () => {
      const { open } = make();
      const journal = open();
      const one = await commit(journal, 1);
      const refusing = journal.transact(
        one,
        () => {
          throw new Error('refused');
        },
        PATIENCE,
      );
      await expect(refusing).rejects.toThrow('refused');
      expect(numbers((await open().read(START)).records)).toEqual([1]);
      await commit(journal, 1);
      expect(numbers((await open().read(START)).records)).toEqual([1, 2]);
    });

    test.each([
      ['leaves a gap', [3]],
      ['repeats a number', [1]],
      ['has a gap inside', [2, 4]],
    ])('whose numbering %s is a mistake of the program, and appends nothing', async (_how, seqs) => {
      const { open } = make();
      const one = await commit(open(), 1);
      const wrong = open().transact(one, () => ({ records: seqs.map((seq) => record(seq)) }), PATIENCE);
      await expect(wrong).rejects.toThrow('cannot follow');
      expect(numbers((await open().read(START)).records)).toEqual([1]);
    });

    test('runs alone: of many writers that race, each decides on what the others wrote before it', async () => {
      const { open } = make();
      const writers = 6;
      const each = 5;
      const decisions: number[] = [];
      const write = async (): Promise<void> => {
        const journal = open();
        let cursor: Cursor = START;
        let known = 0;
        for (let turn = 0; turn < each; turn++) {
          const decide = ({ records }: Found) => {
            known = (records.at(-1)?.seq ?? known) + 1;
            decisions.push(known);
            return { records: [record(known)] };
          };
          ({ cursor } = await journal.transact(cursor, decide, PATIENCE));
        }
      };
      await Promise.all(Array.from({ length: writers }, write));
      expect(decisions).toEqual(upTo(writers * each));
      expect(numbers((await open().read(START)).records)).toEqual(upTo(writers * each));
    });

    test('fails with a sentence when another process keeps the journal to itself, and appends nothing', async () => {
      const { open, occupy } = make();
      const release = await occupy();
      let decided = 0;
      const decide = (found: Found) => {
        decided += 1;
        return numbering(1)(found);
      };
      const failure = await failureOf(() => open().transact(START, decide, 30));
      expect([failure.kind, failure.code]).toEqual(['person', 'locked']);
      release();
      expect(decided).toBe(0);
      expect((await open().read(START)).records).toEqual([]);
    });

    test('waits for a journal that another process releases in time', async () => {
      const { open, occupy } = make();
      const release = await occupy();
      const waiting = commit(open(), 1);
      release();
      await waiting;
      expect(numbers((await open().read(START)).records)).toEqual([1]);
    });

    test('does not ask for a repair where nothing was torn', async () => {
      const found: Found[] = [];
      const decide = (seen: Found) => {
        found.push(seen);
        return numbering(1)(seen);
      };
      await make().open().transact(START, decide, PATIENCE);
      expect(found).toEqual([{ records: [], repairs: [] }]);
    });
  });

  describe('a record of a newer version', () => {
    test('is refused by every reader and writer, and nothing is appended after it', async () => {
      const { open, plant } = make();
      const one = await commit(open(), 1);
      plant({ ...record(2), v: 999 });
      for (const cursor of [START, one]) {
        expect((await failureOf(() => open().read(cursor))).code).toBe('journal-newer');
        expect((await failureOf(() => open().readDurable(cursor))).code).toBe('journal-newer');
        expect((await failureOf(() => open().transact(cursor, numbering(1, 1), PATIENCE))).code).toBe('journal-newer');
      }
    });
  });

  describe('following', () => {
    test('delivers every record once and in order, those that are there and those that come, until stopped', async () => {
      const { open } = make();
      await commit(open(), 3);
      const followed = following(open(), START);
      await eventually(followed.count, (count) => count === 3);
      const writer = open();
      for (const size of [1, 2, 1]) await commit(writer, size);
      await eventually(followed.count, (count) => count === 7);
      expect(await followed.stop()).toEqual(upTo(7));
    });

    test('starts after the cursor', async () => {
      const { open } = make();
      const one = await commit(open(), 1);
      await commit(open(), 1);
      const followed = following(open(), one);
      await eventually(followed.count, (count) => count === 1);
      expect(await followed.stop()).toEqual([2]);
    });

    test('of an empty journal waits for its first record', async () => {
      const { open } = make();
      const followed = following(open(), START);
      await commit(open(), 1);
      await eventually(followed.count, (count) => count === 1);
      expect(await followed.stop()).toEqual([1]);
    });

    test('that is stopped already delivers what is there and ends', async () => {
      const { open } = make();
      await commit(open(), 2);
      const stopped = new AbortController();
      stopped.abort();
      const seen: JournalRecord[] = [];
      for await (const one of open().follow(START, stopped.signal)) seen.push(one);
      expect(numbers(seen)).toEqual([1, 2]);
    });
  });

  describe('a cursor', () => {
    test('survives being stored as text', async () => {
      const { open } = make();
      const journal = open();
      const two = await commit(journal, 2);
      const text = journal.store(two);
      await commit(open(), 1);
      const restored = await open().restore(text);
      expect(numbers((await open().read(restored ?? START)).records)).toEqual([3]);
      const { cursor } = await open().transact(restored ?? START, numbering(1, 3), PATIENCE);
      expect(await open().read(cursor)).toEqual({ records: [], cursor });
    });

    test('of the start survives it too', async () => {
      const journal = make().open();
      expect(await journal.restore(journal.store(START))).toBe(START);
    });

    test.each(['nonsense', '{}', '[1]', 'null', '-1'])('is not read from the text %s', async (text) => {
      const { open } = make();
      await commit(open(), 1);
      expect(await open().restore(text)).toBeUndefined();
    });
  });
});

/** Appends that many records after everything there is, and returns the cursor after them. */
async function commit(journal: Journal, size: number): Promise<Cursor> {
  return (await journal.transact(START, numbering(size), PATIENCE)).cursor;
}

/** Decides on that many records, numbered on from what is found, or else from `known`. */
function numbering(size: number, known = 0): (found: Found) => { readonly records: readonly JournalRecord[] } {
  return ({ records }) => {
    const last = records.at(-1)?.seq ?? known;
    return { records: upTo(size).map((number) => record(last + number)) };
  };
}

interface Followed {
  count(): number;
  /** Stops it, and returns the numbers of everything it delivered. */
  stop(): Promise<readonly number[]>;
}

function following(journal: Journal, after: Cursor): Followed {
  const stopping = new AbortController();
  const seen: JournalRecord[] = [];
  const ended = (async () => {
    for await (const one of journal.follow(after, stopping.signal)) seen.push(one);
  })();
  return {
    count: () => seen.length,
    async stop() {
      stopping.abort();
      await ended;
      return numbers(seen);
    },
  };
}

function inFiles(segmentBytes?: number): JournalUnderTest {
  const folder = temporaryFolder();
  const lock = join(folder, 'journal.lock');
  const locks = fileLocks({ command: 'a test' });
  const segments = (): Segments => new Segments(disk, join(folder, 'journal'), segmentBytes);
  return {
    open: () => fileJournal({ segments: segments(), locks, lock, watch: watchFolders }),
    async occupy() {
      const held = await locks.take(lock, 0);
      return () => held.release();
    },
    plant(record) {
      const files = segments();
      appendFileSync(files.path(files.numbers().at(-1) ?? 1), encodeRecord(record));
    },
  };
}

function inMemory(): JournalUnderTest {
  const log = new MemoryLog();
  return {
    open: () => memoryJournal(log),
    async occupy() {
      log.isLocked = true;
      return () => {
        log.isLocked = false;
      };
    },
    plant: (record) => log.append([record]),
  };
}

function record(seq: number, feedback = ''): JournalRecord {
  const at = '2026-01-02T03:04:05.000Z';
  return { v: 1, seq, at, by: 'user', event: 'plan_start', plan: named('a.md'), feedback, moves: [] };
}

function numbers(records: readonly JournalRecord[]): readonly number[] {
  return records.map(({ seq }) => seq);
}

function upTo(last: number): readonly number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

function nextTurn(): Promise<void> {
  return new Promise((later) => setImmediate(later));
}
