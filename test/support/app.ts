// The ports of the app in memory: the real rules on a journal without a disk, and a note of everything that was asked.

import type { AppPorts } from '../../src/app/ports.ts';
import { fold } from '../../src/core/journal/fold.ts';
import type { Sight } from '../../src/core/model/activity.ts';
import type { By, Event } from '../../src/core/model/event.ts';
import { Failure } from '../../src/core/model/failure.ts';
import type { WorktreeFacts } from '../../src/core/model/run.ts';
import { EMPTY_WORLD, type World } from '../../src/core/model/world.ts';
import type { Cleanup } from '../../src/core/ports/cleanup.ts';
import { START } from '../../src/core/ports/journal.ts';
import type { KeptWork } from '../../src/core/ports/kept.ts';
import type { LockHolder } from '../../src/core/ports/locks.ts';
import type { PlanReading } from '../../src/core/ports/plan-files.ts';
import type { Sessions } from '../../src/core/ports/sessions.ts';
import { decideAll, decideTogether } from '../../src/core/rules/decide.ts';
import { DEFAULT_POLICY } from '../../src/core/settings/default-policy.ts';
import { DEFAULTS } from '../../src/core/settings/settings.ts';
import { type PlanFile, planFile } from '../../src/plan/name.ts';
import { outlineOf } from '../../src/plan/outline.ts';
import { parse } from '../../src/plan/parse.ts';
import type { Message } from '../../src/signals/message.ts';
import { MemoryLog, memoryJournal } from './memory-journal.ts';
import { NOW, USER } from './world.ts';

export interface Fake {
  readonly ports: AppPorts;
  /** What was asked of the outside, in order: "worktree x.md", "landing x.md", "start engine". */
  readonly asked: string[];
  /** The commands that agents were refused. */
  readonly reported: string[];
  readonly dropped: Message[];
  /** Texts in the engine's log. */
  readonly warnings: string[];
  /** Questions on the screens of sessions, by session. */
  readonly questions: Map<string, string>;
  /** Milliseconds of the monotonic clock. */
  elapsed: number;
  /** Makes the host of the sessions fail. */
  hostFails: boolean;
  engine: LockHolder | undefined;
  /** Where there is no engine: whether the last one was killed, and whether another one fails to start. */
  engineWasKilled: boolean;
  engineFails: boolean;
  /** What keeps the engine from its work. */
  problem: string | undefined;
  world(): World;
  /** As another process would: what the engine observes, what an agent claims. */
  submit(...events: readonly Event[]): void;
}

export interface FakeOptions {
  readonly by?: By;
  /** The texts of the plan files, the newest file first. */
  readonly files?: Readonly<Record<string, string>>;
  /** The world to start from. */
  readonly world?: World;
  /** What happened after that, each event accepted. */
  readonly events?: readonly Event[];
  readonly worktree?: WorktreeFacts;
  /** What is seen of the branches of a plan, and the done tasks whose work is not on them. */
  readonly branches?: readonly Event[];
  readonly lost?: readonly string[];
  readonly installed?: readonly string[];
  readonly kept?: KeptWork;
  readonly cleanup?: Cleanup;
}

export function fakeApp({ by = USER, files = {}, events = [], ...rest }: FakeOptions = {}): Fake {
  const log = new MemoryLog();
  const journal = memoryJournal(log);
  let world = rest.world ?? EMPTY_WORLD;
  const submit = (wanted: readonly Event[]) => {
    const { decisions, records } = decideAll(world, wanted, NOW);
    world = fold(world, records);
    log.append(records);
    return decisions;
  };
  const fake: Fake = {
    asked: [],
    reported: [],
    dropped: [],
    warnings: [],
    questions: new Map(),
    elapsed: 0,
    hostFails: false,
    engine: undefined,
    engineWasKilled: false,
    engineFails: false,
    problem: undefined,
    world: () => world,
    submit(...wanted) {
      for (const [index, decision] of submit(wanted).entries())
        if (decision.kind === 'refused') throw new Error(`${JSON.stringify(wanted[index])}: ${decision.why}`);
    },
    get ports() {
      return ports;
    },
  };
  const names = Object.keys(files).flatMap((name) => planFile(name) ?? []);
  const ports: AppPorts = {
    root: '/repo',
    by,
    cadre: ['cadre'],
    promptAdditions: () => [],
    promptOf: async (_world, { plan }, { turn, tree }) => ({
      opening: `You are told about ${plan}, ${tree.name}: ${turn}.`,
      sections: [],
    }),
    speaker:
      by.who === 'agent' ? { name: by.session ?? 'outside', role: by.role } : { name: 'outside', role: 'outside' },
    clock: { now: () => NOW, elapsed: () => fake.elapsed },
    gateway: {
      submit: async (wanted) => ({ answers: submit(wanted), notes: [] }),
      async attempt(wanted) {
        const { decisions, records } = decideTogether(world, wanted, NOW);
        world = fold(world, records);
        log.append(records);
        return { answers: decisions, notes: [] };
      },
      look: async () => world,
      confirmed: async () => world,
      settle: async () => [],
      rebuildPlanState: async () => undefined,
    },
    journal: {
      records: async () => log.records,
      lastRecords: async ({ isWanted, count }) => log.records.filter(isWanted).slice(-count),
      async *follow(seq, stop) {
        for await (const record of journal.follow(START, stop)) if (record.seq > seq) yield record;
      },
    },
    planFiles: planFilesIn(files, names),
    repository: {
      planAt: (path) => planFile(path.replace(/^docs\/plans\//, '')),
      planFileExists: (plan) => files[plan] !== undefined,
      titleOf: () => '',
      headCommit: () => 'c0ffee',
      isInstalled: (program) => (rest.installed ?? ['claude']).includes(program),
      isFile: (path) => files[path.replace(/^.*\//, '')] !== undefined,
      pathInside: (path) => path,
      createPlan: () => false,
      readText(path) {
        const text = files[path.replace(/^.*\//, '')];
        if (text === undefined) throw new Failure('usage', 'ENOENT', `Could not read ${path}.`);
        return text;
      },
    },
    facts: {
      async forSignal(_world, signal) {
        fake.asked.push(`signal ${signal.name}`);
        return signal;
      },
      async ofWorktree(plan, { branch }) {
        fake.asked.push(`worktree ${plan} ${branch}`);
        return rest.worktree;
      },
      async ofLanding({ plan }) {
        fake.asked.push(`landing ${plan}`);
        return undefined;
      },
      async ofBranches({ plan }) {
        fake.asked.push(`branches ${plan}`);
        return rest.branches ?? [];
      },
      ofLinks: async () => [],
      lostWork: async () => rest.lost ?? [],
    },
    signals: {
      waiting: () => fake.dropped.length,
      ownerOfKey: (key) => key.split('.')[0],
      drop: (message) => void fake.dropped.push(message),
      reportForbiddenCommand: (command) => void fake.reported.push(command),
      report: () => undefined,
    },
    quarantine: { keep: unused, keepMany: unused, show: () => undefined, putBack: unused, discard: unused },
    engine: {
      holder: () => fake.engine,
      problem: () => fake.problem,
      wasKilled: () => fake.engine === undefined && fake.engineWasKilled,
      check({ headless }) {
        if (fake.engine !== undefined && headless) throw new Failure('usage', 'engine-runs', 'It has other options.');
      },
      async start() {
        fake.asked.push('start engine');
        if (fake.engineFails) throw new Failure('failed', 'engine-not-started', 'The engine could not be started.');
        fake.engine ??= { pid: 1, command: 'cadre watch' };
        return fake.engine;
      },
      async stop() {
        const stopped = fake.engine;
        fake.engine = undefined;
        return stopped;
      },
      run: unused,
      perform: async (effects) => void fake.asked.push(`perform ${effects.join()}`),
      log: '/home/engine.log',
      warnings: (from = fake.warnings.length) => ({ texts: fake.warnings.slice(from), next: fake.warnings.length }),
    },
    planState: { problem: () => undefined, statusOf: () => undefined },
    diskProblem: () => undefined,
    config: {
      by,
      paths: { global: '/home/config.json', project: '/repo/cadre.json' },
      read: async () => ({ settings: DEFAULTS, from: {}, problems: [], warnings: [] }),
      known: async () => [],
      set: unused,
    },
    sessions: async () => sessionsIn(fake),
    changes: unused,
    async preflight() {
      fake.asked.push('preflight');
      return { warnings: [], verify: 'npm test', setup: null, programs: {}, maxParallel: 2, policy: DEFAULT_POLICY };
    },
    init: { look: unused, textOf: unused, write: unused },
    runPaths: { worktreeOf: () => undefined, lastOutput: () => undefined },
    checkUp: async () => [],
    repairs: async () => ({ find: async () => [], apply: async () => undefined }),
    readiness: async () => [],
    kept: async () => rest.kept ?? unused(),
    cleanup: async () => rest.cleanup ?? unused(),
    close: async () => undefined,
  };
  fake.submit(...events);
  return fake;
}

function unused(): never {
  throw new Error('No test uses this.');
}

function planFilesIn(files: Readonly<Record<string, string>>, names: readonly PlanFile[]): AppPorts['planFiles'] {
  const read = (plan: PlanFile): PlanReading => {
    const text = files[plan];
    if (text === undefined) return { kind: 'missing' };
    const parsed = parse(text);
    return parsed.problems.some(({ severity }) => severity === 'error')
      ? { kind: 'unusable', problems: parsed.problems }
      : { kind: 'read', outline: outlineOf(parsed.plan, text, (body) => body), problems: parsed.problems };
  };
  const readAll = (plans: Iterable<{ readonly plan: PlanFile }>) =>
    new Map([...plans].map(({ plan }) => [plan, read(plan)]));
  return {
    list: () => names,
    read,
    readAll,
    survey: (plans) => ({ readings: readAll(plans), newestFirst: names }),
    changed: unused,
    markHandled: unused,
    folder: '/repo/docs/plans',
  };
}

function sessionsIn(fake: Fake): Sessions {
  return {
    start: unused,
    stop: unused,
    pause: unused,
    send: unused,
    list: async () => [],
    async look(entries) {
      if (fake.hostFails) throw new Failure('environment', 'tmux-silent', 'tmux does not answer.');
      return entries.map(({ id, place }) => {
        const life = { kind: 'running', pid: 1 } as const;
        const seen = { session: id, place, life, lastOutput: undefined };
        const question = fake.questions.get(id);
        return question === undefined ? seen : { ...seen, sight: asking(question) };
      });
    },
    screen: unused,
    colouredScreen: async () => '',
    worktreeOf: () => undefined,
    watch: () => ({ close: () => undefined }),
    watchActivity: () => ({ close: () => undefined }),
    attach: () => undefined,
    tidy: unused,
    serve: () => undefined,
    close: () => undefined,
  };
}

function asking(question: string): Sight {
  const reported = { report: { kind: 'asks-permission', question }, at: NOW.getTime() } as const;
  return { reported, screen: undefined, lastOutput: undefined, lastSent: undefined };
}
