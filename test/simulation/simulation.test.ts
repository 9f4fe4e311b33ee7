// The simulation: the first 2,000 runs in "npm test", those up to 14,000 in "npm run test:ci", a fault in each.
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { isCi } from '../support/tier.ts';

const FIRST = 2_000;
const ALL = 14_000;
const [from, upTo] = isCi() ? [FIRST, ALL] : [0, FIRST];
const RUNS = upTo - from;
/** Much of what random stories try is refused. */
const LEAST_ACCEPTED = RUNS * (isCi() ? 1 : 1.5);

test(`${RUNS} simulated runs with kills, power failures and disk errors break no promise`, async () => {
  const argv = ['--runs', String(upTo), '--from', String(from)];
  const child = spawn(process.execPath, ['scripts/simulate.mjs', ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
  // It only computes; the tests that run at the same time measure time.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  const [output, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const tally = JSON.parse(output);
  process.stdout.write(`simulated runs: ${tally.runs}, violations: ${tally.failures.length} (${tally.seconds} s)\n`);
  expect(problems).toBe('');
  expect(tally.failures).toEqual([]);
  expect(tally.runs).toBe(RUNS);
  // A campaign with few faults, few transitions or no random stories would show little.
  expect(tally.faults).toBeGreaterThan(RUNS * 0.8);
  expect(tally.accepted).toBeGreaterThan(LEAST_ACCEPTED);
  for (const kind of ['kills', 'powerFailures', 'errors']) expect(tally[kind], kind).toBeGreaterThan(RUNS * 0.04);
  // Most of the first runs are of stories that somebody wrote.
  expect(tally.invented, 'invented').toBeGreaterThan(RUNS * 0.02);
}, 3_600_000);
