// docs/plans on a real disk: which plans lie there, what is read of them, and when.
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planFiles, readPlan } from '../../../src/adapters/plans/plan-files.ts';
import { disk as realDisk } from '../../../src/adapters/system/disk.ts';
import type { Clock } from '../../../src/core/ports/clock.ts';
import type { Disk } from '../../../src/core/ports/disk.ts';
import type { PlanFiles, PlanReading } from '../../../src/core/ports/plan-files.ts';
import { faultyDisk } from '../../support/faulty-disk.ts';
import { needing } from '../../support/needs.ts';
import { named, temporaryFolder } from '../../support/pieces.ts';
import { planOf, taskOf } from '../../support/plan-files.ts';

const A = named('a.md');
const REST = 200;

describe('the list of plans', () => {
  test('has the plan that was changed last first', () => {
    const { folder, files } = plansIn({ 'old.md': 300, 'new.md': 1, 'middle.md': 20 });
    expect(files.list()).toEqual(['new.md', 'middle.md', 'old.md']);
    utimesSync(join(folder, 'old.md'), new Date(), new Date());
    expect(files.list()).toEqual(['old.md', 'new.md', 'middle.md']);
  });

  test('has neither folders, links and pipes nor files with names that no plan may have', () => {
    const { folder, files } = plansIn({ 'a.md': 1, 'plan-state.json': 1, '.hidden.md': 1, 'bad name.md': 1, md: 1 });
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0x2e, 0x6d, 0x64])]), '');
    mkdirSync(join(folder, 'folder.md'));
    symlinkSync('a.md', join(folder, 'link.md'));
    symlinkSync('nowhere.md', join(folder, 'dangling.md'));
    spawnSync('mkfifo', [join(folder, 'pipe.md')]);
    expect(files.list()).toEqual(['a.md']);
  });

  test('is empty where there is no folder', () => {
    expect(filesIn(join(temporaryFolder(), 'docs', 'plans')).files.list()).toEqual([]);
  });
});

describe('a file that changes', () => {
  test('is read when it has rested for 200 ms, not before', () => {
    const { files, pass } = resting();
    expect(files.changed([A])).toEqual({ readings: [], lookAgainIn: REST });
    pass(REST - 1);
    expect(files.changed([A])).toEqual({ readings: [], lookAgainIn: REST });
    pass(1);
    expect(namesIn(files)).toEqual([['Dig']]);
  });

  test('rests anew after each change', () => {
    const { files, path, pass } = resting();
    for (const number of [2, 3, 4]) {
      expect(files.changed([A]).readings).toEqual([]);
      pass(REST - 1);
      appendFileSync(path, taskOf(number, `More${number}`));
    }
    expect(files.changed([A])).toEqual({ readings: [], lookAgainIn: REST });
    pass(REST);
    expect(namesIn(files)).toEqual([['Dig', 'More2', 'More3', 'More4']]);
  });

  test('is offered until it is taken, and then no more', () => {
    const { files, pass } = rested();
    expect(namesIn(files)).toEqual([['Dig']]);
    expect(namesIn(files)).toEqual([['Dig']]);
    files.taken(A);
    pass(REST);
    expect(files.changed([A])).toEqual({ readings: [], lookAgainIn: undefined });
  });

  for (const { how, change } of [
    { how: 'was written anew', change: (path: string) => writeFileSync(path, planOf('Fill')) },
    {
      how: 'was replaced by another',
      change: (path: string) => {
        writeFileSync(`${path}.new`, planOf('Fill'));
        renameSync(`${path}.new`, path);
      },
    },
  ])
    test(`is read again after it ${how}`, () => {
      const { files, path, pass } = taken();
      change(path);
      expect(files.changed([A])).toEqual({ readings: [], lookAgainIn: REST });
      pass(REST);
      expect(namesIn(files)).toEqual([['Fill']]);
    });

  test('is read again though its size and its time are set back to what they were', () => {
    const all = resting();
    const { files, path, pass } = all;
    const setBack = (): void => utimesSync(path, 1_700_000_000, 1_700_000_000);
    setBack();
    const { size, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true });
    take(all);
    // The clock of a file system goes in steps; within one, no time differs.
    do {
      writeFileSync(path, planOf('Dug'));
      setBack();
    } while (lstatSync(path, { bigint: true }).ctimeNs === ctimeNs);
    expect(lstatSync(path, { bigint: true })).toMatchObject({ size, mtimeNs });
    files.changed([A]);
    pass(REST);
    expect(namesIn(files)).toEqual([['Dug']]);
  });

  test('while it is read is read again when it has come to rest', () => {
    const faulty = faultyDisk();
    const { files, path, pass } = rested(faulty.disk);
    faulty.before({ on: 'read', path: 'a.md' }, () => appendFileSync(path, taskOf(2, 'Fill')));
    expect(files.changed([A])).toEqual({ readings: [], lookAgainIn: REST });
    expect(files.changed([A])).toEqual({ readings: [], lookAgainIn: REST });
    pass(REST);
    expect(namesIn(files)).toEqual([['Dig', 'Fill']]);
  });

  test('after it was read and before it is taken is read again', () => {
    const { files, path, pass } = rested();
    expect(namesIn(files)).toEqual([['Dig']]);
    appendFileSync(path, taskOf(2, 'Fill'));
    files.taken(A);
    expect(files.changed([A])).toEqual({ readings: [], lookAgainIn: REST });
    pass(REST);
    expect(namesIn(files)).toEqual([['Dig', 'Fill']]);
  });

  test('does not keep another from being read', () => {
    const { files, folder, pass } = rested();
    writeFileSync(join(folder, 'b.md'), planOf('Saw'));
    const { readings, lookAgainIn } = files.changed([A, named('b.md')]);
    expect([readings.map(({ plan }) => plan), lookAgainIn]).toEqual([['a.md'], REST]);
    pass(REST);
    expect(files.changed([A, named('b.md')]).readings.map(({ plan }) => plan)).toEqual(['a.md', 'b.md']);
  });

  test('is gone when it has been away for 200 ms, and is read again when it is back', () => {
    const { files, path, pass } = taken();
    rmSync(path);
    expect(files.changed([A])).toEqual({ readings: [], lookAgainIn: REST });
    pass(REST);
    expect(files.changed([A]).readings).toEqual([{ plan: A, reading: { kind: 'missing' } }]);
    files.taken(A);
    expect(files.changed([A])).toEqual({ readings: [], lookAgainIn: undefined });
    writeFileSync(path, planOf('Dig'));
    files.changed([A]);
    pass(REST);
    expect(namesIn(files)).toEqual([['Dig']]);
  });

  // An editor that deletes and writes anew, and git when it changes branches, leave such a gap.
  test('is not gone while it is away for less than that', () => {
    const { files, path, pass } = taken();
    rmSync(path);
    files.changed([A]);
    pass(REST - 1);
    writeFileSync(path, planOf('Dig', 'Fill'));
    expect(files.changed([A]).readings).toEqual([]);
    pass(REST);
    expect(namesIn(files)).toEqual([['Dig', 'Fill']]);
  });

  test('and cannot be read for a moment is read when it can be', () => {
    const faulty = faultyDisk();
    const { files, pass } = rested(faulty.disk);
    faulty.fail({ on: 'open', path: 'a.md' }, 'EMFILE');
    const seen: PlanReading['kind'][] = [];
    for (let round = 0; round < 5; round++) {
      for (const { plan, reading } of files.changed([A]).readings) {
        seen.push(reading.kind);
        files.taken(plan);
      }
      pass(REST);
    }
    expect(seen.at(-1)).toBe('read');
  });
});

describe('a file that cannot be read', () => {
  for (const { what, says, make } of [
    { what: 'a folder', says: 'It is a folder, not a file.', make: (path: string) => mkdirSync(path) },
    {
      what: 'a symbolic link, also to a plan,',
      says: 'It is a symbolic link, not a file.',
      make: (path: string) => {
        writeFileSync(`${path}.md`, planOf('Dig'));
        symlinkSync(`${path}.md`, path);
      },
    },
    {
      what: 'a named pipe',
      says: 'It is a named pipe, not a file.',
      make: (path: string) => void spawnSync('mkfifo', [path]),
    },
    {
      what: 'larger than 16 MiB',
      says: 'It is larger than 16777216 bytes.',
      make: (path: string) => {
        writeFileSync(path, planOf('Dig'));
        truncateSync(path, 16 * 1024 * 1024 + 1);
      },
    },
    {
      what: 'not text',
      says: 'It is not text in UTF-8, or holds NUL bytes.',
      make: (path: string) => writeFileSync(path, Buffer.from([0x23, 0x20, 0xc3, 0x28])),
    },
    {
      what: 'text with NUL bytes',
      says: 'It is not text in UTF-8, or holds NUL bytes.',
      make: (path: string) => writeFileSync(path, planOf('Dig\0')),
    },
  ])
    test(`because it is ${what} says so`, () => {
      const path = join(temporaryFolder(), 'a.md');
      make(path);
      expect(readPlan(realDisk, path)).toEqual({
        kind: 'unusable',
        problems: [{ line: 1, column: 1, severity: 'error', code: 'unreadable', message: says }],
      });
    });

  test('because it is not there is missing, also when a file stands where its folder should be', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    for (const path of ['a.md', 'nowhere/a.md', 'file/a.md'])
      expect(readPlan(realDisk, join(folder, path)), path).toEqual({ kind: 'missing' });
  });

  test('because it goes away between looking and opening is missing', () => {
    const faulty = faultyDisk();
    const path = join(temporaryFolder(), 'a.md');
    writeFileSync(path, planOf('Dig'));
    faulty.before({ on: 'open', path: 'a.md' }, () => rmSync(path));
    expect(readPlan(faulty.disk, path)).toEqual({ kind: 'missing' });
  });

  needing('root', () => {
    test('because others may not read it says so, and is read when they may', () => {
      const { files, path, folder, pass } = taken();
      chmodSync(folder, 0o755);
      chmodSync(path, 0o000);
      asSomebody(() => {
        files.changed([A]);
        pass(REST);
        expect(files.changed([A]).readings).toMatchObject([
          { reading: { kind: 'unusable', problems: [{ message: 'It cannot be read (EACCES).' }] } },
        ]);
        files.taken(A);
      });
      chmodSync(path, 0o644);
      asSomebody(() => {
        files.changed([A]);
        pass(REST);
        expect(namesIn(files)).toEqual([['Dig']]);
      });
    });

    test('because others may not enter its folder says so, and lists no plans', () => {
      const { files, folder } = taken();
      chmodSync(folder, 0o700);
      asSomebody(() => {
        expect(files.read(A)).toMatchObject({ problems: [{ message: 'It cannot be read (EACCES).' }] });
        expect(files.list()).toEqual([]);
      });
    });
  });
});

/** Somebody without any rights; root may read everything. */
const SOMEBODY = 65_534;

function asSomebody(look: () => void): void {
  process.seteuid?.(SOMEBODY);
  try {
    look();
  } finally {
    process.seteuid?.(0);
  }
}

interface Resting {
  readonly folder: string;
  readonly path: string;
  readonly files: PlanFiles;
  /** Lets time go by. */
  readonly pass: (milliseconds: number) => void;
}

function filesIn(folder: string, disk: Disk = realDisk): Resting {
  let elapsed = 0;
  const clock: Clock = { now: () => new Date(elapsed), elapsed: () => elapsed };
  const pass = (milliseconds: number): void => {
    elapsed += milliseconds;
  };
  return { folder, path: join(folder, A), files: planFiles(disk, folder, clock), pass };
}

/** Files that were changed so many seconds ago. */
function plansIn(ages: Readonly<Record<string, number>>): Resting {
  const all = filesIn(temporaryFolder());
  for (const [name, age] of Object.entries(ages)) {
    const then = Date.now() / 1_000 - age;
    writeFileSync(join(all.folder, name), '');
    utimesSync(join(all.folder, name), then, then);
  }
  return all;
}

/** A plan with the task Dig that nobody has looked at yet. */
function resting(disk?: Disk): Resting {
  const all = filesIn(temporaryFolder(), disk);
  writeFileSync(all.path, planOf('Dig'));
  return all;
}

function rested(disk?: Disk): Resting {
  const all = resting(disk);
  all.files.changed([A]);
  all.pass(REST);
  return all;
}

function taken(): Resting {
  const all = resting();
  take(all);
  return all;
}

function take({ files, pass }: Resting): void {
  files.changed([A]);
  pass(REST);
  expect(namesIn(files)).toEqual([['Dig']]);
  files.taken(A);
}

/** The names of the tasks in each reading of a.md that is offered now. */
function namesIn(files: PlanFiles): readonly (readonly string[])[] {
  return files.changed([A]).readings.map(({ reading }) => {
    if (reading.kind !== 'read') throw new Error(`It is ${reading.kind}.`);
    return reading.outline.tasks.map(({ name }) => name);
  });
}
