// Lines that look like a part of a plan and are not read as one: each is a warning that says what to write.
import { describe, expect, test } from 'vitest';
import { parse } from '../../src/plan/parse.ts';
import type { Problem } from '../../src/plan/plan.ts';

const CODES = ['not-a-task', 'not-a-phase', 'not-parallel', 'not-a-label'];

describe('a heading', () => {
  test.each([
    ['### Task3: C', '"### Task3: C" is not read as a task. Write "### Task 3: C".'],
    ['### Task3', '"### Task3" is not read as a task. Write "### Task 3".'],
    ['## Task3.1 - C', '"## Task3.1 - C" is not read as a task. Write "## Task 3.1: C".'],
    ['### Taks 3: C', '"### Taks 3: C" is not read as a task. Write "### Task 3: C".'],
    ['### Tasks 3: C', '"### Tasks 3: C" is not read as a task. Write "### Task 3: C".'],
    ['### **Tak 3: C**', '"### **Tak 3: C**" is not read as a task. Write "### Task 3: C".'],
    ['## Phase3: C', '"## Phase3: C" is not read as a phase. Write "## Phase 3: C".'],
    ['## Phse 3', '"## Phse 3" is not read as a phase. Write "## Phase 3".'],
    ['###Task 3: C', '"###Task 3: C" is not read as a task. Write "### Task 3: C".'],
    ['###Task3: C', '"###Task3: C" is not read as a task. Write "### Task 3: C".'],
    ['**Task 3: C**', '"**Task 3: C**" is not read as a task. Write "### Task 3: C".'],
    ['**Task 3: C**\nwith text below it', '"**Task 3: C**" is not read as a task. Write "### Task 3: C".'],
    ['**Task 3:** C', '"**Task 3:** C" is not read as a task. Write "### Task 3: C".'],
    ['Task 3: C', '"Task 3: C" is not read as a task. Write "### Task 3: C".'],
    ['**Phase 3: C**', '"**Phase 3: C**" is not read as a phase. Write "## Phase 3: C".'],
  ])('written as %j', (line, message) => {
    expect(near(`### Task 1: A\n\n${line}\n`)).toMatchObject([{ line: 3, column: 1, severity: 'warning', message }]);
  });

  test.each(['### Task', '### Task three: C', '#### Task: C', '## Phase: C', '### Task 1.2.3: C'])(
    '%s has no valid number',
    (line) => {
      expect(near(`### Task 1: A\n\n${line}\n`)).toMatchObject([
        { line: 3, message: expect.stringContaining('number') },
      ]);
    },
  );

  test.each([
    '### Tasks 1-3',
    '### Tasks',
    '### Taskforce 1',
    '### Ask 3 people',
    '### Task list',
    '## Phases of the moon',
    '### 3 tasks',
    '> **Task 3: C**',
    '- **Task 3: C** comes later',
    '```\n### Task3: C\n```',
    'Task 3 of the last plan was good.',
    'Task 3: the index, which we have.',
    '**Task 1: A**',
    'Task 1: A',
    '| Task 3: C | Ann |',
  ])('is not suspected in %j', (line) => {
    const found = near(`### Task 1: A\n\n${line}\n`).filter(({ code }) => code !== 'not-a-task' || !isLookalike(line));
    expect(found).toEqual([]);
  });
});

describe('the mark of a parallel phase', () => {
  test.each(['(paralel)', '(parrallel)', '(Parallell)', '[parallel]', '(in parallel)', '(can run in parallel)'])(
    'written as %s',
    (mark) => {
      expect(near(`## Phase 1: Walls ${mark}\n\n### Task 1: A\n`)).toMatchObject([
        { line: 1, code: 'not-parallel', message: expect.stringContaining(`"${mark}" has no effect.`) },
      ]);
    },
  );

  test('in the heading of a task', () => {
    expect(near('## Phase 1: Walls\n\n### Task 1: A (parallel)\n')).toMatchObject([
      { line: 3, code: 'not-parallel', message: expect.stringContaining('"(parallel)" has no effect on a task.') },
    ]);
  });

  test.each(['Walls (parallel)', '(parallel)', 'Parallel downloads', 'Walls (parallel columns)', 'Walls (paralegal)'])(
    'is not suspected in %s',
    (name) => {
      expect(near(`## Phase 1: ${name}\n\n### Task 1: A\n`)).toEqual([]);
    },
  );
});

describe('a label', () => {
  test.each([
    ['**Depend on:** Task 1', '"**Depend on:**" is not read. Write "**Depends on:**".'],
    ['**Depends:** Task 1', '"**Depends:**" is not read. Write "**Depends on:**".'],
    ['**Depends upon**: 1', '"**Depends upon**:" is not read. Write "**Depends on:**".'],
    ['**Dependencies:** Task 1, Task 2', '"**Dependencies:**" is not read. Write "**Depends on:**".'],
    ['**Blocked by:** #1', '"**Blocked by:**" is not read. Write "**Depends on:**".'],
    ['**File:**\n- Create: `a`', '"**File:**" is not read. Write "**Files:**".'],
    ['**Fiels:**\n- Create: `a`', '"**Fiels:**" is not read. Write "**Files:**".'],
    ['**Files to modify:**\n- `a`', '"**Files to modify:**" is not read. Write "**Files:**".'],
    ['**Excpected:** ok', '"**Excpected:**" is not read. Write "**Expected:**".'],
  ])('in a task, written as %j', (line, message) => {
    expect(near(`### Task 1: A\n\n### Task 2: B\n\n${line}\n`)).toMatchObject([
      { line: 5, code: 'not-a-label', message },
    ]);
  });

  test('for files, with the files in the same line', () => {
    const message = expect.stringContaining('Files in the same line as "**Files:**" are not read.');
    expect(near('### Task 1: A\n\n**Files:** `a.ts`, `b.ts`\n')).toMatchObject([
      { line: 3, code: 'not-a-label', message },
    ]);
    for (const nothing of ['', ' none', ' N/A', ' —'])
      expect(near(`### Task 1: A\n\n**Files:**${nothing}\n`)).toEqual([]);
  });

  test('in the header', () => {
    expect(
      near('# P\n\n**Goals:** all of it\n**Architecure:** stone\n**Tech-Stack:** x\n\n### Task 1: A\n'),
    ).toMatchObject([
      { line: 3, message: '"**Goals:**" is not read. Write "**Goal:**".' },
      { line: 4, message: '"**Architecure:**" is not read. Write "**Architecture:**".' },
      { line: 5, message: '"**Tech-Stack:**" is not read. Write "**Tech Stack:**".' },
    ]);
  });

  test.each([
    '**Depends on:** none',
    '**depends-on:** none',
    '**Dependencies:** Node 20 and Redis',
    '**Requires:** 3 people',
    '**File structure:** flat',
    '**Note:** read it',
    '**Goals:** none of the header',
    'Files matter here.',
    '> **File:** quoted',
  ])('is not suspected in %j', (line) => {
    expect(near(`### Task 1: A\n\n${line}\n`)).toEqual([]);
  });
});

test('a colon of Chinese and Japanese texts separates the number from the name', () => {
  expect(parse('### Task 1：登录\n').plan.phases[0]?.tasks).toMatchObject([{ number: 1, name: '登录' }]);
});

function near(text: string): readonly Problem[] {
  return parse(text).problems.filter(({ code }) => CODES.includes(code));
}

/** A heading that starts with the word and has no number is reported as such. */
function isLookalike(line: string): boolean {
  return /^### Task list/.test(line);
}
