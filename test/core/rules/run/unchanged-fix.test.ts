// A fix that changes nothing is not a fix: the implementer gets the reason once, then a person decides.
import { describe, expect, test } from 'vitest';
import { fold } from '../../../../src/core/journal/fold.ts';
import type { World } from '../../../../src/core/model/world.ts';
import { decideAll } from '../../../../src/core/rules/decide.ts';
import { DEFAULT_POLICY } from '../../../../src/core/settings/default-policy.ts';
import { act, answerTo, branchMade, going, result, runIn, says, settled } from '../../../support/runs.ts';
import { NOW } from '../../../support/world.ts';

const C1 = { head: 'c1', clean: true, commits: 1 };
const C2 = { head: 'c2', clean: true, commits: 2 };

const inReview = (): World => {
  const launched = going(DEFAULT_POLICY);
  const coding = settled(launched, ...branchMade(launched), result(launched, { of: 'worktree', base: 'b0' }));
  const testing = settled(coding, says(coding, 'implement-finished', { worktree: C1 }));
  return settled(testing, result(testing, { of: 'verify', passed: true, text: '' }));
};
const rejectedByPerson = (): World => settled(inReview(), act('changes', { text: 'Add a comment.' }));
const rejectedByReviewer = (): World =>
  settled(inReview(), says(inReview(), 'review-changes', { body: 'Add a comment.', worktree: C1 }));

/** The world after a signal that may be refused. */
function afterSaying(world: World, worktree: typeof C1): World {
  return fold(world, decideAll(world, [says(world, 'fix-finished', { worktree })], NOW).records);
}

describe.each([
  ['a person', rejectedByPerson, 'A person asked for changes'],
  ['a reviewer', rejectedByReviewer, 'The reviewer asked for changes'],
] as const)('what %s asked for', (_who, make, sentence) => {
  test('is not fixed by the commit that was to be changed, and the implementer is told so', () => {
    const world = make();
    const answer = answerTo(world, says(world, 'fix-finished', { worktree: C1 }));
    expect(answer).toMatchObject({ kind: 'refused', code: 'unchanged', why: expect.stringContaining(sentence) });
    const after = afterSaying(world, C1);
    expect(runIn(after)).toMatchObject({ state: 'FIXING', unchanged: 1 });
  });

  test('is a question for a person when the implementer insists, with what was asked for', () => {
    const twice = afterSaying(afterSaying(make(), C1), C1);
    expect(runIn(twice)).toMatchObject({
      state: 'QUESTION',
      unchanged: 0,
      question: { origin: 'FIXING', kind: 'unchanged', text: expect.stringContaining('Add a comment.') },
    });
  });

  test('is verified again with another commit, also after a try without one', () => {
    expect(runIn(afterSaying(make(), C2)).state).toBe('TESTING');
    expect(runIn(afterSaying(afterSaying(make(), C1), C2))).toMatchObject({ state: 'TESTING', unchanged: 0 });
  });

  test('can be left as it is by a person', () => {
    expect(runIn(settled(make(), act('next', { worktree: C1 }))).state).toBe('TESTING');
  });
});

test('a fix of a failed test may be the same commit: the test may have been at fault', () => {
  const launched = going(DEFAULT_POLICY);
  const coding = settled(launched, ...branchMade(launched), result(launched, { of: 'worktree', base: 'b0' }));
  const testing = settled(coding, says(coding, 'implement-finished', { worktree: C1 }));
  const failed = settled(testing, result(testing, { of: 'verify', passed: false, text: 'not ok 1' }));
  expect(runIn(settled(failed, says(failed, 'fix-finished', { worktree: C1 }))).state).toBe('TESTING');
});
