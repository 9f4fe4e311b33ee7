// What the table says of a command, and the words that several commands share.
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
  /** Said below the options in the command's help. */
  readonly more?: string;
  readonly load: () => Promise<{ readonly run: Run }>;
}

export const PLAN: ArgumentSpec = {
  name: 'plan',
  required: true,
  summary: 'the plan: its file name, with or without ".md", or the beginning of it',
};

export const FEEDBACK: readonly OptionSpec[] = [
  { flags: '--feedback <text>', summary: 'what has to change' },
  { flags: '--feedback-file <file>', summary: 'the same from a file, or from standard input with "-"' },
];
