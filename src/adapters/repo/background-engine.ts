// The engine as a background process: any command that needs it starts it, and it runs until it is stopped.
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
  /** How to call this program: the first words of an argument list. */
  readonly itself: readonly string[];
  /** The running engine, however it was started. */
  holder(): LockHolder | undefined;
}

export interface EngineOptions {
  readonly headless: boolean;
  readonly maxParallel?: number;
}

export interface BackgroundEngine {
  readonly log: string;
  /** Throws a Failure if the engine that is running was not started with these options. */
  check(options: EngineOptions): void;
  start(options: EngineOptions): Promise<LockHolder>;
  stop(): Promise<LockHolder | undefined>;
  /** The warnings after position `from` of the log. Without `from`, only the position of the log's end. */
  warnings(from?: number): Warnings;
}

export interface Warnings {
  readonly texts: readonly string[];
  /** The position to ask from next time. */
  readonly next: number;
}

const START_TIMEOUT = 15_000;
const STOP_TIMEOUT = 30_000;
const POLL_EVERY = 20;

/** A larger log is emptied when an engine starts. */
const LARGEST_LOG = 10 * 1024 * 1024;

export function backgroundEngine(places: BackgroundPlaces): BackgroundEngine {
  const { repo, holder } = places;
  const log = join(repo.state, 'engine.log');
  return {
    log,
    check(options) {
      const running = holder();
      if (running !== undefined) requireSameOptions(running, options);
    },
    async start(options) {
      const running = holder();
      if (running !== undefined) return requireSameOptions(running, options);
      mkdirSync(repo.state, { recursive: true, mode: 0o700 });
      await startProcess(places, log, options);
      return (await pollUntil(holder, (found) => found !== undefined, START_TIMEOUT)) ?? notStarted(log);
    },
    async stop() {
      const running = holder();
      if (running === undefined) return undefined;
      try {
        process.kill(running.pid, 'SIGTERM');
      } catch {
        // It has just ended.
      }
      const left = await pollUntil(holder, (found) => found?.pid !== running.pid, STOP_TIMEOUT);
      if (left?.pid === running.pid)
        throw new Failure(
          'failed',
          'still-stopping',
          `The engine (pid ${running.pid}) did not stop within ${STOP_TIMEOUT / 1000} s. Its log is ${log}.`,
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

async function startProcess(
  { repo, env, itself }: BackgroundPlaces,
  log: string,
  options: EngineOptions,
): Promise<void> {
  const { headless, maxParallel } = options;
  const isFull = (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_LOG;
  const output = openSync(log, isFull ? 'w' : 'a', 0o600);
  const variables = {
    ...(headless ? { CADRE_HOST: 'process' } : {}),
    ...(maxParallel === undefined ? {} : { CADRE_MAX_PARALLEL: `${maxParallel}` }),
  };
  try {
    await startDetached([...itself, 'watch', '--json'], { cwd: repo.root, env: { ...env, ...variables } }, output);
  } finally {
    closeSync(output);
  }
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

/** A crashing engine writes lines that are not JSON. */
function warningIn(line: string): readonly string[] {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === 'object' && entry !== null && 'warning' in entry ? [String(entry.warning)] : [];
  } catch {
    return [];
  }
}

/** The host and the limit of a running engine are fixed. */
function requireSameOptions(running: LockHolder, { headless, maxParallel }: EngineOptions): LockHolder {
  if (!headless && maxParallel === undefined) return running;
  const whileItRuns = maxParallel === undefined ? [] : [suggest('config-set', 'max_parallel', `${maxParallel}`)];
  throw new Failure(
    'usage',
    'engine-runs',
    `An engine is already running (pid ${running.pid}), and ${headless ? '--headless' : '--max-parallel'} applies only when one starts.`,
    { try: [suggest('engine-stop'), ...whileItRuns] },
  );
}

async function pollUntil<T>(look: () => T, holds: (found: T) => boolean, timeout: number): Promise<T> {
  const deadline = performance.now() + timeout;
  let found = look();
  while (!holds(found) && performance.now() < deadline) {
    await pause(POLL_EVERY);
    found = look();
  }
  return found;
}

function notStarted(log: string): never {
  const lines = lastLines(readFileSync(log, 'utf8'), 3).trim();
  throw new Failure(
    'failed',
    'engine-not-started',
    `The engine could not be started. Its last output: ${lines || 'none'}`,
  );
}
