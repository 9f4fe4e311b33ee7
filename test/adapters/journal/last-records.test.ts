// The last records about a plan: the same as looking through the whole journal, without reading more of it than needed.
import { appendFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openLastRecords } from '../../../src/adapters/journal/last-records.ts';
import { encodeRecord } from '../../../src/adapters/journal/record-text.ts';
import { BEGINNING, Segments } from '../../../src/adapters/journal/segments.ts';
import type { JournalRecord } from '../../../src/core/model/record.ts';
import type { PlanFile } from '../../../src/plan/name.ts';
import { faultyDisk } from '../../support/faulty-disk.ts';
import { failureOf, named, temporaryFolder } from '../../support/pieces.ts';

const BUSY = named('busy.md');
const QUIET = named('quiet.md');
const RECORDS = 300;
const COUNT = 8;

describe('the last records about a plan', () => {
  test.each([BUSY, QUIET, named('unknown.md')])('are those of the whole journal (%s)', (plan) => {
    const { journal, last } = written();
    expect(last(plan)).toEqual(
      journal
        .read(BEGINNING)
        .records.filter((record) => 'plan' in record && record.plan === plan)
        .slice(-COUNT),
    );
  });

  test('are found in the newest segments where there are enough', () => {
    const { journal, last, opened } = written();
    expect(last(BUSY)).toHaveLength(COUNT);
    expect(opened().length).toBeLessThan(3);
    expect(journal.numbers().length).toBeGreaterThan(10);
  });

  test('are not read again until something is appended', () => {
    const { journal, last, opened } = written();
    const before = last(QUIET);
    const reads = opened().length;
    expect([last(QUIET), opened().length]).toEqual([before, reads]);
    const path = journal.path(journal.numbers().at(-1) ?? 0);
    appendFileSync(path, encodeRecord(record(RECORDS + 1, QUIET)));
    expect(last(QUIET).at(-1)?.seq).toBe(RECORDS + 1);
    expect(opened()).toHaveLength(reads + 1);
    expect(last(BUSY).every((one) => 'plan' in one && one.plan === BUSY)).toBe(true);
  });

  test('of all plans are the last ones of the journal, and none where none are wanted', () => {
    const { journal, lastOfAll, opened } = written();
    const whole = journal.read(BEGINNING).records;
    const before = opened().length;
    expect(lastOfAll(COUNT)).toEqual(whole.slice(-COUNT));
    expect(opened().length - before).toBeLessThan(3);
    expect(lastOfAll(0)).toEqual([]);
    expect(lastOfAll(RECORDS + 1)).toEqual(whole);
  });

  test('do not include a commit that is still being written', () => {
    const { journal, last } = written();
    const before = last(BUSY);
    appendFileSync(journal.path(journal.numbers().at(-1) ?? 0), '0badc0de {"v":1,"seq":301,"plan":"busy.md"');
    expect(last(BUSY)).toEqual(before);
  });

  test('include a commit of several records only as a whole', () => {
    const { journal, last } = written();
    const before = last(QUIET);
    const path = journal.path(journal.numbers().at(-1) ?? 0);
    const [first, second, third] = [1, 2, 3].map((at) =>
      encodeRecord({
        ...record(RECORDS + at, at === 3 ? BUSY : QUIET),
        ...(at === 1 ? { last: RECORDS + 3 } : { first: RECORDS + 1 }),
      }),
    ) as [Buffer, Buffer, Buffer];
    appendFileSync(path, Buffer.concat([first, second]));
    expect(last(QUIET)).toEqual(before);
    appendFileSync(path, third);
    expect(last(QUIET).map(({ seq }) => seq)).toEqual(
      [...before.map(({ seq }) => seq), RECORDS + 1, RECORDS + 2].slice(-COUNT),
    );
  });

  test('end in the failure of the whole journal where a segment is damaged', async () => {
    const { journal, last } = written();
    writeFileSync(journal.path(journal.numbers()[1] ?? 0), 'x"quiet.md"\n');
    const expected = await failureOf(() => journal.read(BEGINNING));
    expect((await failureOf(() => last(QUIET))).message).toBe(expected.message);
  });
});

function written(): {
  readonly journal: Segments;
  last(plan: PlanFile): readonly JournalRecord[];
  lastOfAll(count: number): readonly JournalRecord[];
  /** The segments opened for reading since it was written. */
  opened(): readonly string[];
} {
  const { disk, calls } = faultyDisk();
  const journal = new Segments(
    { ...disk, sync: () => undefined, syncFolder: () => undefined },
    temporaryFolder(),
    2_000,
  );
  let position = BEGINNING;
  for (let seq = 1; seq <= RECORDS; seq++) {
    position = journal.append(position, [record(seq, seq % 60 === 7 ? QUIET : BUSY)]);
    position = journal.rotate(position);
  }
  const start = calls.length;
  const lastRecords = openLastRecords(disk, journal);
  return {
    journal,
    last: (plan) => lastRecords({ plan, count: COUNT, isWanted: (one) => 'plan' in one && one.plan === plan }),
    lastOfAll: (count) => lastRecords({ count, isWanted: () => true }),
    opened: () => calls.slice(start).flatMap(({ on, path }) => (on === 'open' ? [path] : [])),
  };
}

function record(seq: number, plan: PlanFile): JournalRecord {
  return { v: 1, seq, at: '2026-01-02T03:04:05.000Z', by: 'user', event: 'plan_start', plan, moves: [] };
}
