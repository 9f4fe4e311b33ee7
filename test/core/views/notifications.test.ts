// What a person is notified of, and when: once, and not of what heals itself or was their own wish.
import { describe, expect, test } from 'vitest';
import type { Event } from '../../../src/core/model/event.ts';
import type { SessionId } from '../../../src/core/model/ids.ts';
import type { World } from '../../../src/core/model/world.ts';
import type { Notification } from '../../../src/core/ports/notify.ts';
import { decideAll } from '../../../src/core/rules/decide.ts';
import { type Asking, asksIn } from '../../../src/core/views/asking.ts';
import { needsIn } from '../../../src/core/views/needs.ts';
import {
  type Announcement,
  announce,
  announceAtOnce,
  attentionTo,
  SETTLES_AFTER,
} from '../../../src/core/views/notifications/announce.ts';
import { notificationsIn } from '../../../src/core/views/notifications/notification.ts';
import {
  AGENT,
  act,
  at,
  HUMAN,
  planIn,
  result,
  reviewerSays,
  runIn,
  SIDE_BY_SIDE,
  says,
  settled,
  TWO,
  withBudgets,
} from '../../support/runs.ts';
import { move, NOW, newSession, PLAN, sessionIn, sessionNews, USER } from '../../support/world.ts';

const LATER = new Date(NOW.getTime() + 1e11);

function kindsIn(world: World): readonly string[] {
  return notificationsIn(world, []).map(({ kind }) => kind);
}

const heldUp = (world: World, needsPerson: boolean): Event => ({
  kind: 'held-up',
  effect: runIn(world).issued?.effect ?? 'none',
  why: 'The remote does not answer.',
  needsPerson,
});

const branchAt = (world: World, found: string | null): World =>
  settled(world, { kind: 'branch-seen', plan: PLAN, expected: planIn(world).work?.tip ?? null, found });

/** Its agent was up and took too long, with this many restarts left. */
function overdue(relaunches: number): World {
  const coding = at('CODING', withBudgets(HUMAN, { relaunches }));
  const session = runIn(coding).session?.id as SessionId;
  const up = settled(coding, sessionNews(session, { kind: 'up' }));
  return decideAll(up, [{ kind: 'overdue', wait: { for: 'session', session } }], LATER).world;
}

function unverified(): World {
  const escalated = settled(at('check-in'), act('answer', { text: 'ESCALATE' }));
  const passed = settled(escalated, says(escalated, 'review-approved'));
  return settled(passed, says(passed, 'review-approved'));
}

/** The approved plan, with the result of its landing. */
function landed(outcome: { readonly ok: boolean; readonly byHand?: true }): World {
  const reviewed = at('DONE');
  const approved = settled(reviewed, reviewerSays(reviewed, 'review-approved'));
  const effect = [...approved.outbox.values()].find((one) => one.do === 'land')?.id ?? 'none';
  return settled(approved, { kind: 'result', effect, result: { of: 'land', text: 'As it went.', ...outcome } });
}

function merging(needsPerson: boolean): World {
  const world = at('AWAIT_MERGE');
  return settled(world, heldUp(world, needsPerson));
}

function proposed(): World {
  const world = at('CODING', { ...HUMAN, verify: ['npm', 'test'] });
  return settled(world, { kind: 'policy', policy: { ...HUMAN, verify: 'none' } });
}

function reviewLimit(): World {
  const reviewed = at('DONE', withBudgets(HUMAN, { reviewCycles: 0 }));
  return settled(reviewed, reviewerSays(reviewed, 'review-changes'));
}

describe('a person is notified of', () => {
  test.each<[string, () => World, string, string]>([
    ['a question', () => at('QUESTION from CODING'), 'question', 'x#1 needs an answer'],
    ['a check-in', () => at('check-in'), 'budget', 'x#1 has reached a limit'],
    ['a task plan to review', () => at('PLAN_REVIEW'), 'decision', 'x#1 waits for your decision'],
    ['an unverified commit', unverified, 'decision', 'x#1 waits for your decision'],
    ['a worktree that could not be set up', () => at('ERROR'), 'halted', 'x#1 is halted'],
    ['an agent that is not restarted', () => overdue(0), 'halted', 'x#1 is halted'],
    ['a merge that something prevents', () => merging(true), 'held-up', 'x#1 is held up'],
    ['a branch that was moved', () => branchAt(at('CODING'), 'foreign'), 'incident', 'x has an incident'],
    ['changed settings', proposed, 'decision', 'x waits for your decision'],
    ['a review that was the last', reviewLimit, 'budget', 'x has reached a limit'],
    ['a plan to be merged by hand', () => landed({ ok: false, byHand: true }), 'land', 'x is ready to land'],
    ['a plan that could not land', () => landed({ ok: false }), 'land', 'x has not landed'],
    ['a plan that has landed', () => landed({ ok: true }), 'done', 'x is done'],
  ])('%s', (_what, world, kind, title) => {
    const found = notificationsIn(world(), []);
    expect(found.map((one) => [one.kind, one.title])).toEqual([[kind, title]]);
    expect(found[0]?.text).not.toBe('');
  });

  test('the question of an agent program, with its text and a way to answer', () => {
    const asking = askedIn(at('CODING'), 'May I run npm install?');
    expect(notificationsIn(at('CODING'), asking)).toEqual([
      {
        id: `${asking[0]?.session} permission`,
        kind: 'permission',
        plan: PLAN,
        task: '1',
        session: asking[0]?.session,
        title: 'x#1 asks for permission',
        text: `The implementer (${asking[0]?.session}) asks for permission: May I run npm install?`,
        actions: [{ do: 'session-attach', on: asking[0]?.session }],
      },
    ]);
  });

  test('the question of a program that belongs to no plan', () => {
    const world = settled({ ...at('DONE'), plans: new Map() }, newSession());
    const id = [...world.sessions.keys()].at(-1) as SessionId;
    const up = settled(world, sessionNews(id, { kind: 'up' }));
    expect(notificationsIn(up, askedIn(up, 'Trust it?', id))).toMatchObject([
      { kind: 'permission', plan: null, task: null, session: id, title: `${id} asks for permission` },
    ]);
  });
});

describe('a person is not notified', () => {
  test.each<[string, () => World]>([
    ['while an agent works', () => at('CODING')],
    ['of a question that the architect answers', () => at('QUESTION from CODING', AGENT)],
    ['of an agent that is restarted', () => overdue(1)],
    ['of a merge that the engine retries', () => merging(false)],
    ['of a deleted branch that is restored', () => branchAt(at('CODING'), null)],
    ['of a plan that they paused', () => settled(at('CODING'), { kind: 'pause', by: USER, plan: PLAN })],
    ['of a task that they reverted', () => settled(at('CODING'), act('revert'))],
    ['of a run that they abandoned', () => settled(at('QUESTION from CODING'), act('abandon'))],
    ['of a plan that they cancelled', () => settled(at('CODING'), move('cancel'))],
  ])('%s', (_what, world) => {
    expect(kindsIn(world())).toEqual([]);
  });

  test('twice of one merge: tasks that wait for it say nothing', () => {
    const both = at('AWAIT_MERGE', HUMAN, SIDE_BY_SIDE);
    let world = settled(both, heldUp(both, true));
    world = settled(world, result(world, { of: 'worktree', base: 'b0' }, '2'));
    world = settled(world, says(world, 'plan-submitted', { task: '2' }), act('approve', { task: '2' }));
    world = settled(world, act('next', { task: '2' }));
    world = settled(world, result(world, { of: 'verify', passed: true, text: '' }, '2'));
    world = settled(world, act('approve', { task: '2' }), act('approve', { task: '2' }));
    expect(needsIn(world)).toHaveLength(2);
    expect(notificationsIn(world, [])).toMatchObject([{ kind: 'held-up', task: '1' }]);
  });
});

test('the text of a notification acts on no terminal, and is not longer than one reads', () => {
  const asking = askedIn(at('CODING'), `\u001b]0;evil\u0007\u009b31m\u202e${'x'.repeat(5_000)}`);
  const [{ text = '' } = {}] = notificationsIn(at('CODING'), asking);
  expect(text).toMatch(/^[ -~…]+$/);
  expect(text.length).toBeLessThan(1_100);
});

describe('one plan', () => {
  test('has only its own notifications', () => {
    expect(notificationsIn(at('QUESTION from CODING'), [], 'other.md' as typeof PLAN)).toEqual([]);
    expect(notificationsIn(at('CODING'), askedIn(at('CODING'), 'May I?'), 'other.md' as typeof PLAN)).toEqual([]);
  });
});

describe('an id', () => {
  const idsIn = (world: World): readonly string[] => notificationsIn(world, []).map(({ id }) => id);

  test('stays the same while something else happens', () => {
    const world = at('QUESTION from CODING', HUMAN, TWO);
    expect(idsIn(settled(world, { kind: 'freeze', by: USER }))).toEqual(idsIn(world));
  });

  test('of the same question asked again is another', () => {
    const world = at('QUESTION from CODING');
    const answered = settled(world, act('answer', { text: 'red' }));
    const again = settled(answered, says(answered, 'question'));
    expect(idsIn(again)).toHaveLength(1);
    expect(idsIn(again)).not.toEqual(idsIn(world));
  });

  test('of a merge that is held up stays the same when the reason changes', () => {
    const world = merging(true);
    const why = { ...heldUp(world, true), why: 'The disk is full.' } as Event;
    expect(idsIn(settled(world, why))).toEqual(idsIn(world));
  });
});

describe('announcing', () => {
  const QUESTION = of('question', 'a');
  const ASKS = of('permission', 's1');
  const nothing = attentionTo([]);
  const holding = (notifications: readonly Notification[], elapsed = 0) => ({
    notifications,
    elapsed,
    isUnseen: () => false,
  });
  const ids = ({ due }: Announcement): readonly string[] => due.map(({ id }) => id);

  test('is for what is new, and only once', () => {
    const first = announce(nothing, holding([QUESTION]));
    expect(ids(first)).toEqual(['a']);
    expect(ids(announce(first.attention, holding([QUESTION, of('done', 'b')])))).toEqual(['b']);
  });

  test('does not repeat what an engine before announced', () => {
    expect(ids(announce(attentionTo(['a']), holding([QUESTION])))).toEqual([]);
  });

  test('is for what comes back after it had ended', () => {
    const first = announce(nothing, holding([QUESTION]));
    const ended = announce(first.attention, holding([]));
    expect(ended.attention.announced.size).toBe(0);
    expect(ids(announce(ended.attention, holding([QUESTION])))).toEqual(['a']);
  });

  test('waits until it is clear that something does not end without a person', () => {
    const limit = SETTLES_AFTER.permission;
    const seen = announce(nothing, holding([ASKS], 100));
    expect([ids(seen), seen.lookAgainIn]).toEqual([[], limit]);
    const still = announce(seen.attention, holding([ASKS], 100 + limit - 1));
    expect([ids(still), still.lookAgainIn]).toEqual([[], 1]);
    const settledNow = announce(still.attention, holding([ASKS], 100 + limit));
    expect([ids(settledNow), settledNow.lookAgainIn]).toEqual([['s1'], undefined]);
    expect(ids(announce(settledNow.attention, holding([ASKS], 100 + 2 * limit)))).toEqual([]);
  });

  test('is not for what ended before', () => {
    const seen = announce(nothing, holding([ASKS]));
    const gone = announce(seen.attention, holding([], 1_000));
    const again = announce(gone.attention, holding([ASKS], SETTLES_AFTER.permission));
    expect([ids(gone), ids(again)]).toEqual([[], []]);
  });

  test('neither forgets nor repeats what nobody could look at for a while', () => {
    const isUnseen = (id: string): boolean => id === 's1';
    const announced = announce(attentionTo(['s1', 'a']), { ...holding([]), isUnseen });
    expect([...announced.attention.announced]).toEqual(['s1']);
    expect(ids(announce(announced.attention, holding([ASKS], 1e6)))).toEqual([]);
    const settling = announce(announce(nothing, holding([ASKS])).attention, { ...holding([], 4_000), isUnseen });
    expect(ids(announce(settling.attention, holding([ASKS], SETTLES_AFTER.permission)))).toEqual(['s1']);
  });

  test('does not wait where a surface closes', () => {
    const seen = announce(nothing, holding([ASKS]));
    expect(ids(announceAtOnce(seen.attention, holding([ASKS], 1)))).toEqual(['s1']);
  });
});

test('a program of which nothing can be seen may be asking something', () => {
  const world = at('CODING');
  const entry = sessionIn(world, runIn(world).session?.id ?? '');
  expect(asksIn(world, [entry], [], NOW.getTime())).toEqual({ asking: [], unseen: new Set([entry.id]) });
});

/** What the agent of the task, or this session, asks on its screen. */
function askedIn(world: World, question: string, session = runIn(world).session?.id ?? ''): readonly Asking[] {
  const entry = sessionIn(world, session);
  const screen = { kind: 'asks-permission', question } as const;
  const sight = { reported: undefined, screen, lastOutput: undefined, lastSent: undefined };
  return asksIn(world, [entry], [{ session: entry.id, sight }], NOW.getTime()).asking;
}

function of(kind: Notification['kind'], id: string): Notification {
  return { id, kind, plan: PLAN, task: null, session: null, title: id, text: id, actions: [] };
}
