// The further lines of a command's help.
import { expect, test } from 'vitest';
import { COMMANDS } from '../../../../src/surfaces/cli/table/table.ts';
import { helpLines } from '../../../../src/surfaces/cli/text/help-lines.ts';

test('lines that fit stay as they are', () => {
  expect(helpLines(['one two', 'three', '', '  a  b'], 10)).toEqual(['one two', 'three', '', '  a  b']);
});

test('a paragraph with a line that is too long is broken anew, and the next one is not', () => {
  expect(helpLines(['one two three', 'four', '', 'five', 'six'], 10)).toEqual([
    'one two',
    'three four',
    '',
    'five',
    'six',
  ]);
});

test('an indented line that is too long continues below its second column', () => {
  expect(helpLines(['  name  what it is for'], 14)).toEqual(['  name  what', '        it is', '        for']);
});

test.each(COMMANDS.map(({ name, more = [] }) => ({ name, more })))(
  'a screen of 80 columns shows all that "cadre $name --help" says',
  ({ more }) => {
    expect(helpLines(more).filter((line) => line.length > 80)).toEqual([]);
  },
);
