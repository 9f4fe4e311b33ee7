// How `cadre run` ends: what is left of a plan, whom it waits for, and why.
import { describe, expect, test } from 'vitest';
import type { Event } from '../../../../src/core/model/event.ts';
import type { World } from '../../../../src/core/model/world.ts';
import { outcomeOf } from '../../../../src/core/views/outcome.ts';
import {
  act,
  at,
  going,
  HUMAN,
  ONE,
  planIn,
  result,
  reviewerSays,
  runIn,
  SIDE_BY_SIDE,
  settled,
  silent,
  withBudgets,
} from '../../../support/runs.ts';
import { move, PLAN, USER } from '../../../support/world.ts';

const FREEZE: Event = { kind: 'freeze', by: USER };

/** From a plan that is cancelled to where it was. */
const AGAIN: readonly Event[] = [move('reopen'), move('planner_finished'), { kind: 'run', plan: PLAN, by: USER }];

/** A session ends, and everyone that is begun in its place. */
function dying(world: World, sessionIn: (now: World) => string | undefined): World {
  let now = world;
  for (let times = 0; times <= now.policy.budgets.relaunches; times++)
    now = settled(now, {
      kind: 'session-news',
      session: sessionIn(now) as never,
      news: { kind: 'ended', life: { kind: 'gone' } },
    });
  return now;
}

const reviewerIn = (world: World): string | undefined => planIn(world).work?.session?.id;

/** An agent has worked, and then the one turn and every check-in are used up. */
const exhausted = (): World => {
  const world = at('CODING', withBudgets(HUMAN, { coding: 1, checkins: 0 }));
  return settled(world, silent(world));
};

/** What ends must have begun. */
const up = (world: World): World =>
  settled(world, { kind: 'session-news', session: reviewerIn(world) as never, news: { kind: 'up' } });

const reviewing = (): World => settled(going(), act('mark-done'));

const landed = (outcome: { ok: boolean; byHand?: true }): World => {
  const world = settled(reviewing(), move('review_approved'));
  const [effect] = [...world.outbox.values()].filter((one) => one.do === 'land');
  return settled(world, {
    kind: 'result',
    effect: effect?.id ?? '',
    result: { of: 'land', text: 'So it is.', ...outcome },
  });
};

const unmergeable = (): World => {
  const world = at('AWAIT_MERGE', withBudgets(HUMAN, { mergeAttempts: 1 }));
  return settled(world, result(world, { of: 'merge', failed: 'It does not pass.' }));
};

const unapproved = (): World => {
  const world = settled(going(withBudgets(HUMAN, { reviewCycles: 0 })), act('mark-done'));
  return settled(world, reviewerSays(world, 'review-changes'));
};

const oneAsks = (): World => {
  let world = going(HUMAN, SIDE_BY_SIDE);
  for (const task of ['1', '2']) world = settled(world, result(world, { of: 'worktree', base: 'b0' }, task));
  return settled(world, act('next', { task: '1' }));
};

describe.each<[string, readonly [string, () => World][]]>([
  [
    'done',
    [
      ['that has landed', () => landed({ ok: true })],
      ['that is for a person to merge', () => landed({ ok: false, byHand: true })],
    ],
  ],
  ['cancelled', [['that a person has cancelled', () => settled(going(), move('cancel'))]]],
  [
    'person',
    [
      ['whose task asks something', () => at('QUESTION from CODING')],
      ['whose task has a plan to be looked at', () => at('PLAN_REVIEW')],
      ['whose task could not be set up', () => at('ERROR')],
      ['whose task was given up by a person', () => settled(at('QUESTION from CODING'), act('abandon'))],
      ['whose task a person took back', () => settled(going(), act('revert'))],
      ['that something keeps from landing', () => landed({ ok: false })],
      ['that was approved while cadre was frozen', () => settled(reviewing(), FREEZE, move('review_approved'))],
      ['whose commit is not verified while cadre is frozen', () => settled(settled(at('CODING'), FREEZE), act('next'))],
      ['that nobody reviews while cadre is frozen', () => settled(at('DONE'), move('cancel'), FREEZE, ...AGAIN)],
    ],
  ],
  [
    'budget',
    [
      ['whose task is asked how to go on', () => at('check-in')],
      ['whose task has no turn and no check-in left', exhausted],
      ['whose task could not be merged as often as may be', unmergeable],
      ['whose agent is gone as often as may be', () => dying(at('CODE_REVIEW spec'), (now) => runIn(now).session?.id)],
      ['whose reviewer still asks for changes', unapproved],
      ['whose reviewer is gone as often as may be', () => dying(up(reviewing()), reviewerIn)],
    ],
  ],
])('%s is the end of a plan', (kind, worlds) => {
  test.each(worlds)('%s', (_what, world) => {
    expect(outcomeOf(world(), PLAN)?.kind).toBe(kind);
  });
});

describe('it is no end', () => {
  test.each<[string, () => World]>([
    ['while an agent is at work', () => at('CODING')],
    ['while one task asks and another goes on', oneAsks],
    ['while a merge is under way in a cadre that is frozen', () => settled(at('AWAIT_MERGE'), FREEZE)],
    ['before it is known what became of the branch', () => settled(reviewing(), move('review_approved'))],
  ])('%s', (_what, world) => {
    expect(outcomeOf(world(), PLAN)).toBeUndefined();
  });
});

test('a run whose last merge conflicts says where', () => {
  const world = at('AWAIT_MERGE', withBudgets(HUMAN, { mergeAttempts: 1 }));
  expect(runIn(settled(world, result(world, { of: 'merge', conflict: 'a.ts\nb.ts' }))).usedUp).toBe(
    'It could not be merged, and no attempt is left: it conflicts in a.ts, b.ts.',
  );
});

test('a plan that is not known any more has no way on', () => {
  expect(outcomeOf({ ...going(HUMAN, ONE), plans: new Map() }, PLAN)).toMatchObject({ kind: 'cancelled' });
});
