// Reading a file of another tool never throws: any text becomes a plan without errors, or is refused with a reason.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DIALECT_NAMES } from '../../../src/plan/foreign/dialect.ts';
import { DIALECTS, dialectOf } from '../../../src/plan/foreign/dialects.ts';
import { foreignFile } from '../../../src/plan/foreign/entries.ts';
import { type Import, importPlan } from '../../../src/plan/foreign/import-plan.ts';
import { tasksIn } from '../../../src/plan/foreign/task-list.ts';
import { isUsable, parse } from '../../../src/plan/parse.ts';
import { foreignJson, foreignText } from '../../support/foreign-texts.ts';
import { nastyDocuments } from '../../support/nasty-markdown.ts';
import { planTexts, tasksOf } from '../../support/plan-texts.ts';

const anyText = fc.oneof(
  { weight: 6, arbitrary: foreignText },
  { weight: 3, arbitrary: foreignJson },
  { weight: 2, arbitrary: planTexts },
  { weight: 2, arbitrary: nastyDocuments },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
);

function imported(text: string, dialect?: (typeof DIALECT_NAMES)[number], all = false): Import {
  return importPlan({ text, path: 'specs/001-bread/tasks.md', dialect, all, companions: [] });
}

describe('any text', { timeout: 120_000 }, () => {
  test('is a plan without errors, or refused with a reason', () => {
    fc.assert(
      fc.property(anyText, fc.boolean(), (text, all) => {
        const made = imported(text, undefined, all);
        if (made.kind === 'refused') expect(made.why).toMatch(/^[A-Z].*\.$/s);
        else expect(isUsable(parse(made.text).problems), made.text).toBe(true);
      }),
      { numRuns: 1_500 },
    );
  });

  test('is read in every dialect, also in one that it is not in, and has exactly the tasks that the reader found', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(...DIALECT_NAMES), (text, dialect) => {
        const read = DIALECTS[dialect].read(foreignFile(text));
        const made = imported(text, dialect, true);
        fc.pre(made.kind === 'imported' || made.code !== 'unreadable');
        const found = read.kind === 'list' ? tasksIn(read.list) : [];
        const plan = made.kind === 'imported' ? parse(made.text).plan : undefined;
        expect(plan === undefined ? 0 : tasksOf(plan).length, text).toBe(found.length);
        if (made.kind === 'imported') expect(made.tasks).toBe(found.length);
        const steps = plan === undefined ? [] : tasksOf(plan).map((task) => task.steps.length);
        expect(steps).toEqual(found.map((task) => task.steps.length));
      }),
      { numRuns: 1_500 },
    );
  });

  test('has no dialect only if it has neither checkboxes nor a list of tasks', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        if (dialectOf(foreignFile(text)) === undefined) expect(imported(text)).toMatchObject({ kind: 'refused' });
      }),
      { numRuns: 500 },
    );
  });
});

describe('a file that cannot be a plan', () => {
  test.each([
    ['', 'unknown-format', 'It contains no checkboxes and no list of tasks that cadre can read.'],
    [
      '# Notes\n\n1. one\n2. two\n',
      'unknown-format',
      'It contains no checkboxes and no list of tasks that cadre can read.',
    ],
    ['### Task 1: A\n\n- [ ] x\n', 'already-a-plan', 'It is already a plan: it has task headings.'],
    ['- [x] a\n- [x] b\n', 'all-done', 'All of its 2 tasks are done.'],
    ['- [x] a\n', 'all-done', 'Its only task is done.'],
    ['- [x] a\n- [ ] ~~b~~\n', 'all-done', 'All of its 2 tasks are done, cancelled or deferred.'],
    ['- [ ] a\n\n<<<<<<< HEAD\n', 'unreadable', 'Line 3: This is a conflict marker from git. Resolve the conflict.'],
    ['{"tasks": []}', 'no-tasks', 'It contains no tasks.'],
    ['{"tasks": [{"id": 1, "title": "a', 'unreadable', 'It cannot be read as Task Master: it ends inside a string.'],
    [
      '{"tasks": [{"id": 1, "id": 2}]}',
      'unreadable',
      'It cannot be read as Task Master: an object repeats the key "id".',
    ],
    ['{"plans": {}}', 'unknown-format', 'It contains no checkboxes and no list of tasks that cadre can read.'],
  ])('%j is refused', (text, code, why) => {
    expect(imported(text)).toEqual({ kind: 'refused', code, why });
  });

  test('is refused if a task depends on more tasks than a plan can name', () => {
    const ids = Array.from({ length: 300 }, (_, index) => index + 1);
    const tasks = ids.map((id) => ({
      id,
      title: `t${id}`,
      status: 'pending',
      dependencies: id === 300 ? ids.slice(0, 299) : [],
    }));
    expect(imported(JSON.stringify({ tasks }))).toEqual({
      kind: 'refused',
      code: 'no-tasks',
      why: 'task 300 depends on more tasks than a plan can name.',
    });
  });

  test('names its tags if the one that was asked for does not exist', () => {
    const text = '{"master": {"tasks": [{"title": "a"}]}, "night": {"tasks": []}}';
    const made = importPlan({ text, path: 'tasks.json', tag: 'day', all: false, companions: [] });
    expect(made).toMatchObject({
      why: 'It cannot be read as Task Master: it has no tag of that name; its tags are "master", "night".',
    });
  });
});
