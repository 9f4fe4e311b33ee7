// The engine: takes signals, performs effects, and keeps plan-state.json up to date, for as long as it holds its lock.

import { nextDeadline } from '../core/model/deadlines.ts';
import type { Effect } from '../core/model/effect.ts';
import type { Event } from '../core/model/event.ts';
import { asFailure, Failure } from '../core/model/failure.ts';
import { type MachineId, machineOf } from '../core/model/ids.ts';
import { suggest } from '../core/model/suggestion.ts';
import type { World } from '../core/model/world.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Gateway } from '../core/ports/gateway.ts';
import type { Heartbeat } from '../core/ports/heartbeat.ts';
import type { Inbox } from '../core/ports/inbox.ts';
import type { HeldLock, Locks } from '../core/ports/locks.ts';
import type { Notifications, Notify } from '../core/ports/notify.ts';
import type { PlanFiles } from '../core/ports/plan-files.ts';
import type { PlanningFiles } from '../core/ports/planning-files.ts';
import type { Quarantine } from '../core/ports/quarantine.ts';
import type { Sessions } from '../core/ports/sessions.ts';
import type { Watcher } from '../core/ports/watcher.ts';
import { losesTasks, readEvents } from '../core/rules/plan/outline.ts';
import type { Policy } from '../core/settings/policy.ts';
import { type Asks, asksIn, NO_ASKS } from '../core/views/asking.ts';
import type { PlanFile } from '../plan/name.ts';
import { Announcer } from './announcer.ts';
import { beatInBackground, stayAwake } from './awake.ts';
import { inForce } from './effects/in-force.ts';
import type { EffectPorts } from './effects/perform.ts';
import { belongsToRun, EffectRunner, isSoonDone } from './effects/runner.ts';
import {
  branchEventsIn,
  isRunning,
  linkEvents,
  overdueEvents,
  sessionsWithoutWorktree,
  worktreeLostEvent,
} from './observe.ts';
import { planningWriter } from './planning.ts';
import { RefusalLimit } from './refusal-limit.ts';
import { SilenceDetector } from './silence.ts';
import { openSleeper } from './sleeper.ts';
import { takeSignals } from './take-signals.ts';

/** The watchers report nearly everything at once. What they miss, the engine finds after this many milliseconds at most. */
const RESCAN_EVERY = 10_000;

/** How often the engine rescans while it cannot rely on the watchers alone, and retries what failed, in milliseconds. */
const RETRY_EVERY = 1_000;

/** For this long after something happened the engine cannot: more may follow in places that it does not watch yet. */
const ACTIVE_FOR = 3_000;

export interface EnginePorts {
  /** The machine that the engine runs on: it performs the effects and watches the sessions of no other. */
  readonly machine: MachineId;
  readonly gateway: Gateway;
  readonly inbox: Inbox;
  readonly quarantine: Quarantine;
  readonly planFiles: PlanFiles;
  readonly planning: PlanningFiles;
  readonly sessions: Sessions;
  readonly runs: EffectPorts['runs'];
  /** The settings, if they have changed since the last call. */
  policy(): Promise<Policy | undefined>;
  readonly clock: Clock;
  readonly heartbeat: Heartbeat;
  readonly notify: Notify;
  readonly notifications: Notifications;
  readonly locks: Locks;
  readonly engineLock: string;
  /** The folder in which records of other processes appear. */
  readonly journalFolder: string;
  /** A file beside the plans that cadre writes at every step. */
  readonly planStateLock: string;
  /** Other paths whose changes concern the engine: its settings, and what people may do behind its back. */
  readonly watchedPaths: readonly string[];
  readonly watch: (changed: (path: string) => void) => Watcher;
  /** How many refused signals of one source are kept one by one, before they are only counted. */
  readonly refusalBurst?: number | undefined;
}

/**
 * Runs until `stop` is aborted. Calls `ready` once every signal dropped from then on is noticed at once. Fails, naming the
 * holder of the lock, when another engine runs in this repository.
 */
export async function runEngine(ports: EnginePorts, stop: AbortSignal, ready: () => void): Promise<void> {
  const lock = await takeEngineLock(ports);
  const { wake, sleep, wokenWithin } = openSleeper(ports.clock);
  const { round, seenSeq, settled, beat } = createEngine(ports, lock, 'resident', wake);
  const watcher = ports.watch((path) => {
    void isForeign(ports, path, seenSeq()).then((foreign) => (foreign ? wake() : undefined));
  });
  const listening = [ports.sessions.watch(wake), ports.sessions.watchActivity(wake), beatInBackground(beat)];
  stop.addEventListener('abort', wake, { once: true });
  try {
    ports.sessions.tidy(new Set((await ports.gateway.look()).sessions.keys()));
    ports.sessions.serve();
    for (let isFirst = true; !stop.aborted; isFirst = false) {
      const isWatched = followPaths(watcher, ports);
      if (isFirst) ready();
      const lookAgainIn = await round();
      const isQuiet = isWatched && !wokenWithin(ACTIVE_FOR);
      await sleep(isQuiet ? lookAgainIn : Math.min(lookAgainIn, RETRY_EVERY));
    }
    await settled();
  } finally {
    watcher.close();
    for (const one of listening) one.close();
    ports.sessions.close();
    lock.release();
  }
}

/** Whether another process caused the change. Our own writes are ignored, or every step would trigger a rescan. */
async function isForeign(
  { gateway, journalFolder, planStateLock }: EnginePorts,
  path: string,
  seenSeq: number,
): Promise<boolean> {
  if (path === planStateLock) return false;
  if (!path.startsWith(journalFolder)) return true;
  try {
    return (await gateway.look()).seq > seenSeq;
  } catch {
    // The next round reports what is wrong.
    return true;
  }
}

/** Whether everything was watched already. If folders cannot be created or listed, the round that follows reports why. */
function followPaths(watcher: Watcher, ports: EnginePorts): boolean {
  const { journalFolder, planFiles, inbox, engineLock, watchedPaths } = ports;
  const paths = [journalFolder, planFiles.folder, engineLock, ...watchedPaths];
  try {
    return watcher.follow([...paths, ...inbox.watchedPaths()]);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    watcher.follow(paths);
    return false;
  }
}

export interface Engine {
  /** One round of work. Returns after how many milliseconds to look again if nothing happens before. */
  round(): Promise<number>;
  /** The sequence number of the last record that a round has acted on. */
  seenSeq(): number;
  /** Why one of these effects waits for a person, as a sentence. */
  blocked(effects: readonly string[]): string | undefined;
  /** Resolves once nothing that a round started is still running. */
  settled(): Promise<void>;
  /** Says that the engine is awake. A resident engine does so in every round; while one takes long, somebody else has to. */
  beat(): Promise<void>;
}

/** A one-off engine does the pending effects of one command, and of the work of runs only what is done at once. */
export type EngineMode = 'one-off' | 'resident';

/** Calls `onDone` when something that a round started has finished. */
export function createEngine(ports: EnginePorts, lock: HeldLock, mode: EngineMode, onDone: () => void): Engine {
  const warn = warnOnce(ports.notify);
  const showWarning = (text: string): void => ports.notify.warn(text);
  const effects = new EffectRunner(mode === 'one-off' ? { ...ports, showWarning } : ports, onDone);
  const silence = new SilenceDetector();
  const announcer = new Announcer(ports);
  const limit = new RefusalLimit(ports.refusalBurst);
  const beat = stayAwake(ports);
  const writePlanning = planningWriter(ports.planning);
  let seenSeq = 0;

  const work = async (): Promise<number> => {
    if (mode === 'resident') {
      await beat();
      announcer.start(await ports.gateway.look());
    }
    const signals = await takeSignals(ports, limit);
    const observed = mode === 'resident' ? await submitObservations(ports, effects, silence) : NOTHING_OBSERVED;
    const plans = await readPlans(ports, await ports.gateway.confirmed());
    seenSeq = plans.world.seq;
    const edited = mode === 'resident' ? writePlanning(plans.world) : [];
    const isOurs = (effect: Effect): boolean =>
      mode === 'resident' || !belongsToRun(plans.world, effect) || isSoonDone(plans.world, effect);
    const failures = await effects.run(plans.world, isOurs);
    await checkSessions(ports, limit, effects, seenFrom(ports.machine, await ports.gateway.look()));
    const settling = await ports.gateway.settle();
    const warnings = [...signals.notes, ...observed.notes, ...plans.notes, ...failures, ...settling];
    warn([...edited, ...warnings]);
    const world = await ports.gateway.look();
    const announceIn = mode === 'resident' ? announcer.announce(world, observed.asks) : undefined;
    if (signals.hasProgressed || world.seq > seenSeq) return 0;
    const isUnfinished = warnings.length > 0 || world.outbox.size > 0 || silence.isUndecided;
    const waits = [signals.lookAgainIn, plans.lookAgainIn, untilDeadline(world, ports.clock.now()), announceIn];
    return Math.min(isUnfinished ? RETRY_EVERY : RESCAN_EVERY, ...waits.filter((wait) => wait !== undefined));
  };

  // An engine that was killed may have left a complaint.
  let complaint: string | undefined = '';
  const complain = (problem: string | undefined): void => {
    if (mode === 'resident' && problem !== complaint) ports.heartbeat.complain(problem);
    complaint = problem;
  };

  const round = async (): Promise<number> => {
    if (!lock.stillOurs()) throw lockDeleted();
    effects.throwDefect();
    try {
      const lookAgainIn = await work();
      complain(undefined);
      return lookAgainIn;
    } catch (thrown) {
      const error = asFailure(thrown);
      if (!(error instanceof Failure) || !isTransient(error, mode)) throw error;
      const text = `${error.message} Signals stay where they are; the engine retries every second.`;
      warn([text]);
      complain(text);
      return RETRY_EVERY;
    }
  };

  return {
    round,
    seenSeq: () => seenSeq,
    blocked: (ids) => effects.blocked(ids),
    async settled() {
      await effects.settled();
      await announcer.settled();
    },
    beat,
  };
}

/** A deadline that passed without effect is tried again: a merge, for example, while the remote does not answer. */
function untilDeadline(world: World, now: Date): number | undefined {
  const deadline = nextDeadline(world);
  if (deadline === undefined) return undefined;
  const left = deadline - now.getTime();
  return left <= 0 ? RETRY_EVERY : left;
}

interface Observed {
  readonly notes: readonly string[];
  readonly asks: Asks;
}

const NOTHING_OBSERVED: Observed = { notes: [], asks: NO_ASKS };

/** Submits what nobody reports to the engine: changed settings, passed deadlines, agents that only wait. */
async function submitObservations(
  ports: EnginePorts,
  effects: EffectRunner,
  silence: SilenceDetector,
): Promise<Observed> {
  const { gateway, runs, sessions, clock } = ports;
  const world = await gateway.look();
  const observer = { ...inForce(runs, world), sessions };
  const now = clock.now();
  const policy = await ports.policy();
  const here = seenFrom(ports.machine, world);
  const lost = sessionsWithoutWorktree(observer, here);
  for (const { id, place } of lost) effects.enqueue(place, `lost ${id}`, () => sessions.stop(id));
  const agents = [...here.sessions.values()].filter(isRunning);
  const seen = agents.length === 0 ? [] : await sessions.look(agents);
  const events: Event[] = [
    ...(policy === undefined ? [] : [{ kind: 'policy' as const, policy }]),
    ...linkEvents(observer, world),
    ...lost.map(worktreeLostEvent),
    ...(await branchEventsIn(runs, world)),
    ...(await overdueEvents(observer, world, now)),
    ...(await silence.events({ trees: observer.trees, world }, agents, seen, {
      now: now.getTime(),
      elapsed: clock.elapsed(),
    })),
  ];
  const { notes } = events.length === 0 ? { notes: [] } : await gateway.submit(events, 'then');
  return { notes, asks: asksIn(world, agents, seen, now.getTime()) };
}

/** The world with the sessions of one machine only: the host there knows nothing of others. */
function seenFrom(machine: MachineId, world: World): World {
  const own = [...world.sessions].filter(([, session]) => machineOf(session) === machine);
  return { ...world, sessions: new Map(own) };
}

/** The file of an archived plan is in the archive; one that has its name is another plan's. */
function* plansWithFiles({ plans }: World): Iterable<PlanFile> {
  for (const { plan, archived } of plans.values()) if (archived === undefined) yield plan;
}

/** Reads changed plan files. One that cannot be used changes nothing; the plan's own view says why. */
async function readPlans(
  { gateway, planFiles }: EnginePorts,
  world: World,
): Promise<{ lookAgainIn: number | undefined; notes: readonly string[]; world: World }> {
  const { readings, lookAgainIn } = planFiles.changed(plansWithFiles(world), (plan, reading) =>
    losesTasks(world.plans.get(plan), reading),
  );
  const events = readings.flatMap(({ plan, reading }) => readEvents(plan, reading));
  const { notes } = events.length === 0 ? { notes: [] } : await gateway.submit(events, 'then');
  for (const { plan } of readings) planFiles.markHandled(plan);
  return { lookAgainIn, notes, world: events.length === 0 ? world : await gateway.confirmed() };
}

/** Records the end of sessions that should be running. A host that does not answer says nothing about its sessions. */
async function checkSessions(
  ports: EnginePorts,
  limit: RefusalLimit,
  effects: EffectRunner,
  world: World,
): Promise<void> {
  const { gateway, sessions } = ports;
  const running = [...world.sessions.values()].filter(
    (entry) => entry.wanted === 'running' && entry.up !== undefined && entry.ended === undefined,
  );
  if (running.length === 0) return;
  const lives = new Map((await sessions.list()).map((one) => [one.session, one.life]));
  const ended = running.flatMap(({ id }): readonly Event[] => {
    const life = lives.get(id) ?? { kind: 'gone' };
    const hasEnded = life.kind === 'ended' || life.kind === 'gone';
    return hasEnded ? [{ kind: 'session-news', session: id, news: { kind: 'ended', life } }] : [];
  });
  // A program can outlive its terminal, in a worktree that the next session will be given.
  for (const { id, place } of running)
    if ((lives.get(id)?.kind ?? 'gone') === 'gone') effects.enqueue(place, `gone ${id}`, () => sessions.stop(id));
  if (ended.length === 0) return;
  // A signal that was dropped just before the end may have arrived after the last scan, and counts first.
  await takeSignals(ports, limit);
  await gateway.submit([...linkEvents(ports.runs, world), ...ended], 'then');
}

async function takeEngineLock({ locks, engineLock }: EnginePorts): Promise<HeldLock> {
  const lock = await locks.tryTake(engineLock);
  if (lock !== undefined) return lock;
  const holder = locks.holder(engineLock);
  const who = holder === undefined ? 'Another process' : `"${holder.command}" (pid ${holder.pid})`;
  throw new Failure('person', 'engine-runs', `${who} is already the engine of this repository.`, {
    try: [suggest('engine-status'), suggest('engine-stop')],
  });
}

/** Codes of failures that end with their cause and lose nothing. */
const TRANSIENT: readonly string[] = [
  'ENOSPC',
  'EDQUOT',
  'EMFILE',
  'ENFILE',
  'EACCES',
  'EPERM',
  'EROFS',
  'EINTR',
  'locked',
  'lock-gone',
];

/** An agent can damage what git reads, so that is no reason for the engine to end; a command that waits for it reports it. */
const OF_GIT: readonly string[] = ['git-failed', 'git-locked', 'half-made-worktree', 'branch-in-the-way', 'no-git'];

/** Nor is a file or folder that was removed or replaced while the engine read it. */
const OF_FILES: readonly string[] = ['ENOENT', 'ENOTDIR', 'EISDIR', 'EEXIST', 'ENOTEMPTY', 'ELOOP'];

function isTransient({ code }: Failure, mode: EngineMode): boolean {
  return TRANSIENT.includes(code) || (mode === 'resident' && [...OF_GIT, ...OF_FILES].includes(code));
}

/** Warns when a problem appears, and not again in every round in which it persists. */
function warnOnce(notify: Notify): (texts: readonly string[]) => void {
  let current: ReadonlySet<string> = new Set();
  return (texts) => {
    for (const text of texts) if (!current.has(text)) notify.warn(text);
    current = new Set(texts);
  };
}

function lockDeleted(): Failure {
  return new Failure(
    'person',
    'engine-lock-gone',
    "The engine's lock file was deleted, so another engine may have started. This one stops; nothing is lost.",
    { try: [suggest('engine-start')] },
  );
}
