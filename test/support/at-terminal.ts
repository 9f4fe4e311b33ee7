// The program as a person at a terminal runs it.

import { openApp } from '../../src/compose/app.ts';
import { openConfig } from '../../src/compose/config.ts';
import { Failure } from '../../src/core/model/failure.ts';
import { runProgram } from '../../src/surfaces/cli/program.ts';
import type { PlanRepo } from './plan-runs.ts';
import { MAIN, type Ran } from './repo.ts';

/** `rung`: the texts with which the terminal was to draw attention to itself. */
export async function atTerminal(
  repo: PlanRepo,
  ...argv: readonly string[]
): Promise<Ran & { readonly rung: readonly string[] }> {
  const [printed, said, rung]: [string[], string[], string[]] = [[], [], []];
  const unwanted = (): never => {
    throw new Error('Not used here.');
  };
  const { root: cwd, env } = repo;
  const app = openApp({ cwd, env, pid: process.pid, command: 'a test', itself: [process.execPath, MAIN] });
  const code = await runProgram(argv, {
    version: '0',
    debug: false,
    show: () => undefined,
    app: () => app,
    config: () => openConfig({ cwd, env, pid: process.pid, command: 'a test' }),
    playground: unwanted,
    print: (text) => void printed.push(text),
    say: (text) => void said.push(text),
    prompt: unwanted,
    dropTyped: () => [],
    edit: unwanted,
    lines: unwanted,
    runCommand: unwanted,
    ring(_how, text) {
      rung.push(text);
      return [];
    },
    notifier: unwanted,
    readInput: unwanted,
    runHere: unwanted,
    createFile: unwanted,
    readFile: (path) => {
      throw new Failure('usage', 'ENOENT', `There is no ${path}.`);
    },
    terminal: () => undefined,
    isTerminal: () => true,
    ask: async () => true,
    stop: new AbortController().signal,
  }).finally(() => app.close());
  return { code, stdout: printed.join('\n'), stderr: said.join('\n'), rung };
}
