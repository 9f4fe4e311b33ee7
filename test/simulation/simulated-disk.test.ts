// The simulated disk has to answer like a real one and forget like a real one.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { disk as realDisk } from '../../src/adapters/system/disk.ts';
import { ensureFolder } from '../../src/adapters/system/files.ts';
import { systemCode } from '../../src/core/model/failure.ts';
import type { Disk } from '../../src/core/ports/disk.ts';
import { randomFrom } from './random.ts';
import { SimulatedDisk } from './simulated-disk.ts';

type Operation =
  | { readonly do: 'makeFolder' | 'facts' | 'list' | 'remove' | 'read' | 'syncFolder'; readonly path: string }
  | { readonly do: 'rename'; readonly path: string; readonly to: string }
  | { readonly do: 'append' | 'write'; readonly path: string; readonly bytes: Uint8Array }
  | { readonly do: 'truncate'; readonly path: string; readonly size: number };

const path = fc.constantFrom('/a', '/b', '/f', '/f/a', '/f/b', '/f/g', '/f/g/a', '/é', '/f/x y', '/missing/a');
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ do: fc.constantFrom('makeFolder', 'facts', 'list', 'remove', 'read', 'syncFolder'), path }),
  fc.record({ do: fc.constant('rename' as const), path, to: path }),
  fc.record({ do: fc.constantFrom('append', 'write'), path, bytes: fc.uint8Array({ maxLength: 12 }) }),
  fc.record({ do: fc.constant('truncate' as const), path, size: fc.nat(16) }),
);

test('the simulated disk gives the same answers as the real one', () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'cadre-disk-')));
  let number = 0;
  let failed = 0;
  let succeeded = 0;
  try {
    fc.assert(
      fc.property(fc.array(operation, { minLength: 5, maxLength: 40 }), (operations) => {
        const root = join(base, String(number++));
        realDisk.makeFolder(root, 0o777);
        const simulated = new SimulatedDisk().seenBy(() => undefined);
        ensureFolder(simulated, root);
        for (const one of operations) {
          const answer = answerOf(realDisk, root, one);
          expect(answerOf(simulated, root, one), JSON.stringify(one)).toEqual(answer);
          if (typeof answer === 'object' && answer !== null && 'error' in answer) failed += 1;
          else succeeded += 1;
        }
      }),
      { numRuns: 400 },
    );
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
  expect(Math.min(failed, succeeded), 'too few of either kind to show anything').toBeGreaterThan(1_000);
});

/** The comparable part of the answer: no inode numbers, no times, names in a fixed order. */
function answerOf(disk: Disk, root: string, operation: Operation): unknown {
  try {
    return perform(disk, root, operation);
  } catch (error) {
    return { error: systemCode(error) };
  }
}

function perform(disk: Disk, root: string, operation: Operation): unknown {
  const at = root + operation.path;
  switch (operation.do) {
    case 'makeFolder':
      return disk.makeFolder(at, 0o777);
    case 'facts': {
      const facts = disk.facts(at);
      return facts === undefined ? null : { kind: facts.kind, size: facts.kind === 'file' ? facts.size : 0 };
    }
    case 'list':
      return disk
        .list(at)
        .map((name) => name.toString('latin1'))
        .sort();
    case 'remove':
      return disk.remove(at);
    case 'syncFolder':
      return disk.facts(at)?.kind === 'folder' ? disk.syncFolder(at) : null;
    case 'rename':
      return disk.rename(at, root + operation.to);
    case 'read':
      return disk.facts(at)?.kind === 'file'
        ? withFile(disk, at, 'read', (file) => disk.read(file, 1, 10).toString('hex'))
        : null;
    case 'append':
    case 'write':
      return withFile(disk, at, operation.do, (file) => disk.write(file, operation.bytes));
    case 'truncate':
      return withFile(disk, at, 'append', (file) => disk.truncate(file, operation.size));
  }
}

function withFile<T>(disk: Disk, at: string, mode: 'read' | 'append' | 'write', work: (file: number) => T): T {
  const file = disk.open(at, mode);
  try {
    return work(file);
  } finally {
    disk.close(file);
  }
}

describe('after a power failure', () => {
  const SEEDS = Array.from({ length: 300 }, (_none, seed) => seed);

  test('a file with synced name and content is there', () => {
    for (const seed of SEEDS) {
      const [computer, disk] = fresh();
      put(disk, '/a', 'kept', true);
      disk.syncFolder('/');
      computer.powerFailure(randomFrom(seed));
      expect(textOf(disk, '/a')).toBe('kept');
    }
  });

  test('content without a synced name may be lost, and a name without synced content may have any content', () => {
    const named = outcomes(SEEDS, (disk) => put(disk, '/a', 'text', true));
    expect(named).toEqual(new Set([undefined, 'text']));
    const written = outcomes(SEEDS, (disk) => {
      put(disk, '/a', 'long enough to be torn', false);
      disk.syncFolder('/');
    });
    expect(written.has('')).toBe(true);
    expect(written.has('long enough to be torn')).toBe(true);
    expect(
      [...written].some((text) => text?.includes('\0')),
      'zeros instead of text',
    ).toBe(true);
    expect(
      [...written].some((text) => text === 'long enough'.slice(0, text?.length) && text !== ''),
      'a torn write',
    ).toBe(true);
  });

  test('an unsynced rename leaves the old or the new file, never neither', () => {
    const seen = outcomes(SEEDS, (disk) => {
      put(disk, '/a', 'old', true);
      put(disk, '/b', 'new', true);
      disk.syncFolder('/');
      disk.rename('/b', '/a');
    });
    expect(seen).toEqual(new Set(['old', 'new']));
  });

  test('an unsynced removal may be undone', () => {
    const seen = outcomes(SEEDS, (disk) => {
      put(disk, '/a', 'text', true);
      disk.syncFolder('/');
      disk.remove('/a');
    });
    expect(seen).toEqual(new Set([undefined, 'text']));
  });

  function fresh(): readonly [SimulatedDisk, Disk] {
    const computer = new SimulatedDisk();
    return [computer, computer.seenBy(() => undefined)];
  }

  function outcomes(seeds: readonly number[], happens: (disk: Disk) => void): ReadonlySet<string | undefined> {
    return new Set(
      seeds.map((seed) => {
        const [computer, disk] = fresh();
        happens(disk);
        computer.powerFailure(randomFrom(seed));
        return textOf(disk, '/a');
      }),
    );
  }

  function put(disk: Disk, at: string, text: string, synced: boolean): void {
    withFile(disk, at, 'write', (file) => {
      disk.write(file, Buffer.from(text));
      if (synced) disk.sync(file);
    });
  }

  function textOf(disk: Disk, at: string): string | undefined {
    if (disk.facts(at) === undefined) return undefined;
    return withFile(disk, at, 'read', (file) => disk.read(file, 0, disk.factsOf(file).size).toString('latin1'));
  }
});
