// What the last word of a line can become, at the prompt and in a shell: commands, plans, tasks, questions, settings, options.
import { lastSegment, slugOf, undated } from '../../../plan/name.ts';
import { GLOBAL_OPTIONS } from '../table/spec.ts';
import type { Completion } from './lines.ts';
import {
  type CommandWords,
  commandIn,
  firstWords,
  flagsOf,
  secondWords,
  separated,
  takesValue,
  type Vocabulary,
} from './words.ts';

export function completeLine(line: string, known: Vocabulary, where: 'prompt' | 'shell' = 'prompt'): Completion {
  const words = line.trimStart().split(/\s+/);
  const replaces = words.at(-1) ?? '';
  const before = words.slice(0, -1).map((word, index) => (index === 0 ? word.replace(/^\//, '') : word));
  const candidates =
    before.length === 0 ? firstCandidates(replaces, known, where) : laterCandidates(before, replaces, known);
  const matches = [...new Set(candidates)].filter((word) => isMeant(word, replaces)).map((word) => `${word} `);
  return { matches, replaces };
}

/** A plan also without its date, and a question also by the part behind "#". */
function isMeant(word: string, typed: string): boolean {
  const name = word.slice(word.indexOf('#'));
  const ways = word.includes('#') ? [word, undated(word), name, name.slice(1)] : [word, undated(word)];
  return ways.some((way) => way.startsWith(typed));
}

/** With a slash where one is typed at the prompt; a shell knows only the commands. */
function firstCandidates(typed: string, known: Vocabulary, where: 'prompt' | 'shell'): readonly string[] {
  if (where === 'shell') return [...new Set([...known.commands.map(({ name }) => name.split(' ')[0] ?? ''), 'help'])];
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
  const spec = { ...found.spec, options: [...found.spec.options, ...GLOBAL_OPTIONS] };
  const option = valueWanted(spec, words.slice(found.length));
  if (option !== undefined) return option.flags.includes('<plan>') ? plans : (option.values ?? []);
  if (typed.startsWith('-')) return flagsOf(spec);
  const { positional } = separated(spec, words.slice(found.length));
  if (spec.name === 'plan unarchive' && positional.length === 0) return known.archived.map(slugOf);
  const next = spec.arguments[positional.length];
  const named = CANDIDATES[next?.name ?? '']?.({ ...known, slugs: plans, before: positional.at(-1) ?? '' }) ?? [];
  return [...second, ...(next?.values ?? []), ...named];
}

/** The option whose value comes next. */
function valueWanted({ options }: CommandWords, words: readonly string[]): CommandWords['options'][number] | undefined {
  const last = words.at(-1) ?? '';
  return options.find(({ flags }) => takesValue(flags, last));
}

interface Known extends Vocabulary {
  readonly slugs: readonly string[];
  /** The argument before. */
  readonly before: string;
}

/** The numbers of the tasks of a plan. */
function numbersIn({ tasks, before }: Known): readonly string[] {
  const start = `${lastSegment(before).replace(/\.md$/, '')}#`;
  return tasks.flatMap((task) =>
    task.startsWith(start) || undated(task).startsWith(start) ? [task.slice(task.lastIndexOf('#') + 1)] : [],
  );
}

/** By the name that the table gives an argument. */
const CANDIDATES: { readonly [argument: string]: (known: Known) => readonly string[] } = {
  plan: ({ slugs }) => slugs,
  subject: ({ slugs, tasks }) => [...slugs, ...tasks],
  task: ({ slugs, tasks }) => [...slugs, ...tasks],
  session: ({ sessions }) => sessions,
  file: ({ slugs }) => slugs,
  number: numbersIn,
  question: ({ questions }) => questions,
  what: ({ slugs }) => slugs,
  key: ({ settings = [] }) => settings.map(({ key }) => key),
  value: ({ settings = [], before }) => settings.find(({ key }) => key === before)?.values ?? [],
};
