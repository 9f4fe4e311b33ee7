// What Tab offers at the prompt.
import { expect, test } from 'vitest';
import { completeLine } from '../../../../src/surfaces/cli/repl/complete-line.ts';
import type { Vocabulary } from '../../../../src/surfaces/cli/repl/words.ts';
import { COMMANDS } from '../../../../src/surfaces/cli/table/table.ts';
import { named } from '../../../support/pieces.ts';

const KNOWN: Vocabulary = {
  commands: COMMANDS,
  plans: [named('2026-11-18-search.md'), named('import.md')],
  archived: [named('old.md')],
  planning: [],
  active: undefined,
  questions: ['2026-11-18-search#scope', 'import#2'],
};

test.each([
  ['quest', ['questions ']],
  ['/quest', ['/questions ']],
  ['/tr', ['/transcript ']],
  ['re', ['redo ', 'register ', 'reject ', 'reopen ', 'restore ', 'resume ', 'retry ', 'revert ']],
  ['/redo ', ['planning ']],
  ['session st', ['stop ']],
  ['status ', ['2026-11-18-search ', 'import ']],
  ['/why i', ['import ']],
  ['/why sea', ['2026-11-18-search ']],
  ['/transcript im', ['import ']],
  ['plan i', ['import ']],
  ['redo planning imp', ['import ']],
  ['redo planning --feedback "x" imp', ['import ']],
  ['redo planning import --f', ['--feedback ', '--feedback-file ']],
  ['plan unarchive ', ['old ']],
  ['/answer ', ['2026-11-18-search#scope ', 'import#2 ']],
  ['/answer sco', ['2026-11-18-search#scope ']],
  ['/answer #s', ['2026-11-18-search#scope ']],
  ['/answer scope so', []],
  ['nothing like this', []],
])('"%s" can become %j', (line, matches) => {
  expect(completeLine(line, KNOWN).matches).toEqual(matches);
});

test('only the last word is replaced', () => {
  expect(completeLine('redo planning imp', KNOWN).replaces).toBe('imp');
  expect(completeLine('redo planning ', KNOWN).replaces).toBe('');
});
