// Properties of parsing any text as a plan, and the rules that no fixture covers.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from '../../src/plan/parse.ts';
import type { Task } from '../../src/plan/plan.ts';
import { nastyDocuments } from '../support/nasty-markdown.ts';
import { planTexts, reassembled, tasksOf } from '../support/plan-texts.ts';

const RUNS = { numRuns: 4_000 };

describe('any text', () => {
  const texts = fc.oneof({ weight: 4, arbitrary: planTexts }, { weight: 1, arbitrary: nastyDocuments });

  test('is parsed without an exception, and every problem has a place in it', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(texts, (text) => {
        const lines = text.split(/\r\n|\r|\n/);
        for (const { line, column, code } of parse(text).problems) {
          expect(line, code).toBeGreaterThanOrEqual(1);
          expect(line, code).toBeLessThanOrEqual(lines.length);
          expect(column, code).toBeGreaterThanOrEqual(1);
          expect(column, code).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1);
        }
      }),
      RUNS,
    );
  });

  test('consists of the raw texts of its tasks and what is between them', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(reassembled(text, parse(text).plan)).toBe(text);
      }),
      RUNS,
    );
  });

  test('has tasks whose raw texts start with their heading lines', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(texts, (text) => {
        // A byte order mark is no part of the first line.
        const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
        for (const { line, rawText, number } of tasksOf(parse(text).plan)) {
          const heading = lines[line - 1] ?? '';
          expect(rawText.startsWith(heading), JSON.stringify({ heading, rawText })).toBe(true);
          expect(rawText.split(/[\r\n](?:=+|-+)[ \t]*(?:[\r\n]|$)/, 1)[0]?.toLowerCase()).toMatch(
            new RegExp(`task[^]*${number}`),
          );
        }
      }),
      RUNS,
    );
  });

  test('gives plain data that survives JSON', { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(planTexts, (text) => {
        const parsed = parse(text);
        expect(JSON.parse(JSON.stringify(parsed))).toEqual(parsed);
      }),
      RUNS,
    );
  });
});

describe('a number', () => {
  test('of nine digits is a number', () => {
    expect(tasksOf(parse('### Task 999999999: Far').plan)).toMatchObject([{ number: 999_999_999, name: 'Far' }]);
  });

  test.each(['1234567890', '1.1234567890', '1234567890.1'])('of ten digits is not a number: Task %s', (number) => {
    const { plan, problems } = parse(`### Task 1: Near\n\n### Task ${number}: Far\n`);
    expect(tasksOf(plan).map((task) => task.name)).toEqual(['Near']);
    expect(problems).toMatchObject([{ line: 3, severity: 'warning', code: 'not-a-task' }]);
  });

  test('of ten digits is a dependency on an unknown task', () => {
    expect(parse('### Task 1: a\n**Depends on:** 1234567890\n').problems).toMatchObject([
      { line: 2, severity: 'error', code: 'unknown-dependency' },
    ]);
  });
});

test('a NUL byte makes the file unusable, but it is still parsed', () => {
  const { plan, problems } = parse('### Task 1: a\0b\n');
  expect(problems).toMatchObject([{ line: 1, column: 1, severity: 'error', code: 'not-text' }]);
  expect(tasksOf(plan)).toMatchObject([{ number: 1, name: 'a\0b' }]);
});

describe.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('%s', (word) => {
  test('is a name like any other, for a plan, a phase and a task', () => {
    const { plan, problems } = parse(`# ${word}\n\n**Goal:** ${word}\n\n## Phase 1: ${word}\n\n### Task 1: ${word}\n`);
    expect(plan).toMatchObject({ title: word, goal: word, phases: [{ name: word, tasks: [{ name: word }] }] });
    expect(problems).toEqual([]);
  });

  test('is not a phase, task, step, label or header field', () => {
    const { plan } = parse(`**${word}:** a\n\n## ${word} 1\n\n### Task 1: a\n\n**${word} 1: b**\n\n**${word}:** c\n`);
    expect(plan).toMatchObject({ goal: null, phases: [{ number: 0 }] });
    expect(tasksOf(plan)).toMatchObject([{ name: 'a', steps: [], files: [], dependsOn: null }]);
  });

  test('is not an action in a list of files', () => {
    const { plan, problems } = parse(`### Task 1: a\n\n**Files:**\n- ${word}: \`b\`\n- Create: \`c\`\n`);
    expect(tasksOf(plan)[0]?.files).toMatchObject([{ action: 'create', path: 'c' }]);
    expect(problems).toMatchObject([{ line: 4, code: 'unknown-action' }]);
  });

  test('is not a shell', () => {
    expect(onlyTask(`**Step 1: Look**\n\n\`\`\`${word}\nls\n\`\`\`\n`).steps).toMatchObject([{ command: null }]);
  });
});

describe('a heading', () => {
  test.each([
    ['### *Task 1*', ''],
    ['### *Task 1: Dig*', 'Dig'],
    ['### *Task 1:* Dig', 'Dig'],
    ['### _Task 1: Dig_', 'Dig'],
    ['### __Task 1__: Dig', 'Dig'],
    ['### Task 1: *Dig*', '*Dig*'],
    ['### **Task 1**: Take **kwargs**', 'Take **kwargs**'],
    ['### Task 1: Dig (parallel)', 'Dig (parallel)'],
    ['### TASK #1 — Dig', 'Dig'],
  ])('%s has the name "%s"', (heading, name) => {
    expect(tasksOf(parse(heading).plan)).toMatchObject([{ number: 1, name }]);
  });

  test.each([
    ['## Phase 1: Dig (Parallel)', 'Dig', true],
    ['## Phase 1: Dig (PARALLEL)', 'Dig', true],
    ['## Phase 1 (Parallel): Dig', 'Dig', true],
    ['## Phase 1: Dig(parallel)', 'Dig', true],
    ['## Phase 1: Dig (parallel) ##', 'Dig', true],
    ['## Phase 1: (parallel)', '', true],
    ['## **Phase 1: Dig (parallel)**', 'Dig', true],
    ['## Phase 1: Dig (parallel) now', 'Dig (parallel) now', false],
    ['## Phase 1: Dig parallel', 'Dig parallel', false],
    ['## Phase 1: Dig (in parallel)', 'Dig (in parallel)', false],
  ])('%s', (heading, name, parallel) => {
    expect(parse(heading).plan.phases).toMatchObject([{ number: 1, name, parallel }]);
  });

  test('with a check mark before the word is still a task', () => {
    for (const mark of ['[ ]', '[x]', '[X]', '✅', '- [x]', '🚧 **'])
      expect(tasksOf(parse(`### ${mark} Task 1: a`).plan), mark).toMatchObject([{ number: 1 }]);
  });

  test.each([
    '### Tasks 1: a',
    '### Taskforce 1',
    '### Task1a',
    '### A Task 1: a',
    '### Task 1.2.3: a',
    '### Task one',
  ])('%s is not a task', (heading) => {
    expect(tasksOf(parse(heading).plan)).toEqual([]);
  });
});

test('dashes directly below the lines of a step are a rule', () => {
  const { plan } = parse('### Task 1: a\n\n**Step 1: Test**\nRun: `npm test`\n---\n### Task 2: b\n');
  expect(tasksOf(plan)).toMatchObject([{ number: 1, steps: [{ number: 1, command: 'npm test' }] }, { number: 2 }]);
});

describe('a field of the header', () => {
  test('counts, except in a quote', () => {
    const { plan } = parse('# House\n\n> **Goal:** quoted\n>\n> # Quoted\n\n**Goal:** live in it\n\n### Task 1: a\n');
    expect(plan).toMatchObject({ title: 'House', goal: 'live in it' });
    expect(parse('> **Goal:** quoted\n').plan.goal).toBeNull();
  });
});

describe('a task number with a dot', () => {
  const addresses = (text: string): readonly string[] => tasksOf(parse(text).plan).map((task) => task.address);

  test('is the address as it is written', () => {
    const text = '### Task 1: a\n\n### Task 2: b\n\n### Task 2.5: c\n\n### Task 2.10: d\n\n### Task 3: e\n';
    expect(addresses(text)).toEqual(['1', '2', '2.5', '2.10', '3']);
    expect(parse(text).problems).toMatchObject([{ code: 'task-numbers', line: 7 }]);
  });

  test('may be that of an inserted task, in any phase', () => {
    const text = '## Phase 1\n\n### Task 1: a\n\n### Task 2: b\n\n### Task 2.5: c\n\n### Task 3: d\n';
    expect(parse(text).problems).toEqual([]);
  });

  test('counts within its phase, or through the whole plan', () => {
    for (const numbers of [
      ['1.1', '1.2', '2.1', '2.2'],
      ['1.1', '1.2', '2.3', '2.4'],
    ]) {
      const [first, second, third, fourth] = numbers.map((number) => `### Task ${number}: x${number}\n\n`);
      const text = `## Phase 1\n\n${first}${second}## Phase 2\n\n${third}${fourth}`;
      expect(addresses(text)).toEqual(numbers);
      expect(parse(text).problems).toEqual([]);
    }
  });

  test('that repeats is an error, also where the other one is phase and number', () => {
    expect(parse('### Task 2.5: a\n\n### Task 2.5: b\n').problems).toMatchObject([
      { code: 'task-numbers' },
      { code: 'duplicate-task', line: 3, message: 'Task 2.5 already exists in line 1. Give this task another number.' },
    ]);
    const both = '## Phase 1\n\n### Task 1: a\n\n### Task 2.1: b\n\n## Phase 2\n\n### Task 1: c\n';
    expect(parse(both).problems.find(({ severity }) => severity === 'error')).toMatchObject({
      ...{ code: 'duplicate-task', line: 9 },
      message: 'The task with the address 2.1 is already in line 5. Give this task another number.',
    });
  });

  test('is found by what depends on it, and takes precedence over phase and number', () => {
    const text = '## Phase 2\n\n### Task 1: a\n\n### Task 2.1: b\n\n### Task 2: c\n**Depends on:** 2.1\n';
    expect(tasksOf(parse(text).plan).at(-1)?.dependsOn).toEqual(['2.1']);
    expect(tasksOf(parse(text.replace('Task 2.1', 'Task 3')).plan).at(-1)?.dependsOn).toEqual(['1']);
  });

  test('may be part of a range', () => {
    const plan = (range: string): string =>
      `### Task 2.1: a\n\n### Task 2.2: b\n\n### Task 2.3: c\n\n### Task 3: d\n**Depends on:** ${range}\n`;
    const waits = (range: string) => tasksOf(parse(plan(range)).plan).at(-1)?.dependsOn;
    expect(waits('2.1-2.3')).toEqual(['2.1', '2.2', '2.3']);
    expect(waits('Tasks 2.1 – 3')).toEqual(['2.1', '2.2', '2.3']);
    expect(parse(plan('1.9-2.3')).problems).toMatchObject([{ code: 'unreadable-dependency' }]);
  });

  test('with more than nine digits on either side is not a number', () => {
    for (const number of ['1234567890', '1234567890.1', '1.1234567890'])
      expect(parse(`### Task ${number}: a\n`), number).toMatchObject({
        plan: { phases: [] },
        problems: [{ code: 'no-tasks' }, { code: 'not-a-task' }],
      });
    expect(addresses('### Task 123456789.987654321: a\n')).toEqual(['123456789.987654321']);
  });
});

test('a phase between two others keeps its number', () => {
  const text =
    '## Phase 1\n\n### Task 1: a\n\n## Phase 1.5\n\n### Task 1: b\n\n## Phase 2\n\n### Task 1: c\n**Depends on:** Phase 1.5\n';
  const { plan, problems } = parse(text);
  expect(plan.phases.map(({ number }) => number)).toEqual([1, 1.5, 2]);
  expect(tasksOf(plan)).toMatchObject([{ address: '1.1' }, { address: '1.5.1' }, { dependsOn: ['1.5.1'] }]);
  expect(problems).toMatchObject([{ code: 'repeated-number' }]);
});

describe('Depends on', () => {
  const plan = (written: string): string =>
    `## Phase 1\n\n### Task 1: a\n\n### Task 2: b\n\n## Phase 2\n\n### Task 3: c\n\n## Phase 3\n\n### Task 4: d\n**Depends on:** ${written}\n`;
  const dependencies = (written: string): readonly string[] | null | undefined =>
    tasksOf(parse(plan(written)).plan).at(-1)?.dependsOn;

  test.each([
    ['Phases 1-2', ['1', '2', '3']],
    ['Wave 2', ['3']],
    ['phase #1', ['1', '2']],
    ['tasks 1 – 3', ['1', '2', '3']],
    ['1.2, 2.3', ['2', '3']],
    ['3, 1, 3', ['3', '1']],
    ['#2 (and, if there is time, 3)', ['2']],
    ['`none`', []],
    ['**nothing.**', []],
  ])('%s names %j', (written, addresses) => {
    expect(dependencies(written)).toEqual(addresses);
    expect(parse(plan(written)).problems).toEqual([]);
  });

  test('a plural word applies to every number after it, up to the next word', () => {
    expect(dependencies('Phases 2 and 1')).toEqual(['3', '1', '2']);
    expect(dependencies('Phases 1 and 2')).toEqual(['1', '2', '3']);
    expect(dependencies('Phase 2 and 1')).toEqual(['3', '1']);
    expect(dependencies('Phases 2, task 1')).toEqual(['3', '1']);
    expect(dependencies('Phase 1 and Phase 2')).toEqual(['1', '2', '3']);
  });

  test.each([
    ['3-1', 'unreadable-dependency'],
    ['the first one', 'unreadable-dependency'],
    ['', 'unreadable-dependency'],
    ['9', 'unknown-dependency'],
    ['2.1', 'unknown-dependency'],
    ['1-9', 'unknown-dependency'],
    ['1-999999999', 'unknown-dependency'],
    ['Phase 9', 'unknown-dependency'],
    ['Phases 1-999999999', 'unknown-dependency'],
  ])('"%s" is an error', (written, code) => {
    expect(parse(plan(written)).problems).toMatchObject([{ line: 14, severity: 'error', code }]);
  });

  test('counts the first time only', () => {
    expect(dependencies('1\n\n**Depends on:** 2')).toEqual(['1']);
  });

  test('names at most 256 tasks', () => {
    const many = (count: number): string =>
      Array.from({ length: count }, (_, index) => `### Task ${index + 1}: a\n`).join('') +
      `### Task ${count + 1}: last\n**Depends on:** 1-${count}\n`;
    expect(tasksOf(parse(many(256)).plan).at(-1)?.dependsOn).toHaveLength(256);
    expect(parse(many(256)).problems).toEqual([]);
    expect(parse(many(300)).problems).toMatchObject([{ line: 302, severity: 'error', code: 'unreadable-dependency' }]);
  });

  test('names at most 256 tasks also through a phase or one by one', () => {
    const numbers = Array.from({ length: 300 }, (_, index) => index + 1);
    const many = (written: string): string =>
      `## Phase 1\n${numbers.map((number) => `### Task ${number}: a\n`).join('')}## Phase 2\n### Task 301: last\n**Depends on:** ${written}\n`;
    for (const written of ['Phase 1', numbers.join(', ')])
      expect(parse(many(written)).problems).toMatchObject([{ line: 304, code: 'unreadable-dependency' }]);
  });
});

describe('a list of files', () => {
  test('may have notes below its entries, which are not files', () => {
    const task = onlyTask(
      [
        '**Files:**',
        '- Create: `a.ts`',
        '  with the types of `b.ts`',
        '- Modify: `c.ts`',
        '',
        '  Only the loop; `d.ts` stays.',
        '- Test: `e.ts`',
      ].join('\n'),
    );
    expect(task.files.map(({ action, path, line }) => [action, path, line])).toEqual([
      ['create', 'a.ts', 3],
      ['modify', 'c.ts', 5],
      ['test', 'e.ts', 8],
    ]);
  });

  test('applies the action of an entry to the entries nested in it', () => {
    const task = onlyTask('**Files:**\n- Create:\n  - `a.ts`\n  - `b.ts:3-4` — later\n- Delete: `c.ts`, `d.ts`\n');
    expect(task.files.map(({ action, path, lines }) => [action, path, lines])).toEqual([
      ['create', 'a.ts', null],
      ['create', 'b.ts', '3-4'],
      ['delete', 'c.ts', null],
      ['delete', 'd.ts', null],
    ]);
  });

  test('warns about a nested note below a file that names no action', () => {
    const { plan, problems } = parse('### Task 1: a\n\n**Files:**\n- Create: `a.ts`\n  - only the types\n');
    expect(tasksOf(plan)[0]?.files).toHaveLength(1);
    expect(problems).toMatchObject([{ line: 5, column: 5, severity: 'warning', code: 'unknown-action' }]);
  });

  test('ends with the next label, step, fence or text', () => {
    for (const end of ['**Notes:**', '**Step 1: Look**', '```\n```', 'Then go on.', '---'])
      expect(onlyTask(`**Files:**\n- Create: \`a\`\n\n${end}\n\n- Create: \`b\`\n`).files, end).toHaveLength(1);
  });
});

describe('Run', () => {
  test.each([
    ['`npm test`', 'npm test'],
    ['`npm test` and look at the end', 'npm test'],
    ['`` echo `date` `` twice', 'echo `date`'],
    ['npm test', 'npm test'],
    ['`npm test', '`npm test'],
    ['npm `test` now', 'npm `test` now'],
  ])('%s runs "%s"', (written, command) => {
    expect(onlyTask(`**Step 1: Look**\n\nRun: ${written}\n`).steps).toMatchObject([{ command }]);
  });

  test('without text runs the next fence, in any language', () => {
    expect(onlyTask('**Step 1: Look**\n\nRun:\n\n```sql\nselect 1\n```\n').steps).toMatchObject([
      { command: 'select 1' },
    ]);
  });

  test('counts once per step, and not before the first step', () => {
    const { steps } = onlyTask(
      'Run: `zero`\n\n**Step 1: a**\n\nRun: `one`\n\nRun: `two`\n\n**Step 2: b**\n\nRun: `three`\n',
    );
    expect(steps.map((step) => step.command)).toEqual(['one', 'three']);
  });
});

test('emphasis in the description of a step is kept if only the label is bold', () => {
  expect(onlyTask('**Step 1:** Write the **failing** test\n').steps).toMatchObject([
    { description: 'Write the **failing** test' },
  ]);
});

function onlyTask(body: string): Task {
  const [task] = tasksOf(parse(`### Task 1: a\n${body}`).plan);
  if (task === undefined) throw new Error('The text has no task.');
  return task;
}
