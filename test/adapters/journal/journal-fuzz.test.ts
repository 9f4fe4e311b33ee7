// Bytes of the journal, damaged at random: a reader gets a prefix of what was written, and never anything else.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeRecords, encodeRecord } from '../../../src/adapters/journal/record-text.ts';
import type { JournalRecord } from '../../../src/core/model/record.ts';

/** Commits of one to three records, as the journal writes them. */
const COMMITS = [1, 3, 1, 2, 1, 1];

const written = commits();
const bytes = Buffer.concat(written.flat().map(encodeRecord));
const lastCommitStart = bytes.length - Buffer.concat((written.at(-1) ?? []).map(encodeRecord)).length;
const records = written.flat();

test('10,000 flipped bits: a changed record is never accepted, and damage before the last commit is never mistaken for a torn end', () => {
  let torn = 0;
  let damaged = 0;
  fc.assert(
    fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const read = decodeRecords(flipped, 1);
      expect(read.kind).not.toBe('whole');
      expect(read.records).toEqual(records.slice(0, read.records.length));
      if (bit >> 3 < lastCommitStart) expect(read.kind).toBe('damaged');
      if (read.kind === 'torn') torn += 1;
      else damaged += 1;
    }),
    { numRuns: 10_000 },
  );
  expect(Math.min(torn, damaged), 'too few of either kind to show anything').toBeGreaterThan(500);
});

test('every truncation reads as the whole commits before it', () => {
  for (let length = 0; length < bytes.length; length++) {
    const read = decodeRecords(bytes.subarray(0, length), 1);
    expect(['whole', 'torn']).toContain(read.kind);
    expect(read.records).toEqual(records.slice(0, read.records.length));
    expect(commitEnds()).toContain(read.records.length);
  }
});

test('arbitrary bytes are read without throwing, and contain no record by accident', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (noise) => {
      expect(decodeRecords(Buffer.from(noise), 1).records).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});

test('intact records in the wrong order are damage', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(records, { minLength: 2 }), (shuffled) => {
      const spliced = Buffer.concat(shuffled.map(encodeRecord));
      const read = decodeRecords(spliced, 1);
      expect(read.records).toEqual(records.slice(0, read.records.length));
      if (!spliced.equals(bytes.subarray(0, spliced.length))) expect(read.kind).not.toBe('whole');
    }),
    { numRuns: 1_000 },
  );
});

function commits(): readonly (readonly JournalRecord[])[] {
  let seq = 0;
  return COMMITS.map((size) => {
    const first = seq + 1;
    const last = seq + size;
    return Array.from({ length: size }, () => {
      seq += 1;
      const place = size === 1 ? {} : seq === first ? { last } : { first };
      return record(seq, place);
    });
  });
}

function record(seq: number, place: Partial<JournalRecord>): JournalRecord {
  const body = { event: 'effect_done', effect: `e${seq}.0 "ünï" {"v":1}` } as const;
  return { v: 1, seq, at: '2026-01-01T00:00:00.000Z', by: 'engine', ...body, ...place, moves: [] } as JournalRecord;
}

function commitEnds(): readonly number[] {
  const ends = [0];
  for (const commit of written) ends.push((ends.at(-1) ?? 0) + commit.length);
  return ends;
}
