// A plan that is exported and imported again has the same tasks, and they wait for the same tasks as far as the format can
// say so. Where it cannot, they wait for more, never for less.
//
// The formats cannot express the following, so these plans do not contain it: names that are empty, longer than a heading,
// end in a full stop or in "(depends on T1)", and dependencies on later tasks.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DIALECT_NAMES, type DialectName, PLAN_PARTS } from '../../../src/plan/foreign/dialect.ts';
import { DIALECTS, dialectOf } from '../../../src/plan/foreign/dialects.ts';
import { foreignFile } from '../../../src/plan/foreign/entries.ts';
import { importPlan } from '../../../src/plan/foreign/import-plan.ts';
import { exportPlan } from '../../../src/plan/foreign/list-of-plan.ts';
import { asOneLine, shortName } from '../../../src/plan/foreign/one-line.ts';
import { parse } from '../../../src/plan/parse.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import { project } from '../../../src/plan/project.ts';
import { foreignLine } from '../../support/foreign-texts.ts';
import { tasksOf } from '../../support/plan-texts.ts';

const line = foreignLine.map((text) => asOneLine(text.replace(/\*{2,}/g, '')));
const name = line.filter((text) => text !== '' && shortName(text) === text && !/paral|\)[.\s]*$|^~~/.test(text));
const phaseNames = fc.constantFrom(
  'Setup',
  'User story 1 (P1)',
  'Ofen & Teig',
  'パン',
  'Polish: the rest',
  'A `code` name',
  'Definition of Done',
);
const drafts = fc.record({
  name,
  waits: fc.option(fc.uniqueArray(fc.nat({ max: 20 }), { maxLength: 3 }), { freq: 2 }),
  steps: fc.array(name, { maxLength: 3 }),
  files: fc.uniqueArray(fc.constantFrom('src/a.ts', 'src/b.ts', 'test/c.test.ts'), { maxLength: 2 }),
});
const phases = fc.array(
  fc.record({ name: phaseNames, parallel: fc.boolean(), tasks: fc.array(drafts, { minLength: 1, maxLength: 4 }) }),
  {
    minLength: 1,
    maxLength: 4,
  },
);

/** A plan as a person would write it. Tasks depend only on earlier ones. */
const plans: fc.Arbitrary<Plan> = fc.tuple(phases, fc.boolean()).map(([drawn, isUnnamed]) => {
  let last = 0;
  const said = { commitMessage: null, interfaces: null, profile: null, testFirst: false };
  const place = { rawText: '', line: 0, start: 0, ...said };
  const plan: Plan = {
    ...{ filePath: '', title: 'House', goal: 'Live in it', architecture: null, techStack: null, constraints: null },
    phases: (isUnnamed ? drawn.slice(0, 1) : drawn).map((phase, index) => ({
      number: isUnnamed ? 0 : index + 1,
      name: isUnnamed ? '' : phase.name,
      parallel: !isUnnamed && phase.parallel,
      line: 0,
      tasks: phase.tasks.map((draft) => {
        const number = ++last;
        const earlier = (draft.waits ?? []).filter((one) => one >= 1 && one < number).map(String);
        return {
          ...{ ...place, number, written: `${number}`, address: `${number}`, name: draft.name },
          dependsOn: draft.waits === null ? null : earlier,
          files: draft.files.map((path) => ({ action: 'modify' as const, path, lines: null, line: 0 })),
          steps: draft.steps.map((description, at) => {
            return { number: at + 1, description, command: null, expected: null, line: 0 };
          }),
        };
      }),
    })),
  };
  return parse(project(plan)).plan;
});

function again(plan: Plan, dialect: DialectName, done: ReadonlySet<string> = new Set()): Plan {
  const { text } = exportPlan({ plan, done }, DIALECTS[dialect]);
  const made = importPlan({ text, path: 'tasks.md', dialect, all: true, companions: [] });
  if (made.kind === 'refused') throw new Error(`${made.why}\n${text}`);
  return parse(made.text).plan;
}

/** For each task, in order, the tasks that are done before it can start. */
function waitsFor(plan: Plan): readonly ReadonlySet<number>[] {
  const all: Set<number>[] = [];
  const index = new Map(tasksOf(plan).map(({ address }, at) => [address, at]));
  for (const phase of plan.phases) {
    const start = all.length;
    for (const { dependsOn } of phase.tasks) {
      const before = phase.parallel ? start : all.length;
      const direct =
        dependsOn?.map((address) => index.get(address) ?? 0) ?? Array.from({ length: before }, (_, at) => at);
      all.push(new Set(direct.flatMap((at) => [at, ...(all[at] ?? [])])));
    }
  }
  return all;
}

/** Whether the format has everything that the order of this plan is made of. */
function canCarry(plan: Plan, dialect: DialectName): boolean {
  const { carries } = DIALECTS[dialect];
  const hasDependencies = tasksOf(plan).some(({ dependsOn }) => dependsOn !== null);
  const shares = again(plan, dialect).phases.some(({ tasks }) => {
    const files = tasks.flatMap((task) => task.files.map(({ path }) => path));
    return new Set(files).size < files.length;
  });
  // Where nothing depends on anything, the order of the file counts.
  // A format without dependencies says "parallel" of single tasks, which counts only where no file is shared.
  if (carries.dependencies) return waitsFor(plan).some((waits) => waits.size > 0);
  return (
    !hasDependencies &&
    (carries.parallel ? !shares : plan.phases.every((phase) => !phase.parallel || phase.tasks.length < 2))
  );
}

describe.each(DIALECT_NAMES)('%s', { timeout: 120_000 }, (dialect) => {
  test('keeps the names of tasks and steps', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const names = (one: Plan) =>
          tasksOf(one).map((task) => [task.name, ...task.steps.map((step) => step.description)]);
        expect(names(again(plan, dialect))).toEqual(names(plan));
      }),
      { numRuns: 150 },
    );
  });

  test('is recognized as what it is, or as another list with the same tasks', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const { text } = exportPlan({ plan, done: new Set() }, DIALECTS[dialect]);
        expect(dialectOf(foreignFile(text))).toBe(dialect);
      }),
      { numRuns: 60 },
    );
  });

  test('keeps what waits for what if it can say so, and else makes tasks wait for more', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const [before, after] = [waitsFor(plan), waitsFor(again(plan, dialect))];
        if (canCarry(plan, dialect)) expect(after).toEqual(before);
        else
          for (const [at, waits] of before.entries())
            expect([...(after[at] ?? [])]).toEqual(expect.arrayContaining([...waits]));
      }),
      { numRuns: 100 },
    );
  });

  test('keeps the paths of files', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const paths = (one: Plan) => tasksOf(one).map((task) => new Set(task.files.map(({ path }) => path)));
        const found = paths(again(plan, dialect));
        for (const [at, own] of paths(plan).entries())
          expect([...(found[at] ?? [])]).toEqual(expect.arrayContaining([...own]));
      }),
      { numRuns: 60 },
    );
  });

  test('checks off what is done, which an import leaves out', () => {
    fc.assert(
      fc.property(plans, fc.uniqueArray(fc.nat({ max: 16 })), (plan, chosen) => {
        const tasks = tasksOf(plan);
        const done = new Set(tasks.filter((_, at) => chosen.includes(at)).map(({ address }) => address));
        const { text, ...counts } = exportPlan({ plan, done }, DIALECTS[dialect]);
        expect(counts).toMatchObject({ tasks: tasks.length, done: done.size });
        const made = importPlan({ text, path: 'tasks.md', dialect, all: false, companions: [] });
        if (done.size === tasks.length) expect(made).toMatchObject({ kind: 'refused', code: 'all-done' });
        else expect(made).toMatchObject({ tasks: tasks.length - done.size, leftOut: { done: done.size } });
      }),
      { numRuns: 100 },
    );
  });
});

test.each(DIALECT_NAMES.filter((dialect) => DIALECTS[dialect].carries.phases))(
  '%s keeps the names of phases, if there are several',
  { timeout: 60_000 },
  (dialect) => {
    fc.assert(
      fc.property(
        plans.filter((plan) => plan.phases.length > 1),
        (plan) => {
          expect(again(plan, dialect).phases.map((phase) => phase.name)).toEqual(
            plan.phases.map((phase) => phase.name),
          );
        },
      ),
      { numRuns: 60 },
    );
  },
);

describe('what a format cannot express', () => {
  const text =
    '# House\n\n## Phase 1: Walls (parallel)\n\n### Task 1: A\n\n### Task 2: B\n\n## Phase 2: Roof\n\n### Task 3: C\n\n**Depends on:** 1\n';
  const { plan } = parse(text);

  test.each(DIALECT_NAMES)('%s: is said, part by part', (dialect) => {
    const { remarks } = exportPlan({ plan, done: new Set() }, DIALECTS[dialect]);
    const lost = PLAN_PARTS.filter((part) => !DIALECTS[dialect].carries[part]);
    expect(remarks).toHaveLength(lost.length);
    for (const remark of remarks) expect(remark).toMatch(/^[\w -]+ cannot express .*\.$/);
  });

  test('is not mentioned where the plan does not have it', () => {
    const plain = parse('# House\n\n### Task 1: A\n\n### Task 2: B\n').plan;
    for (const dialect of DIALECT_NAMES)
      expect(exportPlan({ plan: plain, done: new Set() }, DIALECTS[dialect]).remarks).toEqual([]);
  });
});

test('a task that depends on a later one is named where only the order of the file counts', () => {
  const { plan } = parse('# House\n\n### Task 1: A\n\n**Depends on:** 2\n\n### Task 2: B\n\n**Depends on:** none\n');
  expect(exportPlan({ plan, done: new Set() }, DIALECTS.kiro).remarks).toContain(
    'Some tasks depend on later ones and now come before them: task 1.',
  );
  expect(exportPlan({ plan, done: new Set() }, DIALECTS['task-master']).remarks).toEqual([]);
});

test('docs/plan-files.md has the same table of what each format can express', () => {
  const page = readFileSync('docs/plan-files.md', 'utf8');
  for (const dialect of DIALECT_NAMES) {
    const words = PLAN_PARTS.map((part) => (DIALECTS[dialect].carries[part] ? 'yes' : 'no'));
    expect(page).toContain(`\n| \`${dialect}\` | ${words.join(' | ')} |\n`);
  }
});

test('a task keeps its text, without what the format says in its own way', () => {
  const { plan } = parse(
    '# House\n\n### Task 1: Dig\n\n**Depends on:** none\n\n**Files:**\n- Create: `hole.ts`\n\n**Source:** T9\n\n> Deep enough.\n\n**Step 1:** Measure\n\nRun: `ruler`\n',
  );
  expect(exportPlan({ plan, done: new Set(['1']) }, DIALECTS['spec-kit']).text).toBe(
    '# Tasks: House\n\n- [x] T001 [P] Dig\n  - Files: `hole.ts`\n  > Deep enough.\n  - [x] Measure\n    > Run: `ruler`\n',
  );
});

test.each(DIALECT_NAMES)('%s keeps the marks of a name that is all bold', (dialect) => {
  const { plan } = parse('# Bread\n\n### Task 1: **Heat**\n\n### Task 2: Knead\n');
  expect(tasksOf(again(plan, dialect)).map((task) => task.name)).toEqual(['**Heat**', 'Knead']);
});

test.each(DIALECT_NAMES)(
  '%s keeps a name that starts with a full stop, and a phase that is called like conditions',
  (dialect) => {
    const text =
      '# Bread\n\n## Phase 1: Oven\n\n### Task 1: Heat\n\n## Phase 2: Definition of Done\n\n### Task 2: . Knead\n\n**Depends on:** none\n';
    const names = tasksOf(again(parse(text).plan, dialect)).map((task) => task.name);
    expect(names).toEqual(['Heat', '. Knead']);
  },
);
