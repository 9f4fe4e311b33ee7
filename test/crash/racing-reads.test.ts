// Eight processes read and write at once: no reader takes a commit of another process for a lost or damaged journal.
import { spawn } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { MAIN, type Repo, temporaryRepo, withAgentAndVerify } from '../support/repo.ts';

const PROCESSES = 8;
const PLANS = 20;
/** `npm run test:long` does all of them. */
const TIMES = Number(process.env.CADRE_RACING ?? 4_000);

interface Done {
  readonly reads: number;
  readonly writes: number;
  readonly told: readonly string[];
}

test(`${TIMES} reads and writes by ${PROCESSES} processes raise no false alarm`, { timeout: 3_600_000 }, async () => {
  const repo = withAgentAndVerify(temporaryRepo());
  for (let number = 0; number < PLANS; number++) {
    repo.writePlan(`p${number}.md`);
    expect(repo.cadre('register', `p${number}.md`).code).toBe(0);
  }
  const all = await Promise.all(Array.from({ length: PROCESSES }, (_none, seed) => race(repo, seed + 1)));
  expect(all.flatMap(({ told }) => told).slice(0, 5)).toEqual([]);
  const [reads, writes] = [all.reduce((sum, one) => sum + one.reads, 0), all.reduce((sum, one) => sum + one.writes, 0)];
  expect(reads + writes).toBe(Math.ceil(TIMES / PROCESSES) * PROCESSES);
  expect(writes).toBeGreaterThan(TIMES / 10);
  expect(repo.cadre('doctor', '--json').code).toBe(0);
});

async function race(repo: Repo, seed: number): Promise<Done> {
  const program = resolve('test/support/programs/race-reads.mjs');
  const times = Math.ceil(TIMES / PROCESSES);
  const child = spawn(process.execPath, [program, String(times), String(PLANS), String(seed)], {
    cwd: repo.root,
    env: { ...repo.env, CADRE_DIST: dirname(MAIN) },
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(errors).toBe('');
  return JSON.parse(output);
}
