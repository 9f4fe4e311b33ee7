// A managed plan as a whole: the order of its tasks, its review, landing, cancelling, and starting over.
import { describe, expect, test } from 'vitest';
import type { EffectResult, Event } from '../../../../src/core/model/event.ts';
import type { LandingFacts } from '../../../../src/core/model/run.ts';
import type { World } from '../../../../src/core/model/world.ts';
import { decideAll } from '../../../../src/core/rules/decide.ts';
import { concernsTask } from '../../../../src/core/views/history.ts';
import { taskNames } from '../../../../src/core/views/record.ts';
import { planWaitStatus } from '../../../../src/core/views/why.ts';
import { recordLine } from '../../../../src/surfaces/cli/text/record-line.ts';
import {
  act,
  answerTo,
  at,
  branchMade,
  going,
  HUMAN,
  ONE,
  placeOf,
  planIn,
  result,
  reviewerSays,
  runIn,
  SIDE_BY_SIDE,
  settled,
  TWO,
  withBudgets,
} from '../../../support/runs.ts';
import { ENGINE, move, NOW, PLAN, read, signal, taskIn, USER } from '../../../support/world.ts';

const states = (world: World): Readonly<Record<string, string>> =>
  Object.fromEntries(planIn(world).tasks.map((task) => [task.id, task.state]));

/** All tasks are done, and the reviewer is working. */
const reviewed = (policy = HUMAN): World => settled(going(policy), act('mark-done'));

describe('tasks', () => {
  test('are launched one after the other', () => {
    const world = going(HUMAN, TWO);
    expect(states(world)).toEqual({ 1: 'implementing', 2: 'planned' });
    expect(states(settled(world, act('mark-done')))).toEqual({ 1: 'done', 2: 'implementing' });
  });

  test('are launched in parallel up to the limit', () => {
    expect(states(going(HUMAN, SIDE_BY_SIDE))).toEqual({ 1: 'implementing', 2: 'implementing' });
    expect(states(going({ ...HUMAN, maxParallel: 1 }, SIDE_BY_SIDE))).toEqual({ 1: 'implementing', 2: 'planned' });
  });

  test('are merged one at a time', () => {
    let world = going(HUMAN, SIDE_BY_SIDE);
    world = settled(world, ...branchMade(world));
    for (const task of ['1', '2']) {
      world = settled(
        world,
        result(world, { of: 'worktree', base: 'b0' }, task),
        act('next', { task }),
        act('approve', { task }),
      );
      world = settled(world, act('next', { task }));
      world = settled(world, result(world, { of: 'verify', passed: true, text: '' }, task));
      world = settled(world, act('approve', { task }), act('approve', { task }));
    }
    expect([runIn(world, '1').issued?.do, runIn(world, '2').issued]).toEqual(['merge', null]);
    const merged = settled(world, result(world, { of: 'merge', tip: 't1' }));
    expect([...merged.outbox.values()].find((effect) => effect.do === 'merge')).toMatchObject({ task: '2', tip: 't1' });
  });

  test('that a person reverted stay held until a person launches them or starts the plan again', () => {
    const held = settled(going(), act('revert'));
    expect(states(held)).toEqual({ 1: 'planned' });
    expect(states(settled(held, act('launch')))).toEqual({ 1: 'implementing' });
    expect(taskIn(settled(held, act('launch')), '1').attempts).toBe(2);
  });

  test('of a plan without "cadre run" are launched by a person, and their runs continue automatically', () => {
    const world = settled(
      going(HUMAN, TWO),
      move('cancel'),
      move('reopen'),
      move('planner_finished'),
      move('implement_start'),
    );
    const marked = settled(world, act('mark-done'));
    expect(states(marked)).toEqual({ 1: 'done', 2: 'planned' });
    expect(states(settled(marked, act('launch', { task: '2' })))).toEqual({ 1: 'done', 2: 'implementing' });
  });

  test('that are stale are merged only by a person', () => {
    const world = settled(going(HUMAN, SIDE_BY_SIDE), act('mark-done', { task: '2' }));
    const gone = [
      (now: World) => result(now, { of: 'worktree', base: 'b0' }),
      () => act('next'),
      () => act('approve'),
      () => act('next'),
      (now: World) => result(now, { of: 'verify', passed: true, text: '' }),
      () => act('approve'),
      () => read(SIDE_BY_SIDE.replace(ONE, '')),
    ].reduce((now, step) => settled(now, step(now)), world);
    // With nothing open the plan goes to its review, and the stale task is suspended.
    expect(planIn(gone).status).toBe('reviewing');
    expect(answerTo(gone, act('approve')).kind).toBe('refused');
  });
});

describe('the review of a plan', () => {
  test('starts when no task is open, with its own session', () => {
    expect(planIn(reviewed()).status).toBe('reviewing');
    expect(reviewed().sessions.get(planIn(reviewed()).work?.session?.id as never)).toMatchObject({
      role: 'reviewer',
      reviews: true,
    });
  });

  test('ends with the approval, which lands the branch and stops the reviewer', () => {
    const world = reviewed();
    const { records, world: done } = decideAll(world, [reviewerSays(world, 'review-approved')], NOW);
    expect(planIn(done).status).toBe('done');
    expect(records.flatMap((line) => line.effects?.map((effect) => effect.do) ?? [])).toEqual([
      'land',
      'tell',
      'stop-session',
    ]);
  });

  test('is decided by its own reviewer and no other agent', () => {
    const world = reviewed();
    for (const by of [
      { who: 'agent', role: 'outside' },
      { who: 'agent', role: 'reviewer', session: 's1' },
    ] as const)
      expect(answerTo(world, signal({ name: 'review-approved', by }))).toMatchObject({
        kind: 'refused',
        code: 'not-holder',
      });
  });

  test('that requests changes adds a task, which no edit of the file makes stale', () => {
    const world = reviewed();
    const fixing = settled(world, reviewerSays(world, 'review-changes', 'more tests'), read(`${ONE}\nmore words\n`));
    expect(taskIn(fixing, 'R1')).toMatchObject({ feedback: 'more tests', stale: false, state: 'implementing' });
    expect(planIn(fixing)).toMatchObject({ status: 'implementing', work: { reviewCycles: 1 } });
  });

  test('is the person’s turn when no review cycle is left', () => {
    const world = reviewed(withBudgets(HUMAN, { reviewCycles: 0 }));
    const waiting = settled(world, reviewerSays(world, 'review-changes', 'more tests'));
    expect(planIn(waiting)).toMatchObject({ status: 'reviewing', work: { waiting: { text: 'more tests' } } });
    expect(planWaitStatus(waiting, planIn(waiting)).owner).toBe('user');
    const asked = settled(waiting, move('review_changes_requested'));
    expect(taskIn(asked, 'R1').feedback).toBe('more tests');
  });

  describe('of a branch that conflicts with the base branch', () => {
    const conflict = { base: 'main', files: ['a.ts', 'b.ts'] };
    /** Something was built, and the reviewer is reviewing it. */
    const built = (budgets: Parameters<typeof withBudgets>[1] = {}): World => {
      const started = going(withBudgets(HUMAN, budgets));
      return settled(started, ...branchMade(started, 't1'), act('mark-done'));
    };
    const approvals: readonly [string, (world: World, landing: LandingFacts) => Event][] = [
      ['a person', (_world, landing) => ({ kind: 'move', plan: PLAN, event: 'review_approved', by: USER, landing })],
      [
        'the reviewer',
        (world, landing) => {
          const said = reviewerSays(world, 'review-approved');
          return said.kind === 'signal' ? { ...said, signal: { ...said.signal, landing } } : said;
        },
      ],
    ];

    test.each(approvals)('adds a task about the conflicts when %s approves', (_who, approve) => {
      const world = built();
      const fixing = settled(world, approve(world, { tip: 't1', conflict }));
      expect(planIn(fixing)).toMatchObject({ status: 'implementing', work: { reviewCycles: 1, landed: null } });
      expect(taskIn(fixing, 'R1').feedback).toBe(
        'What was built is approved, but plan/x cannot be merged with main. Both sides have changed:\n\n- a.ts\n- b.ts\n\n' +
          'Merge it (`git merge main`), resolve the conflicts so that the work of both sides is kept, and commit.',
      );
      expect([planIn(fixing).feedback?.by, taskIn(fixing, 'R1').feedbackBy]).toEqual(['engine', 'engine']);
      expect([...fixing.outbox.values()].some((effect) => effect.do === 'land')).toBe(false);
    });

    test.each(approvals)('ends normally without a conflict when %s approves', (_who, approve) => {
      const world = built();
      expect(planIn(settled(world, approve(world, { tip: 't1' }))).status).toBe('done');
    });

    test('waits for a person when no review cycle is left, whose approval adds the task', () => {
      const world = built({ reviewCycles: 0 });
      const [[, person], [, reviewer]] = approvals as [(typeof approvals)[0], (typeof approvals)[0]];
      const waiting = settled(world, reviewer(world, { tip: 't1', conflict }));
      expect(planIn(waiting)).toMatchObject({
        status: 'reviewing',
        work: { waiting: { text: expect.stringContaining('cannot be merged') } },
      });
      expect(planWaitStatus(waiting, planIn(waiting)).owner).toBe('user');
      expect(states(settled(waiting, person(waiting, { tip: 't1', conflict })))).toMatchObject({ R1: 'implementing' });
    });

    test('does not end by a reviewer that was given another commit', () => {
      const world = built();
      for (const landing of [{ tip: 't2' }, { tip: 't2', conflict }])
        expect(answerTo(world, approvals[1]?.[1](world, landing) as Event)).toMatchObject({
          kind: 'refused',
          code: 'moved',
        });
    });
  });

  test('that a person sends back adds a task of the person', () => {
    const fixing = settled(reviewed(), { ...move('review_changes_requested'), feedback: 'Deeper.' } as Event);
    expect(taskIn(fixing, 'R1')).toMatchObject({
      name: 'What a person asked for',
      feedback: 'Deeper.',
      feedbackBy: 'person',
    });
  });

  test('whose changes a person only confirms keeps them as the reviewer’s', () => {
    const world = reviewed(withBudgets(HUMAN, { reviewCycles: 0 }));
    const waiting = settled(world, reviewerSays(world, 'review-changes', 'Deeper.'));
    const fixing = settled(waiting, move('review_changes_requested'));
    expect(taskIn(fixing, 'R1')).toMatchObject({ name: 'What the review asked for', feedbackBy: 'reviewer' });
    expect(planIn(fixing).feedback).toMatchObject({ text: 'Deeper.', by: 'reviewer' });
  });

  test('that the engine ends for a new task keeps what an earlier review asked for', () => {
    const asked = settled(reviewed(), reviewerSays(reviewed(), 'review-changes', 'Deeper.'));
    const again = settled(asked, act('mark-done', { task: 'R1' }));
    expect(planIn(settled(again, read(TWO))).feedback?.text).toBe('Deeper.');
  });

  test('ends automatically when the file gains a task, and does not count', () => {
    const world = settled(reviewed(), read(TWO));
    expect(planIn(world)).toMatchObject({ status: 'implementing', work: { reviewCycles: 0 } });
    expect(states(world)).toEqual({ 1: 'done', 2: 'implementing' });
  });

  test('continues when the plan branch is created for a run that is suspended', () => {
    const started = going(HUMAN, SIDE_BY_SIDE);
    const world = settled(started, act('mark-done'), read(SIDE_BY_SIDE.replace(/\n### Task 2.*/s, '')));
    const { session } = planIn(world).work ?? {};
    expect(session).toMatchObject({ tip: null });
    const created = settled(world, ...branchMade(world));
    expect(planIn(created).work).toMatchObject({ tip: 'b0', session });
    expect(planIn(settled(created, reviewerSays(created, 'review-approved'))).status).toBe('done');
  });
});

describe('an approved plan', () => {
  const approved = (world = reviewed()): World => settled(world, move('review_approved'));
  const landings = (world: World): readonly string[] =>
    [...world.outbox.values()].flatMap((effect) => (effect.do === 'land' ? [effect.id] : []));
  const came = (world: World, outcome: Omit<Extract<EffectResult, { of: 'land' }>, 'of'>): World =>
    settled(world, { kind: 'result', effect: landings(world)[0] ?? '', result: { of: 'land', ...outcome } });
  const land: Event = { kind: 'land', plan: PLAN, by: USER };
  const FREEZE: Event = { kind: 'freeze', by: USER };

  test('lands at once, and once', () => {
    expect(landings(approved())).toHaveLength(1);
    expect(answerTo(approved(), land)).toMatchObject({ kind: 'refused', code: 'state' });
    expect(landings(settled(approved(), FREEZE, { kind: 'thaw', by: USER }))).toHaveLength(1);
  });

  test('lands with the thaw if cadre is frozen', () => {
    const frozen = approved(settled(reviewed(), FREEZE));
    expect([planIn(frozen).status, landings(frozen)]).toEqual(['done', []]);
    expect(planWaitStatus(frozen, planIn(frozen))).toMatchObject({
      owner: 'user',
      suggestions: [{ do: 'thaw' }],
    });
    expect(answerTo(frozen, land)).toMatchObject({ kind: 'refused', code: 'frozen' });
    const thawed = settled(frozen, { kind: 'thaw', by: USER });
    expect(landings(thawed)).toHaveLength(1);
    expect(planIn(came(thawed, { ok: true, text: 'It is on main.' })).work?.landed).toMatchObject({ ok: true });
    expect(landings(settled(frozen, move('cancel'), { kind: 'thaw', by: USER }))).toEqual([]);
  });

  test.each([
    ['that has landed does not land again', { ok: true, text: 'It is on main.' }, null, 'state'],
    [
      'that a person merges by hand is explained again',
      { ok: false, byHand: true, text: 'git merge' },
      null,
      undefined,
    ],
    ['that cannot land waits for a person', { ok: false, text: 'A conflict.' }, 'user', undefined],
  ] as const)('%s', (_what, outcome, owner, refusal) => {
    const world = came(approved(), outcome);
    expect(planIn(world).work?.landed).toMatchObject(outcome);
    expect(planWaitStatus(world, planIn(world)).owner).toBe(owner);
    if (refusal !== undefined) expect(answerTo(world, land)).toMatchObject({ kind: 'refused', code: refusal });
    else expect(landings(settled(world, land))).toHaveLength(1);
  });

  test('is landed again by a person, not by an agent; other plans do not land', () => {
    const world = came(approved(), { ok: false, text: 'A conflict.' });
    const agent = { who: 'agent', role: 'reviewer' } as const;
    expect(answerTo(world, { ...land, by: agent })).toMatchObject({ kind: 'refused', code: 'user-only' });
    expect(answerTo(reviewed(), land)).toMatchObject({ kind: 'refused', code: 'state' });
  });
});

describe('a cancelled plan', () => {
  test('keeps its runs, which are suspended and continue when it is built again', () => {
    const world = settled(at('CODE_REVIEW spec'), move('cancel'));
    expect([placeOf(world), states(world)]).toEqual(['CODE_REVIEW spec', { 1: 'spec_review' }]);
    expect(answerTo(world, act('approve'))).toMatchObject({ kind: 'refused', code: 'state' });
    const again = settled(world, move('reopen'), move('planner_finished'), { kind: 'run', plan: PLAN, by: USER });
    expect(runIn(again).session?.role).toBe('spec-reviewer');
  });

  test('accepts the results of pending effects', () => {
    const world = settled(at('AWAIT_MERGE'), move('cancel'));
    expect(placeOf(settled(world, result(world, { of: 'merge', tip: 't1' })))).toBe('DONE');
    expect(placeOf(settled(world, result(world, { of: 'merge', conflict: 'a.ts' })))).toBe('FIXING');
  });
});

test('a plan that is started over has fresh tasks, no tasks of reviews and no branch; run numbers continue', () => {
  const fixed = settled(reviewed(), reviewerSays(reviewed(), 'review-changes'));
  const done = settled(fixed, act('mark-done', { task: 'R1' }), move('review_approved'));
  const over = settled(done, move('start_over'));
  expect(states(over)).toEqual({ 1: 'planned' });
  const [line] = decideAll(done, [move('start_over')], NOW).records;
  const ended = [
    { task: '1', was: 'done', becomes: 'planned' },
    { task: 'R1', was: 'done', becomes: 'dropped' },
  ];
  expect(line).toMatchObject({ event: 'start_over', ended, moves: [{ machine: 'plan' }] });
  expect(line !== undefined && ['1', 'R1'].map((task) => concernsTask(PLAN, task)(line))).toEqual([true, true]);
  expect(line !== undefined && recordLine(line, taskNames(over))).toMatch(
    /\(start_over\) {2}planned again: 1 \(was done\) {2}dropped: R1$/,
  );
  expect(planIn(over).work).toMatchObject({ going: false, generation: 2, tip: null });
  expect(taskIn(settled(over, move('planner_finished'), { kind: 'run', plan: PLAN, by: USER }), '1').attempts).toBe(2);
});

test('an unmanaged plan is moved only from outside', () => {
  const world = settled(going(), move('cancel'));
  const outside = {
    ...world,
    plans: new Map([...world.plans].map(([plan, { work: _work, ...entry }]) => [plan, entry])),
  };
  expect(decideAll(outside, [], NOW).records).toEqual([]);
});

test('only a person lets cadre build a plan', () => {
  expect(answerTo(going(), { kind: 'run', plan: PLAN, by: ENGINE })).toMatchObject({ kind: 'refused', code: 'source' });
});
