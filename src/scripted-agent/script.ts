// The language of the scripted agent: a command a line, in sections for roles and attempts. All of it is read before
// anything is done, so that a mistake in a script changes nothing.
import { ROLES, type Role } from '../signals/registry.ts';
import { showName } from '../text/show.ts';

/** What a command takes. `text` is all the rest of the line; the words of it are put together again with single spaces. */
type Parameter = 'path' | 'name' | 'number' | 'status' | 'duration' | 'text' | 'text?' | 'argv';

/** Each command with what it takes and does. */
export const COMMANDS = {
  edit: { takes: ['path', 'text'], does: 'writes a file anew, with this line in it' },
  write: { takes: ['path'], does: 'writes a file anew, with the lines that follow and begin with "| "' },
  add: { takes: ['path'], does: 'puts such lines at the end of a file' },
  append: { takes: ['path', 'text'], does: 'puts a line at the end of a file' },
  delete: { takes: ['path'], does: 'removes a file' },
  dirty: { takes: ['path'], does: 'changes a file, and leaves it out of every commit' },
  commit: { takes: ['text'], does: 'commits everything else that has changed' },
  signal: { takes: ['name', 'text?'], does: 'says it with "cadre signal"' },
  ask: { takes: ['text'], does: 'asks it with "cadre signal question"' },
  sentinel: { takes: ['name', 'text?'], does: 'says it with a file in docs/plans/.signals' },
  report: { takes: ['text'], does: 'reports it with "cadre hook", as programs with hooks do by themselves' },
  'finish-lying': { takes: [], does: 'signals implement-finished; by itself, a lie' },
  say: { takes: ['text'], does: 'prints it' },
  busy: { takes: [], does: 'looks busy from now on' },
  idle: { takes: [], does: 'looks idle from now on' },
  asks: { takes: ['text'], does: 'looks as if it waited for an answer to this, from now on' },
  'read-line': { takes: [], does: 'waits for a line of input, and prints it' },
  sleep: { takes: ['number'], does: 'waits, in milliseconds' },
  'wait-for': { takes: ['path'], does: 'waits until the file is there' },
  hang: { takes: [], does: 'waits for ever' },
  'ignore-sigterm': { takes: [], does: 'is not ended by SIGTERM from now on' },
  fork: { takes: ['duration'], does: 'leaves a child running, for milliseconds or for ever' },
  daemon: { takes: [], does: 'leaves a process running in a session of its own' },
  garbage: { takes: [], does: 'prints whatever can confuse a terminal' },
  flood: { takes: ['number'], does: 'prints so many kilobytes' },
  run: { takes: ['argv'], does: 'runs a program; "cadre" is the one of this session' },
  'expect-env': { takes: ['name', 'text'], does: 'fails unless the variable has this value, or is "unset"' },
  exit: { takes: ['status'], does: 'ends with this status' },
  crash: { takes: [], does: 'ends with an uncaught exception' },
} as const satisfies Readonly<Record<string, { readonly takes: readonly Parameter[]; readonly does: string }>>;

export type CommandName = keyof typeof COMMANDS;

export interface Command {
  readonly name: CommandName;
  /** As many as it takes, and the lines below it as one text; a text that may be left out and was is not there. */
  readonly words: readonly string[];
}

interface Section {
  /** Nothing where it is for every role. */
  readonly role: Role | undefined;
  /** It holds from this attempt on, until a section of a later one takes its place. */
  readonly attempt: number;
  readonly commands: Command[];
}

export type Script = readonly Section[];

export type Parsed =
  | { readonly kind: 'script'; readonly script: Script }
  | { readonly kind: 'mistake'; readonly sentence: string };

class Mistake extends Error {}

/** `firstLine` is where the text begins in what the person wrote, so that a mistake is found there. */
export function parseScript(text: string, firstLine = 1): Parsed {
  const sections: Section[] = [];
  let section: Section = { role: undefined, attempt: 1, commands: [] };
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    try {
      const below = LINE_BELOW.exec(line);
      const [word, ...rest] = below === null ? wordsOf(line) : [];
      if (below !== null) addBelow(section, below[1] ?? '');
      if (word === undefined) continue;
      if (word === 'role') section = { role: roleFrom(rest), attempt: 1, commands: [] };
      else if (word === 'attempt') section = { ...section, attempt: attemptFrom(rest), commands: [] };
      else {
        section.commands.push(commandFrom(word, rest));
        // Not before: a heading with nothing below it says nothing.
        if (section.commands.length === 1) sections.push(section);
      }
    } catch (error) {
      if (!(error instanceof Mistake)) throw error;
      return { kind: 'mistake', sentence: `Line ${firstLine + index}: ${error.message}` };
    }
  }
  return { kind: 'script', script: sections };
}

/** A line of the file that the command above it writes. */
const LINE_BELOW = /^[ \t]*\|(?: (.*))?$/;

function addBelow(section: Section, line: string): void {
  const above = section.commands.pop();
  if (above?.name !== 'write' && above?.name !== 'add')
    throw new Mistake('lines with "|" stand below "write" or "add", and this one does not.');
  const [path = '', before = ''] = above.words;
  section.commands.push({ ...above, words: [path, `${before}${line}\n`] });
}

/** What the script has for a role's attempt; nothing where the role is left to what it does by itself. */
export function commandsFor(
  script: Script,
  role: Role | undefined,
  attempt: number,
): { readonly before: readonly Command[]; readonly own: readonly Command[] | undefined } {
  const [everyone, mine] = [undefined, role].map((whose) => commandsIn(script, whose, attempt));
  if (script.every((section) => section.role === undefined)) return { before: [], own: everyone };
  return { before: everyone ?? [], own: role === undefined ? everyone && [] : mine };
}

function commandsIn(script: Script, role: Role | undefined, attempt: number): readonly Command[] | undefined {
  const reached = script.filter((section) => section.role === role && section.attempt <= attempt);
  const latest = Math.max(...reached.map((section) => section.attempt));
  const commands = reached.filter((section) => section.attempt === latest).flatMap((section) => section.commands);
  return commands.length === 0 ? undefined : commands;
}

export type Fenced =
  | { readonly kind: 'none' }
  | { readonly kind: 'open' }
  | { readonly kind: 'found'; readonly text: string; readonly firstLine: number };

/** The first block in a prompt that is marked as a script. */
export function scriptIn(prompt: string): Fenced {
  const lines = prompt.split(/\r?\n/);
  const start = lines.findIndex((line) => OPENING.test(line));
  if (start === -1) return { kind: 'none' };
  const fence = OPENING.exec(lines[start] ?? '')?.[1] ?? '';
  const end = lines.findIndex((line, index) => index > start && line.trim().startsWith(fence) && /^ *`+ *$/.test(line));
  if (end === -1) return { kind: 'open' };
  return { kind: 'found', text: lines.slice(start + 1, end).join('\n'), firstLine: start + 2 };
}

const OPENING = /^ {0,3}(`{3,})script[ \t]*$/;

function commandFrom(word: string, words: readonly string[]): Command {
  if (!isCommand(word))
    throw new Mistake(`"${showName(word)}" is no command; the commands are ${Object.keys(COMMANDS).join(', ')}.`);
  const takes: readonly Parameter[] = COMMANDS[word].takes;
  const last = takes.at(-1);
  const isOpen = last === 'text' || last === 'text?' || last === 'argv';
  const least = last === 'text?' ? takes.length - 1 : takes.length;
  if (words.length < least || (!isOpen && words.length > takes.length)) throw new Mistake(usageOf(word));
  for (const [index, parameter] of takes.entries()) {
    const why = whyNot(parameter, words[index] ?? '');
    if (why !== undefined) throw new Mistake(`"${word}" takes ${why}, not "${showName(words[index] ?? '')}".`);
  }
  if (last === 'argv' || !isOpen || words.length < takes.length) return { name: word, words };
  const fixed = takes.length - 1;
  return { name: word, words: [...words.slice(0, fixed), words.slice(fixed).join(' ')] };
}

function isCommand(word: string): word is CommandName {
  return Object.hasOwn(COMMANDS, word);
}

function usageOf(name: CommandName): string {
  const takes: readonly Parameter[] = COMMANDS[name].takes;
  if (takes.length === 0) return `"${name}" stands alone in its line.`;
  return `It is "${[name, ...takes.map((parameter) => `<${SHOWN[parameter]}>`)].join(' ')}", and nothing else.`;
}

const SHOWN: Readonly<Record<Parameter, string>> = {
  path: 'path',
  name: 'name',
  number: 'number',
  status: 'number',
  duration: 'milliseconds or forever',
  text: 'text',
  'text?': 'text or nothing',
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

const PLAYED: readonly Role[] = ROLES.filter((role) => role !== 'outside' && role !== 'unknown');

function roleFrom(words: readonly string[]): Role {
  const role = PLAYED.find((one) => one === words[0]);
  if (role === undefined || words.length !== 1)
    throw new Mistake(`"role" takes one of ${PLAYED.join(', ')}, not "${showName(words.join(' '))}".`);
  return role;
}

function attemptFrom(words: readonly string[]): number {
  const attempt = attemptNumber(words[0] ?? '');
  if (attempt === undefined || words.length !== 1)
    throw new Mistake(`"attempt" takes a number from 1 on, not "${showName(words.join(' '))}".`);
  return attempt;
}

export function attemptNumber(word: string): number | undefined {
  return isNumber(word) && Number(word) > 0 ? Number(word) : undefined;
}

/** A quote counts only where a word begins, so that "don't" needs none; so does the sign of a comment. */
function wordsOf(line: string): readonly string[] {
  const words: string[] = [];
  let rest = line.trim();
  while (rest !== '' && !rest.startsWith('#')) {
    const [token] = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'][^\s]*)(?=\s|$)/.exec(rest) ?? [];
    if (token === undefined)
      throw new Mistake(`a quote is not closed, or something stands right behind it, at "${showName(rest)}".`);
    words.push(meant(token));
    rest = rest.slice(token.length).trimStart();
  }
  return words;
}

function meant(token: string): string {
  if (token.startsWith("'")) return token.slice(1, -1);
  if (!token.startsWith('"')) return token;
  return token.slice(1, -1).replace(/\\(.)/g, (_, char: string) => {
    const stands = ESCAPES.get(char);
    if (stands === undefined)
      throw new Mistake(`"\\${showName(char)}" stands for nothing; write "\\\\" for a backslash.`);
    return stands;
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
