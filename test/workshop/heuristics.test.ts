// The heuristics of the workshop are computed from its documents; what the planner claims is only a part of one of them.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  blockingQuestions,
  commitmentReadiness,
  fileListProblems,
  filePlanConsistency,
  HEURISTICS,
  noNewInfo,
} from '../../src/workshop/heuristics.ts';
import { projectPlan } from '../../src/workshop/project-plan.ts';
import type { Proposals, RoundDocument } from '../../src/workshop/round-document.ts';
import type { FileIntent, PlannedFile, PlannedTask, PlanningDocument } from '../../src/workshop/structured-plan.ts';
import {
  plannedRepositories,
  planningDocumentWith,
  roundDocuments,
  roundDocumentWith,
  taskWith,
} from '../support/planning-documents.ts';

test.each(Object.entries(HEURISTICS))('%s says in one sentence what it means, and what cadre does', (_, row) => {
  for (const sentence of [row.meaning, row.leads]) expect(sentence).toMatch(/^[A-Z](?!.*\. ).*\.$/);
});

test('a blocking question counts until it is answered', () => {
  const asked = [
    { blocking: true, answered: false },
    { blocking: true, answered: true },
    { blocking: false, answered: false },
    { blocking: true, answered: false },
  ];
  expect(blockingQuestions(asked)).toBe(2);
  expect(blockingQuestions([])).toBe(0);
});

describe('a round', () => {
  const before = roundDocumentWith();
  const [question] = before.questions;
  if (question === undefined) throw new Error('The example has a question.');
  const proposing = (parts: Partial<Proposals>): RoundDocument => ({
    ...before,
    proposals: { ...before.proposals, ...parts },
  });
  const [tokenizer, search] = before.proposals.tasks;
  if (tokenizer === undefined || search === undefined) throw new Error('The example has two tasks.');

  test.each<readonly [string, RoundDocument]>([
    ['repeats the one before', before],
    ['has another summary and another claim', { ...before, summary: 'Nothing new.', ready: true }],
    ['asks less', { ...before, questions: [] }],
    ['asks the same under another id', { ...before, questions: [{ ...question, id: 'x', why: 'I forgot.' }] }],
    ['asks the same and no longer insists', { ...before, questions: [{ ...question, blocking: false }] }],
    [
      'has other white space',
      proposing({ risks: before.proposals.risks.map((risk) => ` ${risk.replaceAll(' ', '\n ')}`) }),
    ],
    ['has another order', proposing({ tasks: [search, tokenizer], files: before.proposals.files.toReversed() })],
    [
      'has another order within a task',
      proposing({ tasks: [tokenizer, { ...search, subtasks: search.subtasks.toReversed() }] }),
    ],
  ])('adds nothing if it %s', (_, now) => {
    expect(noNewInfo(before, now)).toBe(true);
  });

  test.each<readonly [string, RoundDocument]>([
    ['asks something else', { ...before, questions: [{ ...question, text: 'Which language?' }] }],
    ['asks more', { ...before, questions: [question, { ...question, id: 'x', text: 'Which language?' }] }],
    ['proposes another task', proposing({ tasks: [tokenizer] })],
    ['proposes another title', proposing({ tasks: [tokenizer, { ...search, title: 'Query' }] })],
    ['proposes other dependencies', proposing({ tasks: [tokenizer, { ...search, depends: [] }] })],
    ['decomposes a task', proposing({ tasks: [tokenizer, { ...search, subtasks: [...search.subtasks, 'More'] }] })],
    ['assumes something', proposing({ assumptions: [...before.proposals.assumptions, 'It rains.'] })],
    ['sees another risk', proposing({ risks: [] })],
    ['has another criterion', proposing({ acceptance_criteria: ['It works.'] })],
    ['has another file', proposing({ files: before.proposals.files.slice(1) })],
    [
      'has another intent',
      proposing({ files: before.proposals.files.map((file) => ({ ...file, intent: 'test' as const })) }),
    ],
  ])('is new if it %s', (_, now) => {
    expect(noNewInfo(before, now)).toBe(false);
  });

  test('is new if a question has become blocking', () => {
    expect(noNewInfo({ ...before, questions: [{ ...question, blocking: false }] }, before)).toBe(false);
  });

  test('is new if it is the first', () => {
    expect(noNewInfo(null, before)).toBe(false);
  });

  test('adds nothing to itself', () => {
    fc.assert(
      fc.property(roundDocuments, (round) => {
        expect(noNewInfo(round, round)).toBe(true);
        expect(noNewInfo(null, round)).toBe(false);
      }),
      { numRuns: 200 },
    );
  });

  describe('commits to its proposals', () => {
    const ready = roundDocumentWith({ ready: true, questions: [] });
    const readyWith = (parts: Partial<Proposals>): RoundDocument => ({
      ...ready,
      proposals: { ...ready.proposals, ...parts },
    });

    test('if it says so, nothing blocks, and the proposals hold together', () => {
      expect(commitmentReadiness(ready, 0)).toEqual({ holds: true, missing: [] });
    });

    test.each<readonly [string, RoundDocument, number, readonly string[]]>([
      ['it does not say so', { ...ready, ready: false }, 0, ['The planner does not say that the plan is ready.']],
      ['a blocking question is open', ready, 2, ['Blocking questions without an answer: 2.']],
      ['it has no task', readyWith({ tasks: [], files: [] }), 0, ['No task is proposed.']],
      ['it has no criterion', readyWith({ acceptance_criteria: [] }), 0, ['No acceptance criterion is proposed.']],
      [
        'a task depends on none of them',
        readyWith({ tasks: [{ ...tokenizer, depends: ['x'] }, search] }),
        0,
        ['Task "tokenizer" depends on "x", which is not proposed.'],
      ],
      [
        'a file belongs to none of them',
        readyWith({ files: [{ path: 'a', intent: 'create', task: 'x' }] }),
        0,
        ['"a" belongs to task "x", which is not proposed.'],
      ],
      [
        'tasks wait for each other',
        readyWith({ tasks: [{ ...tokenizer, depends: ['search'] }, search] }),
        0,
        ['Tasks wait for each other: tokenizer, search.'],
      ],
    ])('not if %s', (_, round, open, missing) => {
      expect(commitmentReadiness(round, open)).toEqual({ holds: false, missing });
    });
  });
});

describe('a file plan', () => {
  const planOf = (tasks: readonly PlannedTask[], files: readonly PlannedFile[]): PlanningDocument =>
    planningDocumentWith({
      work: { milestones: [{ id: 'index', title: 'Index', parallel: true }], tasks },
      file_plan: files,
    });
  const file = (intent: FileIntent, task: string): PlannedFile => ({ path: 'f', intent, task });
  const [a, b, c] = [
    taskWith({ id: 'a' }),
    taskWith({ id: 'b', depends: ['a'] }),
    taskWith({ id: 'c', depends: ['b'] }),
  ];
  const beside = taskWith({ id: 'b' });

  test.each<readonly [string, readonly PlannedTask[], readonly PlannedFile[], 'exists' | 'missing', readonly string[]]>(
    [
      ['create', [a], [file('create', 'a')], 'missing', []],
      ['create', [a], [file('create', 'a')], 'exists', ['Task "a" creates "f", which exists.']],
      ['update', [a], [file('update', 'a')], 'exists', []],
      [
        'update',
        [a],
        [file('update', 'a')],
        'missing',
        ['Task "a" updates "f", which does not exist and no task creates.'],
      ],
      ['delete', [a], [file('delete', 'a')], 'exists', []],
      [
        'delete',
        [a],
        [file('delete', 'a')],
        'missing',
        ['Task "a" deletes "f", which does not exist and no task creates.'],
      ],
      ['reference', [a], [file('reference', 'a')], 'exists', []],
      [
        'reference',
        [a],
        [file('reference', 'a')],
        'missing',
        ['Task "a" refers to "f", which does not exist and no task creates.'],
      ],
      ['test', [a], [file('test', 'a')], 'exists', []],
      ['test', [a], [file('test', 'a')], 'missing', []],
      ['create, then update', [a, b], [file('update', 'b'), file('create', 'a')], 'missing', []],
      ['test, then update', [a, b], [file('test', 'a'), file('update', 'b')], 'missing', []],
      [
        'update, then create',
        [a, b],
        [file('update', 'a'), file('create', 'b')],
        'missing',
        ['Task "a" updates "f", which task "b" creates, but not before it.'],
      ],
      [
        'create, and at the same time reference',
        [a, beside],
        [file('create', 'a'), file('reference', 'b')],
        'missing',
        ['Task "b" refers to "f", which task "a" creates, but not before it.'],
      ],
      [
        'create twice',
        [a, b],
        [file('create', 'a'), file('create', 'b')],
        'missing',
        ['Task "b" creates "f", which exists after task "a".'],
      ],
      ['delete, then create', [a, b], [file('delete', 'a'), file('create', 'b')], 'exists', []],
      [
        'delete, then update',
        [a, b],
        [file('delete', 'a'), file('update', 'b')],
        'exists',
        ['Task "b" updates "f", which task "a" deletes before it.'],
      ],
      [
        'create, delete, create',
        [a, b, c],
        [file('create', 'a'), file('delete', 'b'), file('create', 'c')],
        'missing',
        [],
      ],
      [
        'create, reference, delete',
        [a, b, c],
        [file('create', 'a'), file('reference', 'b'), file('delete', 'c')],
        'missing',
        [],
      ],
    ],
  )('%s', (_, tasks, files, presence, problems) => {
    const existing = new Set(presence === 'exists' ? ['f'] : []);
    expect(filePlanConsistency(planOf(tasks, files), existing)).toEqual({ holds: problems.length === 0, problems });
  });

  test('fits a repository that it was made for', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(plannedRepositories, ({ document, existing }) => {
        expect(filePlanConsistency(document, existing)).toEqual({ holds: true, problems: [] });
      }),
      { numRuns: 200 },
    );
  });

  test('lists the files of plan.md', () => {
    const document = planningDocumentWith();
    const text = projectPlan(document);
    expect(fileListProblems(document, text)).toEqual([]);
    expect(fileListProblems(document, text.replace('Create: `src/tokens.ts`', 'Modify: `src/words.ts`'))).toEqual([
      'plan.md does not list "src/tokens.ts" to create in task "tokenizer".',
      'Only plan.md lists "src/words.ts" to update in task "tokenizer".',
    ]);
    expect(fileListProblems(document, '')).toHaveLength(4);
  });
});
