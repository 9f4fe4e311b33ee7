// What a person can answer to the question of a run.
import { expect, test } from 'vitest';
import { act, answerTo, at, placeOf, settled } from '../../../support/runs.ts';

const QUESTIONS = ['QUESTION from PLANNING', 'QUESTION from CODING', 'QUESTION from FIXING'] as const;

test.each(QUESTIONS)('a %s is not answered by ESCALATE, which is for a check-in', (place) => {
  const answer = answerTo(at(place), act('answer', { text: 'ESCALATE' }));
  expect(answer).toMatchObject({ kind: 'refused', code: 'state' });
  expect(answer).toHaveProperty('why', expect.stringContaining('which ESCALATE does not answer'));
});

test('the check-in of a run is answered by it', () => {
  const world = settled(at('check-in'), act('answer', { text: 'ESCALATE' }));
  expect(placeOf(world)).toBe('CODE_REVIEW spec');
});
