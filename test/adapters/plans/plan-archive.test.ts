// The archive on disk: complete after a crash at any operation, and nothing overwritten.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planningFiles } from '../../../src/adapters/plans/planning-files.ts';
import { disk } from '../../../src/adapters/system/disk.ts';
import type { Disk } from '../../../src/core/ports/disk.ts';
import type { PlanningFolder } from '../../../src/core/ports/planning-files.ts';
import { contentsOf, named, temporaryFolder } from '../../support/pieces.ts';

const PLAN = named('search.md');
const WORKSHOP: PlanningFolder = {
  files: new Map([
    ['brief.md', 'Search.\n'],
    ['meeting.jsonl', '{}\n'],
  ]),
  wasWritten: () => true,
};

/** A plan with its file, an unfinished folder of its workshop, and a note of the person's own in there. */
function plans(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'search', 'planning'), { recursive: true });
  writeFileSync(join(folder, 'search.md'), '# Search\n');
  writeFileSync(join(folder, 'search', 'planning', 'brief.md'), 'Search.\n');
  writeFileSync(join(folder, 'search', 'note.txt'), 'mine');
  return folder;
}

function below(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...contentsOf(folder)].map(([path, text]) => [path.slice(folder.length + 1), text]));
}

const ARCHIVED = {
  'archive/search/note.txt': 'mine',
  'archive/search/planning/brief.md': 'Search.\n',
  'archive/search/planning/meeting.jsonl': '{}\n',
  'archive/search/search.md': '# Search\n',
};

const BACK = {
  'search.md': '# Search\n',
  'search/note.txt': 'mine',
  'search/planning/brief.md': 'Search.\n',
  'search/planning/meeting.jsonl': '{}\n',
};

class Crash extends Error {}

/** Ends at the operation with this number, before it happens. */
function crashingAt(number: number): Disk {
  let left = number;
  return new Proxy(disk, {
    get: (target, name, receiver) => {
      const method = Reflect.get(target, name, receiver);
      return (...given: readonly unknown[]) => {
        if (left-- === 0) throw new Crash();
        return method(...given);
      };
    },
  });
}

/** Does the same on fresh folders, with a crash before each operation in turn, and then again. */
function withCrashes(prepare: () => string, act: (disk: Disk, folder: string) => void, expected: object): number {
  for (let number = 0; ; number++) {
    const folder = prepare();
    try {
      act(crashingAt(number), folder);
      return number;
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
    act(disk, folder);
    act(disk, folder);
    expect(below(folder), `crash before operation ${number}`).toEqual(expected);
  }
}

function archive(on: Disk, folder: string): void {
  planningFiles(on, folder).archive(PLAN, WORKSHOP);
}

function archivedPlans(): string {
  const folder = plans();
  archive(disk, folder);
  return folder;
}

test('a plan is archived with everything in its folder, whatever operation a crash comes before', () => {
  expect(below(archivedPlans())).toEqual(ARCHIVED);
  expect(withCrashes(plans, archive, ARCHIVED)).toBeGreaterThan(10);
});

test('it comes back the same way', () => {
  const unarchive = (on: Disk, folder: string): void => {
    expect(planningFiles(on, folder).unarchive(PLAN)).toBeUndefined();
  };
  expect(withCrashes(archivedPlans, unarchive, BACK)).toBeGreaterThan(5);
});

test('a plan without a workshop is archived and comes back', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'search.md'), '# Search\n');
  planningFiles(disk, folder).archive(PLAN, undefined);
  expect(below(folder)).toEqual({ 'archive/search/search.md': '# Search\n' });
  expect(planningFiles(disk, folder).unarchive(PLAN)).toBeUndefined();
  expect(below(folder)).toEqual({ 'search.md': '# Search\n' });
  planningFiles(disk, folder).archive(PLAN, undefined);
  expect(below(folder)).toEqual({ 'archive/search/search.md': '# Search\n' });
});

test('what is in the archive under this name already is not overwritten', () => {
  const folder = plans();
  mkdirSync(join(folder, 'archive', 'search'), { recursive: true });
  writeFileSync(join(folder, 'archive', 'search', 'search.md'), 'an older one');
  archive(disk, folder);
  expect(readFileSync(join(folder, 'archive', 'search', 'search.md'), 'utf8')).toBe('an older one');
  expect(readFileSync(join(folder, 'archive', 'search', 'search.md-1'), 'utf8')).toBe('# Search\n');
  expect(readFileSync(join(folder, 'archive', 'search', 'search', 'note.txt'), 'utf8')).toBe('mine');
  expect(existsSync(join(folder, 'search'))).toBe(false);
});

test('what has taken the place of an archived plan is not overwritten', () => {
  const folder = archivedPlans();
  writeFileSync(join(folder, 'search.md'), 'another one');
  expect(planningFiles(disk, folder).unarchive(PLAN)).toContain('something else has its name');
  expect(below(folder)).toEqual({ ...ARCHIVED, 'search.md': 'another one' });
});
