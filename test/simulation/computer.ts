// A simulated computer: one disk, one clock, locks, and processes that run cadre's real gateway and engine.
import { checkpoints } from '../../src/adapters/journal/checkpoint.ts';
import { fileJournal } from '../../src/adapters/journal/file-journal.ts';
import { Segments } from '../../src/adapters/journal/segments.ts';
import { overview } from '../../src/adapters/plans/overview.ts';
import { planFiles } from '../../src/adapters/plans/plan-files.ts';
import { planStateStore } from '../../src/adapters/plans/plan-state-store.ts';
import { planningFiles } from '../../src/adapters/plans/planning-files.ts';
import { makeStateFolders } from '../../src/adapters/repo/init-repo.ts';
import type { Repo } from '../../src/adapters/repo/repo.ts';
import { dropMessage } from '../../src/adapters/signals/dropbox.ts';
import { signalInbox } from '../../src/adapters/signals/inbox.ts';
import { quarantineFolder } from '../../src/adapters/signals/quarantine.ts';
import { sessionKeys } from '../../src/adapters/signals/session-keys.ts';
import { ensureFolder } from '../../src/adapters/system/files.ts';
import { Failure } from '../../src/core/model/failure.ts';
import { LOCAL_MACHINE } from '../../src/core/model/ids.ts';
import { KeyedQueue } from '../../src/core/model/keyed-queue.ts';
import type { Clock } from '../../src/core/ports/clock.ts';
import type { Disk } from '../../src/core/ports/disk.ts';
import type { Gateway } from '../../src/core/ports/gateway.ts';
import type { Heartbeat } from '../../src/core/ports/heartbeat.ts';
import type { Inbox } from '../../src/core/ports/inbox.ts';
import type { HeldLock, Locks } from '../../src/core/ports/locks.ts';
import type { PlanFiles } from '../../src/core/ports/plan-files.ts';
import type { Quarantine } from '../../src/core/ports/quarantine.ts';
import { openGateway } from '../../src/engine/gateway.ts';
import { createEngine, type Engine } from '../../src/engine/loop.ts';
import { planStateProjection } from '../../src/engine/projection.ts';
import type { Message } from '../../src/signals/message.ts';
import type { Random } from './random.ts';
import { CHANGES, type Fate, type Operation, SimulatedDisk } from './simulated-disk.ts';
import { SimulatedRuns } from './simulated-runs.ts';
import { SimulatedSessions } from './simulated-sessions.ts';

export const PLACES: Repo = {
  root: '/repo',
  gitFolder: '/repo/.git',
  plans: '/repo/docs/plans',
  planState: '/repo/docs/plans/plan-state.json',
  planStateLock: '/repo/docs/plans/.plan-state.lock',
  signals: '/repo/docs/plans/.signals',
  home: '/home/.cadre',
  state: '/home/.cadre/repos/repo',
  journal: '/home/.cadre/repos/repo/journal',
  journalLock: '/home/.cadre/repos/repo/journal.lock',
  engineLock: '/home/.cadre/repos/repo/engine.lock',
  engineBeat: '/home/.cadre/repos/repo/engine.beat',
  cleanupLock: '/home/.cadre/repos/repo/cleanup.lock',
  checkpoint: '/home/.cadre/repos/repo/checkpoint.json',
  announced: '/home/.cadre/repos/repo/announced.json',
  planReadings: '/home/.cadre/repos/repo/plan-readings.json',
  planStateNote: '/home/.cadre/repos/repo/plan-state.written',
  planStateSeen: '/home/.cadre/repos/repo/plan-state.seen',
  inbox: '/home/.cadre/repos/repo/inbox',
  quarantine: '/home/.cadre/repos/repo/quarantine',
  worktrees: '/home/.cadre/repos/repo/worktrees',
  sessions: '/home/.cadre/repos/repo/sessions',
  reports: '/home/.cadre/repos/repo/reports',
  ownGit: '/home/.cadre/repos/repo/git',
  runs: '/home/.cadre/repos/repo/runs',
};

/** Small, so that a handful of records causes a new segment and a checkpoint. */
export const SEGMENT_BYTES = 1_500;

/** Thrown into a process when it is killed. What it does afterwards has no effect. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

/** The planted fault: none, a kill or power failure at the n-th change of the disk, or an error at its n-th operation. */
export type Plan =
  | { readonly kind: 'none' }
  | { readonly kind: 'power'; readonly at: number }
  /** `thenPower`: a power failure so many changes of the disk after the kill. */
  | { readonly kind: 'kill'; readonly at: number; readonly thenPower?: number }
  | {
      readonly kind: 'error';
      readonly at: number;
      readonly code: string;
      readonly forGood: boolean;
      /** A power failure at the first change of the disk after the error. */
      readonly thenPower?: boolean;
    };

export class Computer {
  readonly disk = new SimulatedDisk();
  readonly sessions = new SimulatedSessions();
  readonly runs = new SimulatedRuns();
  readonly random: Random;
  #plan: Plan;
  #changes = 0;
  #operations = 0;
  #elapsed = 0;
  readonly #locks = new Map<string, Process>();
  #alive = new Set<Process>();
  /** How many faults happened, so that a run without any can be recognised. */
  faults = 0;

  constructor(random: Random, plan: Plan) {
    this.random = random;
    this.#plan = plan;
    const disk = this.disk.seenBy(() => undefined);
    for (const folder of [PLACES.plans, PLACES.signals, PLACES.gitFolder]) ensureFolder(disk, folder);
  }

  /** The number of changes of the disk so far. */
  get changes(): number {
    return this.#changes;
  }

  get operations(): number {
    return this.#operations;
  }

  /** Plants another fault, or none, and counts from zero. */
  heal(plan: Plan = { kind: 'none' }): void {
    this.#plan = plan;
    this.#changes = 0;
    this.#operations = 0;
  }

  hasLostPower = false;
  #powered = true;

  readonly clock: Clock = {
    // A second passes between any two calls, so that every wait ends.
    now: () => new Date(1_700_000_000_000 + this.#elapsed + this.#jumps),
    elapsed: () => {
      this.#elapsed += 1_000;
      return this.#elapsed;
    },
  };
  /** By how much the wall clock is ahead of the monotonic one, in milliseconds. */
  #jumps = 0;

  /** The machine sleeps, or somebody sets its clock. */
  jump(milliseconds: number): void {
    this.#jumps += milliseconds;
  }

  #beat: number | undefined;

  /** In a separate file; one that is lost only means that less time counts. */
  readonly heartbeat: Heartbeat = {
    last: () => this.#beat,
    beat: (now) => {
      this.#beat = now.getTime();
    },
    complain: () => undefined,
    complaint: () => undefined,
  };

  /** Until the restart after a power failure, a new process is dead from the start. */
  start(): Process {
    const process = new Process(this);
    if (this.#powered) this.#alive.add(process);
    else process.kill();
    return process;
  }

  /** Whether an operation of a process fails, and how. */
  judge(process: Process, operation: Operation): Fate | undefined {
    if (!process.alive) return { throw: new Killed() };
    this.#operations += 1;
    const plan = this.#plan;
    if (plan.kind === 'error') return this.#judgeError(plan, operation);
    if (!CHANGES.has(operation)) return undefined;
    this.#changes += 1;
    if (plan.kind === 'none') return undefined;
    if (plan.kind === 'kill' && this.#changes === plan.at + (plan.thenPower ?? 0) && this.faults > 0) {
      this.losePower();
      return { throw: new Killed() };
    }
    if (this.#changes !== plan.at) return undefined;
    this.faults += 1;
    // A killed process may have written a part; in a power failure it is one more unsynced write.
    const written = this.random.below(3) === 0 ? undefined : this.random.below(400);
    if (plan.kind === 'kill') process.kill();
    else this.losePower();
    return { throw: new Killed(), ...(written === undefined || operation !== 'write' ? {} : { written }) };
  }

  #judgeError(plan: Extract<Plan, { kind: 'error' }>, operation: Operation): Fate | undefined {
    if (operation === 'close') return undefined;
    if (plan.thenPower && this.faults > 0 && CHANGES.has(operation) && !this.hasLostPower) {
      this.losePower();
      return { throw: new Killed() };
    }
    const due = plan.forGood ? this.#operations >= plan.at : this.#operations === plan.at;
    if (!due) return undefined;
    this.faults += 1;
    return { throw: systemErrorOf(plan.code), written: this.random.below(64) };
  }

  losePower(): void {
    this.hasLostPower = true;
    this.#powered = false;
    for (const process of [...this.#alive]) process.kill();
    this.sessions.losePower();
  }

  /** After `losePower`: decides what is left of unsynced changes. */
  restart(): void {
    this.#powered = true;
    this.disk.powerFailure(this.random);
  }

  removeProcess(process: Process): void {
    this.#alive.delete(process);
    for (const [path, holder] of this.#locks) if (holder === process) this.#locks.delete(path);
  }

  tryLock(path: string, process: Process): HeldLock | undefined {
    if (!process.alive) throw new Killed();
    if (this.#locks.has(path)) return undefined;
    this.#locks.set(path, process);
    return {
      stillOurs: () => this.#locks.get(path) === process,
      release: () => {
        if (this.#locks.get(path) === process) this.#locks.delete(path);
      },
    };
  }
}

/** One process of cadre, with its own memory of what it has read. */
export class Process {
  alive = true;
  readonly disk: Disk;
  readonly gateway: Gateway;
  readonly quarantine: Quarantine;
  readonly #computer: Computer;
  readonly #locks: Locks;
  readonly #inbox: Inbox;
  readonly #planFiles: PlanFiles;
  #engine: Engine | undefined;

  constructor(computer: Computer) {
    this.#computer = computer;
    this.disk = computer.disk.seenBy((operation) => computer.judge(this, operation));
    this.#locks = this.#makeLocks();
    this.quarantine = quarantineFolder(this.disk, PLACES);
    this.#inbox = signalInbox(
      this.disk,
      PLACES,
      computer.clock,
      (plan) => !plan.includes('/') && this.disk.facts(`${PLACES.plans}/${plan}`) !== undefined,
    );
    this.#planFiles = planFiles(this.disk, PLACES.plans, computer.clock);
    const journal = fileJournal({
      segments: new Segments(this.disk, PLACES.journal, SEGMENT_BYTES),
      locks: this.#locks,
      lock: PLACES.journalLock,
      watch: () => ({ follow: () => true, close: () => undefined }),
    });
    const store = planStateStore(this.disk, PLACES.planState, PLACES.planStateNote);
    this.gateway = openGateway({
      journal,
      checkpoints: checkpoints(this.disk, PLACES.checkpoint, journal),
      folder: PLACES.state,
      planState: planStateProjection(store, this.#locks, PLACES.planStateLock),
      overview: overview(this.disk, this.#locks, PLACES.home, this.#planFiles),
      clock: computer.clock,
      heartbeat: computer.heartbeat,
      prepare: () => makeStateFolders(this.disk, PLACES),
    });
  }

  /** One round of the engine, which takes the engine's lock itself, as in the program. */
  async engineRound(): Promise<void> {
    this.#engine ??= this.#startEngine();
    this.#inbox.watchedPaths();
    try {
      await this.#engine.round();
    } finally {
      await this.#engine.settled();
    }
  }

  drop(message: Message): string {
    makeStateFolders(this.disk, PLACES);
    return dropMessage(this.disk, {
      message,
      box: `${PLACES.inbox}/${message.session}`,
      now: this.#computer.clock.now(),
    });
  }

  /** The way an agent does it: written, never synced. */
  touch(name: string, body = ''): void {
    const file = this.disk.open(`${PLACES.signals}/${name}`, 'write');
    if (body !== '') this.disk.write(file, Buffer.from(body));
    this.disk.close(file);
  }

  kill(): void {
    this.alive = false;
    this.#computer.removeProcess(this);
  }

  #startEngine(): Engine {
    const lock = this.#computer.tryLock(PLACES.engineLock, this);
    if (lock === undefined) throw new Failure('person', 'engine-runs', 'Another engine runs.');
    const notify = { tell: () => undefined, warn: () => undefined };
    return createEngine(
      {
        machine: LOCAL_MACHINE,
        gateway: this.gateway,
        quarantine: this.quarantine,
        inbox: this.#inbox,
        planFiles: this.#planFiles,
        planning: planningFiles(this.disk, PLACES.plans),
        sessions: this.#computer.sessions.seenBy(
          () => {
            if (!this.alive) throw new Killed();
          },
          (session) => sessionKeys(this.disk, PLACES.sessions).issue(session),
        ),
        runs: {
          ...this.#computer.runs.seenBy(() => {
            if (!this.alive) throw new Killed();
          }),
          gateway: this.gateway,
          stop: new AbortController().signal,
          queue: new KeyedQueue(),
          launchedTexts: async () => new Map(),
          planText: () => undefined,
          cadre: ['cadre'],
          verify: ['true'],
          verifyPrompt: '',
          settings: {
            setup: [],
            verify: ['true'],
            baseBranch: undefined,
            syncBase: true,
            land: 'manual',
            taskMerge: 'local',
          },
        },
        policy: async () => undefined,
        clock: this.#computer.clock,
        heartbeat: this.#computer.heartbeat,
        notify,
        notifications: { announced: () => [], remember: () => undefined, send: async () => [] },
        locks: this.#locks,
        engineLock: PLACES.engineLock,
        journalFolder: PLACES.journal,
        planStateLock: PLACES.planStateLock,
        watchedPaths: [],
        watch: () => ({ follow: () => true, close: () => undefined }),
      },
      lock,
      'resident',
      () => undefined,
    );
  }

  #makeLocks(): Locks {
    const computer = this.#computer;
    const process = this;
    return {
      async take(path) {
        // The holder runs while we wait; a thousand turns stand for ten seconds.
        for (let turn = 0; turn < 1_000; turn++) {
          const lock = computer.tryLock(path, process);
          if (lock !== undefined) return lock;
          await Promise.resolve();
        }
        throw new Failure('person', 'locked', `${path} is held.`);
      },
      tryTake: async (path) => computer.tryLock(path, process),
      holder: () => undefined,
      wasAbandoned: () => false,
    };
  }
}

function systemErrorOf(code: string): Error {
  return Object.assign(new Error(`${code}: planted`), { code });
}
