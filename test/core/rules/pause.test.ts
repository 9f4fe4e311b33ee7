// A pause: agents are stopped, nothing is issued, nothing is lost or counted, and a resume continues with the same turns.
import { describe, expect, test } from 'vitest';
import { overdue } from '../../../src/core/model/deadlines.ts';
import type { By, Event } from '../../../src/core/model/event.ts';
import { hasEnded, type SessionEntry } from '../../../src/core/model/session.ts';
import type { World } from '../../../src/core/model/world.ts';
import { decideAll } from '../../../src/core/rules/decide.ts';
import { DEFAULT_POLICY } from '../../../src/core/settings/default-policy.ts';
import { needsIn } from '../../../src/core/views/needs.ts';
import { outcomeOf } from '../../../src/core/views/outcome.ts';
import { planWaitStatus, taskWaitStatus } from '../../../src/core/views/why.ts';
import {
  act,
  answerTo,
  at,
  going,
  HUMAN,
  planIn,
  result,
  reviewerSays,
  runIn,
  SIDE_BY_SIDE,
  says,
  settled,
  withBudgets,
} from '../../support/runs.ts';
import { NOW, PLAN, taskIn, USER } from '../../support/world.ts';

const PAUSE: Event = { kind: 'pause', by: USER };
const RESUME: Event = { kind: 'resume', by: USER };
const PAUSE_PLAN: Event = { kind: 'pause', plan: PLAN, by: USER };
const RESUME_PLAN: Event = { kind: 'resume', plan: PLAN, by: USER };
const LATER = new Date(NOW.getTime() + 1e11);

const running = ({ sessions }: World): readonly SessionEntry[] =>
  [...sessions.values()].filter((session) => session.wanted === 'running' && !hasEnded(session));
const effects = ({ outbox }: World): readonly string[] => [...outbox.values()].map((effect) => effect.do);

/** The run's agent has started. */
function isUp(world: World): World {
  const session = runIn(world).session?.id as never;
  return settled(world, { kind: 'session-news', session, news: { kind: 'up' } });
}

/** Everything is merged, and the reviewer of the whole plan is working. */
function inReview(): World {
  return at('DONE');
}

describe.each([
  ['of all plans', PAUSE, RESUME],
  ['of one plan', PAUSE_PLAN, RESUME_PLAN],
] as const)('a pause %s', (_what, pause, resume) => {
  test('stops the agent, and the same turn continues afterwards, with the same conversation', () => {
    const before = isUp(at('CODING'));
    const paused = settled(before, pause);
    expect(running(paused)).toEqual([]);
    expect(effects(paused)).toContain('stop-session');
    const after = settled(paused, resume);
    expect(runIn(after).counts).toEqual(runIn(before).counts);
    expect(running(after)).toMatchObject([{ role: 'implementer', task: '1' }]);
    expect(runIn(after).session?.id).not.toBe(runIn(before).session?.id);
    expect([...after.outbox.values()]).toContainEqual(
      expect.objectContaining({ do: 'start-session', resume: true, turn: 'build' }),
    );
  });

  test('happens once, and ends once', () => {
    const paused = settled(at('CODING'), pause);
    expect(answerTo(paused, pause).kind).toBe('ignored');
    expect(answerTo(settled(paused, resume), resume).kind).toBe('ignored');
  });

  test('takes what the agent had signalled, and verifies it afterwards', () => {
    const before = at('CODING');
    const paused = settled(before, pause);
    const finished = settled(paused, says(before, 'implement-finished'));
    expect(runIn(finished)).toMatchObject({ state: 'TESTING', pinned: 'c1', issued: null });
    const after = settled(finished, resume);
    expect(runIn(after)).toMatchObject({ state: 'TESTING', issued: { do: 'verify' } });
  });

  test('takes the result of a verification that was running', () => {
    const paused = settled(at('TESTING'), pause);
    const passed = settled(paused, result(paused, { of: 'verify', passed: true, text: '' }));
    expect(runIn(passed)).toMatchObject({ state: 'CODE_REVIEW', stage: 'spec' });
    expect(running(passed)).toEqual([]);
    expect(running(settled(passed, resume))).toMatchObject([{ role: 'spec-reviewer' }]);
  });

  test('lets people decide', () => {
    const asked = settled(at('QUESTION from CODING'), pause);
    expect(runIn(settled(asked, act('answer', { text: 'blue' }))).state).toBe('CODING');
    const reviewed = settled(at('CODE_REVIEW spec'), pause);
    expect(runIn(settled(reviewed, act('changes', { text: 'shorter' }))).state).toBe('FIXING');
    expect(running(settled(reviewed, act('changes', { text: 'shorter' })))).toEqual([]);
  });

  test('withdraws a merge with its attempt, and issues it again afterwards', () => {
    const before = at('AWAIT_MERGE');
    expect(runIn(before)).toMatchObject({ issued: { do: 'merge' }, counts: { mergeAttempts: 1 } });
    const paused = settled(before, pause);
    expect(runIn(paused)).toMatchObject({ state: 'AWAIT_MERGE', issued: null, counts: { mergeAttempts: 0 } });
    expect(effects(paused)).not.toContain('merge');
    expect(answerTo(paused, result(before, { of: 'merge', tip: 't9' })).kind).toBe('ignored');
    expect(runIn(settled(paused, resume))).toMatchObject({ issued: { do: 'merge' }, counts: { mergeAttempts: 1 } });
  });

  test('completes a merge whose move of the branch is recorded, and lets no other branch move', () => {
    const before = at('AWAIT_MERGE');
    const effect = runIn(before).issued?.effect ?? '';
    const move = { effect, branch: 'plan', from: planIn(before).work?.tip ?? null, to: 't9' } as const;
    const intend: Event = { kind: 'intend-move', plan: PLAN, move };
    expect(answerTo(settled(before, pause), intend)).toMatchObject({ kind: 'refused' });
    const paused = settled(before, intend, pause);
    expect(runIn(paused).issued?.do).toBe('merge');
    expect(taskIn(settled(paused, result(paused, { of: 'merge', tip: 't9' })), '1').state).toBe('done');
  });

  test('lets a worktree be completed, but brings nothing new onto the plan branch for it', () => {
    const parallel = at('CODING', HUMAN, SIDE_BY_SIDE);
    const effect = runIn(parallel, '2').issued?.effect ?? '';
    const paused = settled(parallel, pause);
    const move = { effect, branch: 'plan', from: planIn(paused).work?.tip ?? null, to: 't9' } as const;
    expect(answerTo(paused, { kind: 'intend-move', plan: PLAN, move })).toMatchObject({ kind: 'refused' });
    expect(runIn(settled(paused, result(paused, { of: 'worktree', base: 'b0' }, '2')), '2').state).toBe('PLANNING');
  });

  test('neither the end of the stopped program nor a reminder that did not reach it counts as a failure', () => {
    const before = at('CODING');
    const session = runIn(before).session?.id as never;
    const paused = settled(before, pause);
    for (const news of [
      { kind: 'ended', life: { kind: 'gone' } },
      { kind: 'failed', why: 'it was stopped' },
      { kind: 'sent', problem: 'It is not running.', reminder: true },
    ] as const)
      expect(answerTo(paused, { kind: 'session-news', session, news }).kind).toBe('ignored');
    expect(runIn(settled(paused, resume)).counts.relaunches).toBe(0);
  });

  test('does not repair an agent that had failed for good', () => {
    const before = at('CODE_REVIEW spec', withBudgets(HUMAN, { relaunches: 0 }));
    const session = runIn(before).session?.id as never;
    const halted = settled(before, { kind: 'session-news', session, news: { kind: 'ended', life: { kind: 'gone' } } });
    const after = settled(settled(halted, pause), resume);
    expect(running(after)).toEqual([]);
    expect(taskWaitStatus(after, planIn(after), taskIn(after, '1')).waysOut).toContain('relaunch');
  });

  test('counts no time, and leaves only the deadline of what was issued', () => {
    const coding = settled(at('CODING'), pause);
    expect(overdue(coding, LATER)).toEqual([]);
    const testing = settled(at('TESTING'), pause);
    expect(overdue(testing, LATER).map(({ wait }) => wait.for)).toEqual(['effect']);
    expect(runIn(decideAll(testing, [resume], LATER).world).clock).toEqual({ spent: 0, at: LATER.toISOString() });
    expect(runIn(decideAll(at('TESTING'), [pause], LATER).world).clock.spent).toBe(1e11);
  });

  test('is shown: whose turn it is, what ends it, and that a build which somebody follows waits', () => {
    const paused = settled(at('CODING'), pause);
    expect(planWaitStatus(paused, planIn(paused))).toMatchObject({ owner: 'user', sentence: 'Paused. Open tasks: 1.' });
    expect(taskWaitStatus(paused, planIn(paused), taskIn(paused, '1'))).toMatchObject({
      owner: 'user',
      sentence: 'Paused: the implementer was stopped, and continues with the same turn.',
      deadline: { leadsTo: 'remind' },
    });
    const [need, ...others] = needsIn(paused);
    expect(others).toEqual([]);
    expect(need?.actions[0]?.do).toBe('resume');
    expect(outcomeOf(paused, PLAN)).toEqual({ kind: 'person', sentence: 'x.md is paused:' });
  });

  test('stops the reviewer of the plan, and the same review continues afterwards', () => {
    const before = inReview();
    const paused = settled(before, pause);
    expect(running(paused)).toEqual([]);
    const after = settled(paused, resume);
    expect(running(after)).toMatchObject([{ role: 'reviewer' }]);
    expect(planIn(after).work?.relaunches).toBe(0);
    expect(planIn(settled(paused, reviewerSays(before, 'review-changes'))).status).toBe('implementing');
  });

  test('postpones a landing that was issued', () => {
    const before = inReview();
    const landing = { tip: planIn(before).work?.tip ?? '' };
    const approved = settled(before, { kind: 'move', plan: PLAN, event: 'review_approved', by: USER, landing });
    expect(effects(approved)).toContain('land');
    const paused = settled(approved, pause);
    expect(effects(paused)).not.toContain('land');
    expect(planIn(paused).work?.lands).toBe(true);
    expect(effects(settled(paused, resume))).toContain('land');
  });

  test.each<By>([{ who: 'engine' }, { who: 'agent', role: 'implementer' }])('is not for $who', (by) => {
    for (const event of [pause, resume])
      expect(answerTo(at('CODING'), { ...event, by } as Event)).toMatchObject({ kind: 'refused', code: 'user-only' });
  });
});

test('refuses to launch, relaunch and land, and says what ends the pause', () => {
  const paused = settled(going(DEFAULT_POLICY, SIDE_BY_SIDE), PAUSE_PLAN);
  const reverted = settled(paused, act('revert'));
  expect(answerTo(reverted, act('launch'))).toMatchObject({
    code: 'paused',
    why: 'x.md#1 is not launched, because x.md is paused.',
    try: [{ do: 'resume', on: 'x' }],
  });
  expect(answerTo(settled(reverted, PAUSE), act('launch'))).toMatchObject({ try: [{ do: 'resume' }] });
});

test('a plan that is paused by its name stays paused when all plans are resumed', () => {
  const both = settled(at('CODING'), PAUSE, PAUSE_PLAN);
  expect(running(settled(both, RESUME))).toEqual([]);
  expect(running(settled(both, RESUME_PLAN))).toEqual([]);
  expect(running(settled(both, RESUME_PLAN, RESUME))).toHaveLength(1);
});

test('a pause survives cancelling and reopening the plan', () => {
  const paused = settled(at('CODING'), PAUSE_PLAN);
  const moves = ['cancel', 'reopen', 'planner_finished'] as const;
  const again = settled(paused, ...moves.map((event): Event => ({ kind: 'move', plan: PLAN, event, by: USER })), {
    kind: 'run',
    plan: PLAN,
    by: USER,
  });
  expect(running(again)).toEqual([]);
  expect(running(settled(again, RESUME_PLAN))).toHaveLength(1);
});

test('a session that a person started keeps running', () => {
  const own: Event = {
    kind: 'session-new',
    by: USER,
    title: 'mine',
    role: 'unknown',
    program: 'claude',
    flags: [],
    env: [],
    prompt: '',
    from: 'c0',
  };
  expect(running(settled(at('CODING'), own, PAUSE))).toMatchObject([{ title: 'mine' }]);
});

test('a freeze on top of a pause is over only when both have ended', () => {
  const both = settled(at('CODING'), PAUSE, { kind: 'freeze', by: USER });
  const thawed = settled(both, { kind: 'thaw', by: USER });
  expect(running(thawed)).toEqual([]);
  const resumed = settled(both, RESUME);
  expect(running(resumed)).toEqual([]);
  expect(runIn(settled(resumed, { kind: 'thaw', by: USER })).counts.coding).toBe(1);
});
