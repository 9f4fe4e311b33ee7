// How `cadre run` ends: whether a plan is done, waits for a person, or has reached a limit.
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

/** From a cancelled plan back to the state in which it is implemented. */
const AGAIN: readonly Event[] = [move('reopen'), move('planner_finished'), { kind: 'run', plan: PLAN, by: USER }];

/** A session ends, and so does every session that replaces it. */
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

/** An agent has worked, and then the limits for turns and check-ins are reached. */
const exhausted = (): World => {
  const world = at('CODING', withBudgets(HUMAN, { coding: 1, checkins: 0 }));
  return settled(world, silent(world));
};

/** A session has to be up before it can end. */
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
      ['that a person merges by hand', () => landed({ ok: false, byHand: true })],
    ],
  ],
  ['cancelled', [['that a person has cancelled', () => settled(going(), move('cancel'))]]],
  [
    'person',
    [
      ['whose task asks something', () => at('QUESTION from CODING')],
      ['whose task has a plan to be reviewed', () => at('PLAN_REVIEW')],
      ['whose task could not be set up', () => at('ERROR')],
      ['whose task a person abandoned', () => settled(at('QUESTION from CODING'), act('abandon'))],
      ['whose task a person reverted', () => settled(going(), act('revert'))],
      ['that cannot land', () => landed({ ok: false })],
      ['that was approved while cadre was frozen', () => settled(reviewing(), FREEZE, move('review_approved'))],
      [
        'whose commit waits to be verified while cadre is frozen',
        () => settled(settled(at('CODING'), FREEZE), act('next')),
      ],
      ['that waits for a reviewer while cadre is frozen', () => settled(at('DONE'), move('cancel'), FREEZE, ...AGAIN)],
    ],
  ],
  [
    'budget',
    [
      ['whose task is at a check-in', () => at('check-in')],
      ['whose task has reached the limits for turns and check-ins', exhausted],
      ['whose task has reached the limit for merge attempts', unmergeable],
      [
        'whose agent has reached the restart limit',
        () => dying(at('CODE_REVIEW spec'), (now) => runIn(now).session?.id),
      ],
      ['whose reviewer still requests changes', unapproved],
      ['whose reviewer has reached the restart limit', () => dying(up(reviewing()), reviewerIn)],
    ],
  ],
])('%s is the end of a plan', (kind, worlds) => {
  test.each(worlds)('%s', (_what, world) => {
    expect(outcomeOf(world(), PLAN)?.kind).toBe(kind);
  });
});

describe('is not the end of a plan', () => {
  test.each<[string, () => World]>([
    ['while an agent is working', () => at('CODING')],
    ['while one task asks and another continues', oneAsks],
    ['while something is being merged, even if cadre is frozen', () => settled(at('AWAIT_MERGE'), FREEZE)],
    ['before the result of the landing is known', () => settled(reviewing(), move('review_approved'))],
  ])('%s', (_what, world) => {
    expect(outcomeOf(world(), PLAN)).toBeUndefined();
  });
});

test('a run whose last merge conflicts names the files', () => {
  const world = at('AWAIT_MERGE', withBudgets(HUMAN, { mergeAttempts: 1 }));
  expect(runIn(settled(world, result(world, { of: 'merge', conflict: 'a.ts\nb.ts' }))).usedUp).toBe(
    'It could not be merged, and no attempts are left: it conflicts in a.ts, b.ts.',
  );
});

test('a plan that no longer exists cannot continue', () => {
  expect(outcomeOf({ ...going(HUMAN, ONE), plans: new Map() }, PLAN)).toMatchObject({ kind: 'cancelled' });
});
