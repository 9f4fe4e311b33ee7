// Abandoning a run: who may, and what is known afterwards.
import { describe, expect, test } from 'vitest';
import { taskWaitStatus } from '../../../../src/core/views/why.ts';
import { AGENT, act, answerTo, at, HUMAN, placeOf, planIn, runIn, says, settled } from '../../../support/runs.ts';
import { taskIn } from '../../../support/world.ts';

describe('the architect', () => {
  const reviewing = at('PLAN_REVIEW', AGENT);

  test('abandons a task whose plan it reviews, where the policy leaves that to an agent', () => {
    const world = settled(reviewing, says(reviewing, 'answer', { body: 'ABANDON\nIt cannot be built.' }));
    expect(placeOf(world)).toBe('ERROR');
    expect(runIn(world).abandoned).toMatchObject({ by: 'architect', text: 'It cannot be built.' });
  });

  test('approves a plan or asks for another by a verdict, not by an answer', () => {
    for (const body of ['CONTINUE', 'Fine with me.', 'abandon'])
      expect(answerTo(reviewing, says(reviewing, 'answer', { body }))).toMatchObject({
        kind: 'refused',
        code: 'no-body',
        why: 'The plan of x.md#1 waits for a verdict: send "review-approved" or "review-changes", or an answer that starts with ABANDON.',
      });
  });

  test('has no say where a person reviews the plan', () => {
    const world = at('PLAN_REVIEW', HUMAN);
    expect(answerTo(world, says(world, 'answer', { body: 'ABANDON' }))).toMatchObject({ kind: 'refused' });
  });
});

describe('an abandoned run', () => {
  test.each([
    ['a person, in a review', settled(at('CODE_REVIEW spec'), act('abandon', { text: 'Not needed.' })), 'a person'],
    ['a person, in answer', settled(at('check-in'), act('answer', { text: 'ABANDON: Not needed.' })), 'a person'],
    [
      'the architect',
      settled(
        at('check-in', AGENT),
        says(at('check-in', AGENT), 'answer', {
          body: 'ABANDON\nNot needed.',
          worktree: { head: 'c1', clean: true, commits: 1 },
        }),
      ),
      'the architect',
    ],
  ])('says that it was abandoned, by whom and why: %s', (_who, world, by) => {
    const { sentence, owner } = taskWaitStatus(world, planIn(world), taskIn(world, '1'));
    expect(sentence).toBe(`Abandoned by ${by}: Not needed.\nRelaunch it, revert it, or mark it done.`);
    expect(owner).toBe('user');
  });

  test('without a reason says who abandoned it', () => {
    const world = settled(at('CODE_REVIEW spec'), act('abandon'));
    expect(taskWaitStatus(world, planIn(world), taskIn(world, '1')).sentence).toBe(
      'Abandoned by a person. Relaunch it, revert it, or mark it done.',
    );
  });
});
