// Advice on plans: for each kind a plan that triggers it, and the same plan fixed.
import { expect, test } from 'vitest';
import { advise } from '../../src/plan/lint.ts';
import { isUsable, parse } from '../../src/plan/parse.ts';

interface Case {
  readonly code: string;
  readonly line: number;
  readonly message: string;
  readonly triggers: string;
  readonly fixed: string;
}

const GOAL = '**Goal:** live in it\n\n';
const PHASE = '## Phase 1: Walls (parallel)\n\n';
const STEP = '**Step 1: Look**\n\nRun: `ls`\n';

const CASES: readonly Case[] = [
  {
    code: 'no-goal',
    line: 1,
    message: 'The plan has no goal.',
    triggers: `${task(1, 'Dig', '- Create: `a`')}`,
    fixed: `${GOAL}${task(1, 'Dig', '- Create: `a`')}`,
  },
  {
    code: 'no-name',
    line: 3,
    message: 'Task 1 has no name.',
    triggers: `${GOAL}${task(1, '', '- Create: `a`')}`,
    fixed: `${GOAL}${task(1, 'Dig', '- Create: `a`')}`,
  },
  {
    code: 'no-files',
    line: 3,
    message: 'Task 1 lists no files',
    triggers: `${GOAL}### Task 1: Dig\n\n${STEP}`,
    fixed: `${GOAL}${task(1, 'Dig', '- Create: `a`')}`,
  },
  {
    code: 'no-steps',
    line: 3,
    message: 'Task 1 has no steps',
    triggers: `${GOAL}### Task 1: Dig\n\n**Files:**\n- Create: \`a\`\n`,
    fixed: `${GOAL}${task(1, 'Dig', '- Create: `a`')}`,
  },
  {
    code: 'no-command',
    line: 8,
    message: 'Step 1 of task 1 has no command',
    triggers: `${GOAL}### Task 1: Dig\n\n**Files:**\n- Create: \`a\`\n\n**Step 1: Look**\n`,
    fixed: `${GOAL}${task(1, 'Dig', '- Create: `a`')}`,
  },
  ...['/etc/passwd', '~/a', '../a', 'a/../../b'].map((path) => ({
    code: 'outside',
    line: 6,
    message: `"${path}" is not a path inside the repository.`,
    triggers: `${GOAL}${task(1, 'Dig', `- Create: \`${path}\``)}`,
    fixed: `${GOAL}${task(1, 'Dig', '- Create: `a..b/~c`')}`,
  })),
  {
    code: 'shared-file',
    line: 17,
    message: '"a" is also touched by task 1, which runs at the same time.',
    triggers: `${GOAL}${PHASE}${task(1, 'Dig', '- Modify: `a`')}\n${task(2, 'Pour', '- Modify: `a`')}`,
    fixed: `${GOAL}${PHASE}${task(1, 'Dig', '- Modify: `a`')}\n${task(2, 'Pour', '- Modify: `b`')}`,
  },
  {
    code: 'shared-file',
    line: 17,
    message: '"a" is also created by task 1, which runs at the same time.',
    triggers: `${GOAL}${PHASE}${task(1, 'Dig', '- Create: `a`')}\n${task(2, 'Pour', '- Create: `a`')}`,
    fixed: `${GOAL}${PHASE}${task(1, 'Dig', '- Create: `a`')}\n${task(2, 'Pour', '- Create: `b`')}`,
  },
  {
    code: 'shared-file',
    line: 17,
    message: '"a" is also touched by task 1, which runs at the same time.',
    triggers: `${GOAL}${PHASE}${task(1, 'Dig', '- Create: `a`')}\n${task(2, 'Pour', '- Modify: `a`')}`,
    fixed: `${GOAL}${PHASE}${task(1, 'Dig', '- Create: `a`')}\n${task(2, 'Pour', '- Modify: `a`', '1')}`,
  },
  {
    code: 'shared-file',
    line: 17,
    message: '"a" is also touched by task 1',
    triggers: `${GOAL}${PHASE}${task(1, 'Dig', '- Modify: `a`')}\n${task(2, 'Pour', '- Reference: `a`')}`,
    fixed: `${GOAL}${PHASE}${task(1, 'Dig', '- Reference: `a`')}\n${task(2, 'Pour', '- Reference: `a`')}`,
  },
  {
    code: 'shared-file',
    line: 17,
    message: '"a" is also touched by task 1',
    triggers: `${GOAL}${PHASE}${task(1, 'Dig', '- Modify: `a`')}\n${task(2, 'Pour', '- Test: `a`')}`,
    fixed: `${GOAL}${PHASE}${task(1, 'Dig', '- Modify: `a`')}\n${task(2, 'Pour', '- Test: `a`', '1')}`,
  },
  {
    code: 'shared-file',
    line: 30,
    message: '"a" is also touched by task 2',
    triggers: `${GOAL}${PHASE}${task(1, 'Ask', '- Reference: `a`')}\n${task(2, 'Dig', '- Modify: `a`', '1')}\n${task(3, 'Pour', '- Modify: `a`', '1')}`,
    fixed: `${GOAL}${PHASE}${task(1, 'Ask', '- Reference: `a`')}\n${task(2, 'Dig', '- Modify: `a`', '1')}\n${task(3, 'Pour', '- Modify: `a`', '1, 2')}`,
  },
  {
    code: 'created-twice',
    line: 15,
    message: '"a" is already created by task 1.',
    triggers: `${GOAL}${task(1, 'Dig', '- Create: `a`')}\n${task(2, 'Pour', '- Create: `a`')}`,
    fixed: `${GOAL}${task(1, 'Dig', '- Create: `a`')}\n${task(2, 'Pour', '- Modify: `a`')}`,
  },
  {
    code: 'not-there-yet',
    line: 6,
    message: '"a" is only created later, by task 2.',
    triggers: `${GOAL}${task(1, 'Dig', '- Modify: `a`')}\n${task(2, 'Pour', '- Create: `a`')}`,
    fixed: `${GOAL}${task(1, 'Dig', '- Create: `a`')}\n${task(2, 'Pour', '- Modify: `a`')}`,
  },
  ...[
    ['TBD: which port', 'TBD', 'Listen on 8080'],
    ['the format is to be decided', 'to be decided', 'the format is JSON'],
    ['handle edge cases', 'handle edge cases', 'refuse an empty name'],
    ['add appropriate error handling', 'add appropriate error handling', 'exit with 2 where the file is missing'],
    ['write tests for the above', 'write tests for the above', 'test an empty file'],
    ['similar to task 2', 'similar to task 2', 'one line for each name'],
  ].map(([text, words, fixed]) => ({
    code: 'placeholder',
    line: 8,
    message: `Task 1 says "${words}".`,
    triggers: `${GOAL}${task(1, 'Dig', `- Create: \`a\`\n\n${text}`)}`,
    fixed: `${GOAL}${task(1, 'Dig', `- Create: \`a\`\n\n${fixed}`)}`,
  })),
  {
    code: 'undefined-name',
    line: 15,
    message: 'Task 2 needs "hole", which no task produces.',
    triggers:
      `${GOAL}${task(1, 'Dig', `- Create: \`a\`\n\n${interfaces('Produces', '`pit(depth)`')}`)}\n${task(2, 'Pour', `- Create: \`b\`\n\n${interfaces('Consumes', '`hole`')}`)}`.replace(
        '\n\n\n',
        '\n\n',
      ),
    fixed: `${GOAL}${task(1, 'Dig', `- Create: \`a\`\n\n${interfaces('Produces', '`hole(depth)`')}`)}\n${task(2, 'Pour', `- Create: \`b\`\n\n${interfaces('Consumes', '`hole`')}`)}`,
  },
  {
    code: 'undefined-name',
    line: 3,
    message: 'If it already exists, add "(exists)"',
    triggers: `${GOAL}${task(1, 'Dig', `- Create: \`a\`\n\n${interfaces('Consumes', '`spade()`')}`)}`,
    fixed: `${GOAL}${task(1, 'Dig', `- Create: \`a\`\n\n${interfaces('Consumes', '`spade()` (exists)')}`)}`,
  },
  {
    code: 'produced-later',
    line: 3,
    message: 'Task 1 needs "hole", which task 2 produces later.',
    triggers: `${GOAL}${task(1, 'Pour', `- Create: \`a\`\n\n${interfaces('Consumes', '`hole`')}`)}\n${task(2, 'Dig', `- Create: \`b\`\n\n${interfaces('Produces', '`hole`')}`)}`,
    fixed: `${GOAL}${task(1, 'Dig', `- Create: \`a\`\n\n${interfaces('Produces', '`hole`')}`)}\n${task(2, 'Pour', `- Create: \`b\`\n\n${interfaces('Consumes', '`hole`')}`)}`,
  },
  {
    code: 'produced-later',
    line: 17,
    message: 'Task 2 needs "hole", which task 1 produces at the same time.',
    triggers: `${GOAL}${PHASE}${task(1, 'Dig', `- Create: \`a\`\n\n${interfaces('Produces', '`hole`')}`)}\n${task(2, 'Pour', `- Create: \`b\`\n\n${interfaces('Consumes', '`hole`')}`)}`,
    fixed: `${GOAL}${PHASE}${task(1, 'Dig', `- Create: \`a\`\n\n${interfaces('Produces', '`hole`')}`)}\n${task(2, 'Pour', `- Create: \`b\`\n\n${interfaces('Consumes', '`hole`')}`, '1')}`,
  },
];

function interfaces(side: string, entry: string): string {
  return `**Interfaces:**\n- ${side}: ${entry}`;
}

test.each(CASES)('$code: $message', ({ code, line, message, triggers }) => {
  const given = advise(parse(triggers).plan).filter((advice) => advice.code === code);
  expect(given).toMatchObject([{ line, column: 1, severity: 'advice', message: expect.stringContaining(message) }]);
});

test.each(CASES)('no $code once it is fixed', ({ fixed }) => {
  const { plan, problems } = parse(fixed);
  expect(isUsable(problems)).toBe(true);
  expect(advise(plan)).toEqual([]);
});

test('a file touched only by tasks that run one after the other is not shared', () => {
  const plan = `${GOAL}## Phase 1: Walls\n\n${task(1, 'Dig', '- Modify: `a`')}\n${task(2, 'Pour', '- Modify: `a`')}`;
  expect(advise(parse(plan).plan)).toEqual([]);
});

test('a task may list a file twice', () => {
  const plan = `${GOAL}${PHASE}${task(1, 'Dig', '- Create: `a`\n- Modify: `a:1-2`\n- Create: `a`')}`;
  expect(advise(parse(plan).plan)).toEqual([]);
});

test('advice is in the order of the lines', () => {
  const lines = advise(parse('### Task 1\n\n### Task 2\n\n**Step 1: x**\n').plan).map((advice) => advice.line);
  expect(lines).toEqual([...lines].sort((one, other) => one - other));
  expect(lines.length).toBeGreaterThan(4);
});

function task(number: number, name: string, files: string, dependsOn?: string): string {
  const heading = name === '' ? `### Task ${number}` : `### Task ${number}: ${name}`;
  const waits = dependsOn === undefined ? '' : `**Depends on:** ${dependsOn}\n\n`;
  return `${heading}\n\n${waits}**Files:**\n${files}\n\n${STEP}`;
}
