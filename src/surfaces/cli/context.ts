// What every command gets: the app, its arguments, and a way to answer.
import type { Refused } from '../../app/actions/action.ts';
import type { App } from '../../app/app.ts';
import { isOverstepping } from '../../app/perform.ts';
import { Failure, type FailureCode } from '../../core/model/failure.ts';
import type { Suggestion } from '../../core/model/suggestion.ts';
import type { ConfigFiles } from '../../core/ports/config-files.ts';
import type { Delivery, Notifier } from '../../core/ports/notify.ts';
import type { NotifySettings } from '../../core/settings/notify.ts';
import type { MachineFacts } from '../../core/views/known-repository.ts';
import { VIEW_VERSION } from '../../core/views/record.ts';
import { safeJson } from '../../text/safe-json.ts';
import { showLines } from '../../text/show.ts';
import type { Terminal } from '../tui/terminal/person-terminal.ts';
import type { Playground, PlaygroundRequest } from './playground.ts';
import type { LineReading, Lines } from './repl/lines.ts';
import type { CommandWords } from './repl/words.ts';
import { commandFor, tryLines } from './text/suggestions.ts';

export interface Context {
  /** Opened on first use, so that commands that need no repository work anywhere. */
  app(): App;
  /** Also available outside a repository, where there is only the person's own file. */
  config(): ConfigFiles;
  /** Creates a repository that shares nothing with the person's. */
  playground(request: PlaygroundRequest): Promise<Playground>;
  /** Of cadre. */
  readonly version: string;
  /** The table of commands. */
  readonly commands: readonly CommandWords[];
  /** The name of the running command, as in the table. */
  readonly command: string;
  readonly json: boolean;
  print(text: string): void;
  /** For people: progress and hints, never part of the answer. Nothing is said with --quiet. */
  say(text: string): void;
  /** The same for warnings and errors, which nobody wants to miss. */
  warn(text: string): void;
  /** Whether only the answer is wanted, and no progress. */
  readonly quiet: boolean;
  readonly colour: ColourUse;
  readInput(): Promise<string>;
  readFile(path: string): string;
  /** Creates a file that does not exist yet; false, and nothing is changed, where it does. */
  createFile(path: string, text: string): boolean;
  /** Runs a program in this terminal; returns its exit code. */
  runHere(argv: readonly string[], env?: Readonly<Record<string, string | undefined>>): Promise<number>;
  /** Rings the bell of the terminal and lets it show the text, as the settings say. Does nothing where there is none. */
  ring(how: Pick<NotifySettings, 'bell' | 'osc9'>, text: string): readonly Delivery[];
  /** Sends notifications with other programs, also outside a repository. */
  notifier(): Notifier;
  /** Whether the output is a terminal. Asked only where it matters: the answer loads Node's streams. */
  isTerminal(): boolean;
  /** The person has said yes in advance. */
  readonly yes: boolean;
  /** The answer to a question with yes or no; undefined where nobody is at a terminal to answer it. */
  ask(question: string): Promise<boolean | undefined>;
  /** A line that the person types; undefined where nobody is at a terminal, or leaves without an answer. */
  prompt(question: string): Promise<string | undefined>;
  /** Drops what was typed so far, and returns it as lines; none where nobody is at a terminal. */
  dropTyped(): readonly string[];
  /** The text as the person left it in the editor; undefined where nobody is at a terminal. */
  edit(text: string): Promise<string | undefined>;
  /** What the person types line by line at a prompt, or what comes from standard input. */
  lines(reading: LineReading): Promise<Lines>;
  /** Runs another command in this process and returns all that it printed, without anybody at a terminal. */
  answerOf(argv: readonly string[], input: string): Promise<{ readonly code: ExitCode; readonly text: string }>;
  /** Runs another command in this process. Ctrl-C stops only that command. */
  runCommand(argv: readonly string[]): Promise<ExitCode>;
  /** What the terminal interface needs; undefined where this process has no terminal for input and output. */
  terminal(): InterfaceTerminal | undefined;
  /** Aborted on Ctrl-C, or when the system asks the process to end. */
  readonly stop: AbortSignal;
}

/** When to use colours; `auto`: on a terminal. */
export type ColourUse = 'auto' | 'always' | 'never';

export interface InterfaceTerminal {
  readonly terminal: Terminal;
  readonly machine: MachineFacts;
  /** Another app of the repository, with its own connections. */
  anotherApp(): App;
  /** Runs cadre in another repository, in this terminal. */
  visit(root: string): Promise<number>;
}

export interface Given {
  readonly arguments: readonly (string | undefined)[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

export type Run = (context: Context, given: Given) => Promise<ExitCode>;

export const EXIT = { ok: 0, failed: 1, refused: 2, person: 3, budget: 4, environment: 5 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Answers once: one JSON object, or lines for a person. */
export function answer(context: Context, value: object, lines: readonly string[]): void {
  context.print(context.json ? jsonLine(value) : lines.join('\n'));
}

/** Text that goes into a file as it is, and to a terminal without anything that it would act on. */
export function forOutput(context: Context, text: string): string {
  return (context.isTerminal() ? showLines(text) : text).replace(/\n$/, '');
}

/** One object of an answer or of a stream. */
export function jsonLine(value: object): string {
  return safeJson({ version: VIEW_VERSION, ...value });
}

export function refuse(
  context: Context,
  code: FailureCode,
  message: string,
  suggestions: readonly Suggestion[] = [],
): ExitCode {
  if (isOverstepping(code)) reportAttempt(context);
  fail(context, code, message, suggestions);
  return EXIT.refused;
}

/** What the app refused; it has reported an agent that oversteps already. */
export function answerRefused(context: Context, { code, message, try: suggestions, notes }: Refused): ExitCode {
  for (const note of notes) context.warn(note);
  fail(context, code, message, suggestions);
  return EXIT.refused;
}

/** Where the attempt cannot be reported, it is refused all the same. */
function reportAttempt(context: Context): void {
  try {
    context.app().reportAttempt(context.command);
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
  if (context.json) context.print(jsonLine({ error: { code, message, try: commands } }));
  else context.warn([message, ...tryLines(commands)].join('\n'));
}

export function textOption(given: Given, name: string): string | undefined {
  const value = given.options[name];
  return typeof value === 'string' ? value : undefined;
}

/** Free text on the command line, from a file, or with "-" from standard input. */
export async function textFrom(
  context: Context,
  words: string | undefined,
  file: string | undefined,
): Promise<string | undefined> {
  if (file === undefined) return words;
  return file === '-' ? await context.readInput() : context.readFile(file);
}

export function feedbackFrom(context: Context, given: Given): Promise<string | undefined> {
  return textFrom(context, textOption(given, 'feedback'), textOption(given, 'feedbackFile'));
}
