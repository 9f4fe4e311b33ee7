// The engine keeps the files of workshops equal to the journal, and is not held up by files that it cannot write.
import { expect, test } from 'vitest';
import { planningFolder } from '../../src/core/files/planning-folder.ts';
import { Failure } from '../../src/core/model/failure.ts';
import type { World } from '../../src/core/model/world.ts';
import type { PlanningFiles, PlanningFolder } from '../../src/core/ports/planning-files.ts';
import { planningWriter } from '../../src/engine/planning.ts';
import { settled } from '../support/runs.ts';
import { afterRounds, approve, changing, opens, workshopAt, workshopIn } from '../support/workshop.ts';
import { PLAN, USER, worldWith } from '../support/world.ts';

interface Written {
  readonly plan: string;
  readonly files: PlanningFolder['files'];
}

function recording(answer: (plan: string) => readonly string[] = () => []): PlanningFiles & { written: Written[] } {
  const written: Written[] = [];
  return {
    written,
    write(plan, { files }) {
      written.push({ plan, files });
      return answer(plan);
    },
    published: () => null,
    archive: () => undefined,
    unarchive: () => undefined,
    publish: () => undefined,
  };
}

/** The plans whose files were written since the last question. */
function plansIn({ written }: { readonly written: Written[] }): readonly string[] {
  return written.splice(0).map(({ plan }) => plan);
}

const PLANNED = workshopAt('workshop');
const APPROVED = settled(workshopAt('review_ready'), approve());

test('writes what the journal says, and nothing for a plan without a workshop', () => {
  const files = recording();
  planningWriter(files)(worldWith('planning'));
  expect(files.written).toEqual([]);
  planningWriter(files)(PLANNED);
  expect(files.written).toEqual([{ plan: PLAN, files: planningFolder(workshopIn(PLANNED)).files }]);
});

test('looks at the files of a plan in planning in every round, because somebody may have changed them', () => {
  const files = recording();
  const write = planningWriter(files);
  for (let round = 0; round < 3; round++) write(PLANNED);
  expect(plansIn(files)).toEqual([PLAN, PLAN, PLAN]);
});

test('writes the files of any other plan once, and again when the journal changes them', () => {
  const files = recording();
  const write = planningWriter(files);
  for (let round = 0; round < 3; round++) write(APPROVED);
  expect(plansIn(files)).toEqual([PLAN]);
  const again = settled(APPROVED, { kind: 'move', plan: PLAN, event: 'plan_start', by: USER });
  for (let round = 0; round < 2; round++) write(again);
  expect(plansIn(files)).toEqual([PLAN, PLAN]);
});

test('follows every round', () => {
  const files = recording();
  const write = planningWriter(files);
  write(PLANNED);
  const next = afterRounds(PLANNED, changing(2));
  write(next);
  expect(files.written.at(-1)?.files).toEqual(planningFolder(workshopIn(next)).files);
  expect(files.written).toHaveLength(2);
});

test('passes on what a person should know', () => {
  expect(planningWriter(recording(() => ['plan.md was edited.']))(PLANNED)).toEqual(['plan.md was edited.']);
});

test('where files cannot be written it says so, writes those of other plans, and tries again', () => {
  const two: World = settled(PLANNED, opens('y.md'));
  let fails = true;
  const files = recording((plan) => {
    if (plan === PLAN && fails) throw new Failure('environment', 'EISDIR', 'Could not write it.');
    return [];
  });
  const write = planningWriter(files);
  expect(write(two)).toEqual(['Could not write it. The workshop of x.md continues without its files.']);
  expect(plansIn(files)).toEqual([PLAN, 'y.md']);
  fails = false;
  expect(write(two)).toEqual([]);
  expect(plansIn(files)).toEqual([PLAN, 'y.md']);
});

test('a bug is not mistaken for a full disk', () => {
  const files = recording(() => {
    throw new TypeError('a bug');
  });
  expect(() => planningWriter(files)(PLANNED)).toThrow('a bug');
});
