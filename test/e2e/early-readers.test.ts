// Readers that leave before a command has printed everything, as `head` does: the command ends quietly.
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { textOf } from '../support/hosts.ts';
import { needing } from '../support/needs.ts';
import { PLAN, planRepo, tasksOf } from '../support/plan-runs.ts';
import { bringPlans, reachesStatus } from '../support/plans.ts';
import { eventually, MAIN, type Repo, startEngine, temporaryRepo } from '../support/repo.ts';

interface Printing {
  readonly process: ChildProcessByStdio<null, Readable, Readable>;
  /** The exit code, and what it wrote to standard error. */
  readonly ended: Promise<readonly [code: number | null, errors: string]>;
}

function start(repo: Repo, ...argv: readonly string[]): Printing {
  const child = spawn(process.execPath, [MAIN, ...argv], {
    cwd: repo.root,
    env: repo.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  return { process: child, ended: once(child, 'close').then(([code]) => [code, errors]) };
}

/** Resolves when something was printed, and leaves most of it unread. */
async function printed({ process }: Printing): Promise<void> {
  await once(process.stdout, 'readable');
}

/** What its commands print is more than what waits between two processes. */
function manyPlans(): Repo {
  const repo = temporaryRepo();
  bringPlans(repo, Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`plan-${index}.md`, 'ready'])));
  expect(repo.cadre('move', 'plan-0', 'plan_start')).toMatchObject({ code: 0 });
  return repo;
}

test('a command whose reader is head ends with 0', () => {
  const repo = manyPlans();
  for (const argv of ['log', 'log --json', 'status']) {
    const script = `{ "$0" "$1" ${argv}; echo "code $?" >&2; } | head -1`;
    const ran = spawnSync('sh', ['-c', script, process.execPath, MAIN], {
      cwd: repo.root,
      env: repo.env,
      encoding: 'utf8',
    });
    expect(ran.stdout.split('\n'), argv).toHaveLength(2);
    expect(ran.stderr, argv).toBe('code 0\n');
  }
});

needing('proc', () => {
  test('a command that waits for its reader ends with 0 when the reader leaves', async () => {
    const log = start(manyPlans(), 'log');
    await printed(log);
    await eventually(
      () => textOf(`/proc/${log.process.pid}/stat`).replace(/^.*\) /s, ''),
      (state) => state.startsWith('S'),
    );
    log.process.stdout.destroy();
    expect(await log.ended).toEqual([0, '']);
  });

  test('an engine whose log is on a full disk warns, and takes signals all the same', async () => {
    const repo = temporaryRepo();
    bringPlans(repo, { 'a.md': 'implementing' });
    const full = openSync('/dev/full', 'w');
    const stdio = ['ignore', full, full] as const;
    const engine = spawn(process.execPath, [MAIN, 'watch'], { cwd: repo.root, env: repo.env, stdio: [...stdio] });
    onTestFinished(() => void engine.kill('SIGKILL'));
    // That this plan was imported is a warning.
    await eventually(
      () => existsSync(repo.signals),
      (isThere) => isThere,
    );
    writeFileSync(join(repo.signals, 'implement-finished-a.md'), '');
    await reachesStatus(repo, 'a.md', 'reviewing');
    engine.kill('SIGTERM');
    expect(await once(engine, 'exit')).toEqual([0, null]);
  });
});

test('"cadre log --follow" ends with 0 at the first record that nobody reads', async () => {
  const repo = temporaryRepo();
  bringPlans(repo, { 'a.md': 'ready' });
  expect(repo.cadre('move', 'a', 'plan_start')).toMatchObject({ code: 0 });
  const log = start(repo, 'log', '--follow');
  await printed(log);
  log.process.stdout.destroy();
  expect(repo.cadre('move', 'a', 'planner_finished')).toMatchObject({ code: 0 });
  expect(await log.ended).toEqual([0, '']);
});

test('"cadre watch" ends with 0 at the first line that nobody reads, and another engine starts', async () => {
  const repo = temporaryRepo();
  bringPlans(repo, { 'a.md': 'ready' });
  const engine = start(repo, 'watch', '--json');
  await printed(engine);
  engine.process.stdout.destroy();
  expect(repo.cadre('move', 'a', 'plan_start')).toMatchObject({ code: 0 });
  expect(await engine.ended).toEqual([0, '']);
  await startEngine(repo);
});

test('"cadre run" ends with 0 at the first step that nobody reads, and the plan is built all the same', async () => {
  const repo = planRepo({ plan: tasksOf(['']) });
  const run = start(repo, 'run', PLAN);
  await printed(run);
  run.process.stdout.destroy();
  expect(await run.ended).toEqual([0, '']);
  await repo.until((world) => world.plans.get(PLAN)?.status === 'done');
});
