// This process as a terminal program: its streams, its signals, and the app of the folder it stands in.
import { readFileSync, realpathSync } from 'node:fs';
import { repoName } from '../adapters/repo/repo.ts';
import { put } from '../adapters/system/output.ts';
import { decodeText } from '../adapters/system/signal-file.ts';
import { diskFailure, Failure, systemCode } from '../core/model/failure.ts';
import type { App } from '../surfaces/cli/app.ts';
import type { ExitCode } from '../surfaces/cli/context.ts';
import { runProgram } from '../surfaces/cli/program.ts';
import { showName } from '../text/show.ts';
import { VERSION } from '../version.ts';
import { openApp } from './app.ts';
import { openConfig } from './config.ts';

export { openApp, repoName };

export function run(argv: readonly string[]): Promise<ExitCode> {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stop.abort());
  let app: App | undefined;
  return runProgram(argv, {
    version: VERSION,
    debug: Boolean(process.env.CADRE_DEBUG),
    app() {
      app ??= openApp({
        cwd: currentFolder(),
        env: process.env,
        pid: process.pid,
        command: `cadre ${argv.join(' ')}`,
        itself: [process.execPath, process.argv[1] ?? ''],
        progress: say,
      });
      return app;
    },
    config: () =>
      openConfig({
        cwd: currentFolder(),
        env: process.env,
        pid: process.pid,
        command: `cadre ${argv.join(' ')}`,
        progress: say,
      }),
    async playground(wish) {
      const { openPlayground } = await import('./playground.ts');
      return openPlayground(wish, { main: realpathSync(process.argv[1] ?? ''), pid: process.pid });
    },
    print(text) {
      if (!put(`${text}\n`)) process.exit(0);
    },
    say,
    readInput,
    readFile(path) {
      try {
        return textOf(readFileSync(path), path);
      } catch (error) {
        if (error instanceof Failure) throw error;
        throw new Failure('usage', systemCode(error) ?? 'unreadable', diskFailure(error, 'read', path).message, {
          cause: error,
        });
      }
    },
    stop: stop.signal,
    isTerminal: () => process.stdout.isTTY === true,
  });
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new Failure('usage', 'no-folder', 'The folder you are in does not exist any more. Change to one that does.', {
      cause: error,
    });
  }
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return textOf(Buffer.concat(chunks), 'Standard input');
}

/** What is said is said in text; bytes that are none would arrive as something else. */
function textOf(bytes: Buffer, from: string): string {
  const text = decodeText(bytes);
  if (text !== undefined) return text;
  throw new Failure(
    'usage',
    'not-utf8',
    `${showName(from)} is not text in UTF-8 (or holds NUL bytes). Say it in text.`,
  );
}
