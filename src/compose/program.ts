// This process as a terminal program: its streams, its signals, and the app of the current folder.
import { realpathSync } from 'node:fs';
import { repoName } from '../adapters/repo/repo.ts';
import { runHere } from '../adapters/system/exec.ts';
import { put } from '../adapters/system/output.ts';
import type { App } from '../app/app.ts';
import { currentWorld } from '../app/reads/world.ts';
import { Failure } from '../core/model/failure.ts';
import type { ExitCode } from '../surfaces/cli/context.ts';
import { runProgram } from '../surfaces/cli/program.ts';
import { VERSION } from '../version.ts';
import { openApp, openPorts } from './app.ts';
import { openConfig } from './config.ts';
import { readText, textOf } from './text-file.ts';

/** For benchmarks and for tests that kill processes. */
export { currentWorld, openPorts, repoName };

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
    async playground(request) {
      const { openPlayground } = await import('./playground.ts');
      return openPlayground(request, { main: realpathSync(process.argv[1] ?? ''), pid: process.pid });
    },
    print(text) {
      if (!put(`${text}\n`)) process.exit(0);
    },
    say,
    readInput,
    readFile: readText,
    runHere,
    stop: stop.signal,
    isTerminal: () => process.stdout.isTTY === true,
  }).finally(() => app?.close());
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

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return textOf(Buffer.concat(chunks), 'Standard input');
}
