// docs/plans on a real disk: which plans there are, what is read from them, and when.
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
import type { PlanFile } from '../../../src/plan/name.ts';
import { faultyDisk } from '../../support/faulty-disk.ts';
import { needing } from '../../support/needs.ts';
import { named, temporaryFolder } from '../../support/pieces.ts';
import { planOf, taskOf } from '../../support/plan-files.ts';

const A = named('a.md');
const REST = 200;

describe('the list of plans', () => {
  test('starts with the plan that changed last', () => {
    const { folder, files } = plansIn({ 'old.md': 300, 'new.md': 1, 'middle.md': 20 });
    expect(files.list()).toEqual(['new.md', 'middle.md', 'old.md']);
    utimesSync(join(folder, 'old.md'), new Date(), new Date());
    expect(files.list()).toEqual(['old.md', 'new.md', 'middle.md']);
  });

  test('leaves out folders, links, pipes and files with invalid names', () => {
    const { folder, files } = plansIn({ 'a.md': 1, 'plan-state.json': 1, '.hidden.md': 1, 'bad name.md': 1, md: 1 });
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0x2e, 0x6d, 0x64])]), '');
    mkdirSync(join(folder, 'folder.md'));
    symlinkSync('a.md', join(folder, 'link.md'));
    symlinkSync('nowhere.md', join(folder, 'dangling.md'));
    spawnSync('mkfifo', [join(folder, 'pipe.md')]);
    expect(files.list()).toEqual(['a.md']);
  });

  test('is empty if the folder is missing', () => {
    expect(filesIn(join(temporaryFolder(), 'docs', 'plans')).files.list()).toEqual([]);
  });
});

describe('a file that changes', () => {
  test('is read once it has not changed for 200 ms, not before', () => {
    const { files, pass } = resting();
    expect(files.changed([A])).toEqual({ readings: [], lookAgainIn: REST });
    pass(REST - 1);
    expect(files.changed([A])).toEqual({ readings: [], lookAgainIn: REST });
    pass(1);
    expect(namesIn(files)).toEqual([['Dig']]);
  });

  test('has to stay unchanged again after each change', () => {
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

  test('has to stay unchanged for 2 s if it has lost tasks', () => {
    const { files, pass } = resting();
    const isLoss = (plan: PlanFile, reading: PlanReading): boolean => plan === A && reading.kind === 'read';
    expect(files.changed([A], isLoss)).toEqual({ readings: [], lookAgainIn: REST });
    pass(REST);
    expect(files.changed([A], isLoss)).toEqual({ readings: [], lookAgainIn: 1_800 });
    pass(1_799);
    expect(files.changed([A], isLoss)).toEqual({ readings: [], lookAgainIn: 1 });
    pass(1);
    expect(files.changed([A], isLoss).readings).toMatchObject([{ plan: A, reading: { kind: 'read' } }]);
  });

  test('is fresh for 2 s to those who read it at once', () => {
    const { files, pass } = resting();
    pass(Date.now() + 1_000);
    expect(files.read(A)).toMatchObject({ kind: 'read', fresh: true });
    pass(9_000);
    expect(files.read(A)).not.toHaveProperty('fresh');
  });

  test('is offered until it is marked as handled', () => {
    const { files, pass } = rested();
    expect(namesIn(files)).toEqual([['Dig']]);
    expect(namesIn(files)).toEqual([['Dig']]);
    files.markHandled(A);
    pass(REST);
    expect(files.changed([A])).toEqual({ readings: [], lookAgainIn: undefined });
  });

  for (const { how, change } of [
    { how: 'was written again', change: (path: string) => writeFileSync(path, planOf('Fill')) },
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

  test('is read again even if its size and time are set back', () => {
    const all = resting();
    const { files, path, pass } = all;
    const setBack = (): void => utimesSync(path, 1_700_000_000, 1_700_000_000);
    setBack();
    const { size, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true });
    take(all);
    // The clock of a file system advances in steps, and two changes may share one.
    do {
      writeFileSync(path, planOf('Dug'));
      setBack();
    } while (lstatSync(path, { bigint: true }).ctimeNs === ctimeNs);
    expect(lstatSync(path, { bigint: true })).toMatchObject({ size, mtimeNs });
    files.changed([A]);
    pass(REST);
    expect(namesIn(files)).toEqual([['Dug']]);
  });

  test('while it is read is read again once it is unchanged', () => {
    const faulty = faultyDisk();
    const { files, path, pass } = rested(faulty.disk);
    faulty.before({ on: 'read', path: 'a.md' }, () => appendFileSync(path, taskOf(2, 'Fill')));
    expect(files.changed([A])).toEqual({ readings: [], lookAgainIn: REST });
    expect(files.changed([A])).toEqual({ readings: [], lookAgainIn: REST });
    pass(REST);
    expect(namesIn(files)).toEqual([['Dig', 'Fill']]);
  });

  test('between reading and handling is read again', () => {
    const { files, path, pass } = rested();
    expect(namesIn(files)).toEqual([['Dig']]);
    appendFileSync(path, taskOf(2, 'Fill'));
    files.markHandled(A);
    expect(files.changed([A])).toEqual({ readings: [], lookAgainIn: REST });
    pass(REST);
    expect(namesIn(files)).toEqual([['Dig', 'Fill']]);
  });

  test('does not delay another', () => {
    const { files, folder, pass } = rested();
    writeFileSync(join(folder, 'b.md'), planOf('Saw'));
    const { readings, lookAgainIn } = files.changed([A, named('b.md')]);
    expect([readings.map(({ plan }) => plan), lookAgainIn]).toEqual([['a.md'], REST]);
    pass(REST);
    expect(files.changed([A, named('b.md')]).readings.map(({ plan }) => plan)).toEqual(['a.md', 'b.md']);
  });

  test('is missing once it has been gone for 200 ms, and is read again when it is back', () => {
    const { files, path, pass } = taken();
    rmSync(path);
    expect(files.changed([A])).toEqual({ readings: [], lookAgainIn: REST });
    pass(REST);
    expect(files.changed([A]).readings).toEqual([{ plan: A, reading: { kind: 'missing' } }]);
    files.markHandled(A);
    expect(files.changed([A])).toEqual({ readings: [], lookAgainIn: undefined });
    writeFileSync(path, planOf('Dig'));
    files.changed([A]);
    pass(REST);
    expect(namesIn(files)).toEqual([['Dig']]);
  });

  // Editors that delete and rewrite a file, and git when it switches branches, leave such a gap.
  test('is not missing while it is gone for less than that', () => {
    const { files, path, pass } = taken();
    rmSync(path);
    files.changed([A]);
    pass(REST - 1);
    writeFileSync(path, planOf('Dig', 'Fill'));
    expect(files.changed([A]).readings).toEqual([]);
    pass(REST);
    expect(namesIn(files)).toEqual([['Dig', 'Fill']]);
  });

  test('and is unreadable for a moment is read as soon as possible', () => {
    const faulty = faultyDisk();
    const { files, pass } = rested(faulty.disk);
    faulty.fail({ on: 'open', path: 'a.md' }, 'EMFILE');
    const seen: PlanReading['kind'][] = [];
    for (let round = 0; round < 5; round++) {
      for (const { plan, reading } of files.changed([A]).readings) {
        seen.push(reading.kind);
        files.markHandled(plan);
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
      says: 'It is not UTF-8 text, or contains NUL bytes.',
      make: (path: string) => writeFileSync(path, Buffer.from([0x23, 0x20, 0xc3, 0x28])),
    },
    {
      what: 'text with NUL bytes',
      says: 'It is not UTF-8 text, or contains NUL bytes.',
      make: (path: string) => writeFileSync(path, planOf('Dig\0')),
    },
  ])
    test(`because it is ${what} is reported as such`, () => {
      const path = join(temporaryFolder(), 'a.md');
      make(path);
      expect(readPlan(realDisk, path)).toEqual({
        kind: 'unusable',
        problems: [{ line: 1, column: 1, severity: 'error', code: 'unreadable', message: says }],
      });
    });

  test('because it does not exist is missing, even if a file is in the place of its folder', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    for (const path of ['a.md', 'nowhere/a.md', 'file/a.md'])
      expect(readPlan(realDisk, join(folder, path)), path).toEqual({ kind: 'missing' });
  });

  test('because it disappears before it is opened is missing', () => {
    const faulty = faultyDisk();
    const path = join(temporaryFolder(), 'a.md');
    writeFileSync(path, planOf('Dig'));
    faulty.before({ on: 'open', path: 'a.md' }, () => rmSync(path));
    expect(readPlan(faulty.disk, path)).toEqual({ kind: 'missing' });
  });

  needing('root', () => {
    test('because of its permissions is reported, and is read once they allow it', () => {
      const { files, path, folder, pass } = taken();
      chmodSync(folder, 0o755);
      chmodSync(path, 0o000);
      asSomebody(() => {
        files.changed([A]);
        pass(REST);
        expect(files.changed([A]).readings).toMatchObject([
          { reading: { kind: 'unusable', problems: [{ message: 'It cannot be read (EACCES).' }] } },
        ]);
        files.markHandled(A);
      });
      chmodSync(path, 0o644);
      asSomebody(() => {
        files.changed([A]);
        pass(REST);
        expect(namesIn(files)).toEqual([['Dig']]);
      });
    });

    test('because of the permissions of its folder is reported, and no plans are listed', () => {
      const { files, folder } = taken();
      chmodSync(folder, 0o700);
      asSomebody(() => {
        expect(files.read(A)).toMatchObject({ problems: [{ message: 'It cannot be read (EACCES).' }] });
        expect(files.list()).toEqual([]);
      });
    });
  });
});

/** A user without any rights; root may read everything. */
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
  /** Advances the clock. */
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

/** Files that changed this many seconds ago. */
function plansIn(ages: Readonly<Record<string, number>>): Resting {
  const all = filesIn(temporaryFolder());
  for (const [name, age] of Object.entries(ages)) {
    const then = Date.now() / 1_000 - age;
    writeFileSync(join(all.folder, name), '');
    utimesSync(join(all.folder, name), then, then);
  }
  return all;
}

/** A plan with the task Dig that has not been read yet. */
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
  files.markHandled(A);
}

/** The names of the tasks in each reading of a.md that is offered now. */
function namesIn(files: PlanFiles): readonly (readonly string[])[] {
  return files.changed([A]).readings.map(({ reading }) => {
    if (reading.kind !== 'read') throw new Error(`It is ${reading.kind}.`);
    return reading.outline.tasks.map(({ name }) => name);
  });
}
