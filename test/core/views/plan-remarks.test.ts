// What a plan leaves open is found before its first task, with its place, and nothing else is.
import { expect, test } from 'vitest';
import { planRemarks } from '../../../src/core/views/plan-remarks.ts';
import { PLAN } from '../../support/world.ts';

const task = (number: number, name: string, ...lines: readonly string[]): string =>
  [`### Task ${number}: ${name}`, '', ...lines, ''].join('\n');

const remarks = (text: string, ...profiles: readonly string[]): readonly string[] => planRemarks(PLAN, text, profiles);

test('placeholders, names that no task defines, and files that two tasks create', () => {
  const text = [
    task(1, 'Read', '**Files:**', '- Create: `src/a.ts`', '', 'Handle edge cases. TBD'),
    task(
      2,
      'Write',
      '**Files:**',
      '- Create: `src/a.ts`',
      '',
      '**Interfaces:**',
      '- Consumes: `lookup(name)`',
      '',
      'Similar to task 1.',
    ),
  ].join('\n');
  expect(remarks(text)).toEqual([
    'docs/plans/x.md:6: Task 1 says "TBD". Decide it, or make it a question; an agent would guess.',
    'docs/plans/x.md:8: Task 2 needs "lookup", which no task produces. If it already exists, add "(exists)" to the entry.',
    'docs/plans/x.md:11: "src/a.ts" is already created by task 1.',
    'docs/plans/x.md:16: Task 2 says "Similar to task 1". Repeat what counts: the agent of this task does not see the other one.',
  ]);
});

test('a profile that the settings do not have', () => {
  const text = task(1, 'Read', '**Profile:** cheap');
  expect(remarks(text)).toEqual([
    'docs/plans/x.md:1: Task 1 wants the profile "cheap", which the settings do not have; it gets the program of its role.',
  ]);
  expect(remarks(text, 'cheap')).toEqual([]);
});

test('how a plan is written is not asked about', () => {
  expect(remarks('### Task 1: Dig\n\ndig\n')).toEqual([]);
});

test('of very many places the number is given', () => {
  const found = remarks(task(1, 'Read', ...Array.from({ length: 50 }, () => 'TBD')));
  expect([found.length, found.at(-1)]).toEqual([31, '20 more places in docs/plans/x.md.']);
});
