// The words of the prompt: those that its help lists, and how the words of a command are told from its options.
import type { References } from '../../../app/reads/references.ts';

/** What a line needs to know of a command in the table. */
export interface CommandWords {
  readonly name: string;
  readonly arguments: readonly { readonly name: string; readonly values?: readonly string[] }[];
  readonly options: readonly { readonly flags: string; readonly values?: readonly string[] }[];
}

/** What the words of a line can mean. */
export interface Vocabulary extends References {
  readonly commands: readonly CommandWords[];
  /** The settings, where a line is about one. */
  readonly settings?: readonly SettingWords[];
}

export interface SettingWords {
  readonly key: string;
  /** What it can be; empty where that is text or a number. */
  readonly values: readonly string[];
}

export interface PromptWord {
  readonly name: string;
  /** What may follow, as the help shows it. */
  readonly takes: string;
  readonly summary: string;
}

/** Every command of "cadre" works as well; these have something of their own, or are used most. */
export const PROMPT_WORDS: readonly PromptWord[] = [
  {
    name: 'plan',
    takes: '[brief]',
    summary: 'Work out a plan from a brief; without one, continue the one in planning',
  },
  { name: 'redo planning', takes: '[plan]', summary: 'Plan again from the brief (--feedback "..." says why)' },
  { name: 'questions', takes: '', summary: 'List the open questions of all plans' },
  { name: 'answer', takes: '[question] [text]', summary: 'Answer a question; no quotes are needed' },
  { name: 'approve', takes: '[plan or task]', summary: 'Approve a plan, or the work of a task' },
  { name: 'run', takes: '[plan]', summary: 'Build a plan and follow its progress' },
  { name: 'status', takes: '[plan]', summary: 'Show all plans, and what needs you' },
  { name: 'why', takes: '[plan or task]', summary: 'Explain whose turn it is, and what you can do' },
  { name: 'transcript', takes: '[plan]', summary: 'Show what was said in the workshop of a plan' },
  { name: 'help', takes: '[command]', summary: 'Show this list, or the help of a command' },
  { name: 'quit', takes: '', summary: 'Leave (also: exit, Ctrl-D)' },
];

export const QUIT: readonly string[] = ['quit', 'exit'];

/** The command that these words start with; `length`: how many of them its name takes. */
export function commandIn(
  { commands }: Pick<Vocabulary, 'commands'>,
  words: readonly string[],
): { readonly spec: CommandWords; readonly length: number } | undefined {
  for (const length of [2, 1]) {
    const spec = commands.find(({ name }) => name === words.slice(0, length).join(' '));
    if (spec !== undefined && words.length >= length) return { spec, length };
  }
  return undefined;
}

/** The first words of all commands, and the words of the prompt. */
export function firstWords({ commands }: Pick<Vocabulary, 'commands'>): readonly string[] {
  const all = [...PROMPT_WORDS, ...commands].map(({ name }) => name.split(' ')[0] ?? '');
  return [...new Set([...all, ...QUIT])].filter((word) => word !== 'repl').sort();
}

/** The second words of the commands that start with this one. */
export function secondWords({ commands }: Pick<Vocabulary, 'commands'>, first: string): readonly string[] {
  return commands
    .map(({ name }) => name.split(' '))
    .flatMap(([one, two]) => (one === first && two !== undefined ? [two] : []));
}

export interface Separated {
  readonly positional: readonly string[];
  /** Options and their values. */
  readonly options: readonly string[];
}

export function separated({ options }: CommandWords, words: readonly string[]): Separated {
  const found = { positional: [] as string[], options: [] as string[] };
  let takesNext = false;
  let areAllWords = false;
  for (const word of words) {
    if (takesNext || (!areAllWords && word.startsWith('-') && word !== '-' && word !== '--')) {
      takesNext = !takesNext && options.some(({ flags }) => takesValue(flags, word));
      found.options.push(word);
    } else if (word === '--' && !areAllWords) areAllWords = true;
    else found.positional.push(word);
  }
  return found;
}

/** `-p, --program <program>` takes the word behind it. */
export function takesValue(flags: string, word: string): boolean {
  return flags.includes('<') && flags.split(/[ ,]+/).includes(word);
}

/** The flags of a command, as they are typed. */
export function flagsOf({ options }: CommandWords): readonly string[] {
  return options.flatMap(({ flags }) => flags.match(/--[a-z-]+/) ?? []);
}
