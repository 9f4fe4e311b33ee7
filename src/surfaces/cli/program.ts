// The command line: commander, set up from the table of commands, and the one place where errors become exit codes.
import { Command, CommanderError, Option } from 'commander';
import type { App } from '../../app/app.ts';
import { asFailure, Failure, type FailureKind } from '../../core/model/failure.ts';
import { showLines, showName } from '../../text/show.ts';
import { isMisspelt } from '../../text/similar-words.ts';
import {
  type ColourUse,
  type Context,
  EXIT,
  type ExitCode,
  fail,
  type Given,
  type InterfaceTerminal,
} from './context.ts';
import { type InterfaceOptions, interfaceOptions } from './interface-options.ts';
import { plainLine } from './plain-line.ts';
import { secondWords } from './repl/words.ts';
import { shortHelp } from './table/short-help.ts';
import { type CommandSpec, GLOBAL_OPTIONS } from './table/spec.ts';
import { COMMANDS, GROUPS, SECTIONS } from './table/table.ts';
import { helpLines } from './text/help-lines.ts';

interface Surroundings
  extends Omit<Context, 'json' | 'commands' | 'command' | 'yes' | 'quiet' | 'colour' | 'warn' | 'answerOf'> {
  readonly debug: boolean;
  /** Called before the app is opened, with what the person wants to see. */
  show(what: { readonly colour: ColourUse; readonly verbose: boolean }): void;
}

export async function runProgram(typed: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.ok;
  const { argv, before } = withoutLeadingOptions(typed);
  const context = contextOf(surroundings, typed.includes('--json'));
  const act: Act = async (spec, given) => {
    const wish = wishIn({ ...before, ...given.options }, surroundings);
    const { run } = await spec.load();
    exitCode = await run({ ...context, ...wish, command: spec.name, yes: given.options.yes === true }, given);
  };
  try {
    const options = interfaceOptions(argv);
    if (options !== undefined) {
      const wish = wishIn(before, surroundings);
      const terminal = surroundings.terminal();
      if (terminal !== undefined)
        return await interactive(terminal, options, surroundings, { ...context, ...wish, json: false });
      if (options.program !== undefined) throw noTerminal();
    }
    const plain = plainLine(argv, COMMANDS);
    if (plain !== undefined) await act(plain.spec, plain.given);
    else await parsed(argv, context, surroundings, act);
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.refused;
    return explain(error, context, surroundings.debug);
  }
}

type Wish = Pick<Context, 'say' | 'quiet' | 'colour'>;

/** What the options of every command ask for. */
function wishIn(options: Given['options'], { say, show }: Surroundings): Wish {
  const { color = 'auto', quiet, verbose } = options;
  if (color !== 'auto' && color !== 'always' && color !== 'never')
    throw new Failure('usage', 'usage', `--color must be auto, always or never, not "${showName(`${color}`)}".`);
  show({ colour: color, verbose: verbose === true });
  return { say: quiet === true ? () => undefined : say, quiet: quiet === true, colour: color };
}

/** Options of every command may also come before its name: "cadre -q run search". */
function withoutLeadingOptions(typed: readonly string[]): {
  readonly argv: readonly string[];
  readonly before: Given['options'];
} {
  const before: Record<string, string | boolean> = {};
  let index = 0;
  for (; index < typed.length; index++) {
    const [name, value] = (typed[index] ?? '').split('=', 2);
    if (name === '-q' || name === '--quiet') before.quiet = true;
    else if (name === '-v' || name === '--verbose') before.verbose = true;
    else if (name === '--color') before.color = value ?? typed[++index] ?? '';
    else break;
  }
  return { argv: typed.slice(index), before };
}

function contextOf(surroundings: Surroundings, json: boolean): Context {
  const answerOf: Context['answerOf'] = (argv, input) => answerOfCommand(argv, input, surroundings);
  return {
    ...{ ...surroundings, warn: surroundings.say, json, commands: COMMANDS, answerOf },
    ...{ command: '', yes: false, quiet: false, colour: 'auto' },
  };
}

async function answerOfCommand(
  argv: readonly string[],
  input: string,
  surroundings: Surroundings,
): ReturnType<Context['answerOf']> {
  const lines: string[] = [];
  const collect = (text: string): void => void lines.push(text);
  const nobody = async (): Promise<undefined> => undefined;
  const code = await runProgram(argv, {
    ...surroundings,
    print: collect,
    say: collect,
    readInput: async () => input,
    isTerminal: () => false,
    terminal: () => undefined,
    ask: nobody,
    prompt: nobody,
    edit: nobody,
  });
  return { code, text: lines.join('\n') };
}

async function parsed(
  argv: readonly string[],
  context: Context,
  { version, print }: Surroundings,
  act: Act,
): Promise<void> {
  const program = makeProgram(version, act, commandsFor(argv));
  if (!asksForAll(argv)) program.configureHelp({ ...program.configureHelp(), formatHelp: shortHelp });
  for (const command of everyCommand(program))
    command.configureOutput({
      writeOut: (text: string) => print(text.trimEnd()),
      writeErr: (text: string) => fail(context, 'usage', asSentence(text, command)),
    });
  await program.parseAsync(wordsFor(program, argv), { from: 'user' });
}

function noTerminal(): Failure {
  return new Failure(
    'usage',
    'no-terminal',
    'The interface needs a terminal. Without one, "session new -p" starts an agent.',
  );
}

/** Without a command, on a terminal: the interface. Its command line runs commands of this program. */
async function interactive(
  seat: InterfaceTerminal,
  options: InterfaceOptions,
  surroundings: Surroundings,
  context: Context,
): Promise<ExitCode> {
  try {
    const app = await openedApp(seat, surroundings);
    await offerInit(context, (argv) => runProgram(argv, { ...surroundings, terminal: () => undefined }));
    const { runInterface } = await import('../tui/interface.ts');
    await runInterface({
      ...seat,
      ...options,
      app,
      stop: surroundings.stop,
      runHere: (argv) => surroundings.runHere(argv),
      edit: (text) => surroundings.edit(text),
      command: (argv, around) => runProgram(argv, { ...surroundings, ...around, terminal: () => undefined }),
    });
    return EXIT.ok;
  } catch (error) {
    return explain(error, context, surroundings.debug);
  }
}

/** Where there is no repository, the person sees why before that is reported. */
async function openedApp(seat: InterfaceTerminal, { app, stop }: Surroundings): Promise<App> {
  try {
    return app();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { runNowhere } = await import('../tui/nowhere.ts');
    await runNowhere({ ...seat, stop }, error.message);
    throw error;
  }
}

/** In a repository that has neither settings nor plans, where a person may not know where to start. */
async function offerInit(context: Context, runCommand: (argv: readonly string[]) => Promise<ExitCode>): Promise<void> {
  const app = context.app();
  const { seq } = await app.world();
  if (seq > 0 || app.by.who !== 'user') return;
  const { isInitialized, hasPlans } = await app.init.look();
  if (isInitialized || hasPlans) return;
  if ((await context.ask('This repository is not set up for cadre yet. Set it up now?')) !== true) return;
  await runCommand(['init']);
  // The interface covers what was printed, and that says what to do next.
  await context.prompt('\nPress Enter to open the interface. ');
}

/** Without a command, or with only the first of two words, help is shown. Help for an unknown command is an error. */
function wordsFor(program: Command, argv: readonly string[]): readonly string[] {
  const [first, about] = argv;
  if (asksForAll(argv)) return ['--help'];
  if (first === undefined || (argv.length === 1 && Object.hasOwn(GROUPS, first))) return [...argv, '--help'];
  if (isPlanNamed(argv)) return ['plan', 'open', ...argv.slice(1)];
  if (first !== 'help' || about === undefined || about.startsWith('-')) return argv;
  const isKnown = program.commands.some((command) => command.name() === about);
  return isKnown ? [...argv.slice(1), '--help'] : argv.slice(1);
}

/** All commands are more than fit on a screen, so they are shown only on request. */
function asksForAll([first = '', second, ...more]: readonly string[]): boolean {
  return ['help', '--help', '-h'].includes(first) && second === '--all' && more.length === 0;
}

/** "cadre plan search": the second word is not one of the commands on plans, also not misspelt, so it names a plan. */
function isPlanNamed([first, second]: readonly string[]): boolean {
  if (first !== 'plan' || second === undefined || second.startsWith('-') || second === 'help') return false;
  return !secondWords({ commands: COMMANDS }, first).some((word) => word === second || isMisspelt(second, word));
}

/** Setting up commander takes time, so only the named command is set up. Help and mistakes need them all. */
function commandsFor(argv: readonly string[]): readonly CommandSpec[] {
  const named = COMMANDS.filter(({ name }) => name === argv[0] || name === `${argv[0]} ${argv[1]}`);
  return named.length === 1 ? named : COMMANDS;
}

type Act = (spec: CommandSpec, given: Given) => Promise<void>;

export function makeProgram(version: string, act: Act, commands: readonly CommandSpec[] = COMMANDS): Command {
  const program = new Command('cadre')
    .description('Builds markdown plans with a crew of coding agents.')
    .usage('<command> [options]')
    .helpOption('-h, --help', 'Show this help')
    .helpCommand(false)
    .showSuggestionAfterError(true)
    .configureHelp({ subcommandTerm })
    .exitOverride();
  if (commands === COMMANDS)
    program.version(version, '-V, --version', 'Print the version').addHelpCommand(helpCommand());
  for (const { title, commands: all } of SECTIONS)
    for (const spec of all.filter((one) => commands.includes(one))) {
      const command = makeCommand(spec, act);
      const group = groupOf(program, spec);
      if (group === program) command.helpGroup(`${title}:`);
      else group.helpGroup(`${title}:`);
      group.addCommand(command);
    }
  return program;
}

function helpCommand(): Command {
  return new Command('help')
    .argument('[command]')
    .description('Show help for a command; with --all, every command')
    .helpGroup(`${SECTIONS.at(-1)?.title}:`);
}

/** "plan show" is a subcommand of "plan". */
function groupOf(program: Command, spec: CommandSpec): Command {
  const [name = '', ...rest] = spec.name.split(' ');
  if (rest.length === 0) return program;
  const known = program.commands.find((command) => command.name() === name);
  if (known !== undefined) return known;
  const group = new Command(name)
    .description(GROUPS[name] ?? '')
    .usage('<command> [options]')
    .helpOption('-h, --help', 'Show this help')
    .helpCommand(false)
    .configureHelp({ subcommandTerm })
    .exitOverride();
  program.addCommand(group);
  return group;
}

/** Without "[options]", which every command has, there is room for the summary in 80 columns. */
function subcommandTerm(command: Command): string {
  const words = command.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`));
  return [command.name(), ...words].join(' ');
}

export function everyCommand(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

function makeCommand(spec: CommandSpec, act: Act): Command {
  const command = new Command(spec.name.split(' ').at(-1))
    .description(spec.summary)
    .helpOption('-h, --help', 'Show this help')
    .exitOverride();
  for (const argument of spec.arguments)
    command.argument(argument.required ? `<${argument.name}>` : `[${argument.name}]`, argument.summary);
  for (const option of spec.options) command.option(option.flags, option.summary);
  for (const { flags, summary } of GLOBAL_OPTIONS) {
    const option = new Option(flags, summary);
    // Those besides --json are in the help of the program.
    command.addOption(flags === '--json' ? option : option.hideHelp());
  }
  command.addHelpText('after', () => {
    const more = spec.more === undefined ? [] : ['', ...helpLines(spec.more)];
    return [...more, '', 'Examples:', ...spec.examples.map((line) => `  ${line}`)].join('\n');
  });
  return command.action(async (...received: unknown[]) => {
    const words = received.slice(0, spec.arguments.length) as (string | undefined)[];
    await act(spec, { arguments: words, options: command.opts() });
  });
}

const EXIT_OF: { readonly [kind in FailureKind]: ExitCode } = {
  environment: EXIT.environment,
  usage: EXIT.refused,
  person: EXIT.person,
  failed: EXIT.failed,
};

function explain(thrown: unknown, context: Context, debug: boolean): ExitCode {
  const error = asFailure(thrown);
  if (error instanceof Failure) {
    fail(context, error.code, error.message, error.try);
    return EXIT_OF[error.kind];
  }
  const message = error instanceof Error ? error.message : String(error);
  fail(
    context,
    'bug',
    `This is a bug in cadre: ${message} Run the command again with CADRE_DEBUG=1, and report what it prints.`,
  );
  if (debug && error instanceof Error) context.warn(error.stack ?? '');
  return EXIT.failed;
}

/** commander's "error: unknown option '--x'" as a sentence, and where to read more. */
function asSentence(text: string, command: Command): string {
  const plain = showLines(text.trimEnd().replace(/^error: /, '')).replace(/\n\((Did you mean .+)\)$/s, '. $1');
  const sentence = plain.charAt(0).toUpperCase() + plain.slice(1);
  return `${sentence}${/[.?]$/.test(sentence) ? '' : '.'}\nSee "${pathOf(command)} --help".`;
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
