// The only place that starts other programs. Always argument lists, never a shell.
import { spawnSync } from 'node:child_process';
import { systemCode } from '../core/failure.ts';

export interface Finished {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Exit code 127 means that the program is not installed. */
export function run(argv: readonly string[], { cwd, env }: Surroundings = {}): Finished {
  return start(argv, ['ignore', 'pipe', 'pipe'], cwd, env);
}

/** Runs a program that finds an open file of ours as its descriptor 3. */
export function runWithFile(argv: readonly string[], file: number | undefined): Finished {
  return start(argv, ['ignore', 'pipe', 'pipe', file ?? 'ignore'], undefined, undefined);
}

function start(
  argv: readonly string[],
  stdio: ('ignore' | 'pipe' | number)[],
  cwd: string | undefined,
  env: Surroundings['env'],
): Finished {
  const [program = '', ...rest] = argv;
  const result = spawnSync(program, rest, {
    stdio,
    encoding: 'utf8',
    env: { ...(env ?? process.env) },
    ...(cwd === undefined ? {} : { cwd }),
  });
  if (result.error !== undefined) {
    if (systemCode(result.error) === 'ENOENT') return { exitCode: 127, stdout: '', stderr: `${program}: not found` };
    throw result.error;
  }
  return { exitCode: result.status ?? 1, stdout: result.stdout, stderr: result.stderr };
}
