// The exit codes of `cadre run`, for a person at a terminal and for a program that reads JSON.
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/surfaces/cli/context.ts';
import { atTerminal } from '../support/at-terminal.ts';
import { implementing, PLAN, type PlanRepo, type PlanRepoOptions, planRepo, tasksOf } from '../support/plan-runs.ts';

interface Case {
  readonly code: keyof typeof EXIT;
  readonly what: string;
  readonly repo: PlanRepoOptions;
  readonly argv?: readonly string[];
  /** What a person does during the build. */
  readonly meanwhile?: (repo: PlanRepo) => Promise<unknown>;
  readonly text: RegExp;
  readonly json: object;
}

const WORKS = tasksOf([`role implementer\n${implementing()}`]);
const end = (kind: string, waiting: readonly object[] = []): object => ({ version: 1, end: kind, plan: PLAN, waiting });
const error = (code: string): object => ({
  version: 1,
  error: { code, message: expect.any(String), try: expect.any(Array) },
});
const waits = (sentence: RegExp): object => ({ task: '1', sentence: expect.stringMatching(sentence) });

const CASES: readonly Case[] = [
  {
    code: 'ok',
    what: 'a plan that is built',
    repo: { plan: WORKS },
    text: /^build-it\.md is done\. The plan is on plan\/build-it\./m,
    json: end('done'),
  },
  {
    code: 'failed',
    what: 'a plan that is cancelled during the build',
    repo: { plan: tasksOf(['role implementer\nhang']) },
    async meanwhile(repo) {
      await repo.until((world) => [...world.sessions.values()].some(({ up }) => up !== undefined));
      await repo.start('cancel', PLAN);
    },
    text: /^build-it\.md was cancelled\. Everything built so far is kept\.$/m,
    json: end('cancelled'),
  },
  {
    code: 'refused',
    what: 'an unknown plan',
    repo: { plan: WORKS },
    argv: ['no-such-plan'],
    text: /^There is no plan "no-such-plan" in docs\/plans\./,
    json: error('unknown-plan'),
  },
  {
    code: 'person',
    what: 'a plan whose agent asks a question',
    repo: { plan: tasksOf(['role implementer\nask Which one?\nhang']) },
    text: /waits for you:\n {2}build-it\.md#1 Part 1: Question: Which one\?\n {6}cadre answer build-it#1 "\.\.\."\n/,
    json: end('person', [waits(/Which one\?/)]),
  },
  {
    code: 'budget',
    what: 'a plan whose task has used up its turns and its check-ins',
    repo: {
      plan: tasksOf([
        `role implementer\n${implementing()}\nattempt 2\nappend made.txt more\ncommit more\nsignal fix-finished`,
      ]),
      settings: { verify: ['sh', '-c', 'test ! -e made.txt'], limits: { fixing_iterations: 1, checkins: 0 } },
    },
    text: /waits for you:\n {2}build-it\.md#1 Part 1: The run ended\. The limits for fixing turns \(1\) and check-ins \(0\) are reached\./,
    json: end('budget', [waits(/The run ended/)]),
  },
  {
    code: 'environment',
    what: 'a plan whose program is not installed',
    repo: { plan: WORKS, settings: { default_program: 'no-such-agent' } },
    text: /^no-such-agent is not installed\./,
    json: error('no-program'),
  },
];

describe.each(CASES)(
  '$what exits with the code for "$code"',
  ({ code, repo: options, argv, meanwhile, text, json }) => {
    const words = ['run', ...(argv ?? [PLAN])];

    test('at a terminal', async () => {
      const repo = planRepo(options);
      const [ran] = await Promise.all([atTerminal(repo, ...words), meanwhile?.(repo)]);
      expect(`${ran.stdout}${ran.stderr}`).toMatch(text);
      expect(ran.code).toBe(EXIT[code]);
    });

    test('in JSON', async () => {
      const repo = planRepo(options);
      const [ran] = await Promise.all([repo.start(...words, '--json'), meanwhile?.(repo)]);
      expect(JSON.parse(ran.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject(json);
      expect(ran.code).toBe(EXIT[code]);
    });
  },
);

test('a plan that already waits for a person is reported immediately, with the same code', async () => {
  const repo = planRepo({ plan: tasksOf(['role implementer\nask Which one?\nhang']) });
  expect(await repo.run()).toMatchObject({ code: EXIT.person });
  const again = await repo.run();
  expect(again.code).toBe(EXIT.person);
  expect(JSON.parse(again.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ end: 'person' });
});
