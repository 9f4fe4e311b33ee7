// Who may launch, revert and mark done a task, and when: the full grid as a golden file, and the messages of refusals.
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { projectStateFile } from '../../../../src/core/files/state-file.ts';
import { fold } from '../../../../src/core/journal/fold.ts';
import type { By, TaskAct } from '../../../../src/core/model/event.ts';
import type { PlanEntry, World } from '../../../../src/core/model/world.ts';
import { decide } from '../../../../src/core/rules/decide.ts';
import { viewTasks } from '../../../../src/core/views/plan.ts';
import { taskWaitStatus } from '../../../../src/core/views/why.ts';
import { statesOf } from '../../../../src/machines/machine.ts';
import { type PlanState, planMachine } from '../../../../src/machines/plan.ts';
import { type TaskState, taskMachine } from '../../../../src/machines/task.ts';
import { ROLES } from '../../../../src/signals/registry.ts';
import {
  ENGINE,
  move,
  NOW,
  PLAN,
  read,
  taskAct,
  taskIn,
  taskResult,
  USER,
  after as worldAfter,
  worldWith,
  worldWithTasks,
} from '../../../support/world.ts';

const AGENT: By = { who: 'agent', role: 'implementer', session: 's1' };
const STATES = statesOf(taskMachine);
const ACTS = ['launch', 'revert', 'mark-done'] as const;
const STATUSES = statesOf(planMachine);

const ONE = '### Task 1: Dig\n\ndig\n';
const TWO = `${ONE}\n### Task 2: Pour\n\npour\n`;

test('launch, revert and mark-done give the answers of the golden grid, for every speaker and in every state', () => {
  const path = new URL('./golden/acts.txt', import.meta.url);
  const grids = wholeGrid();
  if (process.env.UPDATE_GOLDEN) writeFileSync(path, grids);
  expect(grids).toBe(readFileSync(path, 'utf8'));
});

test('no agent of any role moves a task', () => {
  for (const state of STATES) {
    const world = worldWithTasks(ONE, { 1: state });
    for (const role of ROLES)
      for (const act of ACTS)
        expect(decide(world, taskAct('1', act, { who: 'agent', role }), NOW), `${role} ${state} ${act}`).toMatchObject({
          kind: 'refused',
          code: 'user-only',
          records: [],
        });
  }
});

test('a move records who caused it, its source and target, and the permanent id of the task', () => {
  const swapped = '### Task 1: Pour\n\npour\n\n### Task 2: Dig\n\ndig\n';
  const world = worldAfter(worldWithTasks(TWO), read(swapped));
  expect(decide(world, taskAct('1', 'launch'), NOW).records).toMatchObject([
    {
      by: 'user',
      event: 'launch',
      plan: PLAN,
      task: '2',
      moves: [
        { machine: 'task', plan: PLAN, task: '2', event: 'launch', from: 'planned', to: 'implementing' },
        { machine: 'coder', plan: PLAN, task: '2', event: 'receive_task', from: 'WAITING', to: 'SETUP' },
      ],
    },
  ]);
});

test('a move changes its own task and no other', () => {
  const before = worldWithTasks(TWO);
  const after = worldAfter(before, taskAct('1', 'launch'));
  expect(taskIn(after, '1').state).toBe('implementing');
  expect(taskIn(after, '2')).toEqual(taskIn(before, '2'));
});

describe('a launch', () => {
  test('is refused while other tasks have to be done first, and the message names them', () => {
    expect(refusal(worldWithTasks(TWO), '2', 'launch')).toEqual({
      code: 'blocked',
      why: 'x.md#2 waits for 1, which must be done first.',
    });
    for (const by of [USER, ENGINE]) expect(refusal(worldWithTasks(TWO), '2', 'launch', by).code).toBe('blocked');
  });

  test('is refused with a message that names ten blockers and counts the rest', () => {
    const tasks = Array.from({ length: 12 }, (_, index) => `### Task ${index + 1}: a${index}\n`).join('\n');
    const plan = `## Phase 1 (parallel)\n\n${tasks}\n## Phase 2\n\n### Task 13: last\n`;
    expect(refusal(worldWithTasks(plan), '13', 'launch').why).toBe(
      'x.md#13 waits for 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more, which must be done first.',
    );
  });

  test('is accepted as soon as the tasks before it are done', () => {
    expect(decide(worldWithTasks(TWO, { 1: 'done' }), taskAct('2', 'launch'), NOW).kind).toBe('accepted');
  });

  test('is refused for a stale task, for every speaker', () => {
    const world = worldAfter(worldWithTasks(TWO), read(ONE));
    for (const by of [USER, ENGINE])
      expect(refusal(world, '2', 'launch', by)).toEqual({
        code: 'stale',
        why: 'x.md#2 is no longer in the plan file, so it cannot be launched.',
      });
  });

  test('is not blocked by a stale task', () => {
    const world = worldAfter(worldWithTasks(TWO, { 1: 'implementing' }), read(TWO.replace(ONE, '')));
    expect(decide(world, taskAct('2', 'launch'), NOW).kind).toBe('accepted');
  });

  test.each(STATUSES.filter((status) => status !== 'implementing'))('is refused while its plan is %s', (status) => {
    for (const by of [USER, ENGINE])
      expect(refusal(inPlan(worldWithTasks(ONE), status), '1', 'launch', by)).toEqual({
        code: 'state',
        why: `x.md#1 cannot be launched: its plan is ${status}, not implementing.`,
      });
  });

  test('is refused while cadre is frozen', () => {
    const world = worldAfter(worldWithTasks(ONE), { kind: 'freeze', by: USER });
    for (const by of [USER, ENGINE]) expect(refusal(world, '1', 'launch', by).code).toBe('frozen');
  });

  test('records its time, and the name and text of the task', () => {
    const world = worldAfter(worldWithTasks(ONE, { 1: 'implementing' }), read('### Task 1: Dig\n\ndig more\n'));
    expect(taskIn(world, '1').launched).toEqual({ at: NOW.toISOString(), name: 'Dig', body: 'dig' });
    expect(viewTasks(world, planIn(world))[0]?.changed).toBe(true);
  });
});

describe('a task that a person reverted', () => {
  const held = worldAfter(worldWithTasks(ONE, { 1: 'verifying' }), taskAct('1', 'revert'));

  test('is planned and held', () => {
    expect(taskIn(held, '1')).toMatchObject({ state: 'planned', held: true });
  });

  test('is launched again only by a person', () => {
    expect(refusal(held, '1', 'launch', ENGINE)).toEqual({
      code: 'source',
      why: 'x.md#1 is held, so only a person can launch it again.',
    });
    expect(taskIn(worldAfter(held, taskAct('1', 'launch')), '1')).toMatchObject({
      state: 'implementing',
      held: false,
    });
  });

  test('stays held when the file is read again, and still blocks later tasks', () => {
    expect(taskIn(worldAfter(held, read(TWO)), '1').held).toBe(true);
    expect(refusal(worldAfter(held, read(TWO)), '2', 'launch').code).toBe('blocked');
  });

  test('is no longer held when a person starts the plan again', () => {
    const again = worldAfter(held, move('cancel'), move('reopen'), move('planner_finished'), move('implement_start'));
    expect(taskIn(again, '1').held).toBe(false);
    expect(decide(again, taskAct('1', 'launch', ENGINE), NOW).kind).toBe('accepted');
  });

  test('stays held when a review requests changes', () => {
    const reviewed = worldAfter(inPlan(held, 'reviewing'), move('review_changes_requested'));
    expect(taskIn(reviewed, '1').held).toBe(true);
  });
});

test('a task that the engine reverted because its agent did not start is held, too', () => {
  const reverted = worldAfter(worldWithTasks(ONE, { 1: 'implementing' }), taskAct('1', 'revert', ENGINE));
  expect(taskIn(reverted, '1')).toMatchObject({ state: 'planned', held: true });
  expect(decide(reverted, taskAct('1', 'launch', ENGINE), NOW).kind).toBe('refused');
  expect(decide(reverted, taskAct('1', 'launch'), NOW).kind).toBe('accepted');
});

test('attempts to verify are counted per launch, and the last result is kept', () => {
  const tried = worldAfter(verified(worldWithTasks(ONE, { 1: 'verifying' }), '1', false), taskAct('1', 'next'));
  expect(taskIn(tried, '1')).toMatchObject({ verifyAttempts: 2, lastVerify: 'failed' });
  const passed = verified(tried, '1', true);
  expect(taskIn(passed, '1')).toMatchObject({ verifyAttempts: 2, lastVerify: 'passed' });
  const again = worldAfter(tried, taskAct('1', 'revert'), taskAct('1', 'launch'));
  expect(taskIn(again, '1').verifyAttempts).toBe(0);
});

test.each<[string, World, string, string, string]>([
  ['an unregistered plan', worldWith('ready'), 'y.md', '1', 'Plan "y.md" is not registered.'],
  ['a plan whose file was never read', worldWith('implementing'), PLAN, '1', 'x.md has no task "1"; it has no tasks.'],
  ['a number that no task has', worldWithTasks(TWO), PLAN, '3', 'x.md has no task "3"; it has 1, 2.'],
  ['__proto__', worldWithTasks(TWO), PLAN, '__proto__', 'x.md has no task "__proto__"'],
  ['a control character', worldWithTasks(TWO), PLAN, '\u001b[2J', 'x.md has no task "\\u{1b}[2J"'],
])('a task of %s cannot be launched, and the message says what exists', (_what, world, plan, task, why) => {
  const decision = decide(world, taskAct(task, 'launch', USER, plan as never), NOW);
  expect(decision).toMatchObject({ kind: 'refused', why: expect.stringContaining(why), records: [] });
});

describe('a plan with tasks', () => {
  test('is not finished while tasks are open, once one was launched, and the message lists them', () => {
    const world = worldWithTasks(TWO, { 1: 'implementing' });
    for (const by of [USER, ENGINE, AGENT])
      expect(decide(world, move('implement_finished', by), NOW)).toMatchObject({
        kind: 'refused',
        code: 'open-tasks',
        why: 'x.md is not finished. Not done: 1, 2.',
        records: [],
      });
    const second = worldWithTasks(TWO, { 1: 'done', 2: 'quality_review' });
    expect(decide(second, move('implement_finished'), NOW)).toMatchObject({
      why: 'x.md is not finished. Not done: 2.',
    });
  });

  test('is not finished when the launched task was reverted', () => {
    const world = worldAfter(worldWithTasks(ONE, { 1: 'implementing' }), taskAct('1', 'revert'));
    expect(decide(world, move('implement_finished'), NOW)).toMatchObject({ code: 'open-tasks' });
  });

  test('is finished when all tasks are done or stale', () => {
    expect(decide(worldWithTasks(TWO, { 1: 'done', 2: 'done' }), move('implement_finished'), NOW).kind).toBe(
      'accepted',
    );
    const gone = worldAfter(worldWithTasks(TWO, { 1: 'done', 2: 'implementing' }), read(ONE));
    expect(decide(gone, move('implement_finished'), NOW).kind).toBe('accepted');
  });

  test('is finished when its implementer says so, as long as cadre launched none of its tasks', () => {
    expect(decide(worldWithTasks(TWO), move('implement_finished', AGENT), NOW).kind).toBe('accepted');
  });

  test('is not started while its file cannot be built, and the message says why', () => {
    const event = { kind: 'move', plan: PLAN, event: 'implement_start', by: USER, fileProblem: 'line 3: no.' } as const;
    expect(decide(worldWith('ready'), event, NOW)).toMatchObject({
      kind: 'refused',
      code: 'unusable-file',
      why: 'x.md cannot be built: line 3: no.',
      records: [],
    });
    expect(decide(worldWith('planning'), event, NOW)).toMatchObject({ code: 'state' });
  });

  test('can be cancelled and approved even if its file is unusable', () => {
    for (const event of ['cancel', 'review_approved'] as const) {
      const world = worldWith(event === 'cancel' ? 'ready' : 'reviewing');
      const decision = decide(world, { kind: 'move', plan: PLAN, event, by: USER, fileProblem: 'line 3: no.' }, NOW);
      expect(decision.kind, event).toBe('accepted');
    }
  });
});

test('state.json has each task with its state, and for a launched task the result of its verification', () => {
  const text = `${TWO}\n### Task 3: Roof\n\n### Task 4: Paint\n`;
  const world = worldAfter(
    verified(worldWithTasks(text, { 1: 'done', 2: 'verifying' }), '2', false),
    read(text.replace('### Task 4: Paint\n', '')),
  );
  expect(JSON.parse(projectStateFile({}, '/r/docs/plans', world, PLAN))).toEqual({
    plans: {
      '/r/docs/plans/x.md': {
        active: true,
        tasks: {
          1: {
            phase: 'done',
            instance_title: 'Task 1: Dig',
            started_at: NOW.toISOString(),
            verify_attempts: expect.any(Number),
            last_verify_result: null,
          },
          2: {
            phase: 'implementing',
            instance_title: 'Task 2: Pour',
            started_at: NOW.toISOString(),
            verify_attempts: 1,
            last_verify_result: 'failed',
          },
          3: { phase: 'planned', instance_title: 'Task 3: Roof' },
          4: { phase: 'planned', instance_title: 'Task 4: Paint', stale: true },
        },
      },
    },
  });
});

test('state.json has a plan without tasks until its file is read', () => {
  expect(JSON.parse(projectStateFile({}, '/r', worldWith('ready'), undefined))).toEqual({
    plans: { '/r/x.md': { active: false, tasks: {} } },
  });
});

test.each<[string, World, string, string | null, string]>([
  ['done', worldWithTasks(ONE, { 1: 'done' }), '1', null, 'Done'],
  ['running', movedFromOutside(worldWithTasks(ONE)), '1', 'implementer', 'Being built outside of cadre.'],
  ['ready to go', worldWithTasks(ONE), '1', 'user', 'Ready to start: launch it, or run the plan.'],
  ['blocked', worldWithTasks(TWO), '2', 'engine', 'Blocked: task 1 must be done first.'],
  ['gone', worldAfter(worldWithTasks(TWO), read(ONE)), '2', 'user', 'No longer in the plan file'],
  ['of a plan that rests', inPlan(worldWithTasks(ONE), 'ready'), '1', 'user', 'Waiting until its plan is implementing'],
  [
    'held',
    worldAfter(worldWithTasks(ONE, { 1: 'implementing' }), taskAct('1', 'revert')),
    '1',
    'user',
    'Reverted by a person; launch it again',
  ],
])('the wait status of a task that is %s says whose turn it is', (_what, world, task, owner, sentence) => {
  expect(taskWaitStatus(world, planIn(world), taskIn(world, task))).toMatchObject({
    owner,
    sentence: expect.stringContaining(sentence),
  });
});

function refusal(world: World, task: string, act: TaskAct, by: By = ENGINE): { code: string; why: string } {
  const decision = decide(world, taskAct(task, act, by), NOW);
  if (decision.kind !== 'refused') throw new Error(`${act} was ${decision.kind}.`);
  return { code: decision.code, why: decision.why };
}

function verified(world: World, task: string, passed: boolean): World {
  return worldAfter(world, taskResult(world, task, { of: 'verify', passed, text: '' }));
}

/** The task moves without a run, as no rule does it now. */
function movedFromOutside(world: World): World {
  const move = {
    machine: 'task',
    plan: PLAN,
    task: '1',
    event: 'launch',
    from: 'planned',
    to: 'implementing',
  } as const;
  const record = { v: 1, seq: world.seq + 1, at: NOW.toISOString(), by: 'engine', moves: [move] } as const;
  return fold(world, [{ ...record, event: 'launch', plan: PLAN, task: '1' }]);
}

function planIn(world: World): PlanEntry {
  const entry = world.plans.get(PLAN);
  if (entry === undefined) throw new Error('The plan is gone.');
  return entry;
}

/** Adopting the state in plan-state.json brings a plan into any state, independent of its tasks. */
function inPlan(world: World, status: PlanState): World {
  if (planIn(world).status === status) return world;
  return worldAfter(
    world,
    { kind: 'differ', plan: PLAN, fileStatus: status },
    { kind: 'adopt', plan: PLAN, by: USER, fileStatus: status },
  );
}

/** One grid per speaker and group of plan states with the same answers. */
function wholeGrid(): string {
  return [USER, ENGINE, AGENT]
    .flatMap((by) => {
      const statuses = new Map<string, PlanState[]>();
      for (const status of STATUSES) {
        const text = grid(status, by);
        statuses.set(text, [...(statuses.get(text) ?? []), status]);
      }
      return [...statuses].map(([text, same]) => `by ${by.who}, while the plan is ${same.join(', ')}\n\n${text}`);
    })
    .join('\n');
}

function grid(status: PlanState, by: By): string {
  const rows = STATES.map((state) => [state, ...ACTS.map((act) => cell(status, state, act, by))]);
  const table = [['', ...ACTS], ...rows];
  const widths = ['', ...ACTS].map((_, index) => Math.max(...table.map((row) => row[index]?.length ?? 0)));
  const line = (row: readonly string[]): string => row.map((text, at) => text.padEnd(widths[at] ?? 0)).join('  ');
  return table.map((row) => `${line(row).trimEnd()}\n`).join('');
}

function cell(status: PlanState, state: TaskState, act: TaskAct, by: By): string {
  const world = inPlan(worldWithTasks(ONE, { 1: state }), status);
  const decision = decide(world, taskAct('1', act, by), NOW);
  if (decision.kind === 'refused') return `(${decision.code})`;
  return taskIn(worldAfter(world, taskAct('1', act, by)), '1').state;
}
