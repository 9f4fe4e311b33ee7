// The files of a workshop on a real disk: whole after any crash, made again byte for byte, and nobody's edit is lost.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planningFiles } from '../../../src/adapters/plans/planning-files.ts';
import { disk } from '../../../src/adapters/system/disk.ts';
import { planningFolder } from '../../../src/core/files/planning-folder.ts';
import { Failure } from '../../../src/core/model/failure.ts';
import type { World } from '../../../src/core/model/world.ts';
import type { PlanningFolder } from '../../../src/core/ports/planning-files.ts';
import { projectPlan } from '../../../src/workshop/project-plan.ts';
import { faultyDisk, type Operation } from '../../support/faulty-disk.ts';
import { temporaryFolder } from '../../support/pieces.ts';
import { settled } from '../../support/runs.ts';
import {
  afterRounds,
  approve,
  changing,
  READY,
  redo,
  STRUCTURED,
  structured,
  workshopAt,
  workshopIn,
} from '../../support/workshop.ts';
import { PLAN } from '../../support/world.ts';

const STRUCTURED_FILES = ['plan.files.json', 'plan.md', 'planning.ai.json'];

/** The worlds of one workshop, one after the other: two plans, the first of them sent back. */
const FIRST_ROUND = workshopAt('workshop');
const FIRST_PLAN = afterRounds(FIRST_ROUND, READY, STRUCTURED);
const SENT_BACK = settled(FIRST_PLAN, redo('smaller'));
const SECOND_PLAN = afterRounds(SENT_BACK, changing(2), READY, structured('Smaller'));

const folders = new Map<World, PlanningFolder>();

function folderOf(world: World): PlanningFolder {
  const folder = folders.get(world) ?? planningFolder(workshopIn(world));
  folders.set(world, folder);
  return folder;
}

interface Place {
  readonly plans: string;
  readonly planning: string;
}

function place(): Place {
  const plans = temporaryFolder();
  return { plans, planning: join(plans, 'x', 'planning') };
}

/** Everything below the folder, apart from what is kept of edits. */
function contents(folder: string): ReadonlyMap<string, string> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = found.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)).sort();
  return new Map(
    paths.filter((path) => !path.startsWith('edited/')).map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  );
}

function kept(folder: string): readonly string[] {
  const edited = join(folder, 'edited');
  return existsSync(edited) ? readdirSync(edited).map((name) => readFileSync(join(edited, name), 'utf8')) : [];
}

function sorted(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...files].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

describe('the files of a workshop', () => {
  test('are the brief and the transcript until there is a plan', () => {
    const { plans, planning } = place();
    expect(planningFiles(disk, plans).write(PLAN, folderOf(FIRST_ROUND))).toEqual([]);
    expect([...contents(planning).keys()]).toEqual(['brief.md', 'meeting.jsonl']);
    expect(contents(planning).get('brief.md')).toBe('Notes can be searched.\n');
  });

  test('have all three artifacts of a plan that is ready for review', () => {
    const { plans, planning } = place();
    planningFiles(disk, plans).write(PLAN, folderOf(FIRST_PLAN));
    expect(contents(planning)).toEqual(sorted(folderOf(FIRST_PLAN).files));
    expect([...contents(planning).keys()]).toEqual(expect.arrayContaining(STRUCTURED_FILES));
    expect(contents(planning).get('plan.md')).toBe(projectPlan(STRUCTURED));
  });

  test('lose the artifacts with a redo, which keeps them as a version', () => {
    const { plans, planning } = place();
    const files = planningFiles(disk, plans);
    files.write(PLAN, folderOf(FIRST_PLAN));
    const before = contents(planning);
    expect(files.write(PLAN, folderOf(SENT_BACK))).toEqual([]);
    const after = contents(planning);
    for (const name of STRUCTURED_FILES) {
      expect(after.has(name)).toBe(false);
      expect(after.get(`versions/v1/${name}`)).toBe(before.get(name));
    }
    expect(kept(planning)).toEqual([]);
  });

  test('keep each version under its number, also where there was no plan in between', () => {
    const { plans, planning } = place();
    const twice = settled(SENT_BACK, redo());
    const world = settled(afterRounds(twice, READY, structured('Third')), redo());
    planningFiles(disk, plans).write(PLAN, folderOf(world));
    expect(readdirSync(join(planning, 'versions')).sort()).toEqual(['v1', 'v3']);
    expect(readFileSync(join(planning, 'versions/v3/plan.md'), 'utf8')).toContain('Third');
  });

  test('are made again byte for byte when they were deleted', () => {
    const { plans, planning } = place();
    const files = planningFiles(disk, plans);
    files.write(PLAN, folderOf(SECOND_PLAN));
    const before = contents(planning);
    for (const name of before.keys()) {
      rmSync(join(planning, name));
      expect(files.write(PLAN, folderOf(SECOND_PLAN))).toEqual([]);
      expect(contents(planning)).toEqual(before);
    }
    rmSync(planning, { recursive: true });
    files.write(PLAN, folderOf(SECOND_PLAN));
    expect(contents(planning)).toEqual(before);
  });

  test('grow: what was written of the transcript stays its beginning', () => {
    const { plans, planning } = place();
    const files = planningFiles(disk, plans);
    let before = '';
    for (const world of [FIRST_ROUND, FIRST_PLAN, SENT_BACK, SECOND_PLAN, settled(SECOND_PLAN, approve())]) {
      expect(files.write(PLAN, folderOf(world))).toEqual([]);
      const now = readFileSync(join(planning, 'meeting.jsonl'), 'utf8');
      expect(now.startsWith(before) && now.length > before.length).toBe(true);
      before = now;
    }
  });

  test('that are as they should be are not touched', () => {
    const { plans } = place();
    const { disk: watched, calls } = faultyDisk();
    const files = planningFiles(watched, plans);
    files.write(PLAN, folderOf(SENT_BACK));
    const first = calls.length;
    files.write(PLAN, folderOf(SENT_BACK));
    const changing: readonly Operation[] = ['write', 'rename', 'remove', 'makeFolder', 'sync', 'syncFolder'];
    expect(calls.slice(first).filter(({ on }) => changing.includes(on))).toEqual([]);
  });
});

describe('an edit', () => {
  const names = [...folderOf(SECOND_PLAN).files.keys()];

  test.each(names)('of %s is moved aside and named, and the file is written again', (name) => {
    const { plans, planning } = place();
    const files = planningFiles(disk, plans);
    files.write(PLAN, folderOf(SECOND_PLAN));
    const before = contents(planning);
    for (const text of ['mine', 'mine too']) {
      writeFileSync(join(planning, name), text);
      const [note, ...others] = files.write(PLAN, folderOf(SECOND_PLAN));
      expect(others).toEqual([]);
      expect(note).toContain(`${join(planning, name)} was edited.`);
      expect(contents(planning)).toEqual(before);
    }
    expect(kept(planning)).toEqual(['mine', 'mine too']);
  });

  test('of an artifact that a redo removes is kept', () => {
    const { plans, planning } = place();
    const files = planningFiles(disk, plans);
    files.write(PLAN, folderOf(FIRST_PLAN));
    writeFileSync(join(planning, 'plan.md'), 'mine');
    expect(files.write(PLAN, folderOf(SENT_BACK))).toHaveLength(1);
    expect(kept(planning)).toEqual(['mine']);
    expect(existsSync(join(planning, 'plan.md'))).toBe(false);
  });

  test('of the transcript is kept, also one that only cuts off or adds lines', () => {
    const { plans, planning } = place();
    const files = planningFiles(disk, plans);
    files.write(PLAN, folderOf(FIRST_PLAN));
    const path = join(planning, 'meeting.jsonl');
    const whole = readFileSync(path, 'utf8');
    writeFileSync(path, `${whole}{"ts":"now"}\n`);
    expect(files.write(PLAN, folderOf(FIRST_PLAN))).toHaveLength(1);
    expect(readFileSync(path, 'utf8')).toBe(whole);
    expect(kept(planning)).toEqual([`${whole}{"ts":"now"}\n`]);
    // The beginning of the transcript is what an earlier cadre wrote, so nothing is lost with it.
    writeFileSync(path, whole.slice(0, whole.indexOf('\n') + 1));
    expect(files.write(PLAN, folderOf(FIRST_PLAN))).toEqual([]);
    expect(readFileSync(path, 'utf8')).toBe(whole);
  });
});

describe('a published plan', () => {
  const text = projectPlan(STRUCTURED);

  test('is the plan file, and publishing it again changes nothing', () => {
    const { plans } = place();
    const files = planningFiles(disk, plans);
    expect(files.published(PLAN)).toBeNull();
    expect(files.publish(PLAN, text, null)).toBeUndefined();
    expect(files.published(PLAN)).toBe(text);
    expect(files.publish(PLAN, text, null)).toBeUndefined();
  });

  test('replaces what the person agreed to replace, and keeps anything else', () => {
    const { plans, planning } = place();
    const files = planningFiles(disk, plans);
    writeFileSync(join(plans, PLAN), 'old');
    expect(files.publish(PLAN, text, 'old')).toBeUndefined();
    expect(kept(planning)).toEqual([]);
    writeFileSync(join(plans, PLAN), 'written meanwhile');
    const where = files.publish(PLAN, text, 'old');
    expect(readFileSync(where ?? '', 'utf8')).toBe('written meanwhile');
    expect(files.published(PLAN)).toBe(text);
  });
});

/** Every operation that the work takes, and all after it, fail: as if the process had died there. */
function dyingAtEach(work: (faulty: ReturnType<typeof faultyDisk>) => void, each: (again: () => void) => void): number {
  const clean = faultyDisk();
  work(clean);
  const seen = new Map<Operation, number>();
  const places = clean.calls.map(({ on }) => {
    seen.set(on, (seen.get(on) ?? 0) + 1);
    return { on, nth: seen.get(on) ?? 0 };
  });
  for (const at of places) {
    const faulty = faultyDisk();
    faulty.before(at, () => {
      for (const on of seen.keys()) faulty.fail({ on, forGood: true }, 'EIO');
    });
    faulty.fail(at, 'EIO');
    each(() => {
      try {
        work(faulty);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
      }
    });
  }
  return places.length;
}

describe('a crash at any operation', () => {
  const steps: readonly (readonly [string, World, World])[] = [
    ['of a plan', FIRST_ROUND, FIRST_PLAN],
    ['of a redo', FIRST_PLAN, SENT_BACK],
    ['of another plan', SENT_BACK, SECOND_PLAN],
  ];

  test.each(steps)('%s leaves every file whole, and the next write completes them', (_name, from, to) => {
    let plans = '';
    const work = ({ disk: faulty }: ReturnType<typeof faultyDisk>): void => {
      planningFiles(faulty, plans).write(PLAN, folderOf(to));
    };
    const start = (): Place => {
      const here = place();
      plans = here.plans;
      planningFiles(disk, plans).write(PLAN, folderOf(from));
      return here;
    };
    start();
    const tried = dyingAtEach(work, (again) => {
      const { planning } = start();
      again();
      const known = [folderOf(from).files, folderOf(to).files];
      for (const [name, text] of contents(planning))
        if (!name.endsWith('.tmp')) expect(known.map((files) => files.get(name))).toContain(text);
      expect(planningFiles(disk, plans).write(PLAN, folderOf(to))).toEqual([]);
      expect(contents(planning)).toEqual(sorted(folderOf(to).files));
      expect(kept(planning)).toEqual([]);
    });
    expect(tried).toBeGreaterThan(10);
  });

  test('while an edit is moved aside loses no edit', () => {
    let plans = '';
    const start = (): Place => {
      const here = place();
      plans = here.plans;
      planningFiles(disk, plans).write(PLAN, folderOf(FIRST_PLAN));
      for (const name of ['plan.md', 'meeting.jsonl']) writeFileSync(join(here.planning, name), `my ${name}`);
      return here;
    };
    start();
    const work = ({ disk: faulty }: ReturnType<typeof faultyDisk>): void => {
      planningFiles(faulty, plans).write(PLAN, folderOf(SENT_BACK));
    };
    dyingAtEach(work, (again) => {
      const { planning } = start();
      again();
      planningFiles(disk, plans).write(PLAN, folderOf(SENT_BACK));
      expect(kept(planning).toSorted()).toEqual(['my meeting.jsonl', 'my plan.md']);
      expect(contents(planning)).toEqual(sorted(folderOf(SENT_BACK).files));
    });
  });

  test('while a plan is published leaves the file before or the plan, and no edit is lost', () => {
    const text = projectPlan(STRUCTURED);
    for (const [found, replaces] of [
      ['old', 'old'],
      ['mine', 'old'],
    ] as const) {
      let plans = '';
      const start = (): Place => {
        const here = place();
        plans = here.plans;
        writeFileSync(join(plans, PLAN), found);
        return here;
      };
      start();
      const work = ({ disk: faulty }: ReturnType<typeof faultyDisk>): void => {
        planningFiles(faulty, plans).publish(PLAN, text, replaces);
      };
      dyingAtEach(work, (again) => {
        const { planning } = start();
        again();
        expect([found, text, null]).toContain(planningFiles(disk, plans).published(PLAN));
        planningFiles(disk, plans).publish(PLAN, text, replaces);
        expect(planningFiles(disk, plans).published(PLAN)).toBe(text);
        expect(kept(planning)).toEqual(found === replaces ? [] : ['mine']);
      });
    }
  });
});

test('what is in the way is named', () => {
  const { plans, planning } = place();
  mkdirSync(dirname(planning), { recursive: true });
  writeFileSync(planning, 'a file');
  const files = planningFiles(disk, plans);
  expect(() => files.write(PLAN, folderOf(FIRST_ROUND))).toThrow(
    `Could not write ${planning}. A file is where a folder should be. Move it away, then try again.`,
  );
  mkdirSync(join(plans, PLAN));
  expect(() => files.publish(PLAN, 'text', null)).toThrow(`Could not write ${join(plans, PLAN)}.`);
});
