// Where something is merged, stopped or lost, a person at a terminal is asked first. A script never waits for an answer.
import { expect, test } from 'vitest';
import { createApp } from '../../../src/app/app.ts';
import type { By } from '../../../src/core/model/event.ts';
import { runProgram } from '../../../src/surfaces/cli/program.ts';
import { fakeApp } from '../../support/app.ts';
import { ONE } from '../../support/runs.ts';
import { PLAN, register, USER } from '../../support/world.ts';

const AGENT: By = { who: 'agent', role: 'implementer', session: 's7' };

interface Asked {
  readonly code: number;
  readonly questions: readonly string[];
  readonly status: string | undefined;
}

/** `answer` is undefined where nobody is at a terminal. */
async function typed(
  argv: readonly string[],
  answer: boolean | undefined,
  by: By = USER,
  text: string = ONE,
): Promise<Asked> {
  const fake = fakeApp({ by, files: { [PLAN]: text }, events: [register(PLAN)] });
  const questions: string[] = [];
  const unused = (): never => {
    throw new Error('Not used here.');
  };
  const code = await runProgram(argv, {
    version: '0',
    debug: false,
    show: () => undefined,
    app: () => createApp(fake.ports),
    config: unused,
    playground: unused,
    print: () => undefined,
    say: () => undefined,
    prompt: unused,
    dropTyped: () => [],
    edit: unused,
    lines: unused,
    runCommand: unused,
    ring: unused,
    notifier: unused,
    readInput: unused,
    readFile: unused,
    createFile: unused,
    runHere: unused,
    terminal: () => undefined,
    isTerminal: () => answer !== undefined,
    async ask(question) {
      if (answer !== undefined) questions.push(question);
      return answer;
    },
    stop: new AbortController().signal,
  });
  return { code, questions, status: fake.world().plans.get(PLAN)?.status };
}

const QUESTION = 'Cancel the plan and stop its agents?';

test.each([
  ['cancel', 'x'],
  ['move', 'x', 'cancel'],
])('"cadre %s" asks on a terminal', async (...argv) => {
  expect(await typed(argv, true)).toEqual({ code: 0, questions: [QUESTION], status: 'cancelled' });
  expect(await typed(argv, false)).toEqual({ code: 2, questions: [QUESTION], status: 'ready' });
});

test.each<readonly [string, readonly string[], boolean | undefined]>([
  ['with --yes', ['cancel', 'x', '--yes'], false],
  ['with --json', ['cancel', 'x', '--json'], false],
  ['without a terminal', ['cancel', 'x'], undefined],
])('nothing is asked %s', async (_how, argv, answer) => {
  expect(await typed(argv, answer)).toEqual({ code: 0, questions: [], status: 'cancelled' });
});

test('an agent is refused without a question, and what loses nothing is not asked about', async () => {
  expect(await typed(['cancel', 'x'], true, AGENT)).toMatchObject({ code: 2, questions: [], status: 'ready' });
  expect(await typed(['move', 'x', 'plan_start'], false)).toMatchObject({ code: 0, questions: [], status: 'planning' });
});

test('what a plan leaves open is one question, asked before its first task; a person who says no starts nothing', async () => {
  const text = '### Task 1: Dig\n\nTBD\n\n### Task 2: Fill\n\nHandle edge cases.\n';
  const question = ['Build the plan as it is?'];
  expect(await typed(['run', 'x'], false, USER, text)).toEqual({ code: 2, questions: question, status: 'ready' });
  expect(await typed(['run', 'x', '--detach'], true, USER, text)).toMatchObject({ questions: question });
  expect(await typed(['run', 'x', '--detach', '--yes'], true, USER, text)).toMatchObject({ questions: [] });
  expect(await typed(['run', 'x', '--detach'], true)).toMatchObject({ questions: [] });
});
