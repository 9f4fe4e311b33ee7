// A foreign program that holds a lock: flock(1), as a user's script would run it.
import { type ChildProcess, spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';

/** The holder's command line: flock(1) executes the program that it was given. */
export const FOREIGN_COMMAND = 'sh -c echo held; read wait';

/** Resolves once it holds the lock. It does so until it is killed or the test ends. */
export async function foreignHolder(path: string, ...remark: readonly string[]): Promise<ChildProcess> {
  const argv = ['--no-fork', path, 'sh', '-c', 'echo held; read wait', ...remark];
  const child = spawn('flock', argv, { stdio: 'pipe' });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await new Promise<void>((held, failed) => {
    child.stdout.once('data', () => held());
    child.once('exit', (code) => failed(new Error(`flock(1) ended with ${code}.`)));
  });
  return child;
}
