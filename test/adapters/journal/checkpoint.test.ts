// The checkpoint: equal to the journal up to its cursor, ignored when it is bad, and evidence when records are lost.
import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { positionOf } from '../../../src/adapters/journal/cursor-text.ts';
import { BEGINNING, SEGMENT_BYTES } from '../../../src/adapters/journal/segments.ts';
import { checkedText, withChecksum } from '../../../src/adapters/system/checked-text.ts';
import { fold } from '../../../src/core/journal/fold.ts';
import { EMPTY_WORLD } from '../../../src/core/model/world.ts';
import { START } from '../../../src/core/ports/journal.ts';
import { faultyDisk } from '../../support/faulty-disk.ts';
import { contentsOf, failureOf, named, openPieces, type Pieces } from '../../support/pieces.ts';
import { type Repo, temporaryRepo } from '../../support/repo.ts';
import { move, register, signal, USER } from '../../support/world.ts';

const A = named('a.md');

interface Rotated {
  readonly repo: Repo;
  readonly pieces: Pieces;
  readonly checkpoint: string;
}

/** A repository with a closed first segment, a checkpoint, and one record after it. */
async function rotated(disk = faultyDisk().disk): Promise<Rotated> {
  const repo = temporaryRepo();
  repo.writePlan('a.md');
  const pieces = openPieces(repo, disk);
  await pieces.gateway.submit([
    register('a.md'),
    move('implement_start', USER, A),
    move('implement_finished', USER, A),
  ]);
  const large: Parameters<typeof move>[0] = 'review_changes_requested';
  await pieces.gateway.submit([
    { kind: 'move', plan: A, event: large, by: USER, feedback: 'x'.repeat(SEGMENT_BYTES) },
    signal({ name: 'no-such-signal', plan: 'a.md' }),
    signal({ name: 'implement-finished', plan: 'a.md' }),
  ]);
  await pieces.gateway.submit([register('b.md')]);
  return { repo, pieces, checkpoint: pieces.places.checkpoint };
}

describe('a checkpoint', () => {
  test('is written when a segment is closed, and reading on from it gives the same world as the whole journal', async () => {
    const { repo, pieces } = await rotated();
    const saved = await pieces.checkpoints.load();
    const position = saved === undefined ? undefined : positionOf(saved.cursor);
    expect(position).toMatchObject({ segment: pieces.segments.numbers()[1], offset: 0 });
    const { records } = pieces.segments.read(BEGINNING);
    const after = saved === undefined ? [] : (await pieces.journal.read(saved.cursor)).records;
    expect(after).toEqual(records.slice(-1));
    const replayed = fold(EMPTY_WORLD, records);
    expect(fold(saved?.world ?? EMPTY_WORLD, after)).toEqual(replayed);
    expect(replayed).toMatchObject({ seq: records.length, refused: { size: 1 }, plans: { size: 2 } });
    expect(await openPieces(repo).gateway.look()).toEqual(replayed);
  });

  test('saves a new process reading the closed segments', async () => {
    const { repo, pieces } = await rotated();
    const faulty = faultyDisk();
    await openPieces(repo, faulty.disk).gateway.look();
    const opened = faulty.calls.filter(({ on, path }) => on === 'open' && path.endsWith('.log'));
    expect(opened.map(({ path }) => path)).toEqual([pieces.segments.path(pieces.segments.numbers()[1] ?? 0)]);
  });

  test.each([
    ['is lost', (path: string) => rmSync(path)],
    ['is empty', (path: string) => writeFileSync(path, '')],
    ['is truncated', (path: string) => truncateSync(path, 1000)],
    ['is all zeros', (path: string) => writeFileSync(path, Buffer.alloc(readFileSync(path).length))],
    ['has one flipped bit', flipOneBit],
    ['has another version', (path: string) => rewrite(path, (stored) => ({ ...stored, v: 999, world: 'unknown' }))],
    ['is a folder', (path: string) => becomeFolder(path)],
    ['is a dangling link', (path: string) => becomeLink(path)],
  ])('that %s is ignored, and the journal is read instead', async (_what, harm) => {
    const { repo, pieces, checkpoint } = await rotated();
    harm(checkpoint);
    const { gateway } = openPieces(repo);
    expect(await gateway.look()).toEqual(fold(EMPTY_WORLD, pieces.segments.read(BEGINNING).records));
    expect((await gateway.submit([register('c.md')])).answers[0]?.kind).toBe('accepted');
  });

  test('that may not be read is ignored too', async () => {
    const { repo, pieces } = await rotated();
    const faulty = faultyDisk();
    faulty.fail({ on: 'open', path: 'checkpoint.json' }, 'EACCES');
    const { gateway } = openPieces(repo, faulty.disk);
    expect(await gateway.look()).toEqual(fold(EMPTY_WORLD, pieces.segments.read(BEGINNING).records));
  });

  test('that cannot be written does not fail the step', async () => {
    const faulty = faultyDisk();
    faulty.fail({ on: 'write', path: 'checkpoint.json.tmp', forGood: true }, 'ENOSPC');
    const { repo, pieces } = await rotated(faulty.disk);
    expect(await pieces.checkpoints.load()).toBeUndefined();
    expect(await openPieces(repo).gateway.look()).toMatchObject({ plans: { size: 2 } });
    expect(pieces.segments.read(BEGINNING).torn).toBe(0);
  });
});

describe('a journal that is shorter than its checkpoint', () => {
  test('is refused when a segment is missing, even one that need not be read, and the file is named', async () => {
    const { repo, pieces, checkpoint } = await rotated();
    const seq = (await pieces.checkpoints.load())?.world.seq;
    for (const segment of pieces.segments.numbers()) {
      const path = pieces.segments.path(segment);
      const bytes = readFileSync(path);
      rmSync(path);
      const before = [contentsOf(repo.home), contentsOf(repo.plans)];
      const sentence = `The journal is incomplete: ${path} is missing, but records up to ${seq} were written. Nothing was changed. Restore the file from a backup.`;
      const { gateway } = openPieces(repo);
      expect((await failureOf(() => gateway.look())).message).toBe(sentence);
      expect((await failureOf(() => gateway.submit([register('c.md')]))).message).toBe(sentence);
      expect([contentsOf(repo.home), contentsOf(repo.plans)]).toEqual(before);
      writeFileSync(path, bytes);
    }
    expect(readFileSync(checkpoint).length).toBeGreaterThan(0);
    expect((await openPieces(repo).gateway.look()).plans.size).toBe(2);
  });

  test('is refused when the segment ends before the cursor of the checkpoint', async () => {
    const { repo, pieces } = await rotated();
    const { position } = pieces.segments.read(BEGINNING);
    const { cursor } = await pieces.journal.read(START);
    await pieces.checkpoints.save({ world: await pieces.gateway.look(), cursor });
    truncateSync(pieces.segments.path(position.segment), 0);
    const before = [contentsOf(repo.home), contentsOf(repo.plans)];
    const failure = await failureOf(() => openPieces(repo).gateway.submit([register('c.md')]));
    expect([failure.code, failure.message]).toEqual([
      'journal-shrunk',
      `${pieces.segments.path(position.segment)} is shorter than it was when record ${position.seq} was written: records are missing. Nothing was changed. Restore the file from a backup.`,
    ]);
    expect([contentsOf(repo.home), contentsOf(repo.plans)]).toEqual(before);
  });

  test('is found by the doctor when records of a closed segment are missing', async () => {
    const { repo, pieces } = await rotated();
    const first = pieces.segments.path(1);
    truncateSync(first, readFileSync(first).indexOf('\n') + 1);
    const { code, stdout } = repo.cadre('doctor');
    expect(code).toBe(5);
    expect(stdout).toContain(`BAD   journal: The journal is damaged in ${first} at byte 0`);
  });
});

function flipOneBit(path: string): void {
  const bytes = readFileSync(path);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

/** Changes the stored value and corrects its checksum, as if another release had written it. */
function rewrite(path: string, change: (stored: object) => object): void {
  const stored = JSON.parse(checkedText(readFileSync(path)) ?? '');
  writeFileSync(path, withChecksum(JSON.stringify(change(stored))));
}

function becomeFolder(path: string): void {
  rmSync(path);
  mkdirSync(path);
}

function becomeLink(path: string): void {
  rmSync(path);
  symlinkSync('/nowhere', path);
}
