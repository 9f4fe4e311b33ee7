// The journal of one process beside others: it writes only with a lock that is still its own, and builds only on records that
// are on the disk.
import { expect, test } from 'vitest';
import { fileJournal } from '../../../src/adapters/journal/file-journal.ts';
import { BEGINNING, Segments } from '../../../src/adapters/journal/segments.ts';
import type { JournalRecord } from '../../../src/core/model/record.ts';
import { START } from '../../../src/core/ports/journal.ts';
import { faultyDisk } from '../../support/faulty-disk.ts';
import { failureOf, named, temporaryFolder } from '../../support/pieces.ts';

const PATIENCE = 1_000;

test('a commit whose lock was deleted meanwhile is refused, and nothing is written', async () => {
  const { journal, segments, lock } = opened();
  const lose = () => {
    lock.isOurs = false;
    return { records: [record(1)] };
  };
  expect((await failureOf(() => journal.transact(START, lose, PATIENCE))).code).toBe('lock-gone');
  expect(segments.read(BEGINNING).records).toEqual([]);
  expect(lock.held).toBe(0);
});

test('what another process wrote is made durable before anything is built on it, and once', async () => {
  const { journal, segments, syncs } = opened();
  segments.append(BEGINNING, [record(1)]);
  const before = syncs();
  await journal.read(START);
  expect(syncs()).toBe(before);
  const { cursor } = await journal.readDurable(START);
  expect(syncs()).toBe(before + 1);
  await journal.readDurable(START);
  await journal.transact(cursor, () => ({ records: [] }), PATIENCE);
  expect(syncs()).toBe(before + 1);
});

test('what a process has committed itself need not be made durable again', async () => {
  const { journal, syncs } = opened();
  await journal.transact(START, () => ({ records: [record(1)] }), PATIENCE);
  const before = syncs();
  await journal.readDurable(START);
  expect(syncs()).toBe(before);
});

function opened() {
  const { disk, calls } = faultyDisk();
  const folder = temporaryFolder();
  const lock = { isOurs: true, held: 0 };
  const locks = {
    async take() {
      lock.held += 1;
      return {
        stillOurs: () => lock.isOurs,
        release() {
          lock.held -= 1;
        },
      };
    },
    tryTake: async () => undefined,
    holder: () => undefined,
    wasAbandoned: () => false,
  };
  const segments = new Segments(disk, folder);
  const ports = {
    segments,
    locks,
    lock: `${folder}/lock`,
    watch: () => ({ follow: () => true, close: () => undefined }),
  };
  const syncs = (): number => calls.filter(({ on }) => on === 'sync').length;
  return { journal: fileJournal(ports), segments: new Segments(disk, folder), lock, syncs };
}

function record(seq: number): JournalRecord {
  const plan = named('x.md');
  return { v: 1, seq, at: '2026-01-02T03:04:05.000Z', by: 'user', event: 'plan_start', plan, moves: [] };
}
