// The short form of the simulation: 20,000 runs in "npm test", 100,000 in "npm run test:ci", a fault in each.
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { isCi } from '../support/tier.ts';

const RUNS = isCi() ? 100_000 : 20_000;

test(`${RUNS} simulated runs with kills, power failures and disk errors break no promise`, async () => {
  const child = spawn(process.execPath, ['scripts/simulate.mjs', '--runs', String(RUNS)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // It only computes; the tests that run at the same time have to be quick.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const [output, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const tally = JSON.parse(output);
  process.stdout.write(`simulated runs: ${tally.runs}, violations: ${tally.failures.length} (${tally.seconds} s)\n`);
  expect(problems).toBe('');
  expect(tally.failures).toEqual([]);
  expect(tally.runs).toBe(RUNS);
  // A campaign with few faults or few transitions would show nothing.
  expect(tally.faults).toBeGreaterThan(RUNS * 0.8);
  expect(tally.accepted).toBeGreaterThan(RUNS * 1.5);
  for (const kind of ['kills', 'powerFailures', 'errors']) expect(tally[kind], kind).toBeGreaterThan(RUNS * 0.04);
}, 3_600_000);
