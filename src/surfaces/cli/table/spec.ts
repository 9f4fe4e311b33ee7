// What the table says about a command, and descriptions that several commands share.
import { ROLES } from '../../../signals/registry.ts';
import type { Run } from '../context.ts';

export interface ArgumentSpec {
  readonly name: string;
  readonly required: boolean;
  readonly summary: string;
  /** What it can be, for completion. */
  readonly values?: readonly string[];
}

export interface OptionSpec {
  /** As commander writes it: `--limit <n>`. */
  readonly flags: string;
  readonly summary: string;
  /** What it takes, for completion. */
  readonly values?: readonly string[];
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

/** The roles that a session can have. */
export const SESSION_ROLES = ROLES.filter((role) => role !== 'outside' && role !== 'unknown');

/** The agent programs that cadre knows. */
export const PROGRAMS = ['claude', 'codex', 'gemini', 'opencode', 'aider'] as const;

/** Taken by every command, before or after its name. */
export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  { flags: '--json', summary: 'Print JSON' },
  {
    flags: '--color <when>',
    summary: 'Use colours: auto, always or never (default: auto; never if NO_COLOR is set)',
    values: ['auto', 'always', 'never'],
  },
  { flags: '-q, --quiet', summary: 'Print only the answer, warnings and errors; no progress and no hints' },
  { flags: '-v, --verbose', summary: 'Also print which programs cadre runs, and how long each takes' },
];

/** For every command whose action asks first on a terminal. */
export const YES: OptionSpec = { flags: '--yes', summary: 'Do not ask first, as cadre does on a terminal' };

export const PROMPT_FILE: OptionSpec = {
  flags: '--prompt-file <file>',
  summary: 'Read the prompt from a file ("-": standard input)',
};

/** Behind an argument that may name only the plan. */
export const NUMBER: ArgumentSpec = {
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
