// Where a text stops being JSON: the place and what is expected there, so that a person finds the mistake.
import { expect, test } from 'vitest';
import { findJsonMistake } from '../../src/text/json-position.ts';

test.each([
  ['{"a": 1}', undefined],
  ['[1, "two", null]', undefined],
  ['{"a" 1}', { line: 1, column: 6 }],
  ['{"a": 1,\n "b": }', { line: 2, column: 7 }],
  ['{"a": 1,\n 2: 3}', { line: 2, column: 2 }],
  ['{a: 1}', { line: 1, column: 2 }],
  ['{"a": 1', { line: 1, column: 8 }],
  ['{"a": 1} 2', { line: 1, column: 10 }],
])('%j', (text, place) => {
  const found = findJsonMistake(text);
  if (place === undefined) expect(found).toBeUndefined();
  else expect(found).toMatchObject(place);
});
