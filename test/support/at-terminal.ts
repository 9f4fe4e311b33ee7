// The program as a person at a terminal runs it.

import { openApp } from '../../src/compose/app.ts';
import { Failure } from '../../src/core/model/failure.ts';
import { runProgram } from '../../src/surfaces/cli/program.ts';
import type { PlanRepo } from './plan-runs.ts';
import { MAIN, type Ran } from './repo.ts';

export async function atTerminal(repo: PlanRepo, ...argv: readonly string[]): Promise<Ran> {
  const [printed, said]: [string[], string[]] = [[], []];
  const unwanted = (): never => {
    throw new Error('Not used here.');
  };
  const { root: cwd, env } = repo;
  const app = openApp({ cwd, env, pid: process.pid, command: 'a test', itself: [process.execPath, MAIN] });
  const code = await runProgram(argv, {
    version: '0',
    debug: false,
    app: () => app,
    config: unwanted,
    playground: unwanted,
    print: (text) => void printed.push(text),
    say: (text) => void said.push(text),
    readInput: unwanted,
    runHere: unwanted,
    readFile: (path) => {
      throw new Failure('usage', 'ENOENT', `There is no ${path}.`);
    },
    isTerminal: () => true,
    stop: new AbortController().signal,
  }).finally(() => app.close());
  return { code, stdout: printed.join('\n'), stderr: said.join('\n') };
}
