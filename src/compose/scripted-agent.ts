#!/usr/bin/env node
// cadre-scripted-agent: does what a script says, in place of an agent that a model drives. For the demo and the tests.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { startBeside, startDetached } from '../adapters/system/exec.ts';
import { watchFolders } from '../adapters/system/watcher.ts';
import { diskFailure, Failure } from '../core/model/failure.ts';
import { perform } from '../scripted-agent/agent.ts';
import { byItself } from '../scripted-agent/by-itself.ts';
import { attemptNumber, COMMANDS, type Command, commandsFor, parseScript, scriptIn } from '../scripted-agent/script.ts';
import { asRole } from '../signals/registry.ts';
import { showName, showText } from '../text/show.ts';

const USAGE = `Usage: cadre-scripted-agent [--script <file>] [--prompt-file <file>] [prompt]

Does what a script says: the file, else the one that $CADRE_SCRIPT names, else the first block marked "script" in the
prompt, else what the role in $CADRE_ROLE would do if all went well.

A command a line, "#" before a comment. "role <role>" and "attempt <n>" begin sections; an attempt's section holds from
that attempt ($CADRE_ATTEMPT) on. What stands before the first role is done by every role. Quotes are needed around
what has to stay one word, and for \\n, \\t, \\e in "..."; a text is the rest of the line.

${Object.entries(COMMANDS)
  .map(([name, { takes, does }]) => `  ${[name, ...takes].join(' ').padEnd(24)} ${does}`)
  .join('\n')}
`;

/** 128 and the number of the signal. */
const TERMINATED = 143;

/** The shell that leads the new session ends at once, so that nothing leads from here to what it started. */
const DAEMON = '"$@" & exit 0';

main().catch(stopWith);

async function main(): Promise<void> {
  let mayBeTerminated = true;
  process.on('SIGTERM', () => mayBeTerminated && process.exit(TERMINATED));
  // Whoever read the output has left: as with other programs, that is the end.
  process.stdout.on('error', () => process.exit(1));
  const given = argumentsFrom(process.argv.slice(2));
  if (given.help) return void process.stdout.write(USAGE);
  const commands = commandsFrom(given);
  const status = await perform(commands, {
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
  if (more.length > 0) throw usage(`There is more than one prompt: "${showName(more[0] ?? '')}". Put it in quotes.`);
  const file = values['prompt-file'];
  if (file !== undefined && prompt !== undefined) throw usage('The prompt is given twice, as a file and in words.');
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
    throw usage(error instanceof Error ? showText(error.message) : 'The arguments cannot be read.');
  }
}

function commandsFrom({ script, prompt }: Given): readonly Command[] {
  const { CADRE_ROLE = '', CADRE_ATTEMPT = '1', CADRE_PLAN: plan, CADRE_TASK: task } = process.env;
  const role = asRole(CADRE_ROLE);
  const attempt = attemptNumber(CADRE_ATTEMPT);
  if (attempt === undefined) throw usage(`CADRE_ATTEMPT is "${showName(CADRE_ATTEMPT)}", not a number from 1 on.`);
  const source = sourceOf(script ?? process.env.CADRE_SCRIPT, prompt);
  const parsed = parseScript(source.text, source.firstLine);
  if (parsed.kind === 'mistake') throw usage(`${source.name}: ${parsed.sentence}`);
  const { before, own } = commandsFor(parsed.script, role, attempt);
  const commands = own ?? (role === undefined ? undefined : byItself({ role, attempt, plan, task, prompt }));
  if (commands === undefined)
    throw usage(
      `There is no script for it, and "${showName(CADRE_ROLE)}" is no role with work of its own: set CADRE_ROLE, or give a script.`,
    );
  return [...before, ...commands];
}

interface Source {
  readonly name: string;
  readonly text: string;
  readonly firstLine: number;
}

function sourceOf(file: string | undefined, prompt: string): Source {
  if (file) return { name: showText(file), text: textOf(file), firstLine: 1 };
  const fenced = scriptIn(prompt);
  if (fenced.kind === 'open') throw usage('The block marked "script" in the prompt has no end.');
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
    // Said below, as for everything else that is no list.
  }
  throw usage(`CADRE_PROGRAM is not a list of words in JSON: "${showName(text)}".`);
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

/** The input is not touched before it is asked for. */
function lineReader(): () => Promise<string | undefined> {
  let lines: AsyncIterator<string> | undefined;
  return async () => {
    lines ??= createInterface({ input: process.stdin, terminal: false })[Symbol.asyncIterator]();
    const next = await lines.next();
    return next.done ? undefined : next.value;
  };
}
