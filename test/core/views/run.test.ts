// A run as surfaces show it: what was said about it last, and by whom.
import { expect, test } from 'vitest';
import type { World } from '../../../src/core/model/world.ts';
import { type RunView, viewRun } from '../../../src/core/views/run.ts';
import { act, at, result, runIn, says, settled } from '../../support/runs.ts';

const SECOND = { head: 'c2', clean: true, commits: 2 };

test('the feedback of a reviewer, a person and a verification names its author', () => {
  const reviewed = at('CODE_REVIEW quality');
  expect(feedbackIn(settled(reviewed, says(reviewed, 'review-changes', { body: 'Add a test.' })))).toEqual({
    reason: 'code_review_changes',
    by: 'quality-reviewer',
    text: 'Add a test.',
  });
  expect(feedbackIn(settled(reviewed, act('changes', { text: 'Add a comment.' })))).toMatchObject({ by: 'person' });
  expect(feedbackIn(settled(at('TESTING'), act('back', { text: 'Wait.' })))).toMatchObject({ by: 'person' });
  expect(feedbackIn(at('FIXING'))).toEqual({ reason: 'test_failure', by: 'engine', text: 'one test fails' });
});

test('the feedback that is shown is the latest, also when an answer came before', () => {
  const answered = settled(at('QUESTION from CODING'), act('answer', { text: 'English.' }));
  expect(feedbackIn(answered)).toEqual({ reason: null, by: 'person', text: 'English.' });
  const verifying = settled(answered, says(answered, 'implement-finished'));
  const reviewing = settled(verifying, result(verifying, { of: 'verify', passed: true, text: '' }));
  const rejected = settled(reviewing, act('changes', { text: 'Add a comment.' }));
  expect(feedbackIn(rejected)?.text).toBe('Add a comment.');
  const fixed = settled(rejected, says(rejected, 'fix-finished', { worktree: SECOND }));
  expect(feedbackIn(fixed)?.text).toBe('Add a comment.');
});

test('an answer to a question about a fix is later than the fix', () => {
  const asked = at('QUESTION from FIXING');
  expect(feedbackIn(settled(asked, act('answer', { text: 'Use a map.' })))?.text).toBe('Use a map.');
});

test('an answer in a journal of 0.1.0 has its author in words', () => {
  const run = { ...runIn(at('CODING')), said: { by: 'a person', text: 'English.' } };
  expect(viewRun(run, at('CODING').policy).feedback).toEqual({ reason: null, by: 'person', text: 'English.' });
});

function feedbackIn(world: World): RunView['feedback'] {
  return viewRun(runIn(world), world.policy).feedback;
}
