// The brief of a task: where it fits, what it takes from other tasks and gives to them, what was decided, who is beside it.
import { describe, expect, test } from 'vitest';
import { openFindings } from '../../../../src/core/model/review/finding.ts';
import { dutyIn } from '../../../../src/core/model/run-status.ts';
import type { World } from '../../../../src/core/model/world.ts';
import { parse } from '../../../../src/plan/parse.ts';
import { planReviewPrompt, promptIn } from '../../../support/prompts.ts';
import { AGENT, act, at, going, HUMAN, result, runIn, says, settled, withBudgets } from '../../../support/runs.ts';
import { taskIn } from '../../../support/world.ts';

const PLAN = `# Full-text search

**Goal:** People find what they wrote.

**Architecture:** An inverted index beside the notes.

**Tech Stack:** TypeScript, SQLite

## Global Constraints

- No new dependency.

## Phase 1: Index

### Task 1: Tokenizer

**Files:**
- Create: \`src/tokens.ts\`

**Interfaces:**
- Produces: \`tokens(text: string): string[]\`

### Task 2: Index

**Interfaces:**
- Consumes: \`tokens\`
- Produces: \`class Index\` with \`add(note)\`

## Phase 2: Query (parallel)

### Task 3: Query language

**Files:**
- Create: \`src/query.ts\`
- Modify: \`src/index.ts\`

**Interfaces:**
- Consumes: \`tokens\`, \`Index\`
- Produces: \`query(text: string): Query\`

### Task 4: Ranking

**Depends on:** Task 2

**Files:**
- Create: \`src/rank.ts\`
- Modify: \`src/index.ts\`

### Task 5: Search page

**Depends on:** Task 3

### Task 6: Help

Write the help page.
`;

const TASKS = parse(PLAN).plan.phases.flatMap((phase) => phase.tasks);
const TEXTS = new Map(TASKS.map(({ address, rawText }) => [address, rawText]));

/** Tasks 1 and 2 are merged; 3, 4 and 6 are being built. */
const BUILDING = built(built(going({ ...HUMAN, maxParallel: 4 }, PLAN), '1'), '2');

function built(world: World, task: string): World {
  const coding = settled(world, result(world, { of: 'worktree', base: 'b0' }, task));
  return settled(coding, act('mark-done', { task }));
}

function briefIn(world: World, task: string, files = new Map<string, string>()): string {
  promptIn(world, task, { planText: PLAN, texts: TEXTS, files });
  return files.get('brief') ?? '';
}

/** The world with a worktree for the task. */
function launched(world: World, task: string): World {
  return settled(world, result(world, { of: 'worktree', base: 'b2' }, task));
}

const THREE = ['3', '4', '6'].reduce(launched, BUILDING);

describe('the brief', () => {
  test('is in the prompt word for word, and in a file that the prompt names', () => {
    const brief = briefIn(THREE, '3');
    const [, ...sections] = brief.trimEnd().split(/\n\n(?=## )/);
    const prompt = promptIn(THREE, '3', { planText: PLAN, texts: TEXTS });
    expect(sections.length).toBeGreaterThan(3);
    expect(prompt).toContain(sections.join('\n\n'));
    expect(prompt).toContain('`/files/brief.md`');
  });

  test('has the text of the task, byte for byte, and of no other task', () => {
    const brief = briefIn(THREE, '3');
    expect(brief).toContain(TEXTS.get('3')?.trimEnd());
    expect(brief).not.toContain('Write the help page.');
  });

  test('says where the task fits, in one line', () => {
    expect(briefIn(THREE, '3')).toContain(
      '\nTask 3 of 6, in phase 2 of 2 ("Query"), whose tasks are built at the same time. It builds on task 1 (Tokenizer, marked done by a person), task 2 (Index, marked done by a person). Later, task 5 (Search page) will build on it.\n',
    );
    expect(briefIn(THREE, '6')).toContain(
      '\nTask 6 of 6, in phase 2 of 2 ("Query"), whose tasks are built at the same time.\n',
    );
  });

  test('has what the plan says for every task', () => {
    for (const part of [
      'People find what they wrote.',
      'An inverted index',
      'TypeScript, SQLite',
      '- No new dependency.',
    ])
      expect(briefIn(THREE, '6')).toContain(part);
  });

  test('says which names no task produces, so that nobody looks for them among the results of others', () => {
    const text = (entry: string): string => `### Task 1: Dig\n\n**Interfaces:**\n- Consumes: ${entry}\n`;
    const interfaces = (entry: string): string => {
      const world = going(HUMAN, text(entry));
      const coding = settled(world, result(world, { of: 'worktree', base: 'b0' }));
      return promptIn(coding, '1', { texts: new Map([['1', text(entry)]]) });
    };
    expect(interfaces('`lookup(name)`')).toContain(
      '- `lookup(name)`; no task produces `lookup`: if the code has it neither, ask',
    );
    expect(interfaces('`lookup(name)` (exists)')).not.toContain('no task produces');
  });

  test('says for each interface who is on the other side, and how that one writes it', () => {
    const brief = briefIn(THREE, '3');
    expect(brief).toContain('from task 1 (Tokenizer, marked done by a person): `tokens(text: string): string[]`');
    expect(brief).toContain('from task 2 (Index, marked done by a person): `class Index` with `add(note)`');
    expect(briefIn(THREE, '6')).not.toContain('## Interfaces');
  });

  test('names the tasks that are built at the same time, their files, and which of them both name', () => {
    const brief = briefIn(THREE, '3');
    expect(brief).toContain('- Task 4, Ranking: `src/rank.ts`, `src/index.ts`; this task names one of these as well');
    expect(brief).toContain('- Task 6, Help: names no files');
    expect(brief).not.toMatch(/- Task [1235],/);
    expect(briefIn(launched(BUILDING, '3'), '3')).toContain('Built at the same time');
  });

  test('has what was decided about the task, and about the tasks that it builds on', () => {
    const coding = at('CODING', HUMAN, PLAN);
    const question = settled(coding, says(coding, 'question', { body: 'Are numbers words?' }));
    const answered = settled(question, act('answer', { text: 'Yes, numbers are words.' }), act('mark-done'));
    const second = launched(answered, '2');
    expect(briefIn(second, '2')).toContain('## Decided about earlier tasks');
    expect(briefIn(second, '2')).toContain('> Yes, numbers are words.');
  });
});

test('where the plan says a lot, the goal and the constraints are still there, and the file with all of it is named', () => {
  const long = PLAN.replace('## Phase 1', `## History\n\n${'It was long ago. '.repeat(400)}\n\n## Phase 1`);
  const prompt = promptIn(THREE, '3', { planText: long, texts: TEXTS });
  expect(prompt).toContain('**Goal:** People find what they wrote.');
  expect(prompt).toContain('- No new dependency.');
  expect(prompt).toContain('all of it is in `/files/about.md`');
  expect(prompt).not.toContain('It was long ago. It was long ago.');
});

describe('a prompt with its brief is shorter than 12,000 characters apart from the task', () => {
  const word = (name: string): string => `${name} ${'x\n'.repeat(20_000)}`;
  const entries = Array.from(
    { length: 30 },
    (_, index) => `  - \`name${index}(text: string)\`: ${'y'.repeat(300)}`,
  ).join('\n');
  const taskText = (address: string): string =>
    `### Task ${address}: ${'t'.repeat(900)}\n\n**Files:**\n${Array.from({ length: 60 }, (_, index) => `- Create: \`src/${'f'.repeat(60)}${index}.ts\``).join('\n')}\n\n**Interfaces:**\n- Consumes:\n${entries}\n- Produces:\n${entries}\n`;
  const text = `# ${'n'.repeat(3_000)}\n\n**Goal:** ${'g'.repeat(9_000)}\n\n**Architecture:** ${'a'.repeat(9_000)}\n\n**Tech Stack:** ${'s'.repeat(9_000)}\n\n## Global Constraints\n\n${'- c\n'.repeat(5_000)}\n\n## Phase 1: ${'p'.repeat(500)} (parallel)\n\n${['1', '2', '3'].map(taskText).join('\n')}`;
  const texts = new Map(
    parse(text)
      .plan.phases.flatMap((phase) => phase.tasks)
      .map((task) => [task.address, task.rawText]),
  );
  const own = texts.get('1')?.length ?? 0;

  const PLACES = [
    ['PLANNING', HUMAN],
    ['PLAN_REVIEW', AGENT],
    ['CODING', HUMAN],
    ['FIXING', HUMAN],
    ['CODE_REVIEW spec', HUMAN],
    ['CODE_REVIEW quality', HUMAN],
    ['QUESTION from CODING', AGENT],
    ['check-in', AGENT],
  ] as const;

  test.each(PLACES)('in %s', (place, policy) => {
    const world = at(place, { ...withBudgets(policy, { fixing: 20 }), maxParallel: 4 }, text);
    expect(promptIn(world, '1', { planText: text, texts }).length - own).toBeLessThan(12_000);
  });

  test('in every turn after long questions, answers, reviews and demands', () => {
    const policy = { ...withBudgets(HUMAN, { fixing: 20 }), maxParallel: 4 };
    let world = settled(at('QUESTION from CODING', policy, text), act('answer', { text: word('answer') }));
    const seen = new Set<string>();
    const look = (): void => {
      seen.add(dutyIn(runIn(world), world.policy, taskIn(world, '1'))?.work ?? '');
      expect(promptIn(world, '1', { planText: text, texts }).length - own).toBeLessThan(12_000);
    };
    for (const round of ['one', 'two', 'three']) {
      look();
      const finished = seen.has('fix') || runIn(world).state === 'FIXING' ? 'fix-finished' : 'implement-finished';
      const head = { head: `c${world.seq}`, clean: true, commits: 2 };
      world = settled(world, says(world, finished, { worktree: head, body: word('report') }));
      world = settled(world, result(world, { of: 'verify', passed: true, text: '' }));
      look();
      const open = openFindings(taskIn(world, '1')).map(({ id }) => id);
      const body = open.map((id) => `${id}: ADDRESSED`).join('\n');
      world = settled(world, says(world, 'review-approved', { body, worktree: { ...head, changed: open } }));
      look();
      world = settled(world, act('changes', { text: word(round) }));
      look();
      const asked = settled(world, says(world, 'question', { body: word('question') }));
      world = settled(asked, act('answer', { text: word('reply') }));
    }
    expect([...seen].sort()).toEqual(['build', 'fix', 'review-quality', 'review-spec']);
    expect(planReviewPrompt(world, { planText: text, texts }).length).toBeLessThan(12_000);
  });
});
