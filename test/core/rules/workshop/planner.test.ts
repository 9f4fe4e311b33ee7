// The planner of a workshop: when it is started, replaced, interrupted and stopped, and which of its signals count.
import { describe, expect, test } from 'vitest';
import { deadlines, overdue } from '../../../../src/core/model/deadlines.ts';
import type { Event, SessionNews } from '../../../../src/core/model/event.ts';
import type { World } from '../../../../src/core/model/world.ts';
import { decideAll } from '../../../../src/core/rules/decide.ts';
import { DEFAULT_POLICY } from '../../../../src/core/settings/default-policy.ts';
import { planWait } from '../../../../src/core/views/why.ts';
import { answerTo, planIn, settled, withBudgets } from '../../../support/runs.ts';
import {
  afterRounds,
  answers,
  approve,
  blocking,
  CONTINUE,
  changing,
  GONE,
  handsIn,
  INVALID,
  opened,
  plannerNews,
  plannerOf,
  READY,
  redo,
  round,
  stateOf,
  workshopAt,
  workshopIn,
} from '../../../support/workshop.ts';
import { move, NOW, PLAN, sessionIn, sessionNews, signal, USER } from '../../../support/world.ts';

const ASKING = ['clarifying', 'workshop', 'formalizing'] as const;
const UP: SessionNews = { kind: 'up' };
const FAILED: SessionNews = { kind: 'failed', why: 'claude is not installed' };
const LATER = new Date(NOW.getTime() + 1e11);
const ONCE = withBudgets(DEFAULT_POLICY, { relaunches: 1 });

function silent(world: World): Event {
  return { kind: 'silent', session: plannerOf(world) };
}

function wanted(world: World): readonly string[] {
  return [...world.sessions.values()].filter((one) => one.wanted === 'running').map(({ id }) => id);
}

function started(world: World, ...events: readonly Event[]): number {
  const { records } = decideAll(world, events, NOW);
  return records.flatMap(({ effects = [] }) => effects).filter((effect) => effect.do === 'start-session').length;
}

test.each(ASKING)('in %s there is one planner, in the worktree of the workshop', (state) => {
  const world = workshopAt(state);
  expect(wanted(world)).toEqual([plannerOf(world)]);
  expect(sessionIn(world, plannerOf(world))).toMatchObject({
    role: 'planner',
    plans: true,
    plan: PLAN,
    from: 'c0ffee',
  });
});

test('each document is asked from another planner, and the one before is stopped', () => {
  const world = workshopAt('workshop');
  const next = afterRounds(world, changing(2));
  expect(plannerOf(next)).not.toBe(plannerOf(world));
  expect(sessionIn(next, plannerOf(world)).wanted).toBe('stopped');
});

test('a planner that is asked for the plan again is told the new commit', () => {
  const world = settled(workshopAt('workshop'), redo('', 'decade'));
  expect(sessionIn(world, plannerOf(world)).from).toBe('decade');
});

describe.each([
  ['dies', (world: World) => [plannerNews(world, UP), plannerNews(world, GONE)]],
  ['does not start', (world: World) => [plannerNews(world, FAILED)]],
  ['falls silent', (world: World) => [silent(world)]],
] as const)('a planner that %s', (_how, fails) => {
  test('is replaced, and after that a person is asked', () => {
    const first = workshopAt('workshop', ONCE);
    const second = settled(first, ...fails(first));
    expect(plannerOf(second)).not.toBe(plannerOf(first));
    expect(workshopIn(second)).toMatchObject({ relaunches: 1, round: 2, state: 'workshop' });
    const asks = settled(second, ...fails(second));
    expect(workshopIn(asks).relaunches).toBe(1);
    expect(wanted(asks).filter((id) => sessionIn(asks, id).ended === undefined && !hasFailed(asks, id))).toEqual([]);
    expect(planWait(asks, planIn(asks)).owner).toBe('user');
    const third = settled(asks, CONTINUE);
    expect(workshopIn(third)).toMatchObject({ relaunches: 0 });
    expect(wanted(third)).toEqual([plannerOf(third)]);
    expect(plannerOf(third)).not.toBe(plannerOf(second));
  });

  test('costs no restart of the next document', () => {
    const first = workshopAt('workshop', ONCE);
    const second = settled(first, ...fails(first));
    expect(workshopIn(afterRounds(second, changing(2))).relaunches).toBe(0);
  });

  test('is not replaced while cadre is frozen, and is afterwards', () => {
    const world = workshopAt('workshop');
    const frozen = settled(world, { kind: 'freeze', by: USER }, ...fails(world));
    expect(plannerOf(frozen)).toBe(plannerOf(world));
    const thawed = settled(frozen, { kind: 'thaw', by: USER });
    expect(plannerOf(thawed)).not.toBe(plannerOf(world));
  });
});

function hasFailed(world: World, id: string): boolean {
  return sessionIn(world, id).failure !== undefined;
}

test('a planner that takes too long is replaced', () => {
  const world = workshopAt('workshop');
  const [event] = overdue(world, LATER);
  expect(event).toMatchObject({ kind: 'overdue', wait: { for: 'session', session: plannerOf(world) } });
  const next = decideAll(world, event === undefined ? [] : [event], LATER);
  expect(next.records.map((line) => line.event)).toEqual(['planner_overdue', 'session_begun']);
  expect(workshopIn(next.world).relaunches).toBe(1);
});

test('a planner has a deadline, and what waits for a person has none', () => {
  expect(deadlines(workshopAt('workshop'))).toHaveLength(1);
  expect(deadlines(workshopAt('review_ready'))).toEqual([]);
  expect(deadlines(afterRounds(opened(), round({ questions: [blocking('scope')] })))).toEqual([]);
  expect(deadlines(settled(workshopAt('workshop'), { kind: 'pause', by: USER }))).toEqual([]);
});

describe('a pause', () => {
  test('interrupts the planner, which continues afterwards at no cost', () => {
    const world = settled(workshopAt('workshop'), plannerNews(workshopAt('workshop'), UP));
    const paused = settled(world, { kind: 'pause', plan: PLAN, by: USER });
    expect(wanted(paused)).toEqual([]);
    expect(answerTo(paused, plannerNews(paused, GONE))).toMatchObject({ kind: 'ignored' });
    const { records, world: resumed } = decideAll(paused, [{ kind: 'resume', plan: PLAN, by: USER }], NOW);
    expect(records.at(-1)).toMatchObject({ event: 'session_begun', resume: true });
    expect(workshopIn(resumed)).toMatchObject({ relaunches: 0, round: 2, entered: workshopIn(world).entered });
  });

  test('does not end a turn whose document is already on its way', () => {
    const paused = settled(workshopAt('workshop'), { kind: 'pause', by: USER });
    const world = afterRounds(paused, changing(2));
    expect(workshopIn(world)).toMatchObject({ round: 3, session: null });
    expect(wanted(world)).toEqual([]);
    expect(wanted(settled(world, { kind: 'resume', by: USER }))).toHaveLength(1);
  });

  test('keeps answers from starting a planner, not from counting', () => {
    const asks = settled(afterRounds(opened(), round({ questions: [blocking('scope')] })), { kind: 'pause', by: USER });
    const world = settled(asks, answers({ scope: 'words' }));
    expect(stateOf(world)).toBe('workshop');
    expect(wanted(world)).toEqual([]);
  });
});

test('a freeze starts no planner, and lets the one that works continue', () => {
  const frozen = settled(workshopAt('workshop'), { kind: 'freeze', by: USER });
  expect(wanted(frozen)).toEqual([plannerOf(frozen)]);
  expect(started(frozen, handsIn(frozen, changing(2)))).toBe(0);
});

test.each(ASKING)('cancelling in %s stops the planner, and reopening continues there', (state) => {
  const before = workshopAt(state);
  const cancelled = settled(before, move('cancel'));
  expect(wanted(cancelled)).toEqual([]);
  const { transcript, ...left } = workshopIn(cancelled);
  const reopened = settled(cancelled, move('reopen'));
  expect(workshopIn(reopened)).toMatchObject({ state, round: left.round, entered: left.entered, transcript });
  expect(wanted(reopened)).toEqual([plannerOf(reopened)]);
});

test('cancelling while a person is asked changes nothing in what is asked', () => {
  const asks = afterRounds(opened(), round({ questions: [blocking('scope')] }));
  const reopened = settled(asks, move('cancel'), move('reopen'));
  expect(workshopIn(reopened)).toEqual(workshopIn(asks));
  expect(wanted(reopened)).toEqual([]);
  const failed = withBudgets(DEFAULT_POLICY, { relaunches: 0 });
  const world = settled(workshopAt('workshop', failed), silent(workshopAt('workshop', failed)));
  expect(wanted(settled(world, move('cancel')))).toEqual([]);
  expect(wanted(settled(world, move('cancel'), move('reopen')))).toHaveLength(1);
});

describe('a document counts only', () => {
  test('from the planner that was started for it', () => {
    const world = workshopAt('workshop');
    const old = plannerOf(opened());
    const by = { who: 'agent', role: 'planner', session: old } as const;
    expect(answerTo(world, handsIn(world, changing(2), { by }))).toMatchObject({ kind: 'refused', code: 'stale' });
  });

  test('about the present round', () => {
    const world = workshopAt('workshop');
    const entered = workshopIn(opened()).entered;
    expect(answerTo(world, handsIn(world, changing(2), { entered }))).toMatchObject({ kind: 'refused', code: 'stale' });
  });

  test('while the plan is in planning', () => {
    const world = workshopAt('workshop');
    const event = handsIn(world, changing(2));
    expect(answerTo(settled(world, move('cancel')), event)).toMatchObject({ kind: 'refused', code: 'state' });
  });

  test('with a body', () => {
    const world = workshopAt('workshop');
    expect(answerTo(world, handsIn(world, ' '))).toMatchObject({ kind: 'refused', code: 'no-body' });
  });

  test('once', () => {
    const world = workshopAt('workshop');
    const event = handsIn(world, changing(2));
    expect(answerTo(settled(world, event), event)).toMatchObject({ kind: 'ignored' });
  });

  test('from an interrupted planner too, but no longer from a stopped one', () => {
    const budget = withBudgets(DEFAULT_POLICY, { relaunches: 0 });
    const world = workshopAt('workshop', budget);
    const asks = settled(world, silent(world));
    expect(planWait(asks, planIn(asks)).owner).toBe('user');
    expect(workshopIn(settled(asks, handsIn(asks, changing(2))))).toMatchObject({ round: 3 });
    const stopped = settled(asks, CONTINUE);
    expect(answerTo(stopped, handsIn(asks, changing(2)))).toMatchObject({ kind: 'refused' });
  });

  test('in the role of the planner', () => {
    const world = workshopAt('workshop');
    for (const name of ['planner-finished', 'review-approved', 'implement-finished', 'answer'])
      expect(answerTo(world, handsIn(world, READY, { name }))).toMatchObject({ kind: 'refused', code: 'role' });
    const outside = signal({ name: 'round-finished', body: JSON.stringify(READY) });
    expect(answerTo(world, outside)).toMatchObject({ kind: 'refused', code: 'no-run' });
  });
});

test('the end of a planner that has handed in is nobody’s failure', () => {
  const world = workshopAt('workshop');
  const next = afterRounds(world, changing(2));
  const ended = decideAll(next, [sessionNews(plannerOf(world), GONE)], NOW).world;
  expect(workshopIn(ended)).toEqual(workshopIn(next));
});

test('three invalid documents stop the planner, and its end is no failure', () => {
  const world = workshopAt('workshop');
  const asks = afterRounds(world, INVALID, INVALID, INVALID);
  const ended = decideAll(asks, [sessionNews(plannerOf(world), GONE)], NOW).world;
  expect(workshopIn(ended)).toEqual(workshopIn(asks));
});

test('an approved plan has no planner', () => {
  expect(wanted(settled(workshopAt('review_ready'), approve()))).toEqual([]);
});
