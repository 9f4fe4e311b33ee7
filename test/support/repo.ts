// A temporary repository with its own home, and the built program to run in it.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { checkAnswer } from './answers.ts';

/** The built program. CADRE_DIST selects another build. */
export const MAIN = resolve(process.env.CADRE_DIST ?? 'dist', 'main.js');

/** For `git init`: copying its sample hooks takes longer than everything else it does. */
export const TEMPLATE = `--template=${resolve('test/support/git-template')}`;

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Repo {
  readonly root: string;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly plans: string;
  readonly signals: string;
  /** cadre's own folder for this repository. The first step creates it. */
  state(): string;
  writePlan(name: string, text?: string): void;
  cadre(...argv: string[]): Ran;
  /** The same with other environment variables or standard input. */
  cadreWith(options: { env?: NodeJS.ProcessEnv; input?: string; cwd?: string }, ...argv: string[]): Ran;
  json(...argv: string[]): never;
  planState(): { plans: Record<string, { status: string }> };
  status(plan: string): string | undefined;
  git(...argv: string[]): string;
}

/** How a folder is removed in which a process that is ending may still write something: again, until it is empty. */
export const REMOVAL = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 } as const;

/** Removed when the test ends, passed or failed. */
export function temporaryRepo(folder?: string): Repo {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'cadre-test-')));
  onTestFinished(() => rmSync(base, REMOVAL));
  return repoIn(base, folder);
}

export function repoIn(base: string, folder = 'repo'): Repo {
  const root = join(base, folder);
  const home = join(base, 'home');
  const plans = join(root, 'docs', 'plans');
  const env: NodeJS.ProcessEnv = { PATH: process.env.PATH, HOME: base, CADRE_HOME: home, TZ: 'UTC' };
  mkdirSync(plans, { recursive: true });
  const git = (...argv: string[]): string => execFileSync('git', argv, { cwd: root, env, encoding: 'utf8' });
  git('init', '-q', '-b', 'main', TEMPLATE);
  const somebody = ['-c', 'user.name=t', '-c', 'user.email=t@t'];
  git(...somebody, '-c', 'maintenance.auto=false', 'commit', '-q', '--allow-empty', '-m', 'start');
  const cadreWith: Repo['cadreWith'] = (options, ...argv) => {
    const result = spawnSync(process.execPath, [MAIN, ...argv], {
      cwd: options.cwd ?? root,
      env: { ...env, ...options.env },
      input: options.input ?? '',
      encoding: 'utf8',
    });
    checkAnswer(argv, result.stdout);
    return { code: result.status ?? -1, stdout: result.stdout, stderr: result.stderr };
  };
  const planState: Repo['planState'] = () => JSON.parse(readFileSync(join(plans, 'plan-state.json'), 'utf8'));
  return {
    root,
    home,
    env,
    plans,
    signals: join(plans, '.signals'),
    state: () => {
      const [name] = readdirSync(join(home, 'repos'));
      return join(home, 'repos', name ?? '');
    },
    writePlan: (name, text = `# ${name}\n`) => writeFileSync(join(plans, name), text),
    cadre: (...argv) => cadreWith({}, ...argv),
    cadreWith,
    json: (...argv) => JSON.parse(cadreWith({}, ...argv, '--json').stdout) as never,
    planState,
    status: (plan) => planState().plans[plan]?.status,
    git,
  };
}

/** An agent program and a verify command that every machine has, so that a check-up finds nothing wrong. */
export function withAgentAndVerify(repo: Repo): Repo {
  writeFileSync(join(repo.root, 'cadre.json'), '{ "default_program": "sh", "verify": "true" }');
  return repo;
}

export interface Engine {
  readonly process: ChildProcess;
  /** Every line it has printed so far. */
  readonly lines: string[];
  /** Resolves with the first line that matches, printed already or later. */
  line(matches: RegExp): Promise<string>;
  /** Its exit code, once it has ended and all its lines have been read. */
  readonly ended: Promise<number | null>;
  stop(): Promise<number | null>;
  kill(): Promise<void>;
}

/** Starts `cadre watch` and waits until it takes signals. Killed when the test ends. */
export async function startEngine(repo: Repo, ...argv: string[]): Promise<Engine> {
  const engine = spawnEngine(repo, ...argv);
  onTestFinished(() => engine.kill());
  await engine.line(/^Engine of|"engine":"ready"/);
  return engine;
}

/** Starts `cadre watch` without waiting. The caller has to kill it. */
export function spawnEngine(repo: Repo, ...argv: string[]): Engine {
  const child = spawn(process.execPath, [MAIN, 'watch', ...argv], { cwd: repo.root, env: repo.env });
  // Not "exit": some of its last lines may not have been read by then.
  const ended = new Promise<number | null>((done) => child.once('close', done));
  const lines: string[] = [];
  const listeners = new Set<(line: string) => void>();
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      for (const listener of listeners) listener(line);
    });
  return {
    process: child,
    lines,
    ended,
    line: (matches) =>
      new Promise((found, failed) => {
        const look = (line: string): void => {
          if (!matches.test(line)) return;
          listeners.delete(look);
          found(line);
        };
        const before = lines.find((line) => matches.test(line));
        if (before !== undefined) return found(before);
        listeners.add(look);
        ended.then((code) => failed(new Error(`The engine ended (${code}) without ${matches}:\n${lines.join('\n')}`)));
      }),
    async stop() {
      child.kill('SIGTERM');
      return ended;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** How long something may take on a machine that does ten other things: only what hangs takes longer. In milliseconds. */
const PATIENCE = 60_000;

/** Polls until something holds; fails with what it saw last. */
export async function eventually<T>(
  look: () => T | Promise<T>,
  holds: (seen: T) => boolean,
  within = PATIENCE,
): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen;
    const waited = performance.now() - startedAt;
    if (waited > within) throw new Error(`Timed out after ${within} ms; last seen: ${JSON.stringify(seen)}`);
    await new Promise((again) => setTimeout(again, pauseAfter(waited)));
  }
}

/** The longer it takes the more rarely, since a look takes processor time from what it waits for. In milliseconds. */
function pauseAfter(waited: number): number {
  return Math.min(5 + waited / 20, 50);
}
