// Plans built by the built program, with real git and the scripted agent. Nothing of them outlives the test.
import type { ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { BEGINNING, type Position } from '../../src/adapters/journal/segments.ts';
import { SCRIPTED_PROGRAM } from '../../src/agents/programs/scripted.ts';
import { fold } from '../../src/core/journal/fold.ts';
import type { JournalRecord } from '../../src/core/model/record.ts';
import type { RunEntry } from '../../src/core/model/run.ts';
import { EMPTY_WORLD, type PlanEntry, type TaskEntry, type World } from '../../src/core/model/world.ts';
import type { PlanFile } from '../../src/plan/name.ts';
import { killIfThere, processesWith, textOf } from './hosts.ts';
import { openPieces, type Pieces } from './pieces.ts';
import { eventually, MAIN, type Ran } from './repo.ts';
import { type HostKind, type SessionRepo, sessionRepo } from './session-repo.ts';
import { start } from './several.ts';

export const PLAN = 'build-it.md' as PlanFile;
export const PLAN_BRANCH = 'plan/build-it';

/** How long a plan of a few tasks may take on a busy machine. */
const PATIENCE = 120_000;

export interface PlanRepo extends SessionRepo {
  /** A path next to the repository, where scripts, tests and the verify command exchange files. */
  at(name: string): string;
  world(): World;
  records(): readonly JournalRecord[];
  plan(): PlanEntry;
  task(address: string): TaskEntry;
  runOf(address: string): RunEntry;
  /** Waits until the condition holds. */
  until(holds: (world: World) => boolean, within?: number): Promise<World>;
  /** Waits until the task's run is in this state. */
  reaches(address: string, state: RunEntry['state'], stage?: RunEntry['stage']): Promise<RunEntry>;
  /** Waits until the file next to the repository exists. */
  appears(name: string): Promise<void>;
  /** Creates a file next to the repository that a script waits for. */
  go(name: string): void;
  /** Runs any command in the background. */
  start(...argv: readonly string[]): Promise<Ran>;
  /** The same in another folder. */
  startIn(folder: string, ...argv: readonly string[]): Promise<Ran>;
  /** `cadre run`, until it ends. */
  run(...argv: readonly string[]): Promise<Ran>;
  /** The same, but throws with diagnostics unless the plan is done. */
  built(...argv: readonly string[]): Promise<Ran>;
  worktree(address: string, attempt?: number): string;
  /** The processes of the session's program and its children. */
  processesOf(session: string): readonly number[];
  /** The output file of a session without a terminal. */
  outputOf(session: string): string;
  gitIn(folder: string, ...argv: readonly string[]): string;
  commit(ref: string): string;
  enginePid(): number | undefined;
  /** Writes a script for sh next to the repository. */
  script(name: string, text: string): void;
  /** Waits until the file next to the repository has content, and returns it. */
  written(name: string): Promise<string>;
  /** Writes note.sh next to the repository, with which an agent records in `started` that it was started. */
  noting(): void;
  killEngine(): Promise<void>;
}

interface Starting {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface PlanRepoOptions {
  readonly host?: HostKind;
  /** The name of the repository's folder. */
  readonly root?: string;
  /** Settings in cadre.json besides the program. `verify` is "none" by default. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The person's own settings. */
  readonly own?: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, string>>;
  /** The text of the plan; `tasksOf` writes one. */
  readonly plan?: string;
}

export function planRepo(options: PlanRepoOptions = {}): PlanRepo {
  const { host = 'process', root, settings = {}, own, files = {}, plan } = options;
  const repo = sessionRepo(host, root);
  const at = (name: string): string => join(repo.outside, name);
  bringAgent(at('bin'));
  repo.env.PATH = `${at('bin')}:${repo.env.PATH}`;
  repo.git('config', 'user.name', 'a person');
  repo.git('config', 'user.email', 'person@localhost');
  const config = { default_program: SCRIPTED_PROGRAM, verify: 'none', ...settings };
  for (const [path, text] of Object.entries({ 'cadre.json': `${JSON.stringify(config)}\n`, ...files })) {
    mkdirSync(dirname(join(repo.root, path)), { recursive: true });
    writeFileSync(join(repo.root, path), text);
  }
  if (own !== undefined) {
    mkdirSync(repo.home, { recursive: true });
    writeFileSync(join(repo.home, 'config.json'), JSON.stringify(own));
  }
  if (plan !== undefined) repo.writePlan(PLAN, plan);
  repo.git('add', '--all');
  repo.git('commit', '--quiet', '-m', 'start');
  let pieces: Pieces | undefined;
  const opened = (): Pieces => {
    pieces ??= openPieces(repo);
    return pieces;
  };
  let known: { readonly world: World; readonly position: Position } = { world: EMPTY_WORLD, position: BEGINNING };
  const world = (): World => {
    const { records, position } = opened().segments.read(known.position);
    known = { world: fold(known.world, records), position };
    return known.world;
  };
  const planEntry = (): PlanEntry => world().plans.get(PLAN) ?? missing(PLAN);
  const task = (address: string): TaskEntry =>
    planEntry().tasks.find((one) => one.address === address) ?? missing(`task ${address}`);
  const runOf = (address: string): RunEntry => task(address).run ?? missing(`a run of task ${address}`);
  const until: PlanRepo['until'] = async (holds, within = PATIENCE) => {
    let seen = world();
    await eventually(
      () => {
        seen = world();
        return holds(seen);
      },
      (isTrue) => isTrue,
      within,
    ).catch((error) => {
      throw new Error(`${error.message}\n${diagnostics(repo)}`);
    });
    return seen;
  };
  const enginePid = (): number | undefined => opened().locks.holder(opened().places.engineLock)?.pid;
  const killEngine = async (): Promise<void> => {
    const pid = enginePid();
    if (pid === undefined) return;
    killIfThere(pid);
    await eventually(enginePid, (now) => now !== pid);
  };
  const children = new Set<ChildProcess>();
  const startHere = (argv: readonly string[], options: Partial<Starting> = {}): Promise<Ran> =>
    start(argv, { cwd: repo.root, env: repo.env, ...options }, (child) => children.add(child));
  // In this order, the last first: a command would start a killed engine again, and the engine its agents.
  onTestFinished(killEngine);
  onTestFinished(() => {
    for (const child of children) child.kill('SIGKILL');
  });
  return {
    ...repo,
    at,
    world,
    records: () => opened().segments.read(BEGINNING).records,
    plan: planEntry,
    task,
    runOf,
    until,
    async reaches(address, state, stage) {
      await until(() => {
        const run = world()
          .plans.get(PLAN)
          ?.tasks.find((one) => one.address === address)?.run;
        return run?.state === state && (stage === undefined || run.stage === stage);
      });
      return runOf(address);
    },
    appears: async (name) => void (await until(() => existsSync(at(name)))),
    go: (name) => writeFileSync(at(name), ''),
    start: (...argv) => startHere(argv),
    startIn: (cwd, ...argv) => startHere(argv, { cwd }),
    run: (...argv) => startHere(['run', PLAN, '--json', ...argv]),
    built(...argv) {
      const built = startHere(['run', PLAN, '--json', ...argv]).then((ran) => {
        // An engine that is quicker than the command has built it already.
        if (ran.code === 0 || ran.stderr.includes('is done, so it cannot be run')) return ran;
        throw new Error(`The plan was not built (exit code ${ran.code}): ${ran.stderr}\n${diagnostics(repo)}`);
      });
      // Not an unhandled rejection if the test fails before it awaits this.
      built.catch(() => undefined);
      return built;
    },
    worktree: (address, attempt = 1) => join(repo.state(), 'worktrees', 'build-it', `t${address}-a${attempt}`),
    processesOf: (session) => processesWith(`CADRE_SESSION_FOLDER=${join(repo.state(), 'sessions', session)}`),
    outputOf: (session) => join(repo.state(), 'sessions', session, 'output.log'),
    gitIn: (folder, ...argv) => repo.git('-C', folder, ...argv).trim(),
    commit: (ref) => repo.git('rev-parse', ref).trim(),
    enginePid,
    script: (name, text) => writeFileSync(at(name), `${text}\n`),
    async written(name) {
      await until(() => textOf(at(name)) !== '');
      return textOf(at(name));
    },
    noting: () => writeFileSync(at('note.sh'), 'echo "$CADRE_SESSION $CADRE_ROLE" >>"$HOME/started"\n'),
    killEngine,
  };
}

function missing(what: string): never {
  throw new Error(`There is no ${what}.`);
}

/** Installs the scripted agent on the PATH. */
function bringAgent(folder: string): void {
  const built = resolve(dirname(MAIN), 'scripted-agent.js');
  chmodSync(built, 0o755);
  mkdirSync(folder);
  symlinkSync(built, join(folder, SCRIPTED_PROGRAM));
}

/** The log, the status and the engine's warnings. */
function diagnostics(repo: SessionRepo): string {
  const output = ['log', 'status']
    .map((command) => repo.cadre(command).stdout)
    .join('\n')
    .slice(-4_000);
  const causes = [...textOf(join(repo.state(), 'engine.log')).matchAll(/"(?:cause|text|warning)":"[^"]*"/g)];
  return `${output}\n${causes.map(([cause]) => cause).join('\n')}`;
}

/** A plan of tasks with these scripts. With an empty script, the agent does what it does by default. */
export function tasksOf(scripts: readonly string[], how: 'one-by-one' | 'parallel' = 'one-by-one'): string {
  const phase = how === 'parallel' ? '## Phase 1: All (parallel)\n\n' : '';
  const tasks = scripts.map((script, index) => {
    const block = script === '' ? 'Do it.' : `\`\`\`script\n${script.trim()}\n\`\`\``;
    return `### Task ${index + 1}: Part ${index + 1}\n\n${block}\n`;
  });
  return `# Build it\n\n${phase}${tasks.join('\n')}`;
}

/** The script of an implementer in a test that is not about implementing. */
export function implementing(file = 'made.txt'): string {
  return `append ${file} made\ncommit made\nsignal implement-finished`;
}

/**
 * The commit that was merged for each task. Throws if a commit was merged that was not verified and approved twice after
 * the last change.
 */
export function mergesOf(
  records: readonly JournalRecord[],
): readonly { readonly task: string; readonly pin: string }[] {
  const pins = new Map<string, { pin: string; passed: string[] }>();
  const merges: { readonly task: string; readonly pin: string }[] = [];
  for (const record of records) {
    for (const change of record.changes ?? [])
      if (change.of === 'run' && typeof change.change?.pinned === 'string')
        pins.set(change.task, { pin: change.change.pinned, passed: [] });
    if (!('task' in record) || typeof record.task !== 'string') continue;
    const mine = pins.get(record.task);
    const step = record.moves.find((move) => move.machine === 'coder')?.event ?? record.event;
    if (step === 'tests_pass' || step === 'stage_passed' || step === 'approve') mine?.passed.push(step);
    for (const effect of record.effects ?? [])
      if (
        effect.do === 'merge' &&
        (effect.pin !== mine?.pin || mine.passed.join() !== 'tests_pass,stage_passed,approve')
      )
        throw new Error(`Merging ${effect.pin}, but only ${mine?.pin} passed ${mine?.passed.join()}.`);
    if (step === 'merged') merges.push({ task: record.task, pin: mine?.pin ?? '' });
  }
  return merges;
}
