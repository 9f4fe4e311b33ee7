// How soon an engine that has nothing to do looks again.
import { expect, test } from 'vitest';
import type { Sight } from '../../src/core/model/activity.ts';
import { nextDeadline } from '../../src/core/model/deadlines.ts';
import { Failure } from '../../src/core/model/failure.ts';
import { LOCAL_MACHINE } from '../../src/core/model/ids.ts';
import { KeyedQueue } from '../../src/core/model/keyed-queue.ts';
import type { World } from '../../src/core/model/world.ts';
import { EMPTY_WORLD } from '../../src/core/model/world.ts';
import type { HostedSession } from '../../src/core/ports/host.ts';
import { createEngine, type EnginePorts } from '../../src/engine/loop.ts';
import type { PlanFile } from '../../src/plan/name.ts';
import { SimulatedRuns } from '../simulation/simulated-runs.ts';
import { SimulatedSessions } from '../simulation/simulated-sessions.ts';
import { memoryGateway } from '../support/memory-gateway.ts';
import { NO_HEARTBEAT } from '../support/no-ports.ts';
import { at, runIn, settled } from '../support/runs.ts';
import { NOW, newSession, sessionIn, sessionNews, after as worldAfter } from '../support/world.ts';

const AT_REST = 10_000;
const RETRY = 1_000;

const LAUNCHED = at('CODING');
const AGENT = runIn(LAUNCHED).session?.id ?? (undefined as never);
/** An agent works on its task, and everything that was decided is done. */
const WORKING = done(settled(LAUNCHED, sessionNews(AGENT, { kind: 'up' })));

test('with nothing to wait for it relies on the watchers, and rescans seldom', async () => {
  expect(await lookAgainAfter(EMPTY_WORLD)).toBe(AT_REST);
  expect(await lookAgainAfter(WORKING)).toBe(AT_REST);
});

test('it wakes for the nearest deadline', async () => {
  const deadline = nextDeadline(WORKING) ?? Number.NaN;
  expect(await lookAgainAfter(WORKING, { now: deadline - 1_234 })).toBe(1_234);
  expect(await lookAgainAfter(WORKING, { now: deadline - AT_REST - 1 })).toBe(AT_REST);
});

test('what could not be done is tried again soon', async () => {
  const started = worldAfter(EMPTY_WORLD, newSession());
  expect(started.outbox.size).toBe(1);
  const { id } = sessionIn(started, 's1');
  expect(await lookAgainAfter(started, { unstartable: id })).toBe(RETRY);
});

test('a problem that was reported is checked again soon', async () => {
  expect(await lookAgainAfter(EMPTY_WORLD, { problem: 'plan-state.json cannot be used.' })).toBe(RETRY);
});

test('an agent that waits is looked at every second until it is clear whether it has fallen silent', async () => {
  expect(await lookAgainAfter(WORKING, { screen: 'idle' })).toBe(RETRY);
  expect(await lookAgainAfter(WORKING, { screen: 'busy' })).toBe(AT_REST);
});

test('a repository that git cannot read does not end it; it says so until git can read it again', async () => {
  const why = 'git cannot read packed-refs.';
  const said: (string | undefined)[] = [];
  const heartbeat = { ...NO_HEARTBEAT, complain: (problem: string | undefined) => void said.push(problem) };
  const broken = { isBroken: true };
  const ports = { ...portsIn(WORKING, { unreadable: () => (broken.isBroken ? why : undefined) }), heartbeat };
  const { round } = createEngine(ports, LOCK, 'resident', () => undefined);
  expect([await round(), await round()]).toEqual([RETRY, RETRY]);
  expect(said.at(-1)).toContain(why);
  broken.isBroken = false;
  await round();
  expect(said.at(-1)).toBeUndefined();
});

test('a file that disappears while a round reads it does not end it', async () => {
  const gone = Object.assign(new Error('ENOENT'), { code: 'ENOENT', path: '/w/t1-a1' });
  const left = [gone];
  const ports = portsIn(WORKING, {});
  const fails = async (): Promise<never> => {
    throw gone;
  };
  const runs = { ...ports.runs, trees: { ...ports.runs.trees } };
  runs.trees.tipOf = (plan) => (left.pop() === undefined ? ports.runs.trees.tipOf(plan) : fails());
  const said: (string | undefined)[] = [];
  const heartbeat = { ...NO_HEARTBEAT, complain: (problem: string | undefined) => void said.push(problem) };
  const { round } = createEngine({ ...ports, runs, heartbeat }, LOCK, 'resident', () => undefined);
  expect(await round()).toBe(RETRY);
  expect(said.at(-1)).toContain('/w/t1-a1. It does not exist.');
  await round();
  expect(said.at(-1)).toBeUndefined();
});

interface Circumstances {
  readonly now?: number;
  readonly unstartable?: string;
  readonly problem?: string;
  readonly screen?: 'idle' | 'busy';
  /** Why git cannot read the branches. */
  readonly unreadable?: () => string | undefined;
}

const LOCK = { stillOurs: () => true, release: () => undefined };

/** What the last of some rounds answers, in a world in which nothing else happens. */
async function lookAgainAfter(before: World, circumstances: Circumstances = {}): Promise<number> {
  const { round, settled: quiet } = createEngine(portsIn(before, circumstances), LOCK, 'resident', () => undefined);
  await round();
  await quiet();
  return round();
}

function portsIn(
  before: World,
  { now = NOW.getTime(), unstartable, problem, screen, unreadable }: Circumstances,
): EnginePorts {
  const memory = memoryGateway(before, { now: new Date(now) });
  const gateway = { ...memory, settle: async () => (problem === undefined ? [] : [problem]) };
  const runs = new SimulatedRuns();
  for (const { plan, work } of before.plans.values()) if (work?.tip) runs.tips.set(plan, work.tip);
  const observed = runs.seenBy(() => undefined);
  // The commit that the plan of these worlds is based on.
  const trees = {
    ...observed.trees,
    baseOf: async () => ({ branch: 'main', commit: 'b0', name: 'main' }),
    async tipOf(plan: PlanFile) {
      const why = unreadable?.();
      if (why !== undefined) throw new Failure('failed', 'git-failed', why);
      return observed.trees.tipOf(plan);
    },
  };
  const simulated = new SimulatedSessions().seenBy(
    () => undefined,
    () => 'key',
  );
  const sight: Sight = { reported: undefined, screen: screen && { kind: screen }, lastOutput: 1, lastSent: undefined };
  return {
    machine: LOCAL_MACHINE,
    gateway,
    inbox: {
      scan: () => ({ signals: [], lookAgainIn: undefined, hasMore: false }),
      remove: unasked,
      waiting: unasked,
      watchedPaths: unasked,
    },
    planning: { write: unasked, published: unasked, publish: unasked, archive: unasked, unarchive: unasked },
    quarantine: { keep: unasked, keepMany: unasked, show: unasked, putBack: unasked, discard: unasked },
    planFiles: {
      list: unasked,
      read: unasked,
      readAll: unasked,
      survey: unasked,
      changed: () => ({ readings: [], lookAgainIn: undefined }),
      markHandled: unasked,
      folder: '/plans',
    },
    sessions: {
      ...simulated,
      async start(entry, ...more) {
        if (entry.id === unstartable) throw new Failure('environment', 'EMFILE', 'Too many files are open.');
        return simulated.start(entry, ...more);
      },
      list: async () => runningIn(await gateway.look()),
      look: async () => runningIn(await gateway.look()).map((one) => ({ ...one, sight })),
    },
    runs: {
      ...observed,
      trees,
      gateway,
      stop: new AbortController().signal,
      queue: new KeyedQueue(),
      launchedTexts: async () => new Map(),
      planText: () => undefined,
      cadre: ['cadre'],
      verify: null,
      verifyPrompt: '',
      settings: {
        setup: [],
        verify: undefined,
        baseBranch: undefined,
        syncBase: true,
        land: 'manual',
        taskMerge: 'local',
      },
    },
    policy: async () => undefined,
    clock: { now: () => new Date(now), elapsed: () => now },
    heartbeat: NO_HEARTBEAT,
    notify: { tell: () => undefined, warn: () => undefined },
    notifications: { announced: () => [], remember: () => undefined, send: async () => [] },
    locks: { take: unasked, tryTake: unasked, holder: () => undefined, wasAbandoned: () => false },
    engineLock: '/engine.lock',
    journalFolder: '/journal',
    planStateLock: '/plans/.plan-state.lock',
    watchedPaths: [],
    watch: unasked,
  };
}

function runningIn(world: World): readonly HostedSession[] {
  return [...world.sessions.values()].map(({ id, place }) => ({
    session: id,
    place,
    life: { kind: 'running', pid: 1 },
    lastOutput: undefined,
  }));
}

/** Everything in the outbox has been done. */
function done(world: World): World {
  return worldAfter(world, ...[...world.outbox.keys()].map((effect) => ({ kind: 'effect-done' as const, effect })));
}

function unasked(): never {
  throw new Error('Nobody has asked for this.');
}
