#!/usr/bin/env node
// cadre-scripted-agent: runs a script in place of an agent with a model. For the demo and the tests.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { startBeside, startDetached } from '../adapters/system/exec.ts';
import { watchFolders } from '../adapters/system/watcher.ts';
import { diskFailure, Failure } from '../core/model/failure.ts';
import { performScript } from '../scripted-agent/agent.ts';
import { defaultCommands, withVerdicts } from '../scripted-agent/default-script.ts';
import {
  commandsFor,
  parseScript,
  positiveNumber,
  SCRIPT_COMMANDS,
  type ScriptCommand,
  scriptIn,
} from '../scripted-agent/script.ts';
import { asRole } from '../signals/registry.ts';
import { showName, showText } from '../text/show.ts';

const USAGE = `Usage: cadre-scripted-agent [--script <file>] [--prompt-file <file>] [prompt]

Runs a script: the given file, else the file in $CADRE_SCRIPT, else the first block marked "script" in the prompt. Without
a script it does what the role in $CADRE_ROLE would do if everything went well.

One command per line; "#" starts a comment. "role <role>", "attempt <n>" and "turn <n>" start sections; the section of
an attempt ($CADRE_ATTEMPT) applies from that attempt on, that of a turn ($CADRE_TURN) also when an agent that failed is
started again for the same turn. Every role runs the commands before the first role. Put quotes around
words with spaces, and use "..." for \\n, \\t, \\e; a text is the rest of the line.

${Object.entries(SCRIPT_COMMANDS)
  .map(([name, { takes, does }]) => `  ${[name, ...takes].join(' ').padEnd(24)} ${does}`)
  .join('\n')}
`;

/** 128 plus the number of SIGTERM. */
const TERMINATED = 143;

/** The shell that leads the new session exits at once, so that the daemon has no parent that leads back here. */
const DAEMON = '"$@" & exit 0';

main().catch(stopWith);

async function main(): Promise<void> {
  let mayBeTerminated = true;
  process.on('SIGTERM', () => mayBeTerminated && process.exit(TERMINATED));
  // The reader of the output is gone: exit, as other programs do.
  process.stdout.on('error', () => process.exit(1));
  const given = argumentsFrom(process.argv.slice(2));
  if (given.help) return void process.stdout.write(USAGE);
  const commands = commandsFrom(given);
  const status = await performScript(commands, {
    cwd: process.cwd(),
    env: process.env,
    cadre: cadreFrom(process.env.CADRE_PROGRAM),
    write,
    nextLine: lineReader(),
    start: (argv, input) => startBeside(argv, { cwd: process.cwd(), env: process.env }, input),
    startDaemon: (argv) => startDetached(['/bin/sh', '-c', DAEMON, 'daemon', ...argv], { env: process.env }),
    watch: watchFolders,
    ignoreTermination: () => {
      mayBeTerminated = false;
    },
  });
  process.exit(status);
}

function stopWith(error: unknown): void {
  if (!(error instanceof Failure)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(error.kind === 'usage' ? 2 : 1);
}

interface Given {
  readonly help: boolean;
  readonly script: string | undefined;
  readonly prompt: string;
}

function argumentsFrom(argv: readonly string[]): Given {
  const { values, positionals } = parsed(argv);
  const [prompt, ...more] = positionals;
  if (more.length > 0) throw usage(`Too many arguments: "${showName(more[0] ?? '')}". Put the prompt in quotes.`);
  const file = values['prompt-file'];
  if (file !== undefined && prompt !== undefined)
    throw usage('Give the prompt as an argument or with --prompt-file, not both.');
  return {
    help: values.help === true,
    script: values.script,
    prompt: file === undefined ? (prompt ?? '') : textOf(file),
  };
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { script: { type: 'string' }, 'prompt-file': { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    });
  } catch (error) {
    throw usage(error instanceof Error ? showText(error.message) : 'The arguments are invalid.');
  }
}

function commandsFrom({ script, prompt }: Given): readonly ScriptCommand[] {
  const { CADRE_ROLE = '', CADRE_PLAN: plan, CADRE_TASK: task } = process.env;
  const role = asRole(CADRE_ROLE);
  const count = { attempt: numberIn('CADRE_ATTEMPT'), turn: numberIn('CADRE_TURN') };
  const source = sourceOf(script ?? process.env.CADRE_SCRIPT, prompt);
  const parsed = parseScript(source.text, source.firstLine);
  if (parsed.kind === 'mistake') throw usage(`${source.name}: ${parsed.sentence}`);
  const { before, own } = commandsFor(parsed.script, role, count);
  const commands =
    own ?? (role === undefined ? undefined : defaultCommands({ role, attempt: count.attempt, plan, task, prompt }));
  if (commands === undefined)
    throw usage(
      `There is no script, and the role "${showName(CADRE_ROLE)}" has no default work: set CADRE_ROLE, or give a script.`,
    );
  return [...before, ...commands].map((command) => withVerdicts(command, prompt));
}

function numberIn(variable: 'CADRE_ATTEMPT' | 'CADRE_TURN'): number {
  const text = process.env[variable] ?? '1';
  const number = positiveNumber(text);
  if (number === undefined) throw usage(`${variable} must be a positive integer, not "${showName(text)}".`);
  return number;
}

interface Source {
  readonly name: string;
  readonly text: string;
  readonly firstLine: number;
}

function sourceOf(file: string | undefined, prompt: string): Source {
  if (file) return { name: showText(file), text: textOf(file), firstLine: 1 };
  const fenced = scriptIn(prompt);
  if (fenced.kind === 'open') throw usage('The block marked "script" in the prompt is not closed.');
  return fenced.kind === 'none'
    ? { name: 'No script', text: '', firstLine: 1 }
    : { name: 'The prompt', text: fenced.text, firstLine: fenced.firstLine };
}

function cadreFrom(text: string | undefined): readonly string[] {
  if (text === undefined || text === '') return ['cadre'];
  try {
    const argv: unknown = JSON.parse(text);
    if (Array.isArray(argv) && argv.length > 0 && argv.every((word) => typeof word === 'string')) return argv;
  } catch {
    // Reported below, like everything else that is not a list.
  }
  throw usage(`CADRE_PROGRAM must be a JSON list of strings, not "${showName(text)}".`);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw usage(diskFailure(error, 'read', path).message);
  }
}

function usage(sentence: string): Failure {
  return new Failure('usage', 'usage', sentence);
}

function write(bytes: string | Uint8Array): Promise<void> {
  return new Promise((written) => process.stdout.write(bytes, () => written()));
}

/** Does not touch the input before the first line is requested. */
function lineReader(): () => Promise<string | undefined> {
  let lines: AsyncIterator<string> | undefined;
  return async () => {
    lines ??= createInterface({ input: process.stdin, terminal: false })[Symbol.asyncIterator]();
    const next = await lines.next();
    return next.done ? undefined : next.value;
  };
}
