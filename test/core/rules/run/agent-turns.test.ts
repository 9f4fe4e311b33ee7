// Turns, limits, failing sessions, deadlines and freezing: what the engine does automatically for a run, and when it stops.
import { describe, expect, test } from 'vitest';
import { nextDeadline, overdue } from '../../../../src/core/model/deadlines.ts';
import type { Effect } from '../../../../src/core/model/effect.ts';
import type { Event, EventOfKind, SessionNews, Signal, TaskAct } from '../../../../src/core/model/event.ts';
import type { SessionId } from '../../../../src/core/model/ids.ts';
import { isHalted } from '../../../../src/core/model/run-status.ts';
import type { World } from '../../../../src/core/model/world.ts';
import { decideAll } from '../../../../src/core/rules/decide.ts';
import { DEFAULT_POLICY } from '../../../../src/core/settings/default-policy.ts';
import { taskWaitStatus } from '../../../../src/core/views/why.ts';
import {
  AGENT,
  act,
  answerTo,
  at,
  COMMITTED,
  going,
  HUMAN,
  PLACES,
  placeOf,
  planIn,
  result,
  runIn,
  says,
  settled,
  silent,
  TWO,
  withBudgets,
} from '../../../support/runs.ts';
import { move, NOW, read, sessionIn, sessionNews, signal, taskIn, USER } from '../../../support/world.ts';

const GONE: SessionNews = { kind: 'ended', life: { kind: 'gone' } };
const FAILED: SessionNews = { kind: 'failed', why: 'claude is not installed' };

function news(world: World, what: SessionNews): Event {
  const { session } = runIn(world);
  if (session === null) throw new Error('There is no session.');
  return sessionNews(session.id, what);
}

function effectsOf(world: World, ...events: readonly Event[]): readonly string[] {
  return decideAll(world, events, NOW).records.flatMap((line) => (line.effects ?? []).map((effect) => effect.do));
}

test('without a review of task plans, the text of the task is its plan, and coding starts with the worktree', () => {
  const world = going(DEFAULT_POLICY);
  const ready = settled(world, result(world, { of: 'worktree', base: 'b0' }));
  expect(runIn(ready)).toMatchObject({ state: 'CODING', plan: null, counts: { coding: 1, turns: 1 } });
});

describe('a silent implementer', () => {
  test('is reminded, which costs a turn', () => {
    const world = at('CODING');
    expect(effectsOf(world, silent(world))).toEqual(['nudge']);
    const next = settled(world, silent(world));
    expect(runIn(next).counts).toMatchObject({ coding: 2, relaunches: 0 });
    expect(runIn(next).session).toMatchObject({ id: runIn(world).session?.id, trouble: null });
  });

  test('is not reminded again while a reminder is pending', () => {
    const nudged = settled(at('CODING'), silent(at('CODING')));
    expect(answerTo(nudged, silent(nudged))).toMatchObject({ kind: 'ignored' });
    const [nudge] = [...nudged.outbox.values()].filter((effect) => effect.do === 'nudge');
    const reminded = settled(nudged, { kind: 'effect-done', effect: nudge?.id ?? '' });
    expect(effectsOf(reminded, silent(reminded))).toEqual(['nudge']);
  });

  test('counts as finished when it has committed in its turn', () => {
    const world = at('CODING');
    expect(placeOf(settled(world, silent(world, '1', COMMITTED)))).toBe('TESTING');
    const waits = settled(world, { kind: 'policy', policy: { ...HUMAN, autoVerify: false } });
    expect(placeOf(settled(waits, silent(waits, '1', COMMITTED)))).toBe('CODING');
  });

  test('gets no more turns when the limits for turns and check-ins are reached: the run ends', () => {
    const world = at('CODING', withBudgets(HUMAN, { coding: 1, checkins: 0 }));
    expect(placeOf(settled(world, silent(world)))).toBe('ERROR');
  });

  test('that a reminder did not reach is restarted, which costs no turn', () => {
    const nudged = settled(at('CODING'), silent(at('CODING')));
    const next = settled(
      nudged,
      news(nudged, { kind: 'sent', problem: 'its terminal does not answer', reminder: true }),
    );
    expect(runIn(next).counts).toMatchObject({ coding: 2, relaunches: 1 });
  });

  test('that now asks something, or that the reminder may have reached, is left alone', () => {
    const nudged = settled(at('CODING'), silent(at('CODING')));
    for (const hindrance of ['asks', 'interrupted'] as const) {
      const next = settled(nudged, news(nudged, { kind: 'sent', problem: 'p', hindrance, reminder: true }));
      expect(runIn(next)).toEqual(runIn(nudged));
    }
  });
});

test.each(PLACES.filter((place) => runIn(at(place, AGENT)).session !== null))(
  'text of a person that does not reach the agent in %s changes nothing in its run',
  (place) => {
    const world = at(place, AGENT);
    for (const hindrance of [{}, { hindrance: 'asks' }, { hindrance: 'interrupted' }] as const) {
      const sent = decideAll(world, [news(world, { kind: 'sent', problem: 'It asks something.', ...hindrance })], NOW);
      expect(sent.records).toHaveLength(1);
      expect(runIn(sent.world)).toEqual(runIn(world));
    }
  },
);

describe('an agent whose program is gone', () => {
  test('is restarted up to the limit; then the run is halted until a person relaunches it', () => {
    let world = at('CODE_REVIEW spec');
    for (const relaunches of [1, 2]) {
      world = settled(world, news(world, GONE));
      expect(runIn(world).counts.relaunches).toBe(relaunches);
    }
    world = settled(world, news(world, GONE));
    expect(isHalted(runIn(world), world.policy, world.sessions, taskIn(world, '1'))).toBe(true);
    expect(taskWaitStatus(world, planIn(world), taskIn(world, '1'))).toMatchObject({ owner: 'user' });
    const relaunched = settled(world, act('relaunch'));
    expect(runIn(relaunched).counts.relaunches).toBe(2);
    expect(placeOf(relaunched)).toBe('CODE_REVIEW spec');
  });

  test('is still heard: the signal it sent before counts', () => {
    const world = at('CODE_REVIEW spec', withBudgets(HUMAN, { relaunches: 0 }));
    const dead = settled(world, news(world, GONE));
    expect(placeOf(settled(dead, says(dead, 'review-approved')))).toBe('CODE_REVIEW quality');
  });

  test('and that was the first of its run and never started leaves the task planned and held', () => {
    const world = at('PLANNING', withBudgets(HUMAN, { relaunches: 0 }));
    const back = settled(world, news(world, FAILED));
    expect(taskIn(back, '1')).toMatchObject({ state: 'planned', held: true });
    const [, line] = decideAll(world, [news(world, FAILED)], NOW).records;
    expect(line).toMatchObject({
      by: 'engine',
      event: 'revert',
      effects: [{ do: 'stop-session' }, { worktree: 'leave' }],
    });
  });

  test('and that never started is explained to the person, until the task is reverted for another reason', () => {
    const world = at('PLANNING', withBudgets(HUMAN, { relaunches: 0 }));
    const sentenceIn = (now: World): string => taskWaitStatus(now, planIn(now), taskIn(now, '1')).sentence;
    const back = settled(world, news(world, FAILED));
    expect(sentenceIn(back)).toBe(
      `The agent failed to start; launch it again. Failed to start: claude is not installed`,
    );
    expect(sentenceIn(settled(back, act('launch'), act('revert')))).toBe(
      'Reverted by a person; launch it again when it should be built.',
    );
  });

  test('later in the run leaves the run halted in its state', () => {
    const world = at('FIXING', withBudgets(HUMAN, { relaunches: 0 }));
    expect(placeOf(settled(world, news(world, FAILED)))).toBe('FIXING');
  });
});

describe('signals count', () => {
  test('from the session that was started for the present state, not from an earlier one', () => {
    const coding = at('CODING');
    const implementer = runIn(coding).session?.id ?? '';
    const review = at('CODE_REVIEW spec');
    for (const name of ['review-approved', 'implement-finished', 'question'])
      expect(answerTo(review, says(review, name, { session: implementer })).kind).toBe('refused');
    const testing = settled(coding, says(coding, 'implement-finished'));
    expect(answerTo(testing, says(testing, 'implement-finished'))).toMatchObject({
      kind: 'refused',
      code: 'not-holder',
    });
  });

  test('not when they are about an earlier state', () => {
    const world = at('CODING');
    const said = says(world, 'implement-finished') as EventOfKind<'signal'>;
    expect(answerTo(world, { ...said, signal: { ...said.signal, entered: 1 } })).toMatchObject({ code: 'stale' });
  });

  test('not when they come from an attempt that has ended', () => {
    const world = at('CODING');
    const late = says(world, 'implement-finished');
    const again = settled(world, act('revert'), act('launch'));
    expect(answerTo(again, late)).toMatchObject({ kind: 'refused', code: 'stale' });
  });

  test('as a file for the session that is in the worktree now, if the file is newer', () => {
    const world = at('CODING');
    const { place } = runIn(world);
    const left = (made: string, part: Partial<Signal> = { keyOf: runIn(world).session?.id ?? '' }): Event =>
      signal({ id: made, name: 'implement-finished', place, made, worktree: COMMITTED, ...part });
    const later = new Date(NOW.getTime() + 1_000).toISOString();
    expect(placeOf(settled(world, left(later)))).toBe('TESTING');
    expect(answerTo(world, left('2026-01-01T00:00:00.000Z'))).toMatchObject({ kind: 'refused', code: 'stale' });
    for (const other of [{}, { keyOf: 's0' }])
      expect(answerTo(world, left(later, other))).toMatchObject({ kind: 'refused', code: 'no-key' });
    const review = at('CODE_REVIEW spec');
    const keyOf = runIn(review).session?.id ?? '';
    expect(answerTo(review, left(later, { keyOf }))).toMatchObject({ kind: 'refused', code: 'role' });
    for (const name of ['review-approved', 'review-changes'])
      expect(answerTo(review, left(later, { keyOf, name }))).toMatchObject({ kind: 'refused', code: 'as-file' });
  });

  test('only with the key of their session, if its program was handed one', () => {
    const world = at('CODE_REVIEW spec');
    const approval = says(world, 'review-approved');
    if (approval.kind !== 'signal') throw new Error('It is a signal.');
    const { keyOf: _key, ...unsigned } = approval.signal;
    const forged = [unsigned, { ...unsigned, keyOf: 's0' }];
    for (const sent of forged)
      expect(answerTo(world, { kind: 'signal', signal: sent })).toMatchObject({ kind: 'refused', code: 'no-key' });
    const id = runIn(world).session?.id as SessionId;
    const { keyed: _keyed, ...before } = sessionIn(world, id);
    const old = { ...world, sessions: new Map([...world.sessions, [id, before]]) };
    expect(answerTo(old, { kind: 'signal', signal: unsigned })).toMatchObject({ kind: 'accepted' });
  });

  test('not while the plan is suspended, and all sessions are stopped', () => {
    const world = at('CODING');
    const late = says(world, 'implement-finished');
    expect(effectsOf(world, move('cancel'))).toEqual(['stop-session']);
    expect(answerTo(settled(world, move('cancel')), late)).toMatchObject({ kind: 'refused', code: 'state' });
  });
});

describe('an agent as architect', () => {
  test('reviews task plans, answers questions, and decides at check-ins', () => {
    const submitted = at('PLANNING', AGENT);
    const review = settled(submitted, says(submitted, 'plan-submitted'));
    expect(runIn(review).session?.role).toBe('architect');
    const coding = settled(review, says(review, 'review-approved'));
    expect(placeOf(coding)).toBe('CODING');
    const asked = settled(coding, says(coding, 'question'));
    expect(placeOf(settled(asked, says(asked, 'answer', { body: 'use a map' })))).toBe('CODING');
  });
});

describe('verification by an agent', () => {
  const testing = (verification: 'agent' | 'both'): World => {
    const world = at('CODING', { ...HUMAN, verification });
    return settled(world, says(world, 'implement-finished'));
  };

  test('is what the agent reports if the engine does not verify', () => {
    const world = testing('agent');
    expect(placeOf(settled(world, says(world, 'verify-passed')))).toBe('CODE_REVIEW spec');
    expect(placeOf(settled(world, says(world, 'verify-issues')))).toBe('FIXING');
  });

  test('is followed by the engine’s own verification if both verify', () => {
    const world = testing('both');
    const checked = settled(world, says(world, 'verify-passed'));
    expect(placeOf(checked)).toBe('TESTING');
    expect(runIn(checked).issued?.do).toBe('verify');
  });

  test('does not count if the engine verifies', () => {
    const world = at('TESTING');
    expect(answerTo(world, says(world, 'verify-passed')).kind).toBe('refused');
  });
});

describe('deadlines', () => {
  const later = (world: World): Date => new Date((nextDeadline(world) ?? 0) + 1);
  const passed = (world: World): World => decideAll(world, overdue(world, later(world)), later(world)).world;

  test.each([
    ['SETUP', 'ERROR'],
    ['TESTING', 'FIXING'],
  ] as const)('in %s lead to %s', (place, to) => {
    expect(overdue(at(place), NOW)).toEqual([]);
    expect(placeOf(passed(at(place)))).toBe(to);
  });

  test('restart a session that takes too long', () => {
    expect(runIn(passed(at('CODING'))).counts.relaunches).toBe(1);
  });

  test('of a merge have no effect until the branch was checked', () => {
    const world = at('AWAIT_MERGE');
    const [late] = overdue(world, later(world));
    if (late === undefined) throw new Error('Nothing is overdue.');
    const decided = (landed?: string | null): World =>
      decideAll(world, [landed === undefined ? late : { ...late, landed }], later(world)).world;
    expect(placeOf(decided())).toBe('AWAIT_MERGE');
    expect(placeOf(decided('t1'))).toBe('DONE');
    expect(placeOf(decided(null))).toBe('FIXING');
  });

  test('of a run count only the time in which somebody works on it', () => {
    const hours = (count: number): Date => new Date(NOW.getTime() + count * 3_600_000);
    const coding = at('CODING');
    const asked = decideAll(coding, [says(coding, 'question')], hours(1)).world;
    const answered = decideAll(asked, [act('answer', { text: 'yes' })], hours(100)).world;
    expect(runIn(answered).clock.spent).toBe(3_600_000);
    const ended = decideAll(answered, overdue(answered, hours(200)), hours(200)).world;
    expect(placeOf(ended)).toBe('ERROR');
  });

  test('are suspended with the plan, except for pending effects', () => {
    expect(nextDeadline(settled(at('CODING'), move('cancel')))).toBeUndefined();
    expect(nextDeadline(settled(at('TESTING'), move('cancel')))).toBeDefined();
  });
});

describe('while cadre is frozen', () => {
  test('nothing new starts, results are accepted, and the thaw starts what is missing', () => {
    const frozen = settled(at('CODING'), { kind: 'freeze', by: USER });
    const testing = settled(frozen, says(frozen, 'implement-finished'));
    expect(runIn(testing)).toMatchObject({ state: 'TESTING', issued: null });
    const thawed = settled(testing, { kind: 'thaw', by: USER });
    expect(runIn(thawed).issued?.do).toBe('verify');
  });

  /** Effects that start something; the others stop, keep or report. */
  const BEGINNING: readonly Effect['do'][] = ['worktree', 'verify', 'merge', 'start-session', 'nudge', 'land'];
  const ACTS: readonly TaskAct[] = [
    'launch',
    'relaunch',
    'next',
    'back',
    'approve',
    'changes',
    'answer',
    'merge-anyway',
  ];
  const SIGNALS = [
    'plan-submitted',
    'implement-finished',
    'fix-finished',
    'review-approved',
    'review-changes',
    'question',
  ];

  test.each(PLACES)('no act and no signal starts anything for a run in %s', (place) => {
    const frozen = settled(at(place, AGENT), { kind: 'freeze', by: USER });
    const said: readonly Event[] = [
      ...ACTS.map((what) => act(what, { text: 'CONTINUE' })),
      ...SIGNALS.map((name) => says(frozen, name)),
      ...(runIn(frozen).session === null ? [] : [silent(frozen), news(frozen, GONE)]),
      result(frozen, { of: 'worktree', base: 'b0' }),
      result(frozen, { of: 'verify', passed: true, text: '' }),
      result(frozen, { of: 'merge', tip: 't1' }),
      move('implement_finished'),
      move('review_approved'),
      read(TWO),
    ];
    for (const event of said)
      expect(
        effectsOf(frozen, event).filter((effect) => BEGINNING.some((one) => one === effect)),
        JSON.stringify(event),
      ).toEqual([]);
  });

  test.each(['verify-passed', 'verify-issues'])(
    'the engine’s own verification starts with the thaw after %s',
    (word) => {
      const coding = at('CODING', { ...HUMAN, verification: 'both' });
      const frozen = settled(settled(coding, says(coding, 'implement-finished')), { kind: 'freeze', by: USER });
      const advised = settled(frozen, says(frozen, word));
      expect(runIn(advised)).toMatchObject({ state: 'TESTING', issued: null });
      expect([...advised.outbox.values()].filter((effect) => effect.do === 'verify')).toEqual([]);
      const thawed = settled(advised, { kind: 'thaw', by: USER });
      expect(runIn(thawed)).toMatchObject({ state: 'TESTING', issued: { do: 'verify' } });
      expect(runIn(thawed).session?.id).toBe(runIn(frozen).session?.id);
    },
  );
});

test('a person cannot stop, pause or switch the sessions of runs', () => {
  const world = at('CODING');
  const session = runIn(world).session?.id ?? '';
  for (const kind of ['session-stop', 'session-pause'] as const)
    expect(answerTo(world, { kind, by: USER, session })).toMatchObject({ kind: 'refused', code: 'state' });
});

test('no agent acts on tasks in place of a person', () => {
  const by = { who: 'agent', role: 'implementer', session: 's1' } as const;
  for (const what of ['launch', 'revert', 'mark-done', 'approve', 'override', 'merge-anyway'] as const)
    expect(answerTo(at('CODE_REVIEW quality'), { ...act(what), by } as Event)).toMatchObject({ code: 'user-only' });
});

describe('while its commit is verified', () => {
  test('the implementer is stopped, in the same commit as the verification is issued', () => {
    const world = at('CODING');
    expect(effectsOf(world, says(world, 'implement-finished'))).toEqual(['verify', 'stop-session']);
  });

  test('and the next turn continues its conversation', () => {
    const coding = at('CODING');
    const world = settled(coding, news(coding, { kind: 'up' }), says(coding, 'implement-finished'));
    const failed = decideAll(world, [result(world, { of: 'verify', passed: false, text: 'one test fails' })], NOW);
    const turn = failed.records.flatMap((line) => line.effects ?? []).find((effect) => effect.do === 'start-session');
    expect(turn).toMatchObject({ resume: true, turn: 'fix' });
    expect(runIn(failed.world).counts).toMatchObject({ coding: 1, fixing: 1, relaunches: 0 });
  });
});
