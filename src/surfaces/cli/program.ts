// The command line: commander, set up from the table of commands, and the one place where errors become exit codes.
import { Command, CommanderError } from 'commander';
import { diskFailure, Failure, type FailureKind, systemCode } from '../../core/model/failure.ts';
import { isMisspelt } from '../../plan/similar-words.ts';
import { showLines } from '../../text/show.ts';
import type { Terminal } from '../tui/terminal/person-terminal.ts';
import { type Context, EXIT, type ExitCode, fail, type Given } from './context.ts';
import { secondWords } from './repl/words.ts';
import type { CommandSpec } from './table/spec.ts';
import { COMMANDS, GROUPS, SECTIONS } from './table/table.ts';

export interface Surroundings extends Omit<Context, 'json' | 'commands' | 'command' | 'yes'> {
  readonly version: string;
  readonly debug: boolean;
}

export async function runProgram(argv: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.ok;
  const json = argv.includes('--json');
  const terminal = argv.length === 0 ? surroundings.terminal() : undefined;
  if (terminal !== undefined) return interactive(terminal, surroundings);
  const context: Context = { ...surroundings, json, commands: COMMANDS, command: '', yes: false };
  const act: Act = async (spec, given) => {
    const { run } = await spec.load();
    exitCode = await run({ ...context, command: spec.name, yes: given.options.yes === true }, given);
  };
  const program = makeProgram(surroundings.version, act, commandsFor(argv));
  for (const command of everyCommand(program))
    command.configureOutput({
      writeOut: (text: string) => surroundings.print(text.trimEnd()),
      writeErr: (text: string) => fail(context, 'usage', asSentence(text, command)),
    });
  try {
    await program.parseAsync(wordsFor(program, argv), { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.refused;
    return explain(error, context, surroundings.debug);
  }
}

/** Without a command, on a terminal: the interface. Its command line runs commands of this program. */
async function interactive(terminal: Terminal, surroundings: Surroundings): Promise<ExitCode> {
  const context: Context = { ...surroundings, json: false, commands: COMMANDS, command: '', yes: false };
  try {
    const app = surroundings.app();
    const { runInterface } = await import('../tui/interface.ts');
    await runInterface({
      app,
      terminal,
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

/** Without a command, or with only the first of two words, help is shown. Help for an unknown command is an error. */
function wordsFor(program: Command, argv: readonly string[]): readonly string[] {
  const [first, about] = argv;
  if (first === undefined || (argv.length === 1 && Object.hasOwn(GROUPS, first))) return [...argv, '--help'];
  if (isPlanNamed(argv)) return ['plan', 'open', ...argv.slice(1)];
  if (first !== 'help' || about === undefined || about.startsWith('-')) return argv;
  const isKnown = program.commands.some((command) => command.name() === about);
  return isKnown ? [...argv.slice(1), '--help'] : argv.slice(1);
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
  return program.addHelpText('after', `\n${SEE_ALSO.join('\n')}`);
}

function helpCommand(): Command {
  return new Command('help')
    .argument('[command]')
    .description('Show help for a command')
    .helpGroup(`${SECTIONS.at(-1)?.title}:`);
}

const SEE_ALSO: readonly string[] = [
  '"cadre <command> --help" shows the options of a command. New here? "cadre demo"',
  'builds a small plan while you watch.',
];

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
  command.option('--json', 'Print JSON');
  const more = spec.more === undefined ? [] : ['', ...spec.more];
  command.addHelpText('after', [...more, '', 'Examples:', ...spec.examples.map((line) => `  ${line}`)].join('\n'));
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

function explain(error: unknown, context: Context, debug: boolean): ExitCode {
  if (error instanceof Failure) {
    fail(context, error.code, error.message, error.try);
    return EXIT_OF[error.kind];
  }
  if (systemCode(error) !== undefined) return explain(diskFailure(error, 'work with', pathIn(error)), context, debug);
  const message = error instanceof Error ? error.message : String(error);
  fail(
    context,
    'bug',
    `This is a bug in cadre: ${message} Run the command again with CADRE_DEBUG=1, and report what it prints.`,
  );
  if (debug && error instanceof Error) context.say(error.stack ?? '');
  return EXIT.failed;
}

/** Node puts the path that a system call was about into its error. */
function pathIn(error: unknown): string {
  return error instanceof Error && 'path' in error ? String(error.path) : 'a file';
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
