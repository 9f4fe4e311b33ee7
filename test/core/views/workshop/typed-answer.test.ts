// What is typed as the answer to a question with suggestions: a number chooses one, and one that chooses none is doubted.
import { expect, test } from 'vitest';
import { typedAnswer } from '../../../../src/core/views/workshop/typed-answer.ts';

test.each([
  ['words are the answer', ' Dark blue ', ['Red'], 'Dark blue', false],
  ['a number is the suggestion', '2', ['Red', 'Blue'], 'Blue', false],
  ['a number without suggestions is the answer', '7', [], '7', false],
  ['a number that is suggested itself is the answer', '10', ['5', '10'], '10', false],
  ['also where it is the number of another suggestion', '2', ['2', '3'], '2', false],
  ['a number that no suggestion has is doubted', '7', ['Red', 'Blue'], '7', true],
  ['and so is 0', '0', ['Red', 'Blue'], '0', true],
  ['a number of four digits is no number of a suggestion', '2026', ['Next year', 'Never'], '2026', false],
])('%s', (_claim, typed, suggestions, text, isDoubtful) => {
  expect(typedAnswer(typed, suggestions)).toEqual({ text, isDoubtful });
});
