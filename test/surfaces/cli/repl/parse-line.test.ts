// What a line at the prompt means: which command it is, and which plan or question it is about.
import { describe, expect, test } from 'vitest';
import { NO_REFERENCES, type References } from '../../../../src/app/reads/references.ts';
import { parseLine } from '../../../../src/surfaces/cli/repl/parse-line.ts';
import { COMMANDS } from '../../../../src/surfaces/cli/table/table.ts';
import { named } from '../../../support/pieces.ts';

const SEARCH = named('2026-11-18-search.md');
const IMPORT = named('import.md');

/** The search is being planned and asks one thing; the import is active. */
const PLANNING: References = {
  plans: [SEARCH, IMPORT],
  archived: [],
  planning: [SEARCH],
  active: IMPORT,
  questions: ['2026-11-18-search#scope'],
  tasks: [],
  sessions: [],
};
const IDLE: References = { ...PLANNING, planning: [], questions: [] };
const SEVERAL: References = {
  ...PLANNING,
  planning: [SEARCH, IMPORT],
  questions: ['2026-11-18-search#scope', 'import#scope', 'import#2'],
};

function argv(line: string, known: References = PLANNING): readonly string[] | string {
  const parsed = parseLine(line, { commands: COMMANDS, ...known });
  if (parsed.kind === 'command') return parsed.argv;
  return parsed.kind === 'mistake' ? parsed.message : parsed.kind;
}

describe('every line', () => {
  test.each(COMMANDS.map(({ name }) => name).filter((name) => name !== 'repl'))(
    'may be "%s --help", with or without a slash',
    (name) => {
      expect(argv(`${name} --help`)).toEqual([...name.split(' '), '--help']);
      expect(argv(`/${name} --help`)).toEqual([...name.split(' '), '--help']);
    },
  );

  test.each([
    ['', 'nothing'],
    ['   ', 'nothing'],
    ['# a comment', 'nothing'],
    ['/', 'help'],
    ['help', 'help'],
    ['/help', 'help'],
    ['quit', 'quit'],
    ['/quit', 'quit'],
    ['exit', 'quit'],
  ])('"%s" is %s', (line, kind) => {
    expect(argv(line)).toBe(kind);
  });

  test('may start with the name of the program', () => {
    expect(argv('cadre status search')).toEqual(['status', 'search']);
  });

  test('is split like a shell command', () => {
    expect(argv(`reject search#2 --feedback "it's slow"`)).toEqual(['reject', 'search#2', '--feedback', "it's slow"]);
    expect(argv('status "search')).toBe('A quote is not closed.');
  });

  test('that is misspelt is answered with what was meant', () => {
    expect(argv('/staus')).toBe('Unknown command "staus". Did you mean "status"?');
    expect(argv('trans')).toBe('Unknown command "trans". Did you mean "transcript"?');
    expect(argv('xyzzy')).toBe('Unknown command "xyzzy". Type "help" for the list.');
    expect(argv('help staus')).toBe('Unknown command "staus". Did you mean "status"?');
  });

  test('does not open a prompt within the prompt', () => {
    expect(argv('repl')).toBe('This is the prompt already.');
  });

  test('that asks for help about a command shows the help of that command', () => {
    expect(argv('help plan archive')).toEqual(['plan', 'archive', '--help']);
    expect(argv('/help /transcript')).toEqual(['plan', 'transcript', '--help']);
  });
});

describe('plan', () => {
  test('with words is a brief, without quotes', () => {
    expect(argv("/plan Notes don't get lost")).toEqual(['plan', 'new', "Notes don't get lost"]);
    expect(argv('plan "Notes by word"')).toEqual(['plan', 'new', 'Notes by word']);
  });

  test('is a brief although its first word is a command, if more follows than that takes', () => {
    expect(argv('/plan show the notes by date')).toEqual(['plan', 'new', 'show the notes by date']);
    expect(argv('/plan "show notes"')).toEqual(['plan', 'new', 'show notes']);
    expect(argv('/plan show search')).toEqual(['plan', 'show', 'search']);
  });

  test('with options keeps them apart from the brief', () => {
    expect(argv('/plan --name notes Search by word --no-wait')).toEqual([
      'plan',
      'new',
      '--name',
      'notes',
      '--no-wait',
      'Search by word',
    ]);
    expect(argv('/plan --brief-file brief.md')).toEqual(['plan', 'new', '--brief-file', 'brief.md']);
  });

  test('with the name of a plan opens its workshop', () => {
    expect(argv('/plan search')).toEqual(['plan', 'open', 'search']);
  });

  test('alone continues the plan in planning, and otherwise asks for a brief', () => {
    expect(argv('/plan')).toEqual(['plan', 'open', '2026-11-18-search']);
    expect(argv('/plan', IDLE)).toEqual(['plan', 'new']);
    expect(argv('/plan', SEVERAL)).toBe('Which plan? Several are being planned: 2026-11-18-search, import.');
  });

  test('never takes a brief for an option', () => {
    expect(argv('/plan "--help the users"')).toEqual(['plan', 'new', '--', '--help the users']);
  });
});

describe('answer', () => {
  test('takes the text behind the question as it is', () => {
    expect(argv("/answer scope All of them, don't ask")).toEqual([
      'answer',
      '2026-11-18-search#scope',
      "All of them, don't ask",
    ]);
    expect(argv('/answer #scope all')).toEqual(['answer', '2026-11-18-search#scope', 'all']);
    expect(argv('/answer 2026-11-18-search#scope "all"')).toEqual(['answer', '2026-11-18-search#scope', 'all']);
  });

  test('needs no question where only one is open', () => {
    expect(argv('/answer All of them')).toEqual(['answer', '2026-11-18-search#scope', 'All of them']);
    expect(argv('/answer All of them', SEVERAL)).toBe(
      'Which question? Open: 2026-11-18-search#scope, import#scope, import#2.',
    );
    expect(argv('/answer All of them', IDLE)).toBe('No question is open.');
  });

  test('does not guess where two plans ask something of that name', () => {
    expect(argv('/answer scope all', SEVERAL)).toMatch(/^Which question\?/);
    expect(argv('/answer 2 CONTINUE', SEVERAL)).toEqual(['answer', 'import#2', 'CONTINUE']);
  });

  test('takes options', () => {
    expect(argv('/answer scope --skip')).toEqual(['answer', '2026-11-18-search#scope', '--skip']);
    expect(argv('/answer search --file answers.txt')).toEqual(['answer', 'search', '--file', 'answers.txt']);
  });

  test('alone opens all questions of the plan in planning', () => {
    expect(argv('/answer')).toEqual(['answer', '2026-11-18-search']);
  });

  test('to a question that nobody asked is left to the command to refuse', () => {
    expect(argv('/answer import#9 yes')).toEqual(['answer', 'import#9', 'yes']);
  });
});

describe('a command that names no plan', () => {
  test.each([
    ['/approve', ['plan', 'approve', '2026-11-18-search']],
    ['/redo planning', ['redo', 'planning', '2026-11-18-search']],
    ['/redo planning --feedback "too big"', ['redo', 'planning', '2026-11-18-search', '--feedback', 'too big']],
    ['/transcript', ['plan', 'transcript', '2026-11-18-search']],
    ['/why', ['why', '2026-11-18-search']],
    ['plan continue', ['plan', 'continue', '2026-11-18-search']],
  ])('"%s" means the one in planning', (line, words) => {
    expect(argv(line)).toEqual(words);
  });

  test.each([
    ['/approve', ['approve']],
    ['/redo planning', ['redo', 'planning', 'import']],
    ['/transcript', ['plan', 'transcript', 'import']],
    ['/why', ['why', 'import']],
  ])('"%s" means the active one where none is in planning', (line, words) => {
    expect(argv(line, IDLE)).toEqual(words);
  });

  test('is not completed where several are in planning', () => {
    expect(argv('/redo planning', SEVERAL)).toMatch(/^Which plan\?/);
    expect(argv('/redo planning import', SEVERAL)).toEqual(['redo', 'planning', 'import']);
  });

  test('stays as it is where the command is about no plan in particular', () => {
    expect(argv('/status')).toEqual(['status']);
    expect(argv('/run')).toEqual(['run']);
    expect(argv('/cancel')).toEqual(['cancel']);
    expect(argv('/why', NO_REFERENCES)).toEqual(['why']);
  });
});
