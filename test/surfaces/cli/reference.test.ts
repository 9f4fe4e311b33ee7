// How a task and a text are told apart in the words of a command.
import { expect, test } from 'vitest';
import { referenceWithText } from '../../../src/surfaces/cli/reference.ts';

test.each<[readonly string[], string | undefined, string | undefined]>([
  [[], undefined, undefined],
  [['search'], 'search', undefined],
  [['search#2'], 'search#2', undefined],
  [['search', '2'], 'search#2', undefined],
  [['search', '#2'], 'search#2', undefined],
  [['search#2', 'the tests are missing'], 'search#2', 'the tests are missing'],
  [['search', 'the tests are missing'], 'search', 'the tests are missing'],
  [['search', '2', 'the tests are missing'], 'search#2', 'the tests are missing'],
  [['search', '1.3', 'no'], 'search#1.3', 'no'],
  [['#2', 'no'], '#2', 'no'],
  [['search#2', '3'], 'search#2', '3'],
])('%j means %j with the text %j', (words, on, text) => {
  expect(referenceWithText({ arguments: words, options: {} })).toEqual({ on, text });
});

test('a text without quotes is pointed out', () => {
  expect(() => referenceWithText({ arguments: ['search#2', 'the', 'tests'], options: {} })).toThrow(
    '"tests" is unexpected. Put the whole text in quotes.',
  );
});
