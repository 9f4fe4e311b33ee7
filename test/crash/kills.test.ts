// kill -9 for real: several times at every failpoint, and at random moments. Nothing confirmed is ever lost.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { findRepo } from '../../src/adapters/repo/repo.ts';
import { disk } from '../../src/adapters/system/disk.ts';
import { FAILPOINTS, type Failpoint } from '../../src/adapters/system/failpoints.ts';
import { Checker } from '../simulation/checker.ts';
import { randomFrom } from '../simulation/random.ts';
import { REMOVAL, type Repo, repoIn } from '../support/repo.ts';
import { isCi } from '../support/tier.ts';

const LIVE = resolve('test/support/programs/live.mjs');
const KILLS = Number(process.env.CADRE_KILLS ?? (isCi() ? 200 : 60));
/** More than there are cores, because each of them waits half of the time. */
const AT_ONCE = 6;

/** So many milliseconds after the process has printed so many lines. It prints a few more than the most chosen here. */
interface Moment {
  readonly lines: number;
  readonly wait: number;
}
const MOST_LINES = 24;
const LONGEST_WAIT = 80;

/** These are reached only when a torn end is repaired, so another process has to die while writing first. */
const AFTER_A_TEAR: ReadonlySet<Failpoint> = new Set<Failpoint>([
  'journal.truncate.before',
  'journal.truncate.after',
  'torn-copy.write.mid',
  'torn-copy.sync.after',
]);

interface Died {
  readonly killed: boolean;
  readonly violations: readonly string[];
}

test(`${KILLS} processes killed at every failpoint and at chance moments leave nothing lost, repeated or unfinished`, async () => {
  const hit = new Set<Failpoint>();
  const violations: string[] = [];
  let kills = 0;
  const note = (name: string, died: Died): void => {
    if (died.killed) kills += 1;
    violations.push(...died.violations.map((violation) => `${name}: ${violation}`));
  };

  await inParallel(
    FAILPOINTS.flatMap((point) => [1, 2, 3].map((nth) => ({ point, nth }))),
    async ({ point, nth }) => {
      const died = await dieAt(point, nth);
      if (died.killed) hit.add(point);
      note(`${point}:${nth}`, died);
    },
  );
  expect(
    FAILPOINTS.filter((point) => !hit.has(point)),
    'failpoints that no run reached',
  ).toEqual([]);

  // A process may end before its moment comes and is not killed then; another moment is chosen instead.
  const random = randomFrom(KILLS);
  for (let round = 0; round < 10 && kills < KILLS; round++) {
    const moments = Array.from({ length: KILLS - kills }, () => ({
      lines: random.below(MOST_LINES),
      wait: random.below(LONGEST_WAIT),
    }));
    await inParallel(moments, async (moment) =>
      note(`${moment.wait} ms after ${moment.lines} lines`, await dieAfter(moment)),
    );
  }

  process.stdout.write(`real kills: ${kills}, violations: ${violations.length}\n`);
  const result = process.env.CADRE_KILLS_RESULT;
  if (result !== undefined)
    writeFileSync(result, JSON.stringify({ kills, failpoints: hit.size, violations: violations.length }));
  expect(violations).toEqual([]);
  expect(kills, 'too few processes died to show anything').toBeGreaterThanOrEqual(KILLS);
}, 1_800_000);

function dieAt(point: Failpoint, nth: number): Promise<Died> {
  return withRepo(async (repo, checker) => {
    if (AFTER_A_TEAR.has(point)) await run(repo, checker, { CADRE_FAILPOINT: `journal.write.mid:${nth + 2}` });
    return run(repo, checker, { CADRE_FAILPOINT: AFTER_A_TEAR.has(point) ? point : `${point}:${nth}` });
  });
}

function dieAfter(moment: Moment): Promise<Died> {
  return withRepo((repo, checker) => run(repo, checker, {}, moment));
}

/** A repository, something that happens in it, a process that cleans up, and a check of what is left. */
async function withRepo(happens: (repo: Repo, checker: Checker) => Promise<boolean>): Promise<Died> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'cadre-crash-')));
  try {
    const repo = repoIn(base);
    for (const plan of ['x.md', 'y.md', 'z.md']) repo.writePlan(plan);
    mkdirSync(repo.signals, { recursive: true });
    const checker = new Checker(disk, findRepo(repo.root, repo.env));
    const killed = await happens(repo, checker);
    await run(repo, checker, {}, undefined, 'settle');
    checker.look();
    checker.atRest();
    return { killed, violations: checker.violations };
  } catch (error) {
    return { killed: false, violations: [error instanceof Error ? error.message : String(error)] };
  } finally {
    rmSync(base, REMOVAL);
  }
}

/** Runs the process and records what was promised to it. Returns whether it was killed; any other failure throws. */
async function run(
  repo: Repo,
  checker: Checker,
  env: NodeJS.ProcessEnv,
  killAfter?: Moment,
  ...argv: readonly string[]
): Promise<boolean> {
  const child = spawn(process.execPath, [LIVE, ...argv], { cwd: repo.root, env: { ...repo.env, ...env } });
  let timer: NodeJS.Timeout | undefined;
  const onLines = (lines: number): void => {
    if (killAfter !== undefined && lines >= killAfter.lines)
      timer ??= setTimeout(() => child.kill('SIGKILL'), killAfter.wait);
  };
  onLines(0);
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    output += chunk;
    onLines(output.split('\n').length - 1);
  });
  const signal = await new Promise<NodeJS.Signals | null>((ended) => child.once('close', (_code, name) => ended(name)));
  clearTimeout(timer);
  // An incomplete line was never received, so it does not count as a promise.
  for (const line of output
    .slice(0, output.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1)) {
    const { promised, dropped } = JSON.parse(line);
    if (promised !== undefined) checker.acknowledged(promised);
    if (dropped !== undefined) checker.dropped(dropped);
  }
  if (signal !== 'SIGKILL' && errors !== '') throw new Error(errors);
  return signal === 'SIGKILL';
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const next = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}
