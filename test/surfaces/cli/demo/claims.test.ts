// The claims of the demo: all hold for the complete story, and each fails when its part of the story is missing.
import { describe, expect, test } from 'vitest';
import type { JournalRecord } from '../../../../src/core/model/record.ts';
import type { RuleRefusal } from '../../../../src/core/model/refusal.ts';
import type { SessionFields } from '../../../../src/core/model/session.ts';
import { EMPTY_WORLD, type World } from '../../../../src/core/model/world.ts';
import { step } from '../../../../src/machines/machine.ts';
import { type RunEvent, type RunState, runMachine } from '../../../../src/machines/run.ts';
import { parse } from '../../../../src/plan/parse.ts';
import { commandsFor, parseScript, scriptIn } from '../../../../src/scripted-agent/script.ts';
import { CLAIMS, type DemoOutcome } from '../../../../src/surfaces/cli/demo/claims.ts';
import { FAILING_TEST, FINDING } from '../../../../src/surfaces/cli/demo/counting.ts';
import { EXPERIENCED } from '../../../../src/surfaces/cli/demo/files.ts';
import { CONTESTED } from '../../../../src/surfaces/cli/demo/more-measures.ts';
import { PLAN, PLAN_TEXT } from '../../../../src/surfaces/cli/demo/plan.ts';

type Happening = readonly [task: string, events: readonly RunEvent[], cause?: string];

const STARTED: readonly RunEvent[] = ['receive_task', 'workspace_ready', 'submit_plan', 'approve'];

const STORY: readonly Happening[] = [
  ['1', [...STARTED, 'code_complete']],
  ['1', ['tests_fail'], `not ok 3 - ${FAILING_TEST}`],
  ['1', ['fix_done', 'tests_pass', 'approve', 'merged']],
  ['2', [...STARTED, 'code_complete', 'tests_pass']],
  ['2', ['changes'], FINDING],
  ['2', ['fix_done', 'tests_pass', 'approve', 'merged']],
  ['3', STARTED],
  ['4', STARTED],
  ['5', STARTED],
  ['4', ['code_complete', 'tests_pass', 'approve', 'merged']],
  ['3', ['code_complete', 'tests_pass', 'approve']],
  ['3', ['merge_conflict'], CONTESTED],
  ['3', ['fix_done', 'tests_pass', 'approve', 'merged']],
  ['5', ['code_complete', 'tests_pass', 'approve', 'merged']],
];

const TASKS = parse(PLAN_TEXT, PLAN).plan.phases.flatMap((phase) => phase.tasks);
const NAMES = TASKS.map((task) => task.name);

const REFUSALS = [
  refusalOf('user-only', 'cadre approve'),
  refusalOf('role', 'review-approved'),
  refusalOf('as-file', 'review-approved'),
];

const ESCALATED: JournalRecord = {
  ...base(50),
  event: 'session_begun',
  begun: { task: '2', role: 'implementer', profile: EXPERIENCED, escalated: true } as SessionFields,
  resume: false,
  moves: [],
};

const STALE = [...REFUSALS.slice(0, 2), refusalOf('stale', 'review-approved')];

const COMPLETE: DemoOutcome = {
  records: [...recordsOf(STORY), ...REFUSALS, ESCALATED],
  world: worldWith('done'),
  screen: '"approve" is a person\'s decision.\n"review-approved" is not a signal that the implementer may send.\n',
  commits: NAMES,
  tests: { exitCode: 0, text: '# tests 8\n# pass 8\n# fail 0\n' },
};

test('every claim holds for the complete story', () => {
  expect(failing(COMPLETE)).toEqual([]);
});

describe('a claim fails without', () => {
  const without = (...left: readonly RunEvent[]): DemoOutcome => ({
    ...COMPLETE,
    records: [...recordsOf(STORY.map((one) => reduced(one, left))), ...REFUSALS, ESCALATED],
  });
  const inOrder = [...STORY].sort(([one], [other]) => Number(one) - Number(other));

  test.each<[string, DemoOutcome, readonly number[]]>([
    ['a failing test', without('tests_fail'), [0]],
    ['the name of the failing test', withCause('tests_fail', 'exit code 1'), [0]],
    ['changes', without('changes'), [1]],
    ['the words of the reviewer', withCause('changes', 'no'), [1]],
    ['parallel tasks', { ...COMPLETE, records: [...recordsOf(inOrder), ...REFUSALS, ESCALATED] }, [2, 3]],
    ['the conflict', without('merge_conflict'), [3]],
    ['the file of the conflict', withCause('merge_conflict', 'README.md'), [3]],
    ['a refusal of the file', { ...COMPLETE, records: [...recordsOf(STORY), ...REFUSALS.slice(0, 2), ESCALATED] }, [4]],
    ['a refusal of the command', { ...COMPLETE, records: [...recordsOf(STORY), ...REFUSALS.slice(1), ESCALATED] }, [4]],
    ['a refusal because of the role', { ...COMPLETE, records: [...recordsOf(STORY), ...STALE, ESCALATED] }, [4]],
    [
      'the refusal of the command on the screen',
      { ...COMPLETE, screen: '"review-approved" is not a signal that you may send.\n' },
      [4],
    ],
    ['the refusal of the signal on the screen', { ...COMPLETE, screen: '"approve" is a person\'s decision.\n' }, [4]],
    ['the end', { ...COMPLETE, world: worldWith('reviewing') }, [5]],
    ['a commit', { ...COMPLETE, commits: NAMES.slice(1) }, [5]],
    ['only one commit for each task', { ...COMPLETE, commits: [...NAMES, 'measures: keep both'] }, [5]],
    ['passing tests', { ...COMPLETE, tests: { exitCode: 1, text: COMPLETE.tests.text } }, [6]],
    ['tests', { ...COMPLETE, tests: { exitCode: 0, text: '# tests 0\n# pass 0\n' } }, [6]],
    ['the verdict about the fix', { ...COMPLETE, world: worldWith('done', 'open') }, [7]],
    ['another agent', { ...COMPLETE, records: [...recordsOf(STORY), ...REFUSALS] }, [8]],
    [
      'everything',
      { records: [], world: EMPTY_WORLD, screen: '', commits: [], tests: { exitCode: 127, text: '' } },
      [0, 1, 2, 3, 4, 5, 6, 7, 8],
    ],
  ])('%s', (_, outcome, claims) => {
    expect(failing(outcome)).toEqual(claims);
  });
});

test('every script in the plan can be parsed, and every implementer has one', () => {
  for (const { rawText, name } of TASKS) {
    const fenced = scriptIn(rawText);
    const parsed = fenced.kind === 'found' ? parseScript(fenced.text) : undefined;
    expect(parsed, name).toMatchObject({ kind: 'script' });
    if (parsed?.kind === 'script')
      expect(commandsFor(parsed.script, 'implementer', { attempt: 1, turn: 1 }).own, name).toBeDefined();
  }
});

function failing(outcome: DemoOutcome): readonly number[] {
  return CLAIMS.flatMap(({ holds }, index) => (holds(outcome) ? [] : [index]));
}

function reduced([task, events, cause]: Happening, left: readonly RunEvent[]): Happening {
  const kept = events.filter((event) => !left.includes(event));
  return cause === undefined ? [task, kept] : [task, kept, cause];
}

function withCause(event: RunEvent, cause: string): DemoOutcome {
  const story = STORY.map((one): Happening => (one[1].includes(event) ? [one[0], one[1], cause] : one));
  return { ...COMPLETE, records: [...recordsOf(story), ...REFUSALS, ESCALATED] };
}

/** One record for each happening. With holes in the story the states do not follow from each other, which does not matter here. */
function recordsOf(story: readonly Happening[]): readonly JournalRecord[] {
  const states = new Map<string, RunState>();
  return story.map(([task, events, cause], index) => ({
    ...base(index + 1),
    event: events[0] ?? 'nudged',
    plan: PLAN,
    task,
    attempt: 1,
    ...(cause === undefined ? {} : { cause }),
    moves: events.map((event) => {
      const from = states.get(task) ?? runMachine.initial;
      const result = step(runMachine, from, event);
      const to = result.kind === 'refused' ? from : result.to;
      states.set(task, to);
      return { machine: 'coder', plan: PLAN, task, attempt: 1, event, from, to };
    }),
  }));
}

function refusalOf(code: RuleRefusal, name: string): JournalRecord {
  const file = { path: '/signals/review-approved-measures.md', inode: '1' };
  const refused = { id: 'q1', signal: 's', code, why: 'no', name, plan: PLAN, file };
  return { ...base(100), event: 'signal_refused', refused, moves: [] };
}

function base(seq: number) {
  return { v: 1, seq, at: '2026-11-16T00:00:00.000Z', by: 'engine' as const };
}

function worldWith(status: 'done' | 'reviewing', found: 'addressed' | 'open' = 'addressed'): World {
  const findings = [
    { id: 'f1', state: found },
    { id: 'f2', state: 'deferred' },
  ];
  const tasks = NAMES.map((name, index) => ({ name, address: `${index + 1}`, ...(index === 1 ? { findings } : {}) }));
  return { ...EMPTY_WORLD, plans: new Map([[PLAN, { status, tasks }]]) } as unknown as World;
}
