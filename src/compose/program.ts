// This process as a terminal program: its streams, its signals, and the app of the current folder.
import { realpathSync } from 'node:fs';
import { NO_TERMINAL, ringing } from '../adapters/notify/terminal.ts';
import { knownRepositories } from '../adapters/repo/known-repositories.ts';
import { homeFolder, repoName } from '../adapters/repo/repo.ts';
import { reportPrograms, runHere } from '../adapters/system/exec.ts';
import { put, say } from '../adapters/system/output.ts';
import { openTerminal } from '../adapters/terminal/terminal.ts';
import { dropTyped } from '../adapters/terminal/typed-ahead.ts';
import type { App } from '../app/app.ts';
import { currentWorld } from '../app/reads/world.ts';
import { Failure } from '../core/model/failure.ts';
import type { Delivery, Notifier } from '../core/ports/notify.ts';
import type { ColourUse, Context, ExitCode } from '../surfaces/cli/context.ts';
import { interfaceOptions } from '../surfaces/cli/interface-options.ts';
import { runProgram } from '../surfaces/cli/program.ts';
import { VERSION } from '../version.ts';
import { openApp, openPorts } from './app.ts';
import type { Opening } from './base.ts';
import { openConfig, rootAround } from './config.ts';
import { editText } from './editor.ts';
import { openNotifier } from './notifications.ts';
import { createText, readText, textOfFile } from './text-file.ts';

/** For benchmarks and for tests that kill processes. */
export { currentWorld, openPorts, repoName };

export function run(argv: readonly string[]): Promise<ExitCode> {
  const stop = new AbortController();
  const abort = (name?: NodeJS.Signals): void => stop.abort(name);
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, abort);
  return runOnce(argv, { stop: stop.signal, abort, readInput });
}

interface Running {
  readonly stop: AbortSignal;
  /** What Ctrl-C calls. */
  abort(): void;
  readInput(): Promise<string>;
}

/** A command that was typed at a prompt of this process: Ctrl-C ends the command, and not the prompt. */
async function runAtPrompt(argv: readonly string[], prompt: Running): Promise<ExitCode> {
  const own = new AbortController();
  const abort = (): void => own.abort();
  process.off('SIGINT', prompt.abort);
  process.once('SIGINT', abort);
  try {
    return await runOnce(argv, {
      stop: AbortSignal.any([prompt.stop, own.signal]),
      abort,
      async readInput() {
        throw new Failure('usage', 'no-text', 'Standard input belongs to the prompt. Type the text, or name a file.');
      },
    });
  } finally {
    process.off('SIGINT', abort);
    process.once('SIGINT', prompt.abort);
  }
}

function runOnce(argv: readonly string[], running: Running): Promise<ExitCode> {
  const { stop } = running;
  let colour: ColourUse = 'auto';
  const opening = (): Opening => ({
    cwd: currentFolder(),
    env: process.env,
    ...(colour === 'auto' ? {} : { colour }),
    pid: process.pid,
    command: `cadre ${argv.join(' ')}`.trim(),
    itself: itself(),
    // The interface draws on the whole terminal.
    ...(interfaceOptions(argv) === undefined ? { progress: say } : {}),
  });
  let app: App | undefined;
  return runProgram(argv, {
    version: VERSION,
    debug: Boolean(process.env.CADRE_DEBUG),
    show(what) {
      colour = what.colour;
      if (what.verbose) reportPrograms(say);
    },
    app() {
      app ??= openApp(opening());
      return app;
    },
    config: () => openConfig(opening()),
    async playground(request) {
      const { openPlayground } = await import('./playground.ts');
      return openPlayground(request, { main: realpathSync(process.argv[1] ?? ''), pid: process.pid });
    },
    print(text) {
      if (!put(`${text}\n`)) process.exit(0);
    },
    say,
    ring,
    notifier,
    readInput: running.readInput,
    readFile: readText,
    createFile: createText,
    runHere,
    stop,
    isTerminal: () => process.stdout.isTTY === true,
    terminal: () =>
      isAtTerminal() && process.stdout.isTTY === true && process.env.TERM !== 'dumb'
        ? seatHere(drawingIn(colour), () => openApp(opening()))
        : undefined,
    ask: (question) => ask(question, stop),
    prompt: (question) => typedLine(question, stop),
    dropTyped: () => (isAtTerminal() ? dropTyped(process.stdin) : []),
    edit: (text) => editText(text, process.env),
    async lines(reading) {
      const { openLines } = await import('./lines.ts');
      return openLines(reading, { isAtTerminal: isAtTerminal(), env: process.env, stop });
    },
    runCommand: (words) => runAtPrompt(words, running),
  }).finally(() => app?.close());
}

function seatHere(env: NodeJS.ProcessEnv, anotherApp: () => App): ReturnType<Context['terminal']> {
  return {
    terminal: openTerminal(env),
    machine: knownRepositories(homeFolder(process.env)),
    anotherApp,
    visit: (root) => runHere(['sh', '-c', 'cd "$1" && shift && exec "$@"', 'cadre', root, ...itself()]),
  };
}

/** For drawing on the terminal; programs that cadre starts keep what they have. */
function drawingIn(colour: ColourUse): NodeJS.ProcessEnv {
  if (colour === 'auto') return process.env;
  return { ...process.env, NO_COLOR: colour === 'never' ? '1' : '' };
}

function itself(): readonly [string, string] {
  return [process.execPath, process.argv[1] ?? ''];
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new Failure('usage', 'no-folder', 'The current folder no longer exists. Change to one that does.', {
      cause: error,
    });
  }
}

/** Into standard error: what is on standard output is what the command answers. */
function ring(how: Parameters<Context['ring']>[0], text: string): readonly Delivery[] {
  if (process.stdout.isTTY !== true || process.stderr.isTTY !== true) return NO_TERMINAL;
  const { bytes, deliveries } = ringing(how, text, process.env);
  process.stderr.write(bytes);
  return deliveries;
}

function notifier(): Notifier {
  return openNotifier(process.env, homeFolder(process.env), rootAround(currentFolder(), process.env) ?? null);
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return textOfFile(Buffer.concat(chunks), 'Standard input');
}

/** Undefined where nobody is at a terminal. The end of the input and Ctrl-C mean no. */
async function ask(question: string, stop: AbortSignal): Promise<boolean | undefined> {
  if (!isAtTerminal()) return undefined;
  return /^\s*y(?:es)?\s*$/i.test((await typedLine(`${question} [y/N] `, stop)) ?? '');
}

/** A line that was typed; undefined where nobody is at a terminal, at the end of the input, and on Ctrl-C. */
async function typedLine(question: string, stop: AbortSignal): Promise<string | undefined> {
  if (!isAtTerminal() || stop.aborted) return undefined;
  const { createInterface } = await import('node:readline');
  process.stderr.write(question);
  const lines = createInterface({ input: process.stdin });
  const answer = await new Promise<string | undefined>((given) => {
    lines.once('line', given);
    lines.once('close', () => given(undefined));
    stop.addEventListener('abort', () => lines.close(), { once: true });
  });
  lines.close();
  return answer;
}

function isAtTerminal(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}
