// What every command is given: the app, its arguments, and a place to answer.

import type { FailureCode } from '../../core/model/failure.ts';
import { Failure } from '../../core/model/failure.ts';
import type { RefusalCode } from '../../core/model/refusal.ts';
import type { Suggestion } from '../../core/model/suggestion.ts';
import type { ConfigFiles } from '../../core/ports/config-files.ts';
import type { App } from './app.ts';
import type { Playground, PlaygroundWish } from './playground.ts';
import { commandFor, tryLines } from './text/suggestions.ts';

export interface Context {
  /** Opened on first use, so that commands that need no repository work anywhere. */
  app(): App;
  /** Also there outside of a repository, where only the person's own file is. */
  config(): ConfigFiles;
  /** Makes a repository apart from everything that the person has. */
  playground(wish: PlaygroundWish): Promise<Playground>;
  /** The name of the command that runs, as the table has it. */
  readonly command: string;
  readonly json: boolean;
  print(text: string): void;
  /** For people: warnings and progress, never part of the answer. */
  say(text: string): void;
  readInput(): Promise<string>;
  readFile(path: string): string;
  /** Whether a person sits where this prints to. Asked only where it matters: the answer loads Node's streams. */
  isTerminal(): boolean;
  /** Aborted when the person presses Ctrl-C or the system asks to end. */
  readonly stop: AbortSignal;
}

export interface Given {
  readonly arguments: readonly (string | undefined)[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

export type Run = (context: Context, given: Given) => Promise<ExitCode>;

export const EXIT = { ok: 0, failed: 1, refused: 2, person: 3, budget: 4, environment: 5 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The version of every JSON answer. It changes only when a field changes its meaning or goes. */
export const ENVELOPE_VERSION = 1;

/** Answers once: as one JSON object, or as lines for a person. */
export function answer(context: Context, value: object, lines: readonly string[]): void {
  context.print(context.json ? JSON.stringify({ version: ENVELOPE_VERSION, ...value }) : lines.join('\n'));
}

export function refuse(
  context: Context,
  code: FailureCode,
  why: string,
  instead: readonly Suggestion[] = [],
): ExitCode {
  if (isOverstepping(code)) leaveWord(context);
  fail(context, code, why, instead);
  return EXIT.refused;
}

/** Refused not for what it is about, but for who says it. */
export function isOverstepping(code: string): boolean {
  return OVERSTEPPING.includes(code);
}

const OVERSTEPPING: readonly string[] = ['user-only', 'source', 'role'] satisfies RefusalCode[];

/** An agent that oversteps is refused in any case; that the person sees it is one thing more. */
function leaveWord(context: Context): void {
  try {
    context.app().reportForbiddenCommand(context.command);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
}

export function fail(
  context: Context,
  code: FailureCode,
  message: string,
  suggestions: readonly Suggestion[] = [],
): void {
  const commands = suggestions.map(commandFor);
  if (context.json)
    context.print(JSON.stringify({ version: ENVELOPE_VERSION, error: { code, message, try: commands } }));
  else context.say([message, ...tryLines(commands)].join('\n'));
}

export function textOption(given: Given, name: string): string | undefined {
  const value = given.options[name];
  return typeof value === 'string' ? value : undefined;
}
