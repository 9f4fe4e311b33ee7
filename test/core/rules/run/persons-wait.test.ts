// While a person has the next step, no agent of the run works and no time counts: a deadline only reminds.
import { describe, expect, test } from 'vitest';
import { overdue } from '../../../../src/core/model/deadlines.ts';
import type { SessionEntry } from '../../../../src/core/model/session.ts';
import type { World } from '../../../../src/core/model/world.ts';
import { decideAll } from '../../../../src/core/rules/decide.ts';
import { planWaitStatus, taskWaitStatus } from '../../../../src/core/views/why.ts';
import {
  act,
  answerTo,
  at,
  going,
  HUMAN,
  ONE,
  planIn,
  reviewerSays,
  runIn,
  says,
  settled,
  TWO,
  withBudgets,
} from '../../../support/runs.ts';
import { NOW, PLAN, read, taskIn, USER } from '../../../support/world.ts';

const LATER = new Date(NOW.getTime() + 1e11);
const EVEN_LATER = new Date(NOW.getTime() + 2e11);

const running = ({ sessions }: World): readonly SessionEntry[] =>
  [...sessions.values()].filter(({ wanted }) => wanted === 'running');

/** Unverified, and the quality reviewer would approve. */
function advised(): World {
  const asked = at('check-in');
  const escalated = settled(asked, act('answer', { text: 'ESCALATE' }));
  const passed = settled(escalated, says(escalated, 'review-approved'));
  return settled(passed, says(passed, 'review-approved'));
}

function halted(): World {
  const coding = at('CODING', withBudgets(HUMAN, { relaunches: 0 }));
  const session = runIn(coding).session?.id as never;
  const up = settled(coding, { kind: 'session-news', session, news: { kind: 'up' } });
  return decideAll(up, [{ kind: 'overdue', wait: { for: 'session', session } }], LATER).world;
}

function heldUp(): World {
  const merging = at('AWAIT_MERGE');
  const effect = runIn(merging).issued?.effect ?? '';
  return settled(merging, { kind: 'held-up', effect, why: 'It is checked out.', needsPerson: true });
}

function staleApproved(): World {
  const quality = at('CODE_REVIEW quality', HUMAN, TWO);
  const gone = settled(quality, read(TWO.replace(ONE, '')));
  return settled(gone, says(gone, 'review-approved'));
}

describe.each([
  ['an unverified commit that the reviewers would approve', advised],
  ['a question', () => at('QUESTION from CODING')],
  ['a check-in', () => at('check-in')],
  ["a task's plan", () => at('PLAN_REVIEW')],
  ['a run that is halted', halted],
  ['a merge that a checkout prevents', heldUp],
  ['an approved task that is no longer in the plan file', staleApproved],
] as const)('%s', (_what, make) => {
  test('is a person’s: no agent works, and nothing ends automatically', () => {
    const world = make();
    const { owner, deadline } = taskWaitStatus(world, planIn(world), taskIn(world, '1'));
    expect({ owner, leadsTo: deadline?.leadsTo }).toEqual({ owner: 'user', leadsTo: 'remind' });
    expect(running(world)).toEqual([]);
    const late = overdue(world, LATER).filter(({ wait }) => !('task' in wait) || wait.task === '1');
    expect(late).toEqual([]);
  });

  test('costs no time of the run', () => {
    const world = make();
    const before = runIn(world).clock.spent;
    // Any record about the plan counts the time up to then.
    const later = decideAll(world, [{ kind: 'pause', plan: PLAN, by: USER }], EVEN_LATER);
    expect(runIn(later.world).clock.spent).toBe(before);
  });
});

test('a halted run stays halted, and a person relaunches its agent', () => {
  const world = halted();
  expect(taskWaitStatus(world, planIn(world), taskIn(world, '1')).waysOut).toContain('relaunch');
  expect(running(settled(world, act('relaunch')))).toMatchObject([{ role: 'implementer' }]);
});

test('an implementer that asks about its plan and then submits another withdraws the question', () => {
  const planning = at('PLANNING');
  const asked = settled(planning, says(planning, 'question'));
  expect(running(asked)).toEqual([]);
  expect(runIn(settled(asked, says(asked, 'plan-submitted'))).state).toBe('PLAN_REVIEW');
});

test('an answer is a new turn for the agent that asked, with the same conversation', () => {
  const coding = at('CODING');
  const session = runIn(coding).session?.id as never;
  const up = settled(coding, { kind: 'session-news', session, news: { kind: 'up' } });
  const asked = settled(up, says(up, 'question'));
  const answered = settled(asked, act('answer', { text: 'blue' }));
  expect(runIn(answered).counts.coding).toBe(2);
  expect([...answered.outbox.values()]).toContainEqual(expect.objectContaining({ do: 'start-session', resume: true }));
});

test('the reviewer of a plan stops when only a person can decide', () => {
  const reviewing = at('DONE', withBudgets(HUMAN, { reviewCycles: 0 }));
  expect(running(reviewing)).toHaveLength(1);
  const waiting = settled(reviewing, reviewerSays(reviewing, 'review-changes'));
  expect(running(waiting)).toEqual([]);
  expect(overdue(waiting, LATER)).toEqual([]);
  expect(planWaitStatus(waiting, planIn(waiting)).deadline?.leadsTo).toBe('remind');
  expect(answerTo(waiting, reviewerSays(waiting, 'review-approved'))).toMatchObject({ kind: 'refused' });
});

test('a plan that nobody has to wait for keeps its agents', () => {
  expect(running(at('CODING'))).toHaveLength(1);
  expect(running(going())).toHaveLength(0);
});
