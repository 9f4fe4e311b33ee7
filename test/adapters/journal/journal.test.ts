// The journal against what can happen to files: torn ends, flipped bits, lost segments, and several writers at once.
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
import { encodeRecord } from '../../../src/adapters/journal/record-text.ts';
import { BEGINNING, type Position, SEGMENT_BYTES, Segments } from '../../../src/adapters/journal/segments.ts';
import { disk } from '../../../src/adapters/system/disk.ts';
import type { JournalRecord } from '../../../src/core/model/record.ts';
import type { Disk } from '../../../src/core/ports/disk.ts';
import { faultyDisk } from '../../support/faulty-disk.ts';
import { contentsOf, failureOf, named, openPieces, type Pieces, temporaryFolder } from '../../support/pieces.ts';
import { eventually, MAIN, type Repo, temporaryRepo } from '../../support/repo.ts';
import { move, register, USER } from '../../support/world.ts';

const A = named('a.md');

/** For many small cases in a row, none of them about a power failure. */
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
  readonly segments: Segments;
  readonly folder: string;
  readonly path: string;
  readonly bytes: Buffer;
  /** Where each record starts, and finally where the next one would. */
  readonly starts: readonly number[];
}

/** A journal of one segment with commits of these sizes. */
function written(commits: readonly number[], on: Disk = hasty): Written {
  const folder = temporaryFolder();
  const segments = new Segments(on, folder);
  let position: Position = BEGINNING;
  for (const size of commits)
    position = segments.append(
      position,
      Array.from({ length: size }, (_, index) => record(position.seq + 1 + index)),
    );
  const path = segments.path(1);
  const bytes = readFileSync(path);
  const starts = [0];
  for (const [at, byte] of bytes.entries()) if (byte === 0x0a) starts.push(at + 1);
  return { segments, folder, path, bytes, starts };
}

/** A repository with one plan, in planning. */
async function repoWithPlan(): Promise<Repo & { readonly pieces: Pieces; readonly log: string }> {
  const repo = temporaryRepo();
  repo.writePlan('a.md');
  const pieces = openPieces(repo);
  await pieces.gateway.submit([register('a.md')]);
  await pieces.gateway.submit([move('plan_start', USER, A)]);
  return { ...repo, pieces, log: pieces.segments.path(1) };
}

describe('reading and appending', () => {
  test('a second reader gets exactly what was appended after its position', () => {
    const folder = temporaryFolder();
    const writer = new Segments(disk, folder);
    const reader = new Segments(disk, folder);
    const one = writer.append(BEGINNING, [record(1)]);
    const seen = reader.read(BEGINNING);
    writer.append(one, [record(2), record(3)]);
    expect(numbers(seen.records)).toEqual([1]);
    expect(numbers(reader.read(seen.position).records)).toEqual([2, 3]);
    expect(reader.read(reader.read(BEGINNING).position)).toMatchObject({ records: [], torn: 0 });
  });

  test('appending nothing writes nothing', () => {
    const folder = temporaryFolder();
    expect(new Segments(disk, folder).append(BEGINNING, [])).toBe(BEGINNING);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('a segment that has grown large is closed, and readers continue in the next one', () => {
    const folder = temporaryFolder();
    const segments = new Segments(disk, folder);
    const small = segments.append(BEGINNING, [record(1)]);
    expect(segments.rotate(small)).toBe(small);
    const large = segments.append(small, [record(2, 'x'.repeat(SEGMENT_BYTES))]);
    const next = segments.append(segments.rotate(large), [record(3)]);
    expect(segments.numbers()).toEqual([1, 3]);
    expect(next).toMatchObject({ segment: 3, seq: 3 });
    expect(numbers(segments.read(BEGINNING).records)).toEqual([1, 2, 3]);
    expect(numbers(segments.read(small).records)).toEqual([2, 3]);
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
  test('every record is there once, numbered without gaps, and a concurrent reader sees them in that order', async () => {
    const repo = temporaryRepo();
    const each = 12;
    const writers = [1, 2, 3, 4].map((who) => appender(repo, who, each));
    await turns(writers, 0);
    const seen: JournalRecord[] = [];
    const { segments } = openPieces(repo);
    let position: Position = BEGINNING;
    await eventually(
      () => {
        const reading = segments.read(position);
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
    expect(segments.read(BEGINNING).records).toEqual(seen);
    expect(Object.keys(repo.planState().plans)).toHaveLength(4 * each);
  });

  test('kill -9 of all of them loses no confirmed record', async () => {
    const repo = temporaryRepo();
    const writers = [1, 2, 3].map((who) => appender(repo, who, 10_000));
    await turns(writers, 30);
    for (const writer of writers) writer.process.kill('SIGKILL');
    const confirmed = (await Promise.all(writers.map((writer) => writer.ended))).flat();
    const { gateway, segments } = openPieces(repo);
    await gateway.submit([register('after.md')]);
    const { records, torn } = segments.read(BEGINNING);
    expect(torn).toBe(0);
    expect(numbers(records)).toEqual(upTo(records.length));
    expect(numbers(records)).toEqual(expect.arrayContaining(confirmed));
    expect(new Set(Object.keys(repo.planState().plans))).toEqual(new Set((await gateway.look()).plans.keys()));
  });

  /** Releases all of them at the same moment, and waits until they have committed this many records together. */
  async function turns(writers: readonly Appender[], count: number): Promise<void> {
    await Promise.all(writers.map((writer) => writer.ready));
    for (const writer of writers) writer.process.stdin?.write('go\n');
    const had = (): number => writers.reduce((sum, writer) => sum + writer.confirmed.length, 0);
    await eventually(had, (sum) => sum >= count, 30_000);
  }
});

describe('a torn end', () => {
  test('wherever the last three records are cut off, the records before the cut are read, the rest is kept, and the journal continues', () => {
    const { segments, path, bytes, starts } = written([1, 1, 1, 1, 1]);
    for (let cut = starts[2] ?? 0; cut < bytes.length; cut++) {
      writeFileSync(path, bytes.subarray(0, cut));
      const whole = starts.filter((start) => start <= cut).length - 1;
      const end = starts[whole] ?? 0;
      const { records, position, torn } = segments.read(BEGINNING);
      expect([cut, records.length, position.offset, torn]).toEqual([cut, whole, end, cut - end]);
      if (torn === 0) continue;
      const copy = segments.repair(position, torn);
      expect(readFileSync(copy).equals(bytes.subarray(end, cut))).toBe(true);
      rmSync(copy);
      segments.append(position, [record(whole + 1, 'after')]);
      const after = segments.read(BEGINNING);
      expect([after.torn, after.records.length, after.records.at(-1)]).toEqual([
        0,
        whole + 1,
        record(whole + 1, 'after'),
      ]);
    }
  });

  const intactOldRecord = encodeRecord(record(3));
  test.each([
    ['text without a line end', Buffer.from('no record')],
    ['lines of text', Buffer.from('no record\nnor this\n')],
    ['a block of zeros', Buffer.alloc(4096)],
    ['zeros and a line end', Buffer.concat([Buffer.alloc(100), Buffer.from('\n')])],
    ['invalid UTF-8', Buffer.from([0xff, 0xfe, 0x0a, 0xc3, 0x0a])],
    ['empty lines', Buffer.from('\n\n\n')],
    ['a garbled commit that contains an old record', Buffer.concat([Buffer.from('garbled\n'), intactOldRecord])],
  ])('of %s is copied and cut off, and every record before it stays', (_what, garbage) => {
    const { segments, path, bytes } = written([1, 1, 1]);
    writeFileSync(path, Buffer.concat([bytes, garbage]));
    const { records, position, torn } = segments.read(BEGINNING);
    expect([numbers(records), torn]).toEqual([[1, 2, 3], garbage.length]);
    expect(readFileSync(segments.repair(position, torn)).equals(garbage)).toBe(true);
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  test('a last record whose second half is zeros is torn', () => {
    const { segments, path, bytes, starts } = written([1, 1, 1]);
    writeFileSync(path, Buffer.from(bytes).fill(0, (starts[2] ?? 0) + 40));
    expect(segments.read(BEGINNING)).toMatchObject({ position: { seq: 2 }, torn: bytes.length - (starts[2] ?? 0) });
  });

  test('a commit that is garbled in the middle is torn as a whole, even if its other records are intact', () => {
    const { segments, path, bytes, starts } = written([1, 4]);
    const garbled = Buffer.from(bytes).fill('#', starts[2], (starts[3] ?? 0) - 1);
    writeFileSync(path, garbled);
    const { records, position, torn } = segments.read(BEGINNING);
    expect([numbers(records), torn]).toEqual([[1], bytes.length - (starts[1] ?? 0)]);
    expect(readFileSync(segments.repair(position, torn)).equals(garbled.subarray(starts[1]))).toBe(true);
  });

  test('the next step repairs it, records the repair, reports it, and succeeds', async () => {
    const { pieces, log, ...repo } = await repoWithPlan();
    writeFileSync(log, '0badc0de {"v":1,"seq":3,"at"', { flag: 'a' });
    const copy = `${log}.torn-1`;
    const { answers, notes } = await openPieces(repo).gateway.submit([move('cancel', USER, A)]);
    expect(answers.map((answer) => answer.kind)).toEqual(['accepted']);
    expect(notes).toEqual([
      `The journal ended in 28 bytes that are not a record, left by a process that was stopped while writing. They were moved to ${copy}.`,
    ]);
    expect(readFileSync(copy, 'utf8')).toBe('0badc0de {"v":1,"seq":3,"at"');
    const { records } = pieces.segments.read(BEGINNING);
    expect(records.map(({ event }) => event)).toEqual(['register', 'plan_start', 'journal_repaired', 'cancel']);
    expect(records[2]).toMatchObject({ bytes: 28, copy, by: 'engine' });
    expect(repo.status('a.md')).toBe('cancelled');
  });

  test('the command line prints the note as well as its answer', async () => {
    const { log, ...repo } = await repoWithPlan();
    writeFileSync(log, Buffer.alloc(512), { flag: 'a' });
    const ran = repo.cadre('cancel', 'a');
    expect(ran).toMatchObject({ code: 0, stdout: 'a.md: planning -> cancelled\n' });
    expect(ran.stderr).toMatch(
      /^The journal ended in 512 bytes that are not a record, .+ They were moved to .+\.torn-\d+\.\n$/,
    );
  });

  test('a reader without the lock leaves it alone, because another process may be writing it', async () => {
    const { log, ...repo } = await repoWithPlan();
    writeFileSync(log, 'being written', { flag: 'a' });
    const before = contentsOf(repo.home);
    expect((await openPieces(repo).gateway.look()).plans.get(A)?.status).toBe('planning');
    expect(repo.cadre('status').code).toBe(0);
    expect(repo.cadre('log').code).toBe(0);
    expect(contentsOf(repo.home)).toEqual(before);
  });

  test('the copy of a second one at the same byte does not overwrite the first copy', () => {
    const { segments, path } = written([1]);
    writeFileSync(path, 'first torn end', { flag: 'a' });
    const first = segments.read(BEGINNING);
    const firstCopy = segments.repair(first.position, first.torn);
    writeFileSync(path, 'second', { flag: 'a' });
    const second = segments.read(BEGINNING);
    segments.repair(second.position, second.torn);
    expect(readFileSync(firstCopy, 'utf8')).toBe('first torn end');
  });

  test('if the step that repaired it fails, the next successful step reports the repair', async () => {
    const { pieces, log, ...repo } = await repoWithPlan();
    writeFileSync(log, 'torn', { flag: 'a' });
    const faulty = faultyDisk();
    const { gateway } = openPieces(repo, faulty.disk);
    faulty.fail({ on: 'write', path: '.log' }, 'ENOSPC');
    await failureOf(() => gateway.submit([move('cancel', USER, A)]));
    const { notes } = await gateway.submit([move('cancel', USER, A)]);
    expect(notes.join()).toContain('The journal ended in 4 bytes that are not a record');
    expect(pieces.segments.read(BEGINNING).records.map(({ event }) => event)).toContain('journal_repaired');
  });
});

describe('damage before the end', () => {
  test('a flipped bit anywhere before the last commit stops the reader there and changes nothing', async () => {
    const { segments, path, bytes, starts } = written([1, 2, 1]);
    for (let at = 0; at < (starts[3] ?? 0); at++) {
      if (bytes[at] === 0x0a) continue;
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
      writeFileSync(path, flipped);
      // The second and third records are one commit, which counts whole or not at all.
      const intact = at < (starts[1] ?? 0) ? 0 : 1;
      const failure = await failureOf(() => segments.read(BEGINNING));
      expect([failure.code, failure.message]).toEqual([
        'journal-damaged',
        damage(path, starts[intact] ?? 0, intact, intact === 0 ? 2 : 4),
      ]);
      expect(readFileSync(path).equals(flipped)).toBe(true);
    }
  });

  test('a lost line end between two commits is damage and not a torn end, because the first was confirmed', async () => {
    const { segments, path, bytes, starts } = written([1, 1, 1]);
    const flipped = Buffer.from(bytes);
    flipped[(starts[2] ?? 0) - 1] = 0x0b;
    writeFileSync(path, flipped);
    const failure = await failureOf(() => segments.read(BEGINNING));
    expect([failure.code, failure.message]).toEqual(['journal-damaged', damage(path, starts[1] ?? 0, 1, 3)]);
  });

  test('records that are out of order, repeated or missing are damage', async () => {
    const { segments, path, bytes, starts } = written([1, 1, 1]);
    const [one, two, three] = [0, 1, 2].map((index) => bytes.subarray(starts[index], starts[index + 1])) as [
      Buffer,
      Buffer,
      Buffer,
    ];
    for (const [order, why] of [
      [[one, three], 'found record 3 where record 2 was expected'],
      [[one, three, two], 'found record 3 where record 2 was expected'],
      [[one, one, two, three], 'found record 1 where record 2 was expected'],
    ] as const) {
      writeFileSync(path, Buffer.concat(order));
      const failure = await failureOf(() => segments.read(BEGINNING));
      expect(failure.message).toBe(
        `The journal is damaged in ${path} at byte ${starts[1]}: ${why}. The last intact record is 1. Nothing was changed. Restore the file from a backup.`,
      );
    }
  });

  test('a closed segment that does not end in a record is damaged, even if the next one is intact', async () => {
    const { segments, folder } = segmented();
    const size = statSync(segments.path(1)).size;
    writeFileSync(segments.path(1), 'torn', { flag: 'a' });
    const before = contentsOf(folder);
    const failure = await failureOf(() => segments.read(BEGINNING));
    expect(failure.message).toContain(
      `in ${segments.path(1)} at byte ${size}: the segment ends in bytes that are not a record. The last intact record is 1.`,
    );
    expect(contentsOf(folder)).toEqual(before);
  });

  test('every read and every step fails with the same sentence, and no file is touched', async () => {
    const { log, ...repo } = await repoWithPlan();
    const bytes = readFileSync(log);
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    writeFileSync(log, bytes);
    const before = [contentsOf(repo.home), contentsOf(repo.plans)];
    const sentence = `The journal is damaged in ${log} at byte 0: record 1 is unreadable, but record 2 after it is intact. The last intact record is 0. Nothing was changed. Restore the file from a backup.`;
    const { gateway } = openPieces(repo);
    expect((await failureOf(() => gateway.look())).message).toBe(sentence);
    expect((await failureOf(() => gateway.settle())).message).toBe(sentence);
    expect((await failureOf(() => gateway.rebuildPlanState())).message).toBe(sentence);
    expect((await failureOf(() => gateway.submit([move('cancel', USER, A)]))).message).toBe(sentence);
    expect(repo.cadre('cancel', 'a')).toEqual({ code: 3, stdout: '', stderr: `${sentence}\n  try: cadre doctor\n` });
    expect(repo.cadre('doctor').stdout).toContain(`BAD   journal: ${sentence}`);
    expect([contentsOf(repo.home), contentsOf(repo.plans)]).toEqual(before);
  });

  test('a record of a newer version is refused', async () => {
    const { log, ...repo } = await repoWithPlan();
    writeFileSync(log, encodeRecord({ ...record(3), v: 2 }), { flag: 'a' });
    const before = contentsOf(repo.home);
    const failure = await failureOf(() => openPieces(repo).gateway.submit([move('cancel', USER, A)]));
    expect([failure.code, failure.message]).toEqual([
      'journal-newer',
      `${log} was written by a newer cadre (journal version 2). Nothing was changed. Update cadre.`,
    ]);
    expect(contentsOf(repo.home)).toEqual(before);
  });

  function damage(path: string, byte: number, intact: number, after: number): string {
    return `The journal is damaged in ${path} at byte ${byte}: record ${intact + 1} is unreadable, but record ${after} after it is intact. The last intact record is ${intact}. Nothing was changed. Restore the file from a backup.`;
  }
});

describe('a journal that was changed from outside', () => {
  test.each([
    ['the first', 1, 2],
    ['one in the middle', 2, 3],
  ])('without %s segment it is refused, and the missing file is named', async (_which, lost, next) => {
    const { segments, folder } = segmented();
    rmSync(segments.path(lost));
    const before = contentsOf(folder);
    const failure = await failureOf(() => segments.read(BEGINNING));
    expect([failure.code, failure.message]).toEqual([
      'journal-segment-missing',
      `The journal has a gap: ${segments.path(lost)} is missing, but the segment that starts with record ${next} exists. Nothing was changed. Restore the file from a backup.`,
    ]);
    expect(contentsOf(folder)).toEqual(before);
  });

  test.each([
    ['deleted', (log: string) => rmSync(log)],
    ['deleted with its folder', (log: string) => rmSync(join(log, '..'), { recursive: true })],
    ['replaced by a copy of itself', replaceByCopy],
  ])('when it is %s under an open gateway, nothing is written', async (_how, harm) => {
    const { pieces, log, ...repo } = await repoWithPlan();
    harm(log);
    const before = [contentsOf(repo.home), contentsOf(repo.plans)];
    const sentence = `${log} was deleted or replaced while cadre was using it. Nothing was written. Put the file back or restore it from a backup, then start cadre again.`;
    expect((await failureOf(() => pieces.gateway.look())).message).toBe(sentence);
    expect((await failureOf(() => pieces.gateway.submit([move('cancel', USER, A)]))).message).toBe(sentence);
    expect([contentsOf(repo.home), contentsOf(repo.plans)]).toEqual(before);
  });

  test('when it is truncated under an open gateway, nothing is written', async () => {
    const { pieces, log, ...repo } = await repoWithPlan();
    truncateSync(log, 10);
    const before = [contentsOf(repo.home), contentsOf(repo.plans)];
    const failure = await failureOf(() => pieces.gateway.submit([move('cancel', USER, A)]));
    expect(failure.message).toBe(
      `${log} is shorter than it was when record 2 was written: records are missing. Nothing was changed. Restore the file from a backup.`,
    );
    expect([contentsOf(repo.home), contentsOf(repo.plans)]).toEqual(before);
  });

  test('a segment that is deleted between reading and appending is not created again', async () => {
    const { segments, folder, path } = written([1, 1]);
    const { position } = segments.read(BEGINNING);
    rmSync(path);
    expect((await failureOf(() => segments.append(position, [record(3)]))).code).toBe('journal-gone');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('records that another program appended without the lock are not overwritten', async () => {
    const { segments, path } = written([1, 1]);
    const { position } = segments.read(BEGINNING);
    writeFileSync(path, encodeRecord(record(3)), { flag: 'a' });
    const bytes = readFileSync(path);
    expect((await failureOf(() => segments.append(position, [record(3)]))).code).toBe('journal-gone');
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  test('when it was deleted between two runs, its plans are not treated as unknown', async () => {
    const { log, ...repo } = await repoWithPlan();
    rmSync(join(log, '..'), { recursive: true });
    const { stdout, stderr } = repo.cadre('status');
    expect(`${stdout}${stderr}`).not.toContain('No plans yet');
  });

  test('when its last records were lost between two runs, the plan does not silently go back', async () => {
    const { log, ...repo } = await repoWithPlan();
    truncateSync(log, readFileSync(log).indexOf('\n') + 1);
    const notes = await openPieces(repo)
      .gateway.settle()
      .catch((error: Error) => [error.message]);
    expect(notes).not.toEqual([]);
  });
});

describe('a disk that fails while the journal is written', () => {
  test('a failed sync is not retried, and the process no longer writes, even when the disk works again', async () => {
    const { log, ...repo } = await repoWithPlan();
    const faulty = faultyDisk();
    const { gateway } = openPieces(repo, faulty.disk);
    faulty.fail({ on: 'sync', path: '.log' }, 'EIO');
    const sentence = `The disk did not confirm a write to ${log}, so it is unknown whether the last step was kept. This process can no longer write. Check the disk, then start cadre again; the log shows what was kept.`;
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

  test('a new process continues from what the failed sync left on the disk', async () => {
    const { log, ...repo } = await repoWithPlan();
    const faulty = faultyDisk();
    faulty.fail({ on: 'sync', path: '.log' }, 'EIO');
    await failureOf(() => openPieces(repo, faulty.disk).gateway.submit([move('cancel', USER, A)]));
    const again = openPieces(repo);
    await again.gateway.submit([register('b.md')]);
    const { records } = again.segments.read(BEGINNING);
    expect(numbers(records)).toEqual(upTo(records.length));
    expect(repo.status('a.md')).toBe((await again.gateway.look()).plans.get(A)?.status);
    expect(readFileSync(log, 'utf8').split('\n')).toHaveLength(records.length + 1);
  });

  test('when the name of the first segment cannot be made durable, nothing is confirmed', async () => {
    const repo = temporaryRepo();
    const faulty = faultyDisk();
    const { gateway } = openPieces(repo, faulty.disk);
    faulty.fail({ on: 'syncFolder', path: '/journal' }, 'EIO');
    await failureOf(() => gateway.submit([register('a.md')]));
    faulty.heal();
    await failureOf(() => gateway.submit([register('a.md')]));
  });

  test('a commit that cannot be written completely leaves nothing behind, and the next one succeeds', async () => {
    for (const taken of [0, 1, 150, 400]) {
      const faulty = faultyDisk();
      const { segments, path, bytes } = written([1, 1], faulty.disk);
      const { position } = segments.read(BEGINNING);
      faulty.writeShort({ path }, taken, 'ENOSPC');
      const failure = await failureOf(() =>
        segments.append(
          position,
          [3, 4, 5, 6, 7].map((seq) => record(seq)),
        ),
      );
      expect([failure.code, failure.message]).toEqual([
        'ENOSPC',
        `Could not append to the journal ${path}. The disk is full. Free some space; nothing that was confirmed is lost.`,
      ]);
      expect(readFileSync(path).equals(bytes)).toBe(true);
      segments.append(position, [record(3)]);
      expect(numbers(segments.read(BEGINNING).records)).toEqual([1, 2, 3]);
    }
  });

  test('a commit that can be neither completed nor undone is not touched again by this process', async () => {
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

  test('a new process repairs a commit that could not be undone, and reports it', async () => {
    const { log, ...repo } = await repoWithPlan();
    const faulty = faultyDisk();
    faulty.writeShort({ path: log }, 50, 'ENOSPC');
    faulty.fail({ on: 'truncate', path: log }, 'EIO');
    await failureOf(() => openPieces(repo, faulty.disk).gateway.submit([move('cancel', USER, A)]));
    const { answers, notes } = await openPieces(repo).gateway.submit([move('cancel', USER, A)]);
    expect(answers.map(({ kind }) => kind)).toEqual(['accepted']);
    expect(notes.join()).toContain('The journal ended in 50 bytes that are not a record');
  });

  test('a reader that read while a commit was being undone continues afterwards', () => {
    const faulty = faultyDisk();
    const { segments, folder, path } = written([1], faulty.disk);
    const reader = new Segments(disk, folder);
    const { position } = segments.read(BEGINNING);
    let seen = reader.read(BEGINNING);
    faulty.writeShort({ path }, encodeRecord(record(2)).length, 'ENOSPC');
    faulty.before({ on: 'truncate', path }, () => {
      seen = reader.read(seen.position);
    });
    expect(() => segments.append(position, [record(2), record(3)])).toThrow('The disk is full.');
    faulty.heal();
    segments.append(position, [record(2, 'another')]);
    expect(reader.read(seen.position).records).toEqual([record(2, 'another')]);
  });

  test.each(['list', 'facts', 'open', 'read'] as const)(
    'an unreadable journal (%s) is reported as such',
    async (on) => {
      const repo = await repoWithPlan();
      const faulty = faultyDisk();
      const { gateway, places } = openPieces(repo, faulty.disk);
      faulty.fail({ on, path: on === 'list' ? places.journal : '.log' }, 'EMFILE');
      const failure = await failureOf(() => gateway.look());
      expect([failure.code, failure.kind]).toEqual(['EMFILE', 'environment']);
      expect(failure.message).toContain(places.state);
      expect(failure.message).toMatch(/Too many files are open\. Raise the limit \("ulimit -n"\), then try again\.$/);
      expect((await gateway.look()).plans.get(A)?.status).toBe('planning');
    },
  );
});

/** Three segments with one record each. */
function segmented(): { readonly segments: Segments; readonly folder: string } {
  const folder = temporaryFolder();
  const segments = new Segments(hasty, folder);
  for (const seq of [1, 2, 3]) writeFileSync(segments.path(seq), encodeRecord(record(seq)));
  return { segments, folder };
}

function replaceByCopy(log: string): void {
  copyFileSync(log, `${log}.copy`);
  renameSync(`${log}.copy`, log);
}

interface Appender {
  readonly process: ChildProcess;
  /** It waits for a line on its standard input. */
  readonly ready: Promise<void>;
  /** The numbers of the records that were confirmed to it. */
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

/** A separate process that registers plans one after another and prints the confirmed records. */
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

/** Calls back for every line the process prints; kills it when the test ends. Resolves when all output was read. */
function onEachLine(child: ChildProcess, onLine: (line: string) => void): Promise<void> {
  const closed = new Promise<void>((done) => child.once('close', () => done()));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', onLine);
  return closed;
}

test('a folder that another process creates at this moment is empty', () => {
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
  expect(new Segments(late, folder).read(BEGINNING).records).toEqual([]);
});
