// Several engines start at once: one of them gets the repository, and the others name it.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { MAIN, type Repo, temporaryRepo } from '../support/repo.ts';

interface Started {
  readonly pid: number;
  /** Its first line, and how it ended if it did. */
  readonly firstLine: string;
  readonly code: number | null;
}

test.each([2, 3, 4, 5, 6, 7, 8])('of %i engines that start at once exactly one runs', async (count) => {
  const repo = temporaryRepo();
  const started = await Promise.all(Array.from({ length: count }, () => startEngine(repo)));
  const running = started.filter((one) => one.firstLine.startsWith('Engine of'));
  expect(running).toHaveLength(1);
  for (const refused of started.filter((one) => !running.includes(one))) {
    expect(refused.code).toBe(3);
    expect(refused.firstLine).toMatch(/^(".+" \(pid \d+\)|Another process) is already the engine of this repository/);
  }
});

/** Waits for its first line: that it runs, or why it does not. */
async function startEngine(repo: Repo): Promise<Started> {
  const child = spawn(process.execPath, [MAIN, 'watch'], { cwd: repo.root, env: repo.env });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const firstLine = await new Promise<string>((arrived) => {
    for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).once('line', arrived);
  });
  return { pid: child.pid ?? 0, firstLine, code: firstLine.startsWith('Engine of') ? null : await ended };
}
