// Texts that look like plans, most of them with mistakes, and helpers for parsed plans.
import fc from 'fast-check';
import type { Plan, Task } from '../../src/plan/plan.ts';

const HEADINGS = [
  [
    '# Plan',
    '## Phase 1: Ground',
    '## Phase 2: Walls (parallel)',
    '## Wave 3',
    '## Phase 0',
    '## Phase 1.5',
    '## Phase',
    '## Notes',
  ],
  [
    '### Task 1: Dig',
    '### Task 2 - Lay bricks',
    '### Task 3',
    '### Task 1.2: Pour',
    '### Task 2.1: Mix',
    '### **Task 4: Roof**',
    '### Task',
  ],
  ['#### Task 5: Deep', '# Task 6: High', '### [x] Task 7: Done', '### Task 1234567890: Long', '- ### Task 8: Listed'],
  ['Task 9: Underlined\n---', 'Phase 4: Underlined\n===', '> ### Task 10: Quoted', '  ### Task 11: Indented ###'],
].flat();

const LABELS = [
  [
    '**Goal:** a house',
    '**Architecture**: stone',
    '**Tech Stack:**',
    '## Goal',
    '**Files:**',
    '#### Files',
    '**Notes:**',
  ],
  ['**Depends on:** 1', '**Depends on:** Task 2, 3', '**Depends on:** none', '**Depends on:** 1-9', 'Depends on: x'],
  [
    '**Depends on:** Phase 1',
    '**Depends on:** Phases 1-2',
    '**Depends on:** 1.2',
    'Depends on: 9-1',
    'Depends on: 404',
  ],
  ['**Step 1: Write it**', '**Step 2:** Look', '- [ ] **Step 3: Tick**', '#### Step 4', 'Step 5: no step'],
  [
    'Run: `npm test`',
    'Run:',
    'Expected: it passes',
    '**Expected:**',
    '- Create: `a.ts`',
    '- Modify: `b.ts:1-2`',
    '- x',
  ],
  [
    '- Test:',
    '  - `c.ts`',
    '**Files:**\n- constructor: `d`',
    '- __proto__: `e`',
    'git commit -m "a"',
    "`git commit -am 'b'`",
  ],
].flat();

const MARKS = [
  ['```', '```sh', '~~~', '````', '---', '***', '<!--', '-->', '<div>', '> ', '- ', '    ', '\t', '|', '<<<<<<< HEAD'],
  [
    '>>>>>>> theirs',
    '\0',
    '\ufeff',
    '\u2028',
    '\u00a0',
    '\ud800',
    '(parallel)',
    ' #',
    '**',
    '`',
    '"',
    '\\',
    '1',
    ':',
    'é',
  ],
].flat();

const BREAKS = ['\n', '\n', '\n', '\n\n', '\n\n', '\r\n', '\r', ''];

/** Lines of plans in any order, mixed with markdown syntax and arbitrary characters. */
export const planTexts: fc.Arbitrary<string> = fc
  .array(
    fc.tuple(
      fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom(...HEADINGS) },
        { weight: 5, arbitrary: fc.constantFrom(...LABELS) },
        { weight: 3, arbitrary: fc.constantFrom(...MARKS) },
        { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
      ),
      fc.constantFrom(...BREAKS),
    ),
    { maxLength: 24 },
  )
  .map((lines) => lines.flat().join(''));

export function tasksOf(plan: Plan): readonly Task[] {
  return plan.phases.flatMap((phase) => phase.tasks);
}

/** The raw texts of the tasks and the text between them, joined. */
export function reassembled(text: string, plan: Plan): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, rawText } of tasksOf(plan)) {
    parts.push(text.slice(at, start), rawText);
    at = start + rawText.length;
  }
  return [...parts, text.slice(at)].join('');
}

/** The parts of a plan that decide which task may start when. */
export function graphOf(plan: Plan): unknown {
  return plan.phases.map(({ number, name, parallel, tasks }) => ({
    number,
    name,
    parallel,
    tasks: tasks.map(({ number, name, address, dependsOn }) => ({ number, name, address, dependsOn })),
  }));
}
