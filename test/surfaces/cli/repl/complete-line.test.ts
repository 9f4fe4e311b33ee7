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
  tasks: ['2026-11-18-search#1', 'import#1', 'import#R1'],
  sessions: ['s7'],
  settings: [
    { key: 'max_parallel', values: [] },
    { key: 'land', values: ['manual', 'local', 'pr'] },
  ],
};

test.each([
  ['quest', ['questions ']],
  ['/quest', ['/questions ']],
  ['/tr', ['/transcript ']],
  ['re', ['redo ', 'register ', 'rehearse ', 'reject ', 'reopen ', 'restore ', 'resume ', 'retry ', 'revert ']],
  ['/redo ', ['planning ']],
  ['session st', ['stop ']],
  ['status ', ['2026-11-18-search ', 'import ']],
  ['/why i', ['import ', 'import#1 ', 'import#R1 ']],
  ['/why sea', ['2026-11-18-search ', '2026-11-18-search#1 ']],
  ['why import#', ['import#1 ', 'import#R1 ']],
  ['why import ', ['1 ', 'R1 ']],
  ['retry search ', ['1 ']],
  ['finding park import#', ['import#1 ', 'import#R1 ']],
  ['move import plan', ['plan_start ', 'planner_finished ']],
  ['completion ', ['bash ', 'zsh ', 'fish ']],
  ['incident t', ['take ']],
  ['run --color ', ['auto ', 'always ', 'never ']],
  ['session new --role pl', ['planner ']],
  ['session new --plan i', ['import ']],
  ['config set max', ['max_parallel ']],
  ['config set --project land ', ['manual ', 'local ', 'pr ']],
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

test('a shell is offered commands, and not the words of the prompt', () => {
  const offered = (line: string): readonly string[] => completeLine(line, KNOWN, 'shell').matches;
  expect(offered('qui')).toEqual([]);
  expect(offered('tran')).toEqual([]);
  expect(offered('re')).toContain('repl ');
  expect(offered('he')).toEqual(['help ']);
});

test('only the last word is replaced', () => {
  expect(completeLine('redo planning imp', KNOWN).replaces).toBe('imp');
  expect(completeLine('redo planning ', KNOWN).replaces).toBe('');
});
