// plan.md and plan.files.json are projections of the planning document: what the parser reads from them is what it says.
import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TaskState } from '../../src/machines/task.ts';
import { advise } from '../../src/plan/lint.ts';
import { order } from '../../src/plan/order.ts';
import { parse } from '../../src/plan/parse.ts';
import type { FileAction, Plan, Task } from '../../src/plan/plan.ts';
import { type PlanningDocument, readPlanningDocument } from '../../src/workshop/planning-document.ts';
import { formatDocument, pathsOf, planFilesText, projectPlan } from '../../src/workshop/project-plan.ts';
import type { FileIntent, PlannedTask } from '../../src/workshop/structured-plan.ts';
import { tasksOf } from '../support/plan-texts.ts';
import { planningDocuments, planningDocumentWith, taskWith } from '../support/planning-documents.ts';

const GOLDEN = 'test/fixtures/workshop/plan.md';

test('plan.md reads as the document says, whatever its texts are', { timeout: 300_000 }, () => {
  fc.assert(
    fc.property(planningDocuments.map(asRead), (document) => {
      const { plan, problems } = parse(projectPlan(document));
      expect(problems).toEqual([]);
      expect(unexpectedAdvice(plan, document)).toEqual([]);
      expect(phasesOf(plan)).toEqual(plannedPhases(document));
      expect(plan.goal).not.toBeNull();
      expect(plan.techStack === null).toBe(document.tech_stack.length === 0);
      const found = pairs(document, plan);
      expect(found.map(([, task]) => partsOf(task))).toEqual(found.map(([task]) => plannedParts(document, task)));
      expect(ordersOf(plan, found)).toEqual(plannedOrders(document, found));
    }),
    { numRuns: 2_000 },
  );
});

test('plan.md is written as people write plans', () => {
  const text = projectPlan(planningDocumentWith());
  if (process.env.UPDATE_GOLDEN) writeFileSync(GOLDEN, text);
  expect(text).toBe(readFileSync(GOLDEN, 'utf8'));
});

describe('texts in plan.md', () => {
  const described = (description: string): string => {
    const tasks = [taskWith({ id: 'one', milestone: 'm', description })];
    const document = planningDocumentWith({
      work: { milestones: [{ id: 'm', title: 'M' }], tasks },
      file_plan: [],
      acceptance_criteria: [{ id: 'AC1', text: 'It is done.' }],
    });
    const [, text = ''] = /### Task 1: one\n\n([\s\S]*?)\n\n\*\*Step 1/.exec(projectPlan(document)) ?? [];
    return text;
  };

  test.each([
    ['lists and emphasis stay', '- **one**: `a`\n- two\n\n1. three'],
    ['code in a language stays', 'Like this:\n\n```ts\n// # Task 1: not a heading\nconst a = 1;\n```'],
    ['a label that means nothing here stays', '**Note:** it may be empty.\nRun: is a word, too.'],
    ['a deep heading stays', '#### Details\n\nMore.'],
    ['a quote stays', '> ### Task 7: quoted'],
  ])('%s as written', (_, text) => {
    expect(described(text)).toBe(text);
  });

  test.each([
    ['a heading moves below that of its task', '## Details\n\nMore.', '#### Details\n\nMore.'],
    ['a heading of a task is text', '### Task 2: Evil', '\\### Task 2: Evil'],
    ['a label is text', '**Depends on:** Task 1', '**Depends on\\:** Task 1'],
    ['a list of files is text', '**Files:**\n- Create: `x`', '**Files\\:**\n- Create: `x`'],
    ['a step is text', '**Step 1: x**', '\\**Step 1: x**'],
    ['an underline is text', 'Title\n===', 'Title\n\\==='],
    ['a comment is text', '<!-- hidden', '\\<!-- hidden'],
    ['a fence is closed', '```ts\nlet a;', '```ts\nlet a;\n```'],
    ['a conflict is text', '<<<<<<< HEAD', '\\<<<<<<< HEAD'],
    ['what no escape helps against is put into a fence', '- ```\n\nTask 5 — x', '````text\n- ```\n\nTask 5 — x\n````'],
    ['an unfinished command is not a command', 'git commit -m "', 'git\u00a0commit -m "'],
  ])('%s', (_, text, written) => {
    expect(described(text)).toBe(written);
  });

  test.each(['Port to C#', 'Fix issue #', '**Bold**', 'Task 3: x', '- a list', ': (x)', '`code`', 'Phase out'])(
    'the title "%s" of a milestone and a task is their name',
    (title) => {
      const work = { milestones: [{ id: 'm', title }], tasks: [taskWith({ id: 'one', milestone: 'm', title })] };
      const criteria = [{ id: 'AC1', text: 'It is done.' }];
      const document = asRead(planningDocumentWith({ work, file_plan: [], acceptance_criteria: criteria }));
      const { plan, problems } = parse(projectPlan(document));
      expect(problems).toEqual([]);
      expect(plan.phases).toMatchObject([{ name: title, tasks: [{ name: title }] }]);
    },
  );

  test('a title that would be a phase gets a word before it', () => {
    expect(projectPlan(planningDocumentWith({ title: 'Phase out the old API' }))).toMatch(
      /^# Plan: Phase out the old API\n/,
    );
  });

  test('a long architecture is a section, and its first paragraph a field', () => {
    const text = projectPlan(planningDocumentWith({ architecture: 'An index\nin memory.\n\n- tokens\n- notes' }));
    expect(text).toContain('**Architecture:** An index in memory.\n\n**Tech Stack:**');
    expect(text).toContain('## Architecture\n\n- tokens\n- notes\n\n## Context');
    expect(parse(text).plan.architecture).toBe('An index in memory.');
  });

  test('a step with several commands has a fence, and so has what it shows', () => {
    const steps = [{ title: 'Look', run: 'ls\n# Task 3: x', expect: 'a\nb', text: '```sh\nnot the command\n```' }];
    const document = planningDocumentWith();
    const [first, ...rest] = document.work.tasks;
    const tasks = first === undefined ? [] : [{ ...first, steps }, ...rest];
    const text = projectPlan({ ...document, work: { ...document.work, tasks } });
    expect(text).toContain(
      '```text\nnot the command\n```\n\n```sh\nls\n# Task 3: x\n```\n\nExpected:\n\n```text\na\nb\n```',
    );
  });
});

describe('"Depends on:" is written', () => {
  const written = (tasks: readonly PlannedTask[], parallel: boolean): readonly string[] => {
    const milestones = [
      { id: 'index', title: 'Index' },
      { id: 'query', title: 'Query', parallel },
    ];
    const text = projectPlan(planningDocumentWith({ work: { milestones, tasks }, file_plan: [] }));
    return parse(text).plan.phases.flatMap(({ tasks }) =>
      tasks.map(({ name, dependsOn }) => `${name}: ${dependsOn?.join(' ') ?? 'everything before'}`),
    );
  };

  test('not where the order of the plan says the same', () => {
    const tasks = [
      taskWith({ id: 'a' }),
      taskWith({ id: 'b', depends: ['a'] }),
      taskWith({ id: 'c', milestone: 'query', depends: ['b'] }),
      taskWith({ id: 'd', milestone: 'query', depends: ['a', 'b'] }),
    ];
    expect(written(tasks, true)).toEqual(['a', 'b', 'c', 'd'].map((id) => `${id}: everything before`));
  });

  test('where a task waits for less than the order of the plan says', () => {
    const tasks = [
      taskWith({ id: 'a' }),
      taskWith({ id: 'b' }),
      taskWith({ id: 'c', milestone: 'query', depends: ['a'] }),
    ];
    expect(written(tasks, false)).toEqual(['a: everything before', 'b: everything before', 'c: 1']);
  });

  test('where a task waits for another one of its parallel milestone', () => {
    const tasks = [
      taskWith({ id: 'a' }),
      taskWith({ id: 'c', milestone: 'query', depends: ['b'] }),
      taskWith({ id: 'b', milestone: 'query' }),
    ];
    expect(written(tasks, true)).toEqual(['a: everything before', 'b: everything before', 'c: 2']);
  });

  test('with tasks in the order in which they can be built, else as the document lists them', () => {
    const tasks = [taskWith({ id: 'b', depends: ['c'] }), taskWith({ id: 'a' }), taskWith({ id: 'c' })];
    const last = taskWith({ id: 'd', milestone: 'query' });
    expect(written([...tasks, last], false)).toEqual(['c', 'b', 'a', 'd'].map((id) => `${id}: everything before`));
  });
});

test('plan.files.json lists every file with its task, sorted', () => {
  const document = planningDocumentWith();
  const text = planFilesText(document);
  expect(JSON.parse(text)).toEqual({
    plan: 'full-text-search',
    files: [
      { path: 'src/notes.ts', intent: 'update', task: 'search' },
      { path: 'src/tokens.ts', intent: 'create', task: 'tokenizer' },
      { path: 'test/search.test.ts', intent: 'test', task: 'search' },
      { path: 'test/tokens.test.ts', intent: 'test', task: 'tokenizer' },
    ],
  });
  expect(text).toMatch(/^\{\n {2}"plan": "full-text-search",\n[\s\S]*\n\}\n$/);
  expect(pathsOf(document)).toEqual(['src/notes.ts', 'src/tokens.ts', 'test/search.test.ts', 'test/tokens.test.ts']);
});

test('the projections depend on nothing but the content of the document', () => {
  fc.assert(
    fc.property(planningDocuments.map(asRead), (document) => {
      const again = asRead(backwards(document));
      expect(formatDocument(again)).toBe(formatDocument(document));
      expect(projectPlan(again)).toBe(projectPlan(document));
      expect(planFilesText({ ...again, file_plan: document.file_plan.toReversed() })).toBe(planFilesText(document));
      expect(asRead(JSON.parse(formatDocument(document)))).toEqual(document);
    }),
    { numRuns: 100 },
  );
});

/** The same content with the keys of the document in the other order. */
function backwards(document: PlanningDocument): PlanningDocument {
  const { id, title, ...rest } = document;
  const { tasks, milestones } = rest.work;
  return { ...rest, work: { tasks, milestones }, title, id };
}

/** As the reader gives it back. */
function asRead(document: PlanningDocument): PlanningDocument {
  const read = readPlanningDocument(JSON.stringify(document));
  if (!read.ok) throw new Error(read.violations.join('\n'));
  return read.document;
}

/** A step may have no command and a chore no file; a file may be read while another task changes it, or made again. */
function unexpectedAdvice(plan: Plan, { file_plan }: PlanningDocument): readonly string[] {
  const deleted = file_plan.filter(({ intent }) => intent === 'delete').map(({ path }) => `"${path}"`);
  return advise(plan)
    .filter(({ code }) => !['no-command', 'no-files', 'shared-file'].includes(code))
    .filter(({ message }) => !deleted.some((path) => message.startsWith(path)))
    .map(({ message }) => message);
}

function phasesOf(plan: Plan): unknown {
  return plan.phases.map(({ number, name, parallel, tasks }) => ({ number, name, parallel, tasks: tasks.length }));
}

function plannedPhases({ work }: PlanningDocument): unknown {
  return work.milestones.map(({ id, title, parallel = false }, index) => ({
    number: index + 1,
    name: title,
    parallel,
    tasks: work.tasks.filter(({ milestone }) => milestone === id).length,
  }));
}

type Pair = readonly [planned: PlannedTask, read: Task];

/** Each task with what was read of it, in the order of the plan. Generated tasks have each their own commit message. */
function pairs(document: PlanningDocument, plan: Plan): readonly Pair[] {
  const found = tasksOf(plan).flatMap((task): readonly Pair[] => {
    const planned = document.work.tasks.find(({ commit }) => commit === task.commitMessage);
    return planned === undefined ? [] : [[planned, task]];
  });
  expect(found).toHaveLength(document.work.tasks.length);
  expect(found.map(([, { written }]) => written)).toEqual(found.map((_, index) => `${index + 1}`));
  return found;
}

function partsOf({ name, files, steps }: Task): unknown {
  return {
    name,
    files: files.map(({ action, path, lines }) => ({ action, path, lines })),
    steps: steps.map(({ number, description, command, expected }) => ({ number, description, command, expected })),
  };
}

function plannedParts({ file_plan }: PlanningDocument, { id, title, steps }: PlannedTask): unknown {
  return {
    name: title,
    files: file_plan
      .filter(({ task }) => task === id)
      .map(({ intent, path }) => ({ action: ACTIONS[intent], path, lines: null })),
    steps: steps.map(({ title, run = null, expect = null }, index) => ({
      number: index + 1,
      description: title,
      command: run,
      expected: expect,
    })),
  };
}

const ACTIONS: Readonly<Record<FileIntent, FileAction>> = {
  create: 'create',
  update: 'modify',
  delete: 'delete',
  test: 'test',
  reference: 'reference',
};

/** Everything that is done before each task starts. */
function ordersOf(plan: Plan, found: readonly Pair[]): readonly (readonly string[])[] {
  const ids = new Map(found.map(([{ id }, { address }]) => [address, id]));
  const idOf = (address: string): string => ids.get(address) ?? '';
  const waits = new Map(tasksOf(plan).map(({ address }) => [idOf(address), blockers(plan, address).map(idOf)]));
  return found.map(([{ id }]) => allBefore(id, waits));
}

function plannedOrders(document: PlanningDocument, found: readonly Pair[]): readonly (readonly string[])[] {
  const tasks = found.map(([task]) => task);
  const waits = new Map(tasks.map((task) => [task.id, plannedBlockers(document, tasks, task)]));
  return tasks.map(({ id }) => allBefore(id, waits));
}

/** The tasks without which this one does not start, even if all others are done. */
function blockers(plan: Plan, address: string): readonly string[] {
  const others = tasksOf(plan).filter((task) => task.address !== address);
  return others.flatMap((open) => {
    const states = new Map<string, TaskState>(
      others.filter((task) => task !== open).map((task) => [task.address, 'done']),
    );
    const readiness = order(plan, states).find((task) => task.address === address);
    return readiness?.mayStart === false ? [open.address] : [];
  });
}

/** The same by the rules of the document: `depends`, or everything before it. */
function plannedBlockers(
  { work }: PlanningDocument,
  tasks: readonly PlannedTask[],
  { id, milestone, depends }: PlannedTask,
): readonly string[] {
  if (depends.length > 0) return depends;
  const at = work.milestones.findIndex((one) => one.id === milestone);
  const isSequential = work.milestones[at]?.parallel !== true;
  const position = tasks.findIndex((task) => task.id === id);
  return tasks
    .filter((other, place) => {
      const otherAt = work.milestones.findIndex((one) => one.id === other.milestone);
      return otherAt < at || (otherAt === at && isSequential && place < position);
    })
    .map((other) => other.id);
}

function allBefore(id: string, waits: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const found = new Set<string>();
  const visit = (one: string): void => {
    for (const other of waits.get(one) ?? []) {
      if (found.has(other)) continue;
      found.add(other);
      visit(other);
    }
  };
  visit(id);
  return [...found].sort();
}
