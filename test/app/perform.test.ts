// Actions: who may perform them, which facts they ask for, and what a refusal suggests.
import { describe, expect, test } from 'vitest';
import type { Performed } from '../../src/app/actions/action.ts';
import { ACTIONS } from '../../src/app/actions/table.ts';
import { type Call, perform } from '../../src/app/perform.ts';
import type { AppPorts } from '../../src/app/ports.ts';
import { INPUTS } from '../../src/app/schemas/inputs.ts';
import type { By, Event } from '../../src/core/model/event.ts';
import { Failure } from '../../src/core/model/failure.ts';
import type { ActionName } from '../../src/core/model/suggestion.ts';
import { DEFAULT_POLICY } from '../../src/core/settings/default-policy.ts';
import { type FakeOptions, fakeApp } from '../support/app.ts';
import { act, at, COMMITTED, ONE, settled, TWO } from '../support/runs.ts';
import { move, PLAN, register } from '../support/world.ts';

const AGENT: By = { who: 'agent', role: 'implementer', session: 's7' };
const FILES = { [PLAN]: ONE };
const READY: readonly Event[] = [register(PLAN)];
const BUILDING: readonly Event[] = [...READY, move('implement_start')];
const REVIEWING: readonly Event[] = [...BUILDING, move('implement_finished')];

/** An input of every action that its schema accepts. */
const EXAMPLES: { readonly [name in ActionName]?: object } = {
  run: { headless: false },
  move: { event: 'cancel' },
  reject: { feedback: 'More tests.' },
  answer: { text: 'Yes.' },
  'plan-new': { brief: 'Dig a hole.' },
  'plan-answer': { answers: [{ question: 'where', text: 'Here.' }] },
  'session-new': { prompt: 'Dig.' },
  'session-switch': { prompt: '' },
  'session-resume': { prompt: '' },
  'session-send': { text: 'Dig.' },
  restore: {},
  gc: { olderThan: 0, unmerged: false },
  'config-set': { key: 'land', value: 'pr', place: 'global' },
};

const NAMES = Object.keys(ACTIONS) as ActionName[];

describe('an agent', () => {
  test.each(NAMES.filter((name) => ACTIONS[name].personOnly))(
    'cannot %s: it is refused, nothing is recorded, and the attempt is reported',
    async (name) => {
      const fake = fakeApp({ by: AGENT, files: FILES, events: BUILDING });
      const before = fake.world().seq;
      const refused = await perform(fake.ports, { ...callOf(name), as: `do ${name}` });
      expect(refused).toEqual({
        kind: 'refused',
        code: 'user-only',
        message: `"do ${name}" is a person's decision; the implementer (session s7) cannot make it.`,
        try: [],
        notes: [],
      });
      expect([fake.reported, fake.asked, fake.world().seq]).toEqual([[`do ${name}`], [], before]);
    },
  );

  test.each<readonly [string, Call<ActionName>]>([
    ['register a plan', { do: 'register', on: 'new', input: {} }],
    ['start to build one', { do: 'move', on: 'x', input: { event: 'implement_start' } }],
    ['cancel one', { do: 'cancel', on: 'x', input: {} }],
    ['start a session', { do: 'session-new', input: { prompt: 'Dig.' } }],
  ])('that tries to %s is refused by the rules, and the attempt is reported', async (_what, call) => {
    const fake = fakeApp({ by: AGENT, files: FILES, events: READY });
    expect(await perform(fake.ports, call)).toMatchObject({ kind: 'refused' });
    const { plans, sessions } = fake.world();
    expect(fake.reported).toEqual([call.do]);
    expect([[...plans.values()].map(({ status }) => status), sessions.size]).toEqual([['ready'], 0]);
  });

  test('that cannot be reported is refused all the same', async () => {
    const fake = fakeApp({ by: AGENT, files: FILES, events: READY });
    const reportForbiddenCommand = () => {
      throw new Failure('environment', 'ENOSPC', 'The disk is full.');
    };
    const ports = { ...fake.ports, signals: { ...fake.ports.signals, reportForbiddenCommand } };
    expect(await perform(ports, { do: 'freeze', input: {} })).toMatchObject({ code: 'user-only' });
  });
});

test('a person who is refused is not reported', async () => {
  const fake = fakeApp({ files: FILES, events: READY });
  expect(await performed(fake, { do: 'reopen', on: 'x', input: {} })).toMatchObject({ kind: 'refused', code: 'state' });
  expect(fake.reported).toEqual([]);
});

describe('facts are asked for only where a rule needs them:', () => {
  test.each<ActionName>(['next', 'approve', 'override', 'answer'])(
    '%s looks at the worktree of the run',
    async (name) => {
      const fake = withRun();
      await performed(fake, callOf(name));
      expect(fake.asked).toEqual(['worktree x.md cadre/x/t1-a1']);
    },
  );

  test.each<ActionName>(['launch', 'retry', 'revert', 'mark-done', 'back', 'reject', 'abandon', 'merge-anyway'])(
    '%s does not',
    async (name) => {
      const fake = withRun();
      await performed(fake, callOf(name));
      expect(fake.asked).toEqual([]);
    },
  );

  test('a task without a run has no worktree', async () => {
    const fake = fakeApp({ files: FILES, events: BUILDING });
    await performed(fake, { do: 'next', on: 'x#1', input: {} });
    expect(fake.asked).toEqual([]);
  });

  test('whether a plan can land matters when it is approved, and not when it is rejected', async () => {
    const fake = fakeApp({ files: FILES, events: REVIEWING });
    await performed(fake, { do: 'reject', on: 'x', input: { feedback: 'More tests.' } });
    expect(fake.asked).toEqual([]);
    fake.submit(move('implement_finished'));
    expect(await performed(fake, { do: 'approve', on: 'x', input: {} })).toMatchObject({ kind: 'done' });
    expect(fake.asked).toEqual(['landing x.md', 'branches x.md']);
  });
});

describe('a refusal suggests what to do instead:', () => {
  test.each<readonly [string, Call<ActionName>, FakeOptions, object]>([
    [
      'why, where the state of a task is the reason',
      { do: 'retry', on: 'x#1', input: {} },
      { events: BUILDING },
      { do: 'why', on: 'x#1' },
    ],
    [
      'the same with feedback, where a rejection has none',
      { do: 'reject', on: 'x#1', input: {} },
      { events: BUILDING },
      { do: 'reject', on: 'x#1' },
    ],
    [
      'the same for a whole plan',
      { do: 'reject', on: 'x', input: { feedback: ' ' } },
      { events: REVIEWING },
      { do: 'reject', on: 'x' },
    ],
    [
      'lint, where a plan file has errors',
      { do: 'move', on: 'x', input: { event: 'implement_start' } },
      { files: { [PLAN]: '# X\n\n```\n' }, events: READY },
      { do: 'plan-lint', on: PLAN },
    ],
    [
      'the list, where a refused signal is not found',
      { do: 'quarantine-drop', on: 'q9', input: {} },
      {},
      { do: 'quarantine' },
    ],
    [
      'another program, where one is not installed',
      { do: 'session-new', input: { prompt: '', program: 'nope' } },
      {},
      { do: 'session-new', text: '<program>' },
    ],
  ])('%s', async (_what, call, options, suggestion) => {
    const fake = fakeApp({ files: FILES, ...options });
    const refused = await performed(fake, call);
    expect(refused).toMatchObject({ kind: 'refused', try: expect.arrayContaining([suggestion]) });
  });

  test('an override, where the commit of a task has not passed verification', async () => {
    const escalated = settled(at('check-in'), act('answer', { text: 'ESCALATE' }), act('approve'));
    const fake = fakeApp({ files: FILES, world: escalated, worktree: COMMITTED });
    expect(await performed(fake, { do: 'approve', on: 'x#1', input: {} })).toMatchObject({
      kind: 'refused',
      code: 'needs-override',
      try: [{ do: 'override', on: 'x#1' }],
    });
    expect(await performed(fake, { do: 'override', on: 'x#1', input: {} })).toMatchObject({
      kind: 'done',
      task: { before: { run: { state: 'CODE_REVIEW' } }, after: { run: { state: 'AWAIT_MERGE' } } },
    });
  });
});

describe('run', () => {
  test('registers a new plan, records the settings, starts the engine and launches what may start', async () => {
    const fake = fakeApp({ files: { [PLAN]: TWO } });
    expect(await performed(fake, { do: 'run', on: 'x', input: { headless: false } })).toMatchObject({
      kind: 'done',
      changed: true,
      plan: { plan: PLAN, status: 'implementing' },
      engine: { pid: 1 },
    });
    expect(fake.asked).toEqual(['preflight', 'start engine']);
    expect(
      fake
        .world()
        .plans.get(PLAN)
        ?.tasks.map(({ state }) => state),
    ).toEqual(['implementing', 'planned']);
  });

  test.each<Call<ActionName>>([
    { do: 'run', on: 'x', input: { headless: false } },
    { do: 'use', on: 'x', input: {} },
  ])('$do succeeds where another process registers the plan at the same moment', async (call) => {
    const fake = fakeApp({ files: FILES });
    const { attempt } = fake.ports.gateway;
    const gateway: AppPorts['gateway'] = {
      ...fake.ports.gateway,
      attempt(events) {
        if (!fake.world().plans.has(PLAN)) fake.submit(register(PLAN));
        return attempt(events);
      },
    };
    expect(await perform({ ...fake.ports, gateway }, call)).toMatchObject({ kind: 'done' });
  });

  test('leaves the settings to an engine that is running', async () => {
    const fake = fakeApp({ files: FILES });
    fake.engine = { pid: 7, command: 'cadre watch' };
    await performed(fake, { do: 'run', on: 'x', input: { headless: false } });
    expect(fake.asked).toEqual(['preflight', 'start engine']);
    expect((await fake.ports.journal.records()).map(({ event }) => event)).not.toContain('policy_set');
  });

  test('records nothing where the engine that is running has other options', async () => {
    const fake = fakeApp({ files: FILES });
    fake.engine = { pid: 7, command: 'cadre watch' };
    await expect(performed(fake, { do: 'run', on: 'x', input: { headless: true } })).rejects.toThrow('other options');
    expect(fake.world().seq).toBe(0);
  });
});

describe('launch, in a plan that is ready', () => {
  test('starts building the plan and launches only the task, with the settings recorded', async () => {
    const fake = readyPlan();
    const policy = { ...DEFAULT_POLICY, budgets: { ...DEFAULT_POLICY.budgets, coding: 5 } };
    const preflight: AppPorts['preflight'] = async (options) => ({ ...(await fake.ports.preflight(options)), policy });
    expect(await perform({ ...fake.ports, preflight }, { do: 'launch', on: 'x#1', input: {} })).toMatchObject({
      kind: 'done',
      plan: { status: 'implementing' },
      task: { before: { state: 'planned' }, after: { state: 'implementing' } },
    });
    expect(fake.asked).toEqual(['preflight']);
    expect(fake.world().plans.get(PLAN)?.work?.going).not.toBe(true);
    expect(fake.world().policy.budgets.coding).toBe(5);
  });

  test('writes nothing where the task has to wait for another', async () => {
    const fake = readyPlan();
    const { seq } = fake.world();
    expect(await performed(fake, { do: 'launch', on: 'x#2', input: {} })).toMatchObject({
      kind: 'refused',
      code: 'blocked',
    });
    expect(fake.world().seq).toBe(seq);
    expect(fake.asked).toEqual([]);
  });

  test('writes nothing where something is missing on this machine', async () => {
    const fake = readyPlan();
    const { seq } = fake.world();
    const problem = { code: 'no-verify', why: 'No verify command is configured.' } as const;
    const preflight: AppPorts['preflight'] = async (options) => ({ ...(await fake.ports.preflight(options)), problem });
    const launch: Call<ActionName> = { do: 'launch', on: 'x#1', input: {} };
    await expect(perform({ ...fake.ports, preflight }, launch)).rejects.toThrow('No verify command is configured.');
    expect(fake.world().seq).toBe(seq);
  });

  function readyPlan(): ReturnType<typeof fakeApp> {
    const fake = fakeApp({ files: { [PLAN]: TWO } });
    fake.submit(register(PLAN));
    return fake;
  }
});

test.each<ActionName>(['run', 'use'])('%s says which plan was probably meant', async (name) => {
  const fake = fakeApp({ files: { 'search.md': TWO } });
  const input = INPUTS[name].parse(EXAMPLES[name] ?? {});
  const said = await performed(fake, { do: name, on: 'saerch', input }).catch((error: unknown) => error);
  expect(said).toMatchObject({
    code: 'unknown-plan',
    message: 'There is no plan "saerch" in docs/plans. Did you mean search?',
  });
});

test('freezing twice changes nothing the second time, and says so', async () => {
  const fake = fakeApp();
  expect(await performed(fake, { do: 'freeze', input: {} })).toMatchObject({ kind: 'done', changed: true });
  expect(await performed(fake, { do: 'freeze', input: {} })).toMatchObject({
    kind: 'done',
    changed: false,
    record: null,
  });
});

function performed(fake: ReturnType<typeof fakeApp>, call: Call<ActionName>): Promise<Performed> {
  return perform(fake.ports, call);
}

/** With an input that its schema accepts. */
function callOf(name: ActionName): Call<ActionName> {
  const input = INPUTS[name].parse(EXAMPLES[name] ?? {});
  return { do: name, on: 'x#1', input };
}

/** A plan of one task whose run is in its worktree. */
function withRun(): ReturnType<typeof fakeApp> {
  return fakeApp({ files: FILES, world: at('CODING'), worktree: COMMITTED });
}
