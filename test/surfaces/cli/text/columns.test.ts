// Tables: every column is as wide as its widest cell, in characters.
import { expect, test } from 'vitest';
import { columns } from '../../../../src/surfaces/cli/text/columns.ts';

test('columns are aligned, and no line ends in spaces', () => {
  expect(
    columns([
      ['plan', 'status', ''],
      ['a.md', 'ready', ''],
      ['longer.md', '', 'x'],
    ]),
  ).toEqual(['plan       status', 'a.md       ready', 'longer.md          x']);
});

test('a character of two code units is as wide as any other', () => {
  expect(columns([['🚧🚧', 'a'], ['xyz', 'b'], ['']])).toEqual(['🚧🚧   a', 'xyz  b', '']);
});

test('a row may have fewer cells than others, or none', () => {
  expect(columns([[], ['a', 'b'], ['long']])).toEqual(['', 'a     b', 'long']);
});
