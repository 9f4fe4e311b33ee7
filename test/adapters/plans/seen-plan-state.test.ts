// Whether plan-state.json is cadre's own, known without reading it while it has not changed.
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planStateStore } from '../../../src/adapters/plans/plan-state-store.ts';
import type { Disk } from '../../../src/core/ports/disk.ts';
import { type FaultyDisk, faultyDisk } from '../../support/faulty-disk.ts';
import { temporaryFolder } from '../../support/pieces.ts';

const TEXT = '{"plans":{}}\n';
const SAME_SIZE = '{"plans":[]}\n';

describe('plan-state.json as cadre wrote it', () => {
  test('is read once to be known as its own, and not again', () => {
    const bench = written();
    expect([bench.isOurs(), bench.opened()]).toEqual([true, 1]);
    expect([bench.isOurs(), bench.opened()]).toEqual([true, 0]);
  });

  test('is read every time while it is so new that a change could be missed', () => {
    const bench = written({ age: 0 });
    for (const _time of [1, 2]) expect([bench.isOurs(), bench.opened()]).toEqual([true, 1]);
  });

  test('is not its own after an edit, of whatever size and time', () => {
    const bench = written();
    bench.isOurs();
    const { atime, mtime } = statSync(bench.path);
    writeFileSync(bench.path, SAME_SIZE);
    utimesSync(bench.path, atime, mtime);
    expect(bench.isOurs()).toBe(false);
    writeFileSync(bench.path, TEXT);
    expect(bench.isOurs()).toBe(true);
  });

  test('is its own where there is no file', () => {
    const bench = written();
    rmSync(bench.path);
    expect(bench.isOurs()).toBe(true);
  });

  test.each([
    ['lost', (path: string) => rmSync(path)],
    ['cut off', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 5))],
  ])('is read again where the note of it is %s', (_how, damage) => {
    const bench = written();
    bench.isOurs();
    bench.opened();
    damage(bench.seen);
    expect([bench.isOurs(), bench.opened()]).toEqual([true, 1]);
  });

  test.each(['EACCES', 'ENOSPC', 'EROFS'])('is known all the same where that cannot be noted (%s)', (code) => {
    const bench = written();
    bench.faults.fail({ on: 'open', path: '.plan-state.seen.tmp' }, code);
    expect(bench.isOurs()).toBe(true);
  });
});

function written({ age = 10_000 } = {}): {
  readonly path: string;
  readonly seen: string;
  readonly faults: FaultyDisk;
  /** As a new process finds it. */
  isOurs(): boolean;
  /** How often the file was opened since this was asked last. */
  opened(): number;
} {
  const folder = temporaryFolder();
  const [path, note, seen] = ['plan-state.json', 'plan-state.written', 'plan-state.seen'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const faults = faultyDisk();
  const disk = older(faults.disk, age);
  planStateStore(disk, path, note).write(TEXT, 1);
  let asked = faults.calls.length;
  return {
    path,
    seen,
    faults,
    isOurs: () => planStateStore(disk, path, note, seen).isOurs(),
    opened() {
      const calls = faults.calls.slice(asked);
      asked = faults.calls.length;
      return calls.filter((call) => call.on === 'open' && call.path === path).length;
    },
  };
}

/** A disk whose files have all changed this many milliseconds before they did. */
function older(disk: Disk, age: number): Disk {
  const before = BigInt(age) * 1_000_000n;
  return {
    ...disk,
    facts(path) {
      const facts = disk.facts(path);
      return facts && { ...facts, modified: facts.modified - before, changed: facts.changed - before };
    },
  };
}
