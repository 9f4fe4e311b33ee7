// The engine in the background: begun by whoever needs it, it goes on until it is stopped.
import { closeSync, mkdirSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../core/model/failure.ts';
import { suggest } from '../../core/model/suggestion.ts';
import type { LockHolder } from '../../core/ports/locks.ts';
import { lastLines } from '../../text/sanitize.ts';
import { startDetached } from '../system/exec.ts';
import type { Repo } from './repo.ts';

export interface BackgroundPlaces {
  readonly repo: Repo;
  readonly env: NodeJS.ProcessEnv;
  /** How this program is called, as an argument list begins. */
  readonly itself: readonly string[];
  /** The engine that runs, whoever began it. */
  holder(): LockHolder | undefined;
}

export interface BackgroundEngine {
  readonly log: string;
  start(wishes: { readonly headless: boolean; readonly maxParallel?: number }): Promise<LockHolder>;
  stop(): Promise<LockHolder | undefined>;
  /** What it has warned of since `from`, a place in its log, and from where on to ask next. Without one, only where the log ends. */
  warnings(from?: number): Warnings;
}

export interface Warnings {
  readonly texts: readonly string[];
  readonly next: number;
}

const START_PATIENCE = 15_000;
const STOP_PATIENCE = 30_000;
const LOOK_EVERY = 20;

/** What it said is kept; more than this of it is begun anew. */
const LARGEST_LOG = 10 * 1024 * 1024;

export function backgroundEngine({ repo, env, itself, holder }: BackgroundPlaces): BackgroundEngine {
  const log = join(repo.state, 'engine.log');
  return {
    log,
    async start({ headless, maxParallel }) {
      const running = holder();
      if (running !== undefined) return mustFit(running, headless, maxParallel);
      mkdirSync(repo.state, { recursive: true, mode: 0o700 });
      const isFull = (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_LOG;
      const output = openSync(log, isFull ? 'w' : 'a', 0o600);
      try {
        await startDetached(
          [...itself, 'watch', '--json'],
          {
            cwd: repo.root,
            env: {
              ...env,
              ...(headless ? { CADRE_HOST: 'process' } : {}),
              ...(maxParallel === undefined ? {} : { CADRE_MAX_PARALLEL: `${maxParallel}` }),
            },
          },
          output,
        );
      } finally {
        closeSync(output);
      }
      return (await until(holder, (found) => found !== undefined, START_PATIENCE)) ?? notStarted(log);
    },
    async stop() {
      const running = holder();
      if (running === undefined) return undefined;
      try {
        process.kill(running.pid, 'SIGTERM');
      } catch {
        // It has just ended by itself.
      }
      const left = await until(holder, (found) => found?.pid !== running.pid, STOP_PATIENCE);
      if (left?.pid === running.pid)
        throw new Failure(
          'failed',
          'still-stopping',
          `The engine (pid ${running.pid}) was asked to stop, and has not within ${STOP_PATIENCE / 1000} s. What it does is in ${log}.`,
        );
      return running;
    },
    warnings(from) {
      const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
      if (from === undefined || size <= from) return { texts: [], next: size };
      const bytes = bytesFrom(log, from, size - from);
      const end = bytes.lastIndexOf('\n') + 1;
      return { texts: bytes.toString('utf8', 0, end).split('\n').flatMap(warningIn), next: from + end };
    },
  };
}

function bytesFrom(path: string, from: number, length: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, from));
  } finally {
    closeSync(file);
  }
}

/** An engine that dies writes lines that are no JSON. */
function warningIn(line: string): readonly string[] {
  try {
    const said: unknown = JSON.parse(line);
    return typeof said === 'object' && said !== null && 'warning' in said ? [String(said.warning)] : [];
  } catch {
    return [];
  }
}

/** A running engine has its host and its limit already. */
function mustFit(running: LockHolder, headless: boolean, maxParallel: number | undefined): LockHolder {
  if (!headless && maxParallel === undefined) return running;
  const whileItRuns = maxParallel === undefined ? [] : [suggest('config-set', 'max_parallel', `${maxParallel}`)];
  throw new Failure(
    'usage',
    'engine-runs',
    `An engine is already running (pid ${running.pid}), and ${headless ? '--headless' : '--max-parallel'} applies only when one starts.`,
    { try: [suggest('engine-stop'), ...whileItRuns] },
  );
}

async function until<T>(look: () => T, holds: (seen: T) => boolean, patience: number): Promise<T> {
  const deadline = performance.now() + patience;
  let seen = look();
  while (!holds(seen) && performance.now() < deadline) {
    await pause(LOOK_EVERY);
    seen = look();
  }
  return seen;
}

function notStarted(log: string): never {
  const said = lastLines(readFileSync(log, 'utf8'), 3).trim();
  throw new Failure('failed', 'engine-not-started', `The engine could not be started. It said: ${said || 'nothing'}`);
}
