// Runs the program several times in parallel.
import { type ChildProcess, execFile } from 'node:child_process';
import { checkAnswer } from './answers.ts';
import { MAIN, type Ran } from './repo.ts';

/** Following a plan until it is done prints a lot. */
const LARGEST_OUTPUT = 64 * 1024 * 1024;

/** Starts the built program without blocking the test. */
export function start(
  argv: readonly string[],
  surroundings: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly input?: string },
  started: (child: ChildProcess) => void = () => undefined,
): Promise<Ran> {
  const { cwd, env, input = '' } = surroundings;
  return new Promise((done, fail) => {
    const options = { cwd, env, maxBuffer: LARGEST_OUTPUT };
    const child = execFile(process.execPath, [MAIN, ...argv], options, (_error, stdout, stderr) => {
      try {
        // A program that was killed may have printed half a line.
        if (child.exitCode !== null) checkAnswer(argv, stdout);
        done({ code: child.exitCode ?? -1, stdout, stderr });
      } catch (error) {
        fail(error);
      }
    });
    started(child);
    // A program may refuse before it has read all its input.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

/** Two at a time, in order: a starting program mostly waits for a processor. */
export async function inPairs<Of, To>(all: readonly Of[], work: (one: Of) => Promise<To>): Promise<readonly To[]> {
  const done: To[] = [];
  for (let index = 0; index < all.length; index += 2)
    done.push(...(await Promise.all(all.slice(index, index + 2).map(work))));
  return done;
}
