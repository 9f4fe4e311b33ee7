// Advice on plans: for each kind a plan that earns it, and the same plan mended.
import { expect, test } from 'vitest';
import { advise } from '../../src/plan/lint.ts';
import { isUsable, parse } from '../../src/plan/parse.ts';

interface Case {
  readonly code: string;
  readonly line: number;
  readonly message: string;
  readonly earns: string;
  readonly mended: string;
}

const GOAL = '**Goal:** live in it\n\n';
const PHASE = '## Phase 1: Walls (parallel)\n\n';
const STEP = '**Step 1: Look**\n\nRun: `ls`\n';

const CASES: readonly Case[] = [
  {
    code: 'no-goal',
    line: 1,
    message: 'No goal is given.',
    earns: `${task(1, 'Dig', '- Create: `a`')}`,
    mended: `${GOAL}${task(1, 'Dig', '- Create: `a`')}`,
  },
  {
    code: 'no-name',
    line: 3,
    message: 'Task 1 has no name.',
    earns: `${GOAL}${task(1, '', '- Create: `a`')}`,
    mended: `${GOAL}${task(1, 'Dig', '- Create: `a`')}`,
  },
  {
    code: 'no-files',
    line: 3,
    message: 'Task 1 names no files',
    earns: `${GOAL}### Task 1: Dig\n\n${STEP}`,
    mended: `${GOAL}${task(1, 'Dig', '- Create: `a`')}`,
  },
  {
    code: 'no-steps',
    line: 3,
    message: 'Task 1 has no steps',
    earns: `${GOAL}### Task 1: Dig\n\n**Files:**\n- Create: \`a\`\n`,
    mended: `${GOAL}${task(1, 'Dig', '- Create: `a`')}`,
  },
  {
    code: 'no-command',
    line: 8,
    message: 'Step 1 of task 1 has no command',
    earns: `${GOAL}### Task 1: Dig\n\n**Files:**\n- Create: \`a\`\n\n**Step 1: Look**\n`,
    mended: `${GOAL}${task(1, 'Dig', '- Create: `a`')}`,
  },
  ...['/etc/passwd', '~/a', '../a', 'a/../../b'].map((path) => ({
    code: 'outside',
    line: 6,
    message: `"${path}" is not a path inside the repository.`,
    earns: `${GOAL}${task(1, 'Dig', `- Create: \`${path}\``)}`,
    mended: `${GOAL}${task(1, 'Dig', '- Create: `a..b/~c`')}`,
  })),
  {
    code: 'shared-file',
    line: 17,
    message: '"a" is also touched by task 1, which runs at the same time.',
    earns: `${GOAL}${PHASE}${task(1, 'Dig', '- Modify: `a`')}\n${task(2, 'Pour', '- Modify: `a`')}`,
    mended: `${GOAL}${PHASE}${task(1, 'Dig', '- Modify: `a`')}\n${task(2, 'Pour', '- Modify: `b`')}`,
  },
  {
    code: 'shared-file',
    line: 17,
    message: '"a" is created by task 1 too, which runs at the same time.',
    earns: `${GOAL}${PHASE}${task(1, 'Dig', '- Create: `a`')}\n${task(2, 'Pour', '- Create: `a`')}`,
    mended: `${GOAL}${PHASE}${task(1, 'Dig', '- Create: `a`')}\n${task(2, 'Pour', '- Create: `b`')}`,
  },
  {
    code: 'shared-file',
    line: 17,
    message: '"a" is also touched by task 1',
    earns: `${GOAL}${PHASE}${task(1, 'Dig', '- Modify: `a`')}\n${task(2, 'Pour', '- Reference: `a`')}`,
    mended: `${GOAL}${PHASE}${task(1, 'Dig', '- Reference: `a`')}\n${task(2, 'Pour', '- Reference: `a`')}`,
  },
  {
    code: 'shared-file',
    line: 17,
    message: '"a" is also touched by task 1',
    earns: `${GOAL}${PHASE}${task(1, 'Dig', '- Modify: `a`')}\n${task(2, 'Pour', '- Test: `a`')}`,
    mended: `${GOAL}${PHASE}${task(1, 'Dig', '- Modify: `a`')}\n${task(2, 'Pour', '- Test: `a`', '1')}`,
  },
  {
    code: 'shared-file',
    line: 30,
    message: '"a" is also touched by task 2',
    earns: `${GOAL}${PHASE}${task(1, 'Ask', '- Reference: `a`')}\n${task(2, 'Dig', '- Modify: `a`', '1')}\n${task(3, 'Pour', '- Modify: `a`', '1')}`,
    mended: `${GOAL}${PHASE}${task(1, 'Ask', '- Reference: `a`')}\n${task(2, 'Dig', '- Modify: `a`', '1')}\n${task(3, 'Pour', '- Modify: `a`', '1, 2')}`,
  },
  {
    code: 'created-twice',
    line: 15,
    message: '"a" is created by task 1 already.',
    earns: `${GOAL}${task(1, 'Dig', '- Create: `a`')}\n${task(2, 'Pour', '- Create: `a`')}`,
    mended: `${GOAL}${task(1, 'Dig', '- Create: `a`')}\n${task(2, 'Pour', '- Modify: `a`')}`,
  },
  {
    code: 'not-there-yet',
    line: 6,
    message: '"a" is created only later, by task 2.',
    earns: `${GOAL}${task(1, 'Dig', '- Modify: `a`')}\n${task(2, 'Pour', '- Create: `a`')}`,
    mended: `${GOAL}${task(1, 'Dig', '- Create: `a`')}\n${task(2, 'Pour', '- Modify: `a`')}`,
  },
];

test.each(CASES)('$code: $message', ({ code, line, message, earns }) => {
  const given = advise(parse(earns).plan).filter((advice) => advice.code === code);
  expect(given).toMatchObject([{ line, column: 1, severity: 'advice', message: expect.stringContaining(message) }]);
});

test.each(CASES)('no $code once it is mended', ({ mended }) => {
  const { plan, problems } = parse(mended);
  expect(isUsable(problems)).toBe(true);
  expect(advise(plan)).toEqual([]);
});

test('a file that only tasks of one phase after another touch is shared by none', () => {
  const plan = `${GOAL}## Phase 1: Walls\n\n${task(1, 'Dig', '- Modify: `a`')}\n${task(2, 'Pour', '- Modify: `a`')}`;
  expect(advise(parse(plan).plan)).toEqual([]);
});

test('one task may name a file twice', () => {
  const plan = `${GOAL}${PHASE}${task(1, 'Dig', '- Create: `a`\n- Modify: `a:1-2`\n- Create: `a`')}`;
  expect(advise(parse(plan).plan)).toEqual([]);
});

test('advice comes in the order of the lines', () => {
  const lines = advise(parse('### Task 1\n\n### Task 2\n\n**Step 1: x**\n').plan).map((advice) => advice.line);
  expect(lines).toEqual([...lines].sort((one, other) => one - other));
  expect(lines.length).toBeGreaterThan(4);
});

function task(number: number, name: string, files: string, dependsOn?: string): string {
  const heading = name === '' ? `### Task ${number}` : `### Task ${number}: ${name}`;
  const waits = dependsOn === undefined ? '' : `**Depends on:** ${dependsOn}\n\n`;
  return `${heading}\n\n${waits}**Files:**\n${files}\n\n${STEP}`;
}
