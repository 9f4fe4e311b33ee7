// kill -9 for real: at every failpoint, several times, and at moments left to chance. Nothing confirmed is ever lost.
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
import { type Repo, repoIn } from '../support/repo.ts';

const LIVE = resolve('test/support/programs/live.mjs');
const KILLS = Number(process.env.CADRE_KILLS ?? 200);
/** More than there are cores, since each of them waits for something half of the time. */
const AT_ONCE = 6;

/** A moment is so many milliseconds after so many words of the process, which says a few more than this. */
interface Moment {
  readonly words: number;
  readonly wait: number;
}
const MOST_WORDS = 24;
const LONGEST_WAIT = 80;

/** A torn end is repaired only where one was left: these need a process that died while writing, before them. */
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

test(`${KILLS} processes killed at every failpoint and at chance moments leave nothing lost, doubled or undone`, async () => {
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
    'failpoints that no run came to',
  ).toEqual([]);

  // Some moments come after the end of a process, which then was not killed: others are chosen in their place.
  const random = randomFrom(KILLS);
  for (let round = 0; round < 10 && kills < KILLS; round++) {
    const moments = Array.from({ length: KILLS - kills }, () => ({
      words: random.below(MOST_WORDS),
      wait: random.below(LONGEST_WAIT),
    }));
    await inParallel(moments, async (moment) =>
      note(`${moment.wait} ms after ${moment.words} words`, await dieAfter(moment)),
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

/** A repository, something that happens in it, a process that puts things in order, and the look at what is left. */
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
    rmSync(base, { recursive: true, force: true });
  }
}

/** Runs the process and hears what it was promised. Whether it was killed is the answer; any other failure is one. */
async function run(
  repo: Repo,
  checker: Checker,
  env: NodeJS.ProcessEnv,
  killAfter?: Moment,
  ...argv: readonly string[]
): Promise<boolean> {
  const child = spawn(process.execPath, [LIVE, ...argv], { cwd: repo.root, env: { ...repo.env, ...env } });
  let timer: NodeJS.Timeout | undefined;
  const hear = (words: number): void => {
    if (killAfter !== undefined && words >= killAfter.words)
      timer ??= setTimeout(() => child.kill('SIGKILL'), killAfter.wait);
  };
  hear(0);
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    said += chunk;
    hear(said.split('\n').length - 1);
  });
  const signal = await new Promise<NodeJS.Signals | null>((ended) => child.once('close', (_code, name) => ended(name)));
  clearTimeout(timer);
  // What was cut off in the middle of a line was never heard, so it is no promise.
  for (const line of said
    .slice(0, said.lastIndexOf('\n') + 1)
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
