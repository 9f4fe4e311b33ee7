// From a line that is typed at the prompt to the argument list of a command. Pure, so that every surface with a command line
// understands the same lines.
import { findPlan, type PlanFile, slugOf } from '../../../plan/name.ts';
import { splitCommand } from '../../../text/command-line.ts';
import { showName } from '../../../text/show.ts';
import { isMisspelt } from '../../../text/similar-words.ts';
import { commandIn, firstWords, QUIT, secondWords, separated, type Vocabulary } from './words.ts';

type ParsedLine =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'quit' }
  | { readonly kind: 'help' }
  | { readonly kind: 'command'; readonly argv: readonly string[] }
  | { readonly kind: 'mistake'; readonly message: string };

/** Words may be quoted as in a shell. A brief and an answer are taken as they are, without quotes. */
export function parseLine(line: string, known: Vocabulary): ParsedLine {
  const text = line.trim().replace(/^cadre(?=\s)\s*/, '');
  if (text === '' || text.startsWith('#')) return { kind: 'nothing' };
  const [, first = '', rest = ''] = /^\/?(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  if (first === '') return { kind: 'help' };
  if (QUIT.includes(first)) return { kind: 'quit' };
  return (OWN[first] ?? general(first))(rest, known);
}

type Rule = (rest: string, known: Vocabulary) => ParsedLine;

/** What is shorter at the prompt than on the command line, or needs no quotes. */
const OWN: { readonly [first: string]: Rule } = { plan, answer, approve, transcript, help };

function general(first: string): Rule {
  return (rest, known) => {
    if (!firstWords(known).includes(first)) return unknown(first, known);
    const words = wordsOf(rest);
    return words === undefined ? OPEN_QUOTE : withPlan([first, ...words], known);
  };
}

function unknown(first: string, known: Vocabulary): ParsedLine {
  const near = firstWords(known).find(
    (word) => isMisspelt(first, word) || (first.length > 1 && word.startsWith(first)),
  );
  const hint = near === undefined ? 'Type "help" for the list.' : `Did you mean "${near}"?`;
  const message = first === 'repl' ? 'This is the prompt already.' : `Unknown command "${showName(first)}". ${hint}`;
  return { kind: 'mistake', message };
}

/** A brief, unless the words are those of a command on plans, or name a plan. */
function plan(rest: string, known: Vocabulary): ParsedLine {
  if (rest === '') {
    const one = onlyPlanning(known);
    if (typeof one === 'object') return one;
    return command(one === undefined ? ['plan', 'new'] : ['plan', 'open', slugOf(one)]);
  }
  const words = isQuoted(rest) ? [] : (wordsOf(rest) ?? []);
  const [second = ''] = words;
  if (secondWords(known, 'plan').includes(second) && fits(['plan', ...words], known))
    return withPlan(['plan', ...words], known);
  if (words.length === 1 && findPlan(second, known.plans).kind === 'found') return command(['plan', 'open', second]);
  const spec = commandIn(known, ['plan', 'new'])?.spec;
  const parts = spec === undefined ? undefined : separated(spec, words);
  if (parts === undefined || parts.options.length === 0) return command(['plan', 'new', ...asText(rest)]);
  const brief = parts.positional.join(' ');
  return command(['plan', 'new', ...parts.options, ...(brief === '' ? [] : asText(brief))]);
}

/** Whether there are no more words than the command takes: "show notes by date" is a brief. */
function fits(words: readonly string[], known: Vocabulary): boolean {
  const found = commandIn(known, words);
  if (found === undefined) return false;
  const { spec, length } = found;
  return separated(spec, words.slice(length)).positional.length <= spec.arguments.length;
}

/** The first word names the question, unless only one is open. */
function answer(rest: string, known: Vocabulary): ParsedLine {
  const [, first = '', text = ''] = /^(\S*)\s*([\s\S]*)$/.exec(rest) ?? [];
  if (first === '') return answerAll(known);
  const found = questionNamed(first, known);
  if (found !== undefined) return answerOne(found, text);
  const [only, ...others] = known.questions;
  if (first.includes('#') || first.startsWith('-') || findPlan(first, known.plans).kind === 'found')
    return general('answer')(rest, known);
  if (only !== undefined && others.length === 0) return answerOne(only, rest);
  return {
    kind: 'mistake',
    message: only === undefined ? 'No question is open.' : `Which question? Open: ${known.questions.join(', ')}.`,
  };
}

/** All questions of a planner at once, in the editor. */
function answerAll(known: Vocabulary): ParsedLine {
  const one = onlyPlanning(known);
  if (typeof one === 'object') return one;
  return command(one === undefined ? ['answer'] : ['answer', slugOf(one)]);
}

function answerOne(question: string, text: string): ParsedLine {
  if (!text.startsWith('--')) return command(['answer', question, ...(text === '' ? [] : asText(text))]);
  const words = wordsOf(text);
  return words === undefined ? OPEN_QUOTE : command(['answer', question, ...words]);
}

/** By its reference, or by the part behind "#" where only one question has it. */
function questionNamed(word: string, { questions }: Vocabulary): string | undefined {
  const exact = questions.find((one) => one === word);
  const short = word.replace(/^#/, '');
  const [only, ...others] = questions.filter((one) => one.slice(one.lastIndexOf('#') + 1) === short);
  return exact ?? (others.length === 0 ? only : undefined);
}

/** Without a name it is the plan that is being planned, which has its own command. */
function approve(rest: string, known: Vocabulary): ParsedLine {
  const one = rest === '' ? onlyPlanning(known) : undefined;
  if (typeof one === 'object') return one;
  return one === undefined ? general('approve')(rest, known) : command(['plan', 'approve', slugOf(one)]);
}

function transcript(rest: string, known: Vocabulary): ParsedLine {
  const words = wordsOf(rest);
  return words === undefined ? OPEN_QUOTE : withPlan(['plan', 'transcript', ...words], known);
}

function help(rest: string, known: Vocabulary): ParsedLine {
  const words = wordsOf(rest.replace(/^\//, ''));
  if (words === undefined || words.length === 0) return { kind: 'help' };
  const named = words[0] === 'transcript' ? ['plan', 'transcript'] : words;
  return firstWords(known).includes(words[0] ?? '') ? command([...named, '--help']) : unknown(words[0] ?? '', known);
}

/** Where these commands name no plan, they mean the one that is being planned, or else the active one. */
const ABOUT_PLANNING: readonly string[] = [
  'plan open',
  'plan approve',
  'plan reject',
  'plan continue',
  'plan settle',
  'plan transcript',
  'redo planning',
  'reject',
  'why',
];

function withPlan(words: readonly string[], known: Vocabulary): ParsedLine {
  const found = commandIn(known, words);
  if (found === undefined || !ABOUT_PLANNING.includes(found.spec.name) || words.includes('--help'))
    return command(words);
  const { spec, length } = found;
  if (separated(spec, words.slice(length)).positional.length > 0) return command(words);
  const one = onlyPlanning(known);
  if (typeof one === 'object') return one;
  const meant = one ?? known.active;
  return command(meant === undefined ? words : [...words.slice(0, length), slugOf(meant), ...words.slice(length)]);
}

/** The plan that is being planned; a mistake where there are several. */
function onlyPlanning({ planning }: Vocabulary): PlanFile | undefined | Extract<ParsedLine, { kind: 'mistake' }> {
  const [one, ...others] = planning;
  if (others.length === 0) return one;
  return {
    kind: 'mistake',
    message: `Which plan? Several are being planned: ${planning.map(slugOf).join(', ')}.`,
  };
}

function command(argv: readonly string[]): ParsedLine {
  return { kind: 'command', argv };
}

const OPEN_QUOTE: ParsedLine = { kind: 'mistake', message: 'A quote is not closed.' };

/** Undefined where a quote is not closed. */
function wordsOf(text: string): readonly string[] | undefined {
  if (text.trim() === '') return [];
  const split = splitCommand(`cadre ${text}`);
  return split?.flags;
}

function isQuoted(text: string): boolean {
  return /^['"]/.test(text) && wordsOf(text)?.length === 1;
}

/** One argument that is not read as an option. Quotes around all of it are dropped. */
function asText(text: string): readonly string[] {
  const plain = isQuoted(text) ? (wordsOf(text)?.[0] ?? text) : text;
  return plain.startsWith('-') ? ['--', plain] : [plain];
}
