// One repository with one running engine for a whole test file, because starting one per test would take most of the time.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { bringPlans } from './plans.ts';
import { type Engine, eventually, REMOVAL, type Repo, repoIn, spawnEngine } from './repo.ts';

export interface Shared {
  readonly base: string;
  readonly repo: Repo;
  readonly engine: Engine;
}

/** Each test should use its own plans, so that no test depends on another. */
export function sharedEngine(states: Readonly<Record<string, string>>, text?: string): () => Shared {
  let shared: Shared | undefined;
  beforeAll(async () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'cadre-test-')));
    const repo = repoIn(base);
    // Its tests drop more signals that are refused than a person ever sees one by one.
    repo.env.CADRE_REFUSAL_BURST = '100000';
    bringPlans(repo, states, text);
    shared = { base, repo, engine: spawnEngine(repo) };
    await shared.engine.line(/w(as|ere) imported/);
  });
  afterAll(async () => {
    await shared?.engine.kill();
    if (shared !== undefined) rmSync(shared.base, REMOVAL);
  });
  return () => {
    if (shared === undefined) throw new Error('The engine has not been started.');
    return shared;
  };
}

/** Suspends the engine while `work` runs, so that it finds everything at once. `work` must take no lock: the engine may hold it. */
export async function whileStopped<T>(engine: Engine, work: () => T): Promise<T> {
  const { pid } = engine.process;
  process.kill(pid ?? 0, 'SIGSTOP');
  try {
    await eventually(
      () => spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout,
      (state) => state.startsWith('T'),
    );
    return work();
  } finally {
    process.kill(pid ?? 0, 'SIGCONT');
  }
}
