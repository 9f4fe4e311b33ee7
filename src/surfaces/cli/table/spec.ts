// What the table says about a command, and descriptions that several commands share.
import type { Run } from '../context.ts';

export interface ArgumentSpec {
  readonly name: string;
  readonly required: boolean;
  readonly summary: string;
}

export interface OptionSpec {
  /** As commander writes it: `--limit <n>`. */
  readonly flags: string;
  readonly summary: string;
}

export interface CommandSpec {
  readonly name: string;
  readonly summary: string;
  readonly arguments: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  readonly examples: readonly string[];
  /** Shown below the options in the command's help, in lines of at most 80 columns. */
  readonly more?: readonly string[];
  readonly load: () => Promise<{ readonly run: Run }>;
}

export const PLAN: ArgumentSpec = {
  name: 'plan',
  required: true,
  summary: 'File name of the plan, with or without ".md"; a unique prefix is enough',
};

export const FEEDBACK: readonly OptionSpec[] = [
  { flags: '--feedback <text>', summary: 'What has to change' },
  { flags: '--feedback-file <file>', summary: 'Read the feedback from a file ("-": standard input)' },
];

/** For every command whose action asks first on a terminal. */
export const YES: OptionSpec = { flags: '--yes', summary: 'Do not ask first, as cadre does on a terminal' };

export const PROMPT_FILE: OptionSpec = {
  flags: '--prompt-file <file>',
  summary: 'Read the prompt from a file ("-": standard input)',
};

const NUMBER: ArgumentSpec = {
  name: 'number',
  required: false,
  summary: 'Number of the task, if the first argument names only the plan',
};

export const TASK: readonly ArgumentSpec[] = [
  { name: 'task', required: false, summary: `<plan>#<task>, or '#2' (quoted) for task 2 of the active plan` },
  NUMBER,
];

/** A task, or a whole plan. */
export const SUBJECT: readonly ArgumentSpec[] = [
  {
    name: 'subject',
    required: false,
    summary: `A task (<plan>#<task>, or '#2' in quotes) or a plan (default: the active plan)`,
  },
  NUMBER,
];
