// The files of the journal: appending, reading from any position, new segments, repairs, and damage that is never skipped.
import { appendFileSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { encodeRecord } from '../../../src/adapters/journal/record-text.ts';
import { BEGINNING, type Position, Segments } from '../../../src/adapters/journal/segments.ts';
import { disk } from '../../../src/adapters/system/disk.ts';
import type { JournalRecord } from '../../../src/core/model/record.ts';
import { failureOf, named, temporaryFolder } from '../../support/pieces.ts';

interface Opened {
  /** The segments as one process has them. */
  open(): Segments;
  /** Appends bytes after the last record, as a process that is stopped while writing leaves them. */
  tear(bytes: Uint8Array): void;
  readCopy(path: string): Buffer;
}

describe('segments on the real disk', () => {
  test('an empty journal has no records', () => {
    const store = onDisk().open();
    expect(store.read(BEGINNING)).toEqual({ records: [], position: BEGINNING, torn: 0 });
    expect(store.append(BEGINNING, [])).toEqual(BEGINNING);
    expect(store.read(BEGINNING)).toEqual({ records: [], position: BEGINNING, torn: 0 });
  });

  test('appended records are read from the start, and from the position before them, by any process', () => {
    const { open } = onDisk();
    const one = open().append(BEGINNING, [record(1)]);
    const two = open().append(one, [record(2), record(3)]);
    expect([one.seq, two.seq]).toEqual([1, 3]);
    expect(numbers(open().read(BEGINNING).records)).toEqual([1, 2, 3]);
    expect(numbers(open().read(one).records)).toEqual([2, 3]);
    expect(open().read(two)).toEqual({ records: [], position: two, torn: 0 });
    expect(open().read(BEGINNING).position).toEqual(two);
  });

  test('a record is read as it was appended', () => {
    const { open } = onDisk();
    const text = 'a "quoted" line\nand another\t\u0000 \u2028 é 日本 😀';
    open().append(BEGINNING, [record(1, text)]);
    expect(open().read(BEGINNING).records).toEqual([record(1, text)]);
  });

  test('the records of one commit say where it starts', () => {
    const { open } = onDisk();
    open().append(open().append(BEGINNING, [record(1)]), [record(2), record(3), record(4)]);
    expect(
      open()
        .read(BEGINNING)
        .records.map(({ first }) => first),
    ).toEqual([undefined, undefined, 2, 2]);
  });

  test('a new segment is started when one has grown large, and reading continues across it', () => {
    const { open } = onDisk();
    const store = open();
    const small = store.append(BEGINNING, [record(1)]);
    expect(store.rotate(small)).toEqual(small);
    const large = store.append(small, [record(2, 'x'.repeat(1024 * 1024))]);
    const fresh = store.rotate(large);
    expect(fresh).toMatchObject({ seq: 2, segment: 3, offset: 0 });
    expect(store.rotate(fresh)).toEqual(fresh);
    expect(open().read(BEGINNING)).toMatchObject({ position: fresh, torn: 0 });
    store.append(fresh, [record(3)]);
    for (const position of [BEGINNING, small, large]) expect(open().read(position).position.seq).toBe(3);
  });

  test('a reader that has some records starts in the segment of the next one', () => {
    const { open } = onDisk();
    const store = open();
    expect(store.startFor(0)).toEqual(BEGINNING);
    const full = store.append(BEGINNING, [record(1), record(2, 'x'.repeat(1024 * 1024))]);
    store.append(store.rotate(full), [record(3), record(4)]);
    const readAfter = (seq: number) => numbers(open().read(open().startFor(seq)).records);
    expect([0, 1].map(readAfter)).toEqual([
      [1, 2, 3, 4],
      [1, 2, 3, 4],
    ]);
    for (const seq of [2, 3, 4, 99]) expect(readAfter(seq), `after ${seq}`).toEqual([3, 4]);
  });

  test('torn bytes are counted and not read; a repair copies them and cuts them off; then appending continues', () => {
    const { open, tear, readCopy } = onDisk();
    const store = open();
    const before: Position = store.append(BEGINNING, [record(1)]);
    tear(encodeRecord(record(2)).subarray(0, 30));
    expect(store.read(BEGINNING)).toMatchObject({ position: before, torn: 30 });
    expect(store.read(before)).toEqual({ records: [], position: before, torn: 30 });
    const copy = store.repair(before, 30);
    expect(readCopy(copy).equals(encodeRecord(record(2)).subarray(0, 30))).toBe(true);
    expect(store.read(before)).toEqual({ records: [], position: before, torn: 0 });
    store.append(before, [record(2, 'again')]);
    expect(open().read(before).records).toEqual([record(2, 'again')]);
  });

  test('damage fails with a sentence and is never skipped', async () => {
    const { open, tear } = onDisk();
    const one = open().append(BEGINNING, [record(1)]);
    tear(Buffer.concat([Buffer.from('garbled\n'), encodeRecord(record(3))]));
    for (const position of [BEGINNING, one])
      expect((await failureOf(() => open().read(position))).code).toBe('journal-damaged');
  });

  test('a position that another process has written past is not overwritten', async () => {
    const { open } = onDisk();
    const one = open().append(BEGINNING, [record(1)]);
    open().append(one, [record(2)]);
    await failureOf(() => open().append(one, [record(2, 'mine')]));
    expect(open().read(BEGINNING).records).toEqual([record(1), record(2)]);
  });
});

function onDisk(): Opened {
  const folder = temporaryFolder();
  const segments = new Segments(disk, folder);
  return {
    open: () => new Segments(disk, folder),
    tear: (bytes) => appendFileSync(segments.path(segments.numbers().at(-1) ?? 1), bytes),
    readCopy: (path) => readFileSync(path),
  };
}

function record(seq: number, feedback = ''): JournalRecord {
  const at = '2026-01-02T03:04:05.000Z';
  return { v: 1, seq, at, by: 'user', event: 'plan_start', plan: named('a.md'), feedback, moves: [] };
}

function numbers(records: readonly JournalRecord[]): readonly number[] {
  return records.map(({ seq }) => seq);
}
