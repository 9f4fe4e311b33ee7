// Files of other tools, most of them with something odd in them.
import fc from 'fast-check';

const ODD = [
  [
    '`',
    '```',
    '~~~',
    '#',
    '###',
    ' #',
    '**',
    '__',
    '~~',
    '[',
    ']',
    '(',
    ')',
    '(parallel)',
    '[P]',
    '(P)',
    '<!--',
    '-->',
    '>',
  ],
  [
    'Task 1: x',
    'Checkpoint: x',
    'Phase 2',
    'Step 3:',
    '**Files:**',
    '**Depends on:** 9',
    'Depends on: T001',
    'Run: `x`',
    'Expected: y',
  ],
  [
    '---',
    '===',
    '- [ ] ',
    '* ',
    '1. ',
    '| a |',
    '\\',
    '\u0000',
    '\u2028',
    '\u200f',
    '\ud800',
    '🥖',
    'é',
    'パン',
    '\t',
    '  ',
  ],
  [
    'src/a.ts',
    '`src/b.ts:1-2`',
    'README.md',
    'tests/c_test.py',
    'git commit -m "x"',
    '<<<<<<< HEAD',
    '>>>>>>> x',
    '__proto__',
  ],
].flat();

const WORDS = [
  'Knead',
  'the dough',
  'in src/dough.ts',
  'Bake',
  'it',
  'Remove `old.md`',
  'Verify',
  'a loaf',
  'of bread.',
];

/** One line, with any of the above in it. */
export const foreignLine: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...WORDS) },
      { weight: 2, arbitrary: fc.constantFrom(...ODD) },
      { weight: 1, arbitrary: fc.string({ maxLength: 5 }) },
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(' ').replace(/[\r\n]+/g, ' '));

const HEADINGS = [
  '# Tasks: Bread',
  '# Plan',
  '## Phase 1: Setup',
  '## Phase 2: Oven (parallel)',
  '### Tests',
  '## 1. Schema',
];
const MORE_HEADINGS = [
  '## 2. Code',
  '## Notes',
  '## Overview',
  '# Phase 3',
  'Underlined\n---',
  'Title\n===',
  '## Task list',
];
const IDS = [
  'T001 ',
  'T002 [P] ',
  '**T003** [US1] ',
  'T4: [P] ',
  '1. ',
  '2. (P) ',
  '1.1 ',
  '2.1 (P) ',
  '3.2.1 ',
  '',
  '',
  '9) ',
];
const MARKS = ['[ ]', '[ ]', '[ ]', '[x]', '[X]', '[-]', '[ ]*', '[]', '[~]', '[✓]'];
const INDENTS = ['', '', '', '  ', '    ', '\t', '      '];
const LEADS = ['- ', '* ', '+ ', '1. ', ''];

const box = fc
  .tuple(
    fc.constantFrom(...INDENTS),
    fc.constantFrom(...LEADS),
    fc.constantFrom(...MARKS),
    fc.constantFrom(...IDS),
    foreignLine,
  )
  .map(([indent, lead, mark, id, line]) => `${indent}${lead}${mark} ${id}${line}`);
const text = fc.tuple(fc.constantFrom(...INDENTS, '> ', '  - '), foreignLine).map((parts) => parts.join(''));

/** Headings, checkboxes and lines in any order. */
export const foreignText: fc.Arbitrary<string> = fc
  .array(
    fc.tuple(
      fc.oneof(
        { weight: 5, arbitrary: box },
        { weight: 2, arbitrary: fc.constantFrom(...HEADINGS, ...MORE_HEADINGS) },
        { weight: 3, arbitrary: text },
        { weight: 1, arbitrary: fc.constantFrom('---', '```', '~~~', '<!-- x', '<<<<<<< HEAD', '') },
      ),
      fc.constantFrom('\n', '\n', '\n\n', '\r\n', '\r'),
    ),
    { maxLength: 20 },
  )
  .map((lines) => lines.flat().join(''));

const id = fc.oneof(fc.integer({ min: 0, max: 6 }), fc.constantFrom('a', '2', '3.1', '', '__proto__'));
const lines = fc.array(foreignLine, { maxLength: 4 }).map((all) => all.join('\n'));
const anything = fc.oneof(fc.anything({ maxDepth: 2 }), fc.constant(null), fc.array(lines, { maxLength: 3 }));
const field = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 8, arbitrary: value }, { weight: 1, arbitrary: anything });

const subtask = fc.record(
  {
    id: field(id),
    title: field(foreignLine),
    details: field(lines),
    status: field(fc.constantFrom('done', 'pending')),
  },
  { requiredKeys: [] },
);
const task = fc.record(
  {
    id: field(id),
    title: field(foreignLine),
    description: field(lines),
    details: field(lines),
    testStrategy: field(lines),
    priority: field(fc.constantFrom('high', 'medium', 'low')),
    status: field(fc.constantFrom('pending', 'done', 'in-progress', 'deferred', 'cancelled', 'constructor')),
    dependencies: field(fc.array(field(id), { maxLength: 4 })),
    subtasks: field(fc.array(field(subtask), { maxLength: 3 })),
  },
  { requiredKeys: [] },
);
const list = fc.record(
  {
    tasks: fc.array(field(task), { maxLength: 8 }),
    metadata: field(fc.record({ projectName: foreignLine, description: lines })),
  },
  { requiredKeys: ['tasks'] },
);

/** Lists of tasks with fields of any kind, with tags or without. */
export const foreignJson: fc.Arbitrary<string> = fc
  .oneof(list, fc.dictionary(fc.constantFrom('master', 'night', ''), list), fc.array(task))
  .chain((value) => fc.constantFrom(JSON.stringify(value), `\ufeff${JSON.stringify(value, undefined, 2)}\r\n`));
