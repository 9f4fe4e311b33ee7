// The engine: takes signals, performs effects, and keeps plan-state.json in step, for as long as it holds its lock.

import { nextDeadline } from '../core/model/deadlines.ts';
import type { Decision } from '../core/model/decision.ts';
import type { Event } from '../core/model/event.ts';
import { Failure } from '../core/model/failure.ts';
import { type MachineId, machineOf } from '../core/model/ids.ts';
import { suggest } from '../core/model/suggestion.ts';
import type { World } from '../core/model/world.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Gateway } from '../core/ports/gateway.ts';
import type { Inbox } from '../core/ports/inbox.ts';
import type { HeldLock, Locks } from '../core/ports/locks.ts';
import type { Notify } from '../core/ports/notify.ts';
import type { PlanFiles } from '../core/ports/plan-files.ts';
import type { Quarantine } from '../core/ports/quarantine.ts';
import type { Sessions } from '../core/ports/sessions.ts';
import type { Watcher } from '../core/ports/watcher.ts';
import { readEvents } from '../core/rules/plan/outline.ts';
import type { Policy } from '../core/settings/policy.ts';
import type { EffectPorts } from './effects/perform.ts';
import { EffectRunner, isOfRun } from './effects/runner.ts';
import { lateEvents, lookedInto, lossOf, Silence, tipEvents, withoutWorktree } from './observe.ts';

/** The watchers report nearly everything at once. What they miss, the engine finds after this many milliseconds at most. */
const RESCAN_EVERY = 10_000;

/** How often the engine rescans while it cannot rely on the watchers alone, and retries what failed, in milliseconds. */
const RETRY_EVERY = 1_000;

/** For this long after something happened the engine cannot: more may follow in places that it does not watch yet. */
const ACTIVE_FOR = 3_000;

const SIGNALS_PER_ROUND = 500;

export interface EnginePorts {
  /** The machine that the engine runs on: it performs the effects and watches the sessions of no other. */
  readonly machine: MachineId;
  readonly gateway: Gateway;
  readonly inbox: Inbox;
  readonly quarantine: Quarantine;
  readonly planFiles: PlanFiles;
  readonly sessions: Sessions;
  readonly runs: EffectPorts['runs'];
  /** The settings, where they are others than when they were last asked for. */
  policy(): Promise<Policy | undefined>;
  readonly clock: Clock;
  readonly notify: Notify;
  readonly locks: Locks;
  readonly engineLock: string;
  /** The folder in which other processes' records appear. */
  readonly journalFolder: string;
  /** A file beside the plans that cadre writes to at every step. */
  readonly planStateLock: string;
  /** Other paths whose changes concern the engine: its settings, and what people may do behind its back. */
  readonly watchedPaths: readonly string[];
  readonly watch: (changed: (path: string) => void) => Watcher;
}

/** Runs until `stop` is aborted; `ready` is called when nothing that is dropped from now on waits for the rescan. Fails at once, naming the holder, when another engine works on this repository. */
export async function runEngine(ports: EnginePorts, stop: AbortSignal, ready: () => void): Promise<void> {
  const lock = await takeEngineLock(ports);
  let wake = (): void => undefined;
  let awake = false;
  let rousedAt = ports.clock.elapsed();
  const rouse = (): void => {
    awake = true;
    rousedAt = ports.clock.elapsed();
    wake();
  };
  const watcher = ports.watch((path) => {
    void isNews(ports, path, seen()).then((isNew) => (isNew ? rouse() : undefined));
  });
  const watching = [ports.sessions.watch(rouse), ports.sessions.watchActivity(rouse)];
  stop.addEventListener('abort', rouse, { once: true });
  const { round, seen, settled } = engine(ports, lock, 'long', rouse);
  ports.sessions.tidy(new Set((await ports.gateway.look()).sessions.keys()));
  try {
    for (let first = true; !stop.aborted; first = false) {
      awake = false;
      const isWatched = followPaths(watcher, ports);
      if (first) ready();
      const lookAgainIn = await round();
      if (!awake && !stop.aborted) {
        const isQuiet = isWatched && ports.clock.elapsed() - rousedAt > ACTIVE_FOR;
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, isQuiet ? lookAgainIn : Math.min(lookAgainIn, RETRY_EVERY));
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    }
    await settled();
  } finally {
    watcher.close();
    for (const one of watching) one.close();
    ports.sessions.close();
    lock.release();
  }
}

/** Whether others have done it: what a step of our own writes is no reason to look at everything again. */
async function isNews(
  { gateway, journalFolder, planStateLock }: EnginePorts,
  path: string,
  seen: number,
): Promise<boolean> {
  if (path === planStateLock) return false;
  if (!path.startsWith(journalFolder)) return true;
  try {
    return (await gateway.look()).seq > seen;
  } catch {
    // The round says what is wrong.
    return true;
  }
}

/** Whether everything was watched already. Where folders cannot be made or listed now, the round that follows says why. */
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
  /** The last record that a round has acted on. */
  seen(): number;
  /** Returns when nothing that a round began is under way any more. */
  settled(): Promise<void>;
}

/** Whoever is the engine only for a moment leaves alone what takes long: the work of runs. */
export type Stay = 'moment' | 'long';

/** `rouse` is called when something that a round began has been done. */
export function engine(ports: EnginePorts, lock: HeldLock, stay: Stay, rouse: () => void): Engine {
  const warn = warnOnce(ports.notify);
  const work = new EffectRunner(ports, rouse);
  const silence = new Silence();
  let seen = 0;
  const round = async (): Promise<number> => {
    if (!lock.stillOurs()) throw steppedDown();
    work.check();
    try {
      const { lookAgainIn, notes, progress } = await takeSignals(ports);
      const said = stay === 'long' ? await sayWhatIsSeen(ports, work, silence) : [];
      const reading = await readPlans(ports, await ports.gateway.confirmed());
      seen = reading.world.seq;
      const failures = await work.take(reading.world, (effect) => stay === 'long' || !isOfRun(reading.world, effect));
      await lookAfterSessions(ports, work, seenFrom(ports.machine, await ports.gateway.look()));
      const warnings = [...notes, ...said, ...reading.notes, ...failures, ...(await ports.gateway.settle())];
      warn(warnings);
      const world = await ports.gateway.look();
      if (progress || world.seq > seen) return 0;
      const isUnfinished = warnings.length > 0 || world.outbox.size > 0 || silence.isUndecided;
      const rescanIn = Math.min(isUnfinished ? RETRY_EVERY : RESCAN_EVERY, untilDeadline(world, ports.clock.now()));
      return Math.min(lookAgainIn ?? rescanIn, reading.lookAgainIn ?? rescanIn, rescanIn);
    } catch (error) {
      if (!(error instanceof Failure) || !passesByItself(error)) throw error;
      warn([`${error.message} Signals wait where they are; the engine tries again every second.`]);
      return RETRY_EVERY;
    }
  };
  return { round, seen: () => seen, settled: () => work.settled() };
}

/** A deadline that has passed and changed nothing, as of a merge that the remote says nothing about, is tried again. */
function untilDeadline(world: World, now: Date): number {
  const left = (nextDeadline(world) ?? Number.POSITIVE_INFINITY) - now.getTime();
  return left <= 0 ? RETRY_EVERY : left;
}

async function takeSignals(
  ports: EnginePorts,
): Promise<{ lookAgainIn: number | undefined; notes: readonly string[]; progress: boolean }> {
  const { seen, more, lookAgainIn } = ports.inbox.scan(SIGNALS_PER_ROUND);
  if (seen.length === 0) return { lookAgainIn, notes: [], progress: false };
  const world = await ports.gateway.look();
  const events = await Promise.all(
    seen.map(async ({ event }) =>
      event.kind === 'signal' ? { ...event, signal: await lookedInto(ports.runs, world, event.signal) } : event,
    ),
  );
  const { answers, notes } = await ports.gateway.submit(events, 'then');
  for (const [index, one] of seen.entries()) if (isDealtWith(answers[index])) ports.inbox.remove(one);
  return { lookAgainIn, notes, progress: more && answers.some((answer) => answer.kind !== 'ignored') };
}

/** What nobody tells the engine: settings that have changed, waits that are over, agents that only wait. */
async function sayWhatIsSeen(ports: EnginePorts, work: EffectRunner, silence: Silence): Promise<readonly string[]> {
  const { gateway, runs, sessions, clock } = ports;
  const world = await gateway.look();
  const eyes = { ...runs, sessions };
  const now = clock.now();
  const policy = await ports.policy();
  const here = seenFrom(ports.machine, world);
  const lost = withoutWorktree(eyes, here);
  for (const { id, place } of lost) work.enqueue(place, `lost ${id}`, () => sessions.stop(id));
  const events: Event[] = [
    ...(policy === undefined ? [] : [{ kind: 'policy' as const, policy }]),
    ...lost.map(lossOf),
    ...(await tipEvents(eyes, world)),
    ...(await lateEvents(eyes, world, now)),
    ...(await silence.events(eyes, here, now)),
  ];
  return events.length === 0 ? [] : (await gateway.submit(events, 'then')).notes;
}

/** The world with the sessions of one machine only: the host there knows nothing of others. */
function seenFrom(machine: MachineId, world: World): World {
  const own = [...world.sessions].filter(([, session]) => machineOf(session) === machine);
  return { ...world, sessions: new Map(own) };
}

/** A refused signal stays until its effect moves it aside. */
function isDealtWith(answer: Decision | undefined): boolean {
  return answer?.kind === 'accepted' || (answer?.kind === 'ignored' && !answer.keep);
}

/** Takes in what changed in the files of plans. One that cannot be used changes nothing; looking at the plan tells why. */
async function readPlans(
  { gateway, planFiles }: EnginePorts,
  world: World,
): Promise<{ lookAgainIn: number | undefined; notes: readonly string[]; world: World }> {
  const { readings, lookAgainIn } = planFiles.changed(world.plans.keys());
  const events = readings.flatMap(({ plan, reading }) => readEvents(plan, reading));
  const { notes } = events.length === 0 ? { notes: [] } : await gateway.submit(events, 'then');
  for (const { plan } of readings) planFiles.taken(plan);
  return { lookAgainIn, notes, world: events.length === 0 ? world : await gateway.confirmed() };
}

/** Sees what became of the sessions that should run. A host that does not answer says nothing about them. */
async function lookAfterSessions(ports: EnginePorts, work: EffectRunner, world: World): Promise<void> {
  const { gateway, sessions } = ports;
  const running = [...world.sessions.values()].filter(
    (entry) => entry.wanted === 'running' && entry.up !== undefined && entry.ended === undefined,
  );
  if (running.length === 0) return;
  const hosted = new Map((await sessions.list()).map((one) => [one.session, one.life]));
  const news = running.flatMap(({ id }): readonly Event[] => {
    const life = hosted.get(id) ?? { kind: 'gone' };
    const hasEnded = life.kind === 'ended' || life.kind === 'gone';
    return hasEnded ? [{ kind: 'session-news', session: id, news: { kind: 'ended', life } }] : [];
  });
  // What has lost its terminal may live on without one, in a worktree that others will be given.
  for (const { id, place } of running)
    if ((hosted.get(id)?.kind ?? 'gone') === 'gone') work.enqueue(place, `gone ${id}`, () => sessions.stop(id));
  if (news.length === 0) return;
  // What it said before it ended may have come after the box was last emptied, and counts first.
  await takeSignals(ports);
  await gateway.submit(news, 'then');
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

/** Failures that end when their cause ends, without anything having been lost. */
const PASSING: readonly string[] = [
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

function passesByItself(failure: Failure): boolean {
  return PASSING.includes(failure.code);
}

/** Says a thing when it begins to be so, not every second. */
function warnOnce(notify: Notify): (texts: readonly string[]) => void {
  let said: ReadonlySet<string> = new Set();
  return (texts) => {
    for (const text of texts) if (!said.has(text)) notify.warn(text);
    said = new Set(texts);
  };
}

function steppedDown(): Failure {
  return new Failure(
    'person',
    'engine-lock-gone',
    'The engine’s lock was deleted while it was held, so another engine may have started. This one stops; nothing was lost. Start it again.',
  );
}
