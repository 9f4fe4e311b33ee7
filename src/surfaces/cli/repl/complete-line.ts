// What the last word of a line at the prompt can become: commands, plans, questions, options.
import { slugOf, undated } from '../../../plan/name.ts';
import type { Completion } from './lines.ts';
import { commandIn, firstWords, flagsOf, secondWords, separated, type Vocabulary } from './words.ts';

export function completeLine(line: string, known: Vocabulary): Completion {
  const words = line.trimStart().split(/\s+/);
  const replaces = words.at(-1) ?? '';
  const before = words.slice(0, -1).map((word, index) => (index === 0 ? word.replace(/^\//, '') : word));
  const candidates = before.length === 0 ? firstCandidates(replaces, known) : laterCandidates(before, replaces, known);
  const matches = [...new Set(candidates)].filter((word) => isMeant(word, replaces)).map((word) => `${word} `);
  return { matches, replaces };
}

/** A plan also without its date, and a question also by the part behind "#". */
function isMeant(word: string, typed: string): boolean {
  const name = word.slice(word.indexOf('#'));
  const ways = word.includes('#') ? [word, undated(word), name, name.slice(1)] : [word, undated(word)];
  return ways.some((way) => way.startsWith(typed));
}

/** With a slash where one is typed. */
function firstCandidates(typed: string, known: Vocabulary): readonly string[] {
  return typed.startsWith('/') ? firstWords(known).map((word) => `/${word}`) : firstWords(known);
}

function laterCandidates(before: readonly string[], typed: string, known: Vocabulary): readonly string[] {
  const plans = known.plans.map(slugOf);
  const words = before[0] === 'transcript' ? ['plan', ...before] : before;
  const second = words.length === 1 ? secondWords(known, words[0] ?? '') : [];
  if (words.length === 1 && words[0] === 'plan') return [...second, ...plans];
  if (words.length === 1 && words[0] === 'help') return firstWords(known);
  const found = commandIn(known, words);
  if (found === undefined) return second;
  const { spec, length } = found;
  if (typed.startsWith('-')) return flagsOf(spec);
  const { positional } = separated(spec, words.slice(length));
  if (spec.name === 'plan unarchive' && positional.length === 0) return known.archived.map(slugOf);
  const next = spec.arguments[positional.length]?.name ?? '';
  return [...second, ...(CANDIDATES[next]?.({ ...known, slugs: plans }) ?? [])];
}

/** By the name that the table gives an argument. */
const CANDIDATES: {
  readonly [argument: string]: (known: Vocabulary & { readonly slugs: readonly string[] }) => readonly string[];
} = {
  plan: ({ slugs }) => slugs,
  subject: ({ slugs }) => slugs,
  task: ({ slugs }) => slugs,
  file: ({ slugs }) => slugs,
  id: ({ questions }) => questions,
};
