// The journal against what happens to files: torn ends, flipped bits, lost segments, and several writers at once.
import { type ChildProcess, spawn } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Journal, SEGMENT_BYTES } from '../../../src/adapters/journal/journal.ts';
import { encodeRecord } from '../../../src/adapters/journal/journal-text.ts';
import { disk } from '../../../src/adapters/system/disk.ts';
import type { JournalRecord } from '../../../src/core/model/record.ts';
import type { Disk } from '../../../src/core/ports/disk.ts';
import { type Position, START } from '../../../src/core/ports/journal.ts';
import { faultyDisk } from '../../support/faulty-disk.ts';
import { contentsOf, failureOf, named, openPieces, type Pieces, temporaryFolder } from '../../support/pieces.ts';
import { eventually, MAIN, type Repo, temporaryRepo } from '../../support/repo.ts';
import { move, register, USER } from '../../support/world.ts';

const A = named('a.md');

/** For many small cases in a row, none of which is about a power failure. */
const hasty: Disk = { ...disk, sync: () => undefined, syncFolder: () => undefined };

function record(seq: number, feedback = ''): JournalRecord {
  return { v: 1, seq, at: '2026-01-02T03:04:05.000Z', by: 'user', event: 'plan_start', plan: A, feedback, moves: [] };
}

function numbers(records: readonly JournalRecord[]): readonly number[] {
  return records.map(({ seq }) => seq);
}

function upTo(last: number): readonly number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

interface Written {
  readonly journal: Journal;
  readonly folder: string;
  readonly path: string;
  readonly bytes: Buffer;
  /** Where each record begins, and at last where the next would. */
  readonly starts: readonly number[];
}

/** A journal of one segment with these commits, each given by how many records it has. */
function written(commits: readonly number[], on: Disk = hasty): Written {
  const folder = temporaryFolder();
  const journal = new Journal(on, folder);
  let position: Position = START;
  for (const size of commits)
    position = journal.append(
      position,
      Array.from({ length: size }, (_, index) => record(position.seq + 1 + index)),
    );
  const path = journal.path(1);
  const bytes = readFileSync(path);
  const starts = [0];
  for (const [at, byte] of bytes.entries()) if (byte === 0x0a) starts.push(at + 1);
  return { journal, folder, path, bytes, starts };
}

/** A repository in which one plan was registered and moved to planning. */
async function repoWithPlan(): Promise<Repo & { readonly pieces: Pieces; readonly log: string }> {
  const repo = temporaryRepo();
  repo.writePlan('a.md');
  const pieces = openPieces(repo);
  await pieces.gateway.submit([register('a.md')]);
  await pieces.gateway.submit([move('plan_start', USER, A)]);
  return { ...repo, pieces, log: pieces.journal.path(1) };
}

describe('what is appended is read', () => {
  test('a second reader is given exactly what was appended after its position', () => {
    const folder = temporaryFolder();
    const writer = new Journal(disk, folder);
    const reader = new Journal(disk, folder);
    const one = writer.append(START, [record(1)]);
    const seen = reader.read(START);
    writer.append(one, [record(2), record(3)]);
    expect(numbers(seen.records)).toEqual([1]);
    expect(numbers(reader.read(seen.position).records)).toEqual([2, 3]);
    expect(reader.read(reader.read(START).position)).toMatchObject({ records: [], torn: 0 });
  });

  test('an append of nothing writes nothing', () => {
    const folder = temporaryFolder();
    expect(new Journal(disk, folder).append(START, [])).toBe(START);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('a segment that has grown large is closed, and a reader goes on into the next', () => {
    const folder = temporaryFolder();
    const journal = new Journal(disk, folder);
    const small = journal.append(START, [record(1)]);
    expect(journal.rotate(small)).toBe(small);
    const large = journal.append(small, [record(2, 'x'.repeat(SEGMENT_BYTES))]);
    const next = journal.append(journal.rotate(large), [record(3)]);
    expect(journal.segments()).toEqual([1, 3]);
    expect(next).toMatchObject({ segment: 3, seq: 3 });
    expect(numbers(journal.read(START).records)).toEqual([1, 2, 3]);
    expect(numbers(journal.read(small).records)).toEqual([2, 3]);
  });

  test('"cadre log --follow" prints what another process appends', async () => {
    const repo = await repoWithPlan();
    const follower = spawn(process.execPath, [MAIN, 'log', '--follow'], { cwd: repo.root, env: repo.env });
    const lines: string[] = [];
    onEachLine(follower, (line) => lines.push(line));
    await eventually(
      () => lines.length,
      (count) => count === 2,
    );
    expect(repo.cadre('cancel', 'a').code).toBe(0);
    await eventually(
      () => lines.length,
      (count) => count === 3,
    );
    expect(lines[2]).toContain('a.md  planning -> cancelled  (cancel)');
  });
});

describe('several processes append at once', () => {
  test('every record stands there once, numbered without a gap, and a reader beside them sees no other order', async () => {
    const repo = temporaryRepo();
    const each = 12;
    const writers = [1, 2, 3, 4].map((who) => appender(repo, who, each));
    await turns(writers, 0);
    const seen: JournalRecord[] = [];
    const { journal } = openPieces(repo);
    let position: Position = START;
    await eventually(
      () => {
        const reading = journal.read(position);
        position = reading.position;
        seen.push(...reading.records);
        return seen.length;
      },
      (count) => count === 4 * each,
      30_000,
    );
    const confirmed = (await Promise.all(writers.map((writer) => writer.ended))).flat();
    expect(numbers(seen)).toEqual(upTo(4 * each));
    expect(confirmed.sort((one, other) => one - other)).toEqual(upTo(4 * each));
    expect(new Set(seen.map((one) => 'plan' in one && one.plan)).size).toBe(4 * each);
    expect(journal.read(START).records).toEqual(seen);
    expect(Object.keys(repo.planState().plans)).toHaveLength(4 * each);
  });

  test('kill -9 of all of them loses nothing that was confirmed', async () => {
    const repo = temporaryRepo();
    const writers = [1, 2, 3].map((who) => appender(repo, who, 10_000));
    await turns(writers, 30);
    for (const writer of writers) writer.process.kill('SIGKILL');
    const confirmed = (await Promise.all(writers.map((writer) => writer.ended))).flat();
    const { gateway, journal } = openPieces(repo);
    await gateway.submit([register('after.md')]);
    const { records, torn } = journal.read(START);
    expect(torn).toBe(0);
    expect(numbers(records)).toEqual(upTo(records.length));
    expect(numbers(records)).toEqual(expect.arrayContaining(confirmed));
    expect(new Set(Object.keys(repo.planState().plans))).toEqual(new Set(gateway.look().plans.keys()));
  });

  /** Lets all of them go at the same moment, and waits until they have had this many turns together. */
  async function turns(writers: readonly Appender[], count: number): Promise<void> {
    await Promise.all(writers.map((writer) => writer.ready));
    for (const writer of writers) writer.process.stdin?.write('go\n');
    const had = (): number => writers.reduce((sum, writer) => sum + writer.confirmed.length, 0);
    await eventually(had, (sum) => sum >= count, 30_000);
  }
});

describe('a torn end', () => {
  test('wherever the last three records are cut off, what is before the cut is read, the rest kept, and the journal goes on', () => {
    const { journal, path, bytes, starts } = written([1, 1, 1, 1, 1]);
    for (let cut = starts[2] ?? 0; cut < bytes.length; cut++) {
      writeFileSync(path, bytes.subarray(0, cut));
      const whole = starts.filter((start) => start <= cut).length - 1;
      const end = starts[whole] ?? 0;
      const { records, position, torn } = journal.read(START);
      expect([cut, records.length, position.offset, torn]).toEqual([cut, whole, end, cut - end]);
      if (torn === 0) continue;
      const copy = journal.repair(position, torn);
      expect(readFileSync(copy).equals(bytes.subarray(end, cut))).toBe(true);
      rmSync(copy);
      journal.append(position, [record(whole + 1, 'after')]);
      const after = journal.read(START);
      expect([after.torn, after.records.length, after.records.at(-1)]).toEqual([
        0,
        whole + 1,
        record(whole + 1, 'after'),
      ]);
    }
  });

  const soundRecordOfThePast = encodeRecord(record(3));
  test.each([
    ['text without a line end', Buffer.from('no record')],
    ['lines of text', Buffer.from('no record\nnor this\n')],
    ['a block of zeros', Buffer.alloc(4096)],
    ['zeros and a line end', Buffer.concat([Buffer.alloc(100), Buffer.from('\n')])],
    ['bytes that are no UTF-8', Buffer.from([0xff, 0xfe, 0x0a, 0xc3, 0x0a])],
    ['empty lines', Buffer.from('\n\n\n')],
    ['a garbled commit that holds an old record', Buffer.concat([Buffer.from('garbled\n'), soundRecordOfThePast])],
  ])('of %s after the last record is set aside, and every record before stays', (_what, garbage) => {
    const { journal, path, bytes } = written([1, 1, 1]);
    writeFileSync(path, Buffer.concat([bytes, garbage]));
    const { records, position, torn } = journal.read(START);
    expect([numbers(records), torn]).toEqual([[1, 2, 3], garbage.length]);
    expect(readFileSync(journal.repair(position, torn)).equals(garbage)).toBe(true);
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  test('a last record of which the second half is zeros is torn', () => {
    const { journal, path, bytes, starts } = written([1, 1, 1]);
    writeFileSync(path, Buffer.from(bytes).fill(0, (starts[2] ?? 0) + 40));
    expect(journal.read(START)).toMatchObject({ position: { seq: 2 }, torn: bytes.length - (starts[2] ?? 0) });
  });

  test('a commit garbled in its middle is torn as a whole, though its other records are sound', () => {
    const { journal, path, bytes, starts } = written([1, 4]);
    const garbled = Buffer.from(bytes).fill('#', starts[2], (starts[3] ?? 0) - 1);
    writeFileSync(path, garbled);
    const { records, position, torn } = journal.read(START);
    expect([numbers(records), torn]).toEqual([[1], bytes.length - (starts[1] ?? 0)]);
    expect(readFileSync(journal.repair(position, torn)).equals(garbled.subarray(starts[1]))).toBe(true);
  });

  test('the next step repairs it, records that, says so, and stands itself', async () => {
    const { pieces, log, ...repo } = await repoWithPlan();
    writeFileSync(log, '0badc0de {"v":1,"seq":3,"at"', { flag: 'a' });
    const copy = `${log}.torn-1`;
    const { answers, notes } = await openPieces(repo).gateway.submit([move('cancel', USER, A)]);
    expect(answers.map((answer) => answer.kind)).toEqual(['accepted']);
    expect(notes).toEqual([
      `The journal ended in 28 bytes that are no record, left by a process that was stopped while writing. They are kept in ${copy}.`,
    ]);
    expect(readFileSync(copy, 'utf8')).toBe('0badc0de {"v":1,"seq":3,"at"');
    const { records } = pieces.journal.read(START);
    expect(records.map(({ event }) => event)).toEqual(['register', 'plan_start', 'journal_repaired', 'cancel']);
    expect(records[2]).toMatchObject({ bytes: 28, copy, by: 'engine' });
    expect(repo.status('a.md')).toBe('cancelled');
  });

  test('the command line prints the note beside its answer', async () => {
    const { log, ...repo } = await repoWithPlan();
    writeFileSync(log, Buffer.alloc(512), { flag: 'a' });
    const ran = repo.cadre('cancel', 'a');
    expect(ran).toMatchObject({ code: 0, stdout: 'a.md: planning -> cancelled\n' });
    expect(ran.stderr).toMatch(
      /^The journal ended in 512 bytes that are no record, .+ They are kept in .+\.torn-\d+\.\n$/,
    );
  });

  test('a reader without the lock leaves it alone: it may be a record that is being written', async () => {
    const { log, ...repo } = await repoWithPlan();
    writeFileSync(log, 'being written', { flag: 'a' });
    const before = contentsOf(repo.home);
    expect(openPieces(repo).gateway.look().plans.get(A)?.status).toBe('planning');
    expect(repo.cadre('status').code).toBe(0);
    expect(repo.cadre('log').code).toBe(0);
    expect(contentsOf(repo.home)).toEqual(before);
  });

  test('a second one at the same byte does not take the place of the first copy', () => {
    const { journal, path } = written([1]);
    writeFileSync(path, 'first torn end', { flag: 'a' });
    const first = journal.read(START);
    const firstCopy = journal.repair(first.position, first.torn);
    writeFileSync(path, 'second', { flag: 'a' });
    const second = journal.read(START);
    journal.repair(second.position, second.torn);
    expect(readFileSync(firstCopy, 'utf8')).toBe('first torn end');
  });

  test('its repair is told with the next step that succeeds, when the step that made it fails', async () => {
    const { pieces, log, ...repo } = await repoWithPlan();
    writeFileSync(log, 'torn', { flag: 'a' });
    const faulty = faultyDisk();
    const { gateway } = openPieces(repo, faulty.disk);
    faulty.fail({ on: 'write', path: '.log' }, 'ENOSPC');
    await failureOf(() => gateway.submit([move('cancel', USER, A)]));
    const { notes } = await gateway.submit([move('cancel', USER, A)]);
    expect(notes.join()).toContain('The journal ended in 4 bytes that are no record');
    expect(pieces.journal.read(START).records.map(({ event }) => event)).toContain('journal_repaired');
  });
});

describe('damage before the end', () => {
  test('a flipped bit in any byte of a record that a later commit follows stops the reader there, and nothing is changed', async () => {
    const { journal, path, bytes, starts } = written([1, 2, 1]);
    for (let at = 0; at < (starts[3] ?? 0); at++) {
      if (bytes[at] === 0x0a) continue;
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
      writeFileSync(path, flipped);
      // The second and third record are one commit, which counts whole or not at all.
      const sound = at < (starts[1] ?? 0) ? 0 : 1;
      const failure = await failureOf(() => journal.read(START));
      expect([failure.code, failure.message]).toEqual([
        'journal-damaged',
        damage(path, starts[sound] ?? 0, sound, sound === 0 ? 2 : 4),
      ]);
      expect(readFileSync(path).equals(flipped)).toBe(true);
    }
  });

  test('a line end that was lost between two commits is damage, not a torn end: the first had been confirmed', async () => {
    const { journal, path, bytes, starts } = written([1, 1, 1]);
    const flipped = Buffer.from(bytes);
    flipped[(starts[2] ?? 0) - 1] = 0x0b;
    writeFileSync(path, flipped);
    const failure = await failureOf(() => journal.read(START));
    expect([failure.code, failure.message]).toEqual(['journal-damaged', damage(path, starts[1] ?? 0, 1, 3)]);
  });

  test('records in the wrong order, twice or missing are damage', async () => {
    const { journal, path, bytes, starts } = written([1, 1, 1]);
    const [one, two, three] = [0, 1, 2].map((index) => bytes.subarray(starts[index], starts[index + 1])) as [
      Buffer,
      Buffer,
      Buffer,
    ];
    for (const [order, stands] of [
      [[one, three], 'record 3 stands where 2 should be'],
      [[one, three, two], 'record 3 stands where 2 should be'],
      [[one, one, two, three], 'record 1 stands where 2 should be'],
    ] as const) {
      writeFileSync(path, Buffer.concat(order));
      const failure = await failureOf(() => journal.read(START));
      expect(failure.message).toBe(
        `The journal is damaged in ${path} at byte ${starts[1]}: ${stands}. The last sound record is 1. Nothing was changed. Restore the file from a backup; "cadre doctor" tells more.`,
      );
    }
  });

  test('a closed segment that ends in no record is damaged, however sound the next one is', async () => {
    const { journal, folder } = segmented();
    const size = statSync(journal.path(1)).size;
    writeFileSync(journal.path(1), 'torn', { flag: 'a' });
    const before = contentsOf(folder);
    const failure = await failureOf(() => journal.read(START));
    expect(failure.message).toContain(
      `in ${journal.path(1)} at byte ${size}: the segment ends in bytes that are no record. The last sound record is 1.`,
    );
    expect(contentsOf(folder)).toEqual(before);
  });

  test('every way to look or to go on is refused with the same sentence, and no file is touched', async () => {
    const { log, ...repo } = await repoWithPlan();
    const bytes = readFileSync(log);
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    writeFileSync(log, bytes);
    const before = [contentsOf(repo.home), contentsOf(repo.plans)];
    const sentence = `The journal is damaged in ${log} at byte 0: record 1 is unreadable, while record 2 after it is sound. The last sound record is 0. Nothing was changed. Restore the file from a backup; "cadre doctor" tells more.`;
    const { gateway } = openPieces(repo);
    expect((await failureOf(() => gateway.look())).message).toBe(sentence);
    expect((await failureOf(() => gateway.settle())).message).toBe(sentence);
    expect((await failureOf(() => gateway.rebuildPlanState())).message).toBe(sentence);
    expect((await failureOf(() => gateway.submit([move('cancel', USER, A)]))).message).toBe(sentence);
    expect(repo.cadre('cancel', 'a')).toEqual({ code: 3, stdout: '', stderr: `${sentence}\n` });
    expect(repo.cadre('doctor').stdout).toContain(`BAD   journal: ${sentence}`);
    expect([contentsOf(repo.home), contentsOf(repo.plans)]).toEqual(before);
  });

  test('a record of a newer version is left to a newer cadre', async () => {
    const { log, ...repo } = await repoWithPlan();
    writeFileSync(log, encodeRecord({ ...record(3), v: 2 }), { flag: 'a' });
    const before = contentsOf(repo.home);
    const failure = await failureOf(() => openPieces(repo).gateway.submit([move('cancel', USER, A)]));
    expect([failure.code, failure.message]).toEqual([
      'journal-newer',
      `${log} was written by a newer cadre (journal version 2). Update cadre; this one changes nothing here.`,
    ]);
    expect(contentsOf(repo.home)).toEqual(before);
  });

  function damage(path: string, byte: number, sound: number, after: number): string {
    return `The journal is damaged in ${path} at byte ${byte}: record ${sound + 1} is unreadable, while record ${after} after it is sound. The last sound record is ${sound}. Nothing was changed. Restore the file from a backup; "cadre doctor" tells more.`;
  }
});

describe('a journal that is not what it was', () => {
  test.each([
    ['the first', 1, 2],
    ['one in the middle', 2, 3],
  ])('without %s segment it is refused, by the name of the file that is missing', async (_which, lost, next) => {
    const { journal, folder } = segmented();
    rmSync(journal.path(lost));
    const before = contentsOf(folder);
    const failure = await failureOf(() => journal.read(START));
    expect([failure.code, failure.message]).toEqual([
      'journal-segment-missing',
      `The journal has a gap: ${journal.path(lost)} is missing, although the segment that starts with record ${next} is there. Restore it from a backup; nothing was changed.`,
    ]);
    expect(contentsOf(folder)).toEqual(before);
  });

  test.each([
    ['deleted', (log: string) => rmSync(log)],
    ['deleted with its folder', (log: string) => rmSync(join(log, '..'), { recursive: true })],
    ['replaced by a copy of itself', replaceByCopy],
  ])('when it is %s under an open gateway, nothing more is written', async (_how, harm) => {
    const { pieces, log, ...repo } = await repoWithPlan();
    harm(log);
    const before = [contentsOf(repo.home), contentsOf(repo.plans)];
    const sentence = `${log} was deleted or replaced while cadre was using it. Nothing more is written. Put the file back, or restore it from a backup, then start cadre again.`;
    expect((await failureOf(() => pieces.gateway.look())).message).toBe(sentence);
    expect((await failureOf(() => pieces.gateway.submit([move('cancel', USER, A)]))).message).toBe(sentence);
    expect([contentsOf(repo.home), contentsOf(repo.plans)]).toEqual(before);
  });

  test('when it is cut short under an open gateway, nothing more is written', async () => {
    const { pieces, log, ...repo } = await repoWithPlan();
    truncateSync(log, 10);
    const before = [contentsOf(repo.home), contentsOf(repo.plans)];
    const failure = await failureOf(() => pieces.gateway.submit([move('cancel', USER, A)]));
    expect(failure.message).toBe(
      `${log} is shorter than it was when record 2 had been written: records are missing. Restore it from a backup; nothing was changed.`,
    );
    expect([contentsOf(repo.home), contentsOf(repo.plans)]).toEqual(before);
  });

  test('a segment deleted between reading and appending is not begun anew', async () => {
    const { journal, folder, path } = written([1, 1]);
    const { position } = journal.read(START);
    rmSync(path);
    expect((await failureOf(() => journal.append(position, [record(3)]))).code).toBe('journal-gone');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('records appended by someone who did not take the lock are not written over', async () => {
    const { journal, path } = written([1, 1]);
    const { position } = journal.read(START);
    writeFileSync(path, encodeRecord(record(3)), { flag: 'a' });
    const bytes = readFileSync(path);
    expect((await failureOf(() => journal.append(position, [record(3)]))).code).toBe('journal-gone');
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  test('when it was deleted between two runs, the plans it held are not taken for unknown', async () => {
    const { log, ...repo } = await repoWithPlan();
    rmSync(join(log, '..'), { recursive: true });
    const { stdout, stderr } = repo.cadre('status');
    expect(`${stdout}${stderr}`).not.toContain('No plans yet');
  });

  test('when its last records were lost between two runs, the plan does not go back without a word', async () => {
    const { log, ...repo } = await repoWithPlan();
    truncateSync(log, readFileSync(log).indexOf('\n') + 1);
    const told = await openPieces(repo)
      .gateway.settle()
      .catch((error: Error) => [error.message]);
    expect(told).not.toEqual([]);
  });
});

describe('a disk that fails while the journal is written', () => {
  test('a sync that failed is not tried again, and the process writes no more, also when the disk is well', async () => {
    const { log, ...repo } = await repoWithPlan();
    const faulty = faultyDisk();
    const { gateway } = openPieces(repo, faulty.disk);
    faulty.fail({ on: 'sync', path: '.log' }, 'EIO');
    const sentence = `The disk did not confirm a write to ${log}, so it is not known whether the last step was kept. This process writes no more. Check the disk, start cadre again, and "cadre log" shows what stands.`;
    const failure = await failureOf(() => gateway.submit([move('cancel', USER, A)]));
    expect([failure.code, failure.message]).toEqual(['sync-failed', sentence]);
    const left = contentsOf(repo.home);
    faulty.heal();
    expect((await failureOf(() => gateway.submit([move('cancel', USER, A)]))).message).toBe(sentence);
    expect((await failureOf(() => gateway.submit([register('b.md')]))).message).toBe(sentence);
    expect(faulty.calls.filter(({ on, path }) => on === 'sync' && path === log)).toHaveLength(1);
    expect(contentsOf(repo.home)).toEqual(left);
    expect(repo.status('a.md')).toBe('planning');
  });

  test('a new process goes on from what the failed sync left on the disk', async () => {
    const { log, ...repo } = await repoWithPlan();
    const faulty = faultyDisk();
    faulty.fail({ on: 'sync', path: '.log' }, 'EIO');
    await failureOf(() => openPieces(repo, faulty.disk).gateway.submit([move('cancel', USER, A)]));
    const again = openPieces(repo);
    await again.gateway.submit([register('b.md')]);
    const { records } = again.journal.read(START);
    expect(numbers(records)).toEqual(upTo(records.length));
    expect(repo.status('a.md')).toBe(again.gateway.look().plans.get(A)?.status);
    expect(readFileSync(log, 'utf8').split('\n')).toHaveLength(records.length + 1);
  });

  test('when the name of the first segment could not be made durable, nothing is confirmed in it', async () => {
    const repo = temporaryRepo();
    const faulty = faultyDisk();
    const { gateway } = openPieces(repo, faulty.disk);
    faulty.fail({ on: 'syncFolder', path: '/journal' }, 'EIO');
    await failureOf(() => gateway.submit([register('a.md')]));
    faulty.heal();
    await failureOf(() => gateway.submit([register('a.md')]));
  });

  test('a commit that could not be written whole leaves nothing behind, and the next one succeeds', async () => {
    for (const taken of [0, 1, 150, 400]) {
      const faulty = faultyDisk();
      const { journal, path, bytes } = written([1, 1], faulty.disk);
      const { position } = journal.read(START);
      faulty.writeShort({ path }, taken, 'ENOSPC');
      const failure = await failureOf(() =>
        journal.append(
          position,
          [3, 4, 5, 6, 7].map((seq) => record(seq)),
        ),
      );
      expect([failure.code, failure.message]).toEqual([
        'ENOSPC',
        `Could not append to the journal ${path}. The disk is full. Free some space; nothing that was confirmed is lost.`,
      ]);
      expect(readFileSync(path).equals(bytes)).toBe(true);
      journal.append(position, [record(3)]);
      expect(numbers(journal.read(START).records)).toEqual([1, 2, 3]);
    }
  });

  test('what a commit left that could neither be written nor undone is touched no more by this process', async () => {
    const { log, ...repo } = await repoWithPlan();
    const faulty = faultyDisk();
    const { gateway } = openPieces(repo, faulty.disk);
    faulty.writeShort({ path: log }, 50, 'ENOSPC');
    faulty.fail({ on: 'truncate', path: log }, 'EIO');
    await failureOf(() => gateway.submit([move('cancel', USER, A)]));
    faulty.heal();
    const left = contentsOf(join(log, '..'));
    await failureOf(() => gateway.submit([move('cancel', USER, A)]));
    expect(contentsOf(join(log, '..'))).toEqual(left);
  });

  test('a new process sets aside what could not be undone, and says so', async () => {
    const { log, ...repo } = await repoWithPlan();
    const faulty = faultyDisk();
    faulty.writeShort({ path: log }, 50, 'ENOSPC');
    faulty.fail({ on: 'truncate', path: log }, 'EIO');
    await failureOf(() => openPieces(repo, faulty.disk).gateway.submit([move('cancel', USER, A)]));
    const { answers, notes } = await openPieces(repo).gateway.submit([move('cancel', USER, A)]);
    expect(answers.map(({ kind }) => kind)).toEqual(['accepted']);
    expect(notes.join()).toContain('The journal ended in 50 bytes that are no record');
  });

  test('a reader that looked while a commit was being undone reads on afterwards', () => {
    const faulty = faultyDisk();
    const { journal, folder, path } = written([1], faulty.disk);
    const reader = new Journal(disk, folder);
    const { position } = journal.read(START);
    let seen = reader.read(START);
    faulty.writeShort({ path }, encodeRecord(record(2)).length, 'ENOSPC');
    faulty.before({ on: 'truncate', path }, () => {
      seen = reader.read(seen.position);
    });
    expect(() => journal.append(position, [record(2), record(3)])).toThrow('The disk is full.');
    faulty.heal();
    journal.append(position, [record(2, 'another')]);
    expect(reader.read(seen.position).records).toEqual([record(2, 'another')]);
  });

  test.each(['list', 'facts', 'open', 'read'] as const)(
    'a journal that cannot be read (%s) is told as such',
    async (on) => {
      const repo = await repoWithPlan();
      const faulty = faultyDisk();
      const { gateway, places } = openPieces(repo, faulty.disk);
      faulty.fail({ on, path: on === 'list' ? places.journal : '.log' }, 'EMFILE');
      const failure = await failureOf(() => gateway.look());
      expect([failure.code, failure.kind]).toEqual(['EMFILE', 'environment']);
      expect(failure.message).toContain(places.state);
      expect(failure.message).toMatch(/Too many files are open\. Raise the limit \("ulimit -n"\), then try again\.$/);
      expect(gateway.look().plans.get(A)?.status).toBe('planning');
    },
  );
});

/** Three segments with a record each. */
function segmented(): { readonly journal: Journal; readonly folder: string } {
  const folder = temporaryFolder();
  const journal = new Journal(hasty, folder);
  for (const seq of [1, 2, 3]) writeFileSync(journal.path(seq), encodeRecord(record(seq)));
  return { journal, folder };
}

function replaceByCopy(log: string): void {
  copyFileSync(log, `${log}.copy`);
  renameSync(`${log}.copy`, log);
}

interface Appender {
  readonly process: ChildProcess;
  /** It waits for a line on its standard input. */
  readonly ready: Promise<void>;
  /** The numbers of the records that it was told are durable. */
  readonly confirmed: number[];
  readonly ended: Promise<readonly number[]>;
}

const APPENDER = `
  import { openPorts } from ${JSON.stringify(resolve('dist/program.js'))};
  const [who, count] = process.argv.slice(1);
  const { gateway } = openPorts({ cwd: process.cwd(), env: process.env, pid: process.pid, command: 'appender ' + who });
  process.stdout.write('ready\\n');
  await new Promise((go) => process.stdin.once('data', go));
  process.stdin.unref();
  for (let index = 0; index < Number(count); index++) {
    const plan = 'w' + who + '-' + index + '.md';
    const event = { kind: 'register', plan, by: { who: 'user' }, description: '', topic: '', planFileExists: true };
    const { answers } = await gateway.submit([event]);
    process.stdout.write(answers[0].records[0].seq + '\\n');
  }
`;

/** A process of its own that registers plans one after the other and prints what was confirmed. */
function appender(repo: Repo, who: number, count: number): Appender {
  const child = spawn(process.execPath, ['--input-type=module', '-e', APPENDER, String(who), String(count)], {
    cwd: repo.root,
    env: repo.env,
  });
  const confirmed: number[] = [];
  let isReady = (): void => undefined;
  const ready = new Promise<void>((done) => {
    isReady = done;
  });
  const closed = onEachLine(child, (line) => (line === 'ready' ? isReady() : confirmed.push(Number(line))));
  return { process: child, ready, confirmed, ended: closed.then(() => confirmed) };
}

/** Calls back for every line it prints; killed when the test ends. Resolves when all of its output was seen. */
function onEachLine(child: ChildProcess, hear: (line: string) => void): Promise<void> {
  const closed = new Promise<void>((done) => child.once('close', () => done()));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', hear);
  return closed;
}

test('a folder that another process makes while it is looked for holds nothing yet', () => {
  const folder = join(temporaryFolder(), 'journal');
  const late: Disk = {
    ...disk,
    list(path) {
      try {
        return disk.list(path);
      } finally {
        mkdirSync(path, { recursive: true });
      }
    },
  };
  expect(new Journal(late, folder).read(START).records).toEqual([]);
});
