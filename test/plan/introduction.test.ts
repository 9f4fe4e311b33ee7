// What a plan says besides its tasks.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { introductionOf } from '../../src/plan/introduction.ts';
import { parse } from '../../src/plan/parse.ts';

const PLAN = `# Calendar

**Goal:** People see their week.

---

## Phase 1: Table

### Task 1: Rows

rows

## Phase 2: Later (parallel)

All of these need the table.

### Task 2: Columns

columns

---

## Global Constraints

- No new dependency.
`;

test('is everything that is in no task, without bare headings', () => {
  expect(introductionOf(PLAN)).toEqual({
    title: 'Calendar',
    text: '# Calendar\n\n**Goal:** People see their week.\n\n## Phase 2: Later (parallel)\n\nAll of these need the table.\n\n## Global Constraints\n\n- No new dependency.',
  });
});

test('is empty where the plan has nothing but its title and its tasks', () => {
  expect(introductionOf('# Calendar\n\n## Phase 1\n\n### Task 1: Rows\n\nrows\n\n---\n').text).toBe('');
});

test('is empty where the whole file is the task', () => {
  expect(introductionOf('# Calendar\n\nrows\n')).toEqual({ title: 'Calendar', text: '' });
});

test('keeps comments in a fence, which are not headings', () => {
  const text = '# Calendar\n\n```sh\n# install\n```\n\n### Task 1: Rows\n';
  expect(introductionOf(text).text).toBe('# Calendar\n\n```sh\n# install\n```');
});

test('contains no line of a task and every other line with text, for any order of pieces', () => {
  const pieces = fc.constantFrom(
    '### Task 1: a\n\nin task\n\n',
    '## Phase 3\n\n',
    'outside\n\n',
    '## Notes\n\nnote\n\n',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
      const text = parts.join('');
      const tasks = parse(text).plan.phases.flatMap((phase) => phase.tasks.map((task) => task.rawText));
      const { text: rest } = introductionOf(text);
      const words = (whole: string): number => whole.match(/outside|note/g)?.length ?? 0;
      expect(rest).not.toContain('in task');
      if (tasks.length > 0) expect(words(rest)).toBe(words(text) - words(tasks.join('')));
    }),
  );
});
