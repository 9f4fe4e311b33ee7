// Reading many plan files to show them: an unchanged file is not opened again, and a changed one always is.
import { appendFileSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planFiles } from '../../../src/adapters/plans/plan-files.ts';
import type { Clock } from '../../../src/core/ports/clock.ts';
import type { PlanFiles, PlanReading } from '../../../src/core/ports/plan-files.ts';
import type { PlanFile } from '../../../src/plan/name.ts';
import { type FaultyDisk, faultyDisk } from '../../support/faulty-disk.ts';
import { named, temporaryFolder } from '../../support/pieces.ts';
import { planOf, taskOf } from '../../support/plan-files.ts';

const COUNT = 25;
const A = named('plan-0.md');
const LATER = 10_000;

describe('plan files that are read again', () => {
  test('are not opened while they have not changed, and say the same', () => {
    const bench = plans();
    const first = bench.read();
    expect(bench.opened()).toHaveLength(COUNT);
    const second = bench.read();
    expect(bench.opened()).toEqual([]);
    expect(outlines(second)).toEqual(outlines(first));
  });

  test('are known where the journal knows their text', () => {
    const bench = plans();
    const digests = new Map([...bench.read()].map(([plan, reading]) => [plan, digestOf(reading)]));
    const { size } = statSync(bench.keptIn);
    bench.opened();
    expect(kinds(bench.read(digests))).toEqual(new Set(['known']));
    expect(bench.opened()).toEqual([]);
    expect(statSync(bench.keptIn).size, 'outlines that the journal knows are kept').toBeLessThan(size / 2);
    expect(kinds(bench.read(digests))).toEqual(new Set(['known']));
  });

  test('are opened when the journal knows another text than the one that was known before', () => {
    const bench = plans();
    const digests = new Map([...bench.read()].map(([plan, reading]) => [plan, digestOf(reading)]));
    rmSync(bench.keptIn);
    bench.read(digests);
    bench.opened();
    expect(bench.read(new Map([...digests, [A, 'another']])).get(A)?.kind).toBe('read');
    expect(bench.opened()).toEqual([A]);
  });

  test.each<[string, (path: string) => void]>([
    ['appended to', (path) => appendFileSync(path, taskOf(2, 'Pour'))],
    ['replaced by one of the same size and time', replaceAlike],
    ['written over with the same size, and its time set back', writeOverAlike],
  ])('are opened when one was %s', (_how, change) => {
    const bench = plans();
    const before = bench.read().get(A);
    bench.opened();
    change(join(bench.folder, A));
    const after = bench.read().get(A);
    expect(bench.opened()).toEqual([A]);
    expect(after).not.toEqual(before);
  });

  test('are missing when they are gone', () => {
    const bench = plans();
    bench.read();
    rmSync(join(bench.folder, A));
    expect(bench.read().get(A)).toEqual({ kind: 'missing' });
  });

  test('are opened as long as they are so new that a change could be missed', () => {
    const bench = plans({ later: 0 });
    bench.read();
    bench.opened();
    bench.read();
    expect(bench.opened()).toHaveLength(COUNT);
  });
});

describe('what is kept of them', () => {
  test.each<[string, (path: string) => void]>([
    ['lost', (path) => rmSync(path)],
    ['cut off', (path) => writeFileSync(path, readFileSync(path).subarray(0, -40))],
    ['empty', (path) => writeFileSync(path, '')],
    ['changed', (path) => writeFileSync(path, readFileSync(path, 'utf8').replace('Dig', 'Dug'))],
  ])('costs reading them again when it is %s, and nothing else', (_how, damage) => {
    const bench = plans();
    const first = bench.read();
    damage(bench.keptIn);
    bench.opened();
    expect(bench.read()).toEqual(first);
    expect(bench.opened()).toHaveLength(COUNT);
  });

  test('is not used by another version of cadre', () => {
    const bench = plans();
    bench.read();
    bench.opened();
    bench.read(new Map(), bench.files('2'));
    expect(bench.opened()).toHaveLength(COUNT);
  });

  test.each(['EACCES', 'ENOSPC', 'EROFS', 'ENOENT'])('need not be written (%s)', (code) => {
    const bench = plans();
    bench.faults.fail({ on: 'open', path: '.plan-readings.json.tmp' }, code);
    expect(kinds(bench.read())).toEqual(new Set(['read']));
  });

  test('is not written when nothing has changed, nor for a few files', () => {
    const bench = plans();
    bench.read();
    const { ino } = statSync(bench.keptIn);
    bench.read();
    expect(statSync(bench.keptIn).ino).toBe(ino);
    rmSync(bench.keptIn);
    bench.files('1').readAll([{ plan: A }]);
    expect(() => statSync(bench.keptIn)).toThrow();
  });
});

interface Bench {
  readonly folder: string;
  readonly keptIn: string;
  readonly faults: FaultyDisk;
  files(version: string): PlanFiles;
  read(known?: ReadonlyMap<PlanFile, string>, by?: PlanFiles): ReadonlyMap<PlanFile, PlanReading>;
  /** The plan files opened since this was asked last. */
  opened(): readonly string[];
}

function plans({ later = LATER } = {}): Bench {
  const folder = temporaryFolder();
  const keptIn = join(temporaryFolder(), 'plan-readings.json');
  const names = Array.from({ length: COUNT }, (_, number) => named(`plan-${number}.md`));
  for (const name of names) writeFileSync(join(folder, name), planOf('Dig'));
  const faults = faultyDisk();
  const clock: Clock = { now: () => new Date(Date.now() + later), elapsed: () => 0 };
  const files = (version: string): PlanFiles => planFiles(faults.disk, folder, clock, { path: keptIn, version });
  let seen = 0;
  return {
    folder,
    keptIn,
    faults,
    files,
    read: (known = new Map(), by = files('1')) =>
      by.readAll(names.map((plan) => ({ plan, ...(known.has(plan) ? { file: known.get(plan) ?? '' } : {}) }))),
    opened() {
      const calls = faults.calls.slice(seen);
      seen = faults.calls.length;
      return calls.flatMap(({ on, path }) =>
        on === 'open' && path.endsWith('.md') ? [path.split('/').at(-1) ?? ''] : [],
      );
    },
  };
}

/** Another file in its place, which differs in nothing but its inode and its text. */
function replaceAlike(path: string): void {
  const { atime, mtime } = statSync(path);
  writeFileSync(`${path}.new`, readFileSync(path, 'utf8').replace('Dig', 'Dug'));
  utimesSync(`${path}.new`, atime, mtime);
  renameSync(`${path}.new`, path);
}

/** The time of its last change, unlike that of its last modification, nobody can set back. */
function writeOverAlike(path: string): void {
  const { atime, mtime } = statSync(path);
  writeFileSync(path, readFileSync(path, 'utf8').replace('Dig', 'Dug'));
  utimesSync(path, atime, mtime);
}

function kinds(readings: ReadonlyMap<PlanFile, PlanReading>): ReadonlySet<string> {
  return new Set([...readings.values()].map(({ kind }) => kind));
}

function digestOf(reading: PlanReading): string {
  if (reading.kind !== 'read') throw new Error(`It is ${reading.kind}.`);
  return reading.outline.file;
}

/** As far as what is kept has them. */
function outlines(readings: ReadonlyMap<PlanFile, PlanReading>): unknown {
  return [...readings].map(([plan, reading]) => {
    if (reading.kind !== 'read') return [plan, reading.kind];
    const { file, phases, tasks } = reading.outline;
    return [plan, file, phases, tasks.map(({ text: _text, ...task }) => task)];
  });
}
