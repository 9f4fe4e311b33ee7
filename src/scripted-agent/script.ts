// The language of the scripted agent: one command per line, in sections for roles, attempts and turns. The whole script is parsed
// before anything runs, so that a mistake in a script changes nothing.
import type { SessionCount } from '../core/model/session.ts';
import { ROLES, type Role } from '../signals/registry.ts';
import { showName } from '../text/show.ts';

/** The parameters of commands. `text` is the rest of the line, with single spaces between the words. */
type Parameter = 'path' | 'name' | 'number' | 'status' | 'duration' | 'text' | 'text?' | 'argv';

/** Each command with its parameters and its help text. */
export const SCRIPT_COMMANDS = {
  edit: { takes: ['path', 'text'], does: 'writes a file that contains this line' },
  write: { takes: ['path'], does: 'writes a file that contains the following lines that start with "| "' },
  add: { takes: ['path'], does: 'appends such lines to a file' },
  append: { takes: ['path', 'text'], does: 'appends a line to a file' },
  delete: { takes: ['path'], does: 'deletes a file' },
  dirty: { takes: ['path'], does: 'changes a file, and excludes it from every commit' },
  commit: { takes: ['text'], does: 'commits everything else' },
  signal: { takes: ['name', 'text?'], does: 'sends it with "cadre signal"' },
  ask: { takes: ['text'], does: 'asks it with "cadre signal question"' },
  round: { takes: [], does: 'hands in the following lines that start with "| " as the document of a round' },
  sentinel: {
    takes: ['name', 'text?'],
    does: 'sends it as a file in docs/plans/.signals, with this text or the key of the session',
  },
  report: { takes: ['text'], does: 'reports it with "cadre hook", like a program with hooks' },
  'finish-lying': { takes: [], does: 'sends implement-finished; a lie if nothing was done' },
  say: { takes: ['text'], does: 'prints it' },
  busy: { takes: [], does: 'shows the screen of a busy agent from now on' },
  idle: { takes: [], does: 'shows the screen of an idle agent from now on' },
  asks: { takes: ['text'], does: 'shows this question on the screen from now on' },
  'read-line': { takes: [], does: 'waits for a line of input, and prints it' },
  sleep: { takes: ['number'], does: 'waits, in milliseconds' },
  'wait-for': { takes: ['path'], does: 'waits until the file exists' },
  hang: { takes: [], does: 'waits forever' },
  'ignore-sigterm': { takes: [], does: 'ignores SIGTERM from now on' },
  fork: { takes: ['duration'], does: 'leaves a child process running, for some milliseconds or forever' },
  daemon: { takes: [], does: 'leaves a process running in a new session' },
  garbage: { takes: [], does: 'prints everything that can confuse a terminal' },
  flood: { takes: ['number'], does: 'prints this many kilobytes' },
  run: { takes: ['argv'], does: 'runs a program; "cadre" is the one that started the session' },
  'expect-env': { takes: ['name', 'text'], does: 'fails unless the variable has this value, or is "unset"' },
  exit: { takes: ['status'], does: 'exits with this status' },
  crash: { takes: [], does: 'throws an uncaught exception' },
} as const satisfies Readonly<Record<string, { readonly takes: readonly Parameter[]; readonly does: string }>>;

export type ScriptCommandName = keyof typeof SCRIPT_COMMANDS;

export interface ScriptCommand {
  readonly name: ScriptCommandName;
  /** One word per parameter, then the lines below it as one text. An omitted optional text is missing. */
  readonly words: readonly string[];
}

interface Section {
  /** Undefined if it is for every role. */
  readonly role: Role | undefined;
  /** It applies from this attempt and turn on, until a section for a later one replaces it. */
  readonly from: SessionCount;
  readonly commands: ScriptCommand[];
}

export type Script = readonly Section[];

export type ParsedScript =
  | { readonly kind: 'script'; readonly script: Script }
  | { readonly kind: 'mistake'; readonly sentence: string };

class Mistake extends Error {}

/** `firstLine` is the line of the text within the file or prompt, for error messages. */
export function parseScript(text: string, firstLine = 1): ParsedScript {
  const sections: Section[] = [];
  let section: Section = { role: undefined, from: FIRST, commands: [] };
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    try {
      const below = LINE_BELOW.exec(line);
      const [word, ...rest] = below === null ? wordsOf(line) : [];
      if (below !== null) addBelow(section, below[1] ?? '');
      if (word === undefined) continue;
      if (word === 'role') section = { role: roleFrom(rest), from: FIRST, commands: [] };
      else if (word === 'attempt' || word === 'turn')
        section = { ...section, from: { ...FIRST, [word]: numberFrom(word, rest) }, commands: [] };
      else {
        section.commands.push(commandFrom(word, rest));
        // Not earlier: a section without commands does not count.
        if (section.commands.length === 1) sections.push(section);
      }
    } catch (error) {
      if (!(error instanceof Mistake)) throw error;
      return { kind: 'mistake', sentence: `Line ${firstLine + index}: ${error.message}` };
    }
  }
  return { kind: 'script', script: sections };
}

const FIRST: SessionCount = { attempt: 1, turn: 1 };

/** A line for the file that the command above writes. */
const LINE_BELOW = /^[ \t]*\|(?: (.*))?$/;

function addBelow(section: Section, line: string): void {
  const above = section.commands.pop();
  if (above?.name !== 'write' && above?.name !== 'add' && above?.name !== 'round')
    throw new Mistake('lines with "|" must follow "write", "add" or "round".');
  const fixed = SCRIPT_COMMANDS[above.name].takes.length;
  const before = above.words[fixed] ?? '';
  section.commands.push({ ...above, words: [...above.words.slice(0, fixed), `${before}${line}\n`] });
}

/** The commands for a session of a role. `own` is undefined if the role does its default work. */
export function commandsFor(
  script: Script,
  role: Role | undefined,
  count: SessionCount,
): { readonly before: readonly ScriptCommand[]; readonly own: readonly ScriptCommand[] | undefined } {
  const [everyone, mine] = [undefined, role].map((whose) => commandsIn(script, whose, count));
  if (script.every((section) => section.role === undefined)) return { before: [], own: everyone };
  return { before: everyone ?? [], own: role === undefined ? everyone && [] : mine };
}

function commandsIn(
  script: Script,
  role: Role | undefined,
  { attempt, turn }: SessionCount,
): readonly ScriptCommand[] | undefined {
  const reached = script.filter(
    ({ role: whose, from }) => whose === role && from.attempt <= attempt && from.turn <= turn,
  );
  const latest = Math.max(...reached.map(laterThanFirst));
  const commands = reached.filter((section) => laterThanFirst(section) === latest).flatMap(({ commands }) => commands);
  return commands.length === 0 ? undefined : commands;
}

/** How far a section is from the first one. */
function laterThanFirst({ from }: Section): number {
  return from.attempt - FIRST.attempt + (from.turn - FIRST.turn);
}

export type ScriptInPrompt =
  | { readonly kind: 'none' }
  | { readonly kind: 'open' }
  | { readonly kind: 'found'; readonly text: string; readonly firstLine: number };

/** Finds the first block in a prompt that is marked as a script. */
export function scriptIn(prompt: string): ScriptInPrompt {
  const lines = prompt.split(/\r?\n/);
  const start = lines.findIndex((line) => OPENING.test(line));
  if (start === -1) return { kind: 'none' };
  const fence = OPENING.exec(lines[start] ?? '')?.[1] ?? '';
  const end = lines.findIndex((line, index) => index > start && line.trim().startsWith(fence) && /^ *`+ *$/.test(line));
  if (end === -1) return { kind: 'open' };
  return { kind: 'found', text: lines.slice(start + 1, end).join('\n'), firstLine: start + 2 };
}

const OPENING = /^ {0,3}(`{3,})script[ \t]*$/;

function commandFrom(word: string, words: readonly string[]): ScriptCommand {
  if (!isCommand(word))
    throw new Mistake(
      `unknown command "${showName(word)}"; the commands are ${Object.keys(SCRIPT_COMMANDS).join(', ')}.`,
    );
  const takes: readonly Parameter[] = SCRIPT_COMMANDS[word].takes;
  const last = takes.at(-1);
  const isOpen = last === 'text' || last === 'text?' || last === 'argv';
  const least = last === 'text?' ? takes.length - 1 : takes.length;
  if (words.length < least || (!isOpen && words.length > takes.length)) throw new Mistake(usageOf(word));
  for (const [index, parameter] of takes.entries()) {
    const why = whyNot(parameter, words[index] ?? '');
    if (why !== undefined) throw new Mistake(`"${word}" needs ${why}, not "${showName(words[index] ?? '')}".`);
  }
  if (last === 'argv' || !isOpen || words.length < takes.length) return { name: word, words };
  const fixed = takes.length - 1;
  return { name: word, words: [...words.slice(0, fixed), words.slice(fixed).join(' ')] };
}

function isCommand(word: string): word is ScriptCommandName {
  return Object.hasOwn(SCRIPT_COMMANDS, word);
}

function usageOf(name: ScriptCommandName): string {
  const takes: readonly Parameter[] = SCRIPT_COMMANDS[name].takes;
  if (takes.length === 0) return `"${name}" takes no arguments.`;
  return `usage: "${[name, ...takes.map((parameter) => `<${SHOWN[parameter]}>`)].join(' ')}".`;
}

const SHOWN: { readonly [parameter in Parameter]: string } = {
  path: 'path',
  name: 'name',
  number: 'number',
  status: 'number',
  duration: 'milliseconds or forever',
  text: 'text',
  'text?': 'optional text',
  argv: 'program and its arguments',
};

function whyNot(parameter: Parameter, word: string): string | undefined {
  switch (parameter) {
    case 'number':
      return isNumber(word) ? undefined : 'a whole number';
    case 'status':
      return isNumber(word) && Number(word) <= 255 ? undefined : 'a number from 0 to 255';
    case 'duration':
      return word === 'forever' || isNumber(word) ? undefined : 'a number of milliseconds or "forever"';
    case 'path':
    case 'name':
      return word === '' ? `a ${parameter}` : undefined;
    case 'argv':
      return word === '' ? 'a program' : undefined;
    case 'text':
    case 'text?':
      return undefined;
  }
}

function isNumber(word: string): boolean {
  return /^\d{1,9}$/.test(word);
}

const PLAYABLE_ROLES: readonly Role[] = ROLES.filter((role) => role !== 'outside' && role !== 'unknown');

function roleFrom(words: readonly string[]): Role {
  const role = PLAYABLE_ROLES.find((one) => one === words[0]);
  if (role === undefined || words.length !== 1)
    throw new Mistake(`"role" must be one of ${PLAYABLE_ROLES.join(', ')}, not "${showName(words.join(' '))}".`);
  return role;
}

function numberFrom(keyword: 'attempt' | 'turn', words: readonly string[]): number {
  const number = positiveNumber(words[0] ?? '');
  if (number === undefined || words.length !== 1)
    throw new Mistake(`"${keyword}" must be a positive integer, not "${showName(words.join(' '))}".`);
  return number;
}

export function positiveNumber(word: string): number | undefined {
  return isNumber(word) && Number(word) > 0 ? Number(word) : undefined;
}

/** A quote or "#" is special only at the start of a word, so that "don't" needs no quotes. */
function wordsOf(line: string): readonly string[] {
  const words: string[] = [];
  let rest = line.trim();
  while (rest !== '' && !rest.startsWith('#')) {
    const [token] = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'][^\s]*)(?=\s|$)/.exec(rest) ?? [];
    if (token === undefined)
      throw new Mistake(`a quote is not closed, or a character follows it directly, at "${showName(rest)}".`);
    words.push(unquote(token));
    rest = rest.slice(token.length).trimStart();
  }
  return words;
}

function unquote(token: string): string {
  if (token.startsWith("'")) return token.slice(1, -1);
  if (!token.startsWith('"')) return token;
  return token.slice(1, -1).replace(/\\(.)/g, (_, char: string) => {
    const escaped = ESCAPES.get(char);
    if (escaped === undefined)
      throw new Mistake(`"\\${showName(char)}" is not an escape sequence; write "\\\\" for a backslash.`);
    return escaped;
  });
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['e', '\x1b'],
  ['"', '"'],
  ['\\', '\\'],
]);
