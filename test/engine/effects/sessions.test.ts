// Effects of sessions that come late, or twice.
import { expect, test } from 'vitest';
import { Failure } from '../../../src/core/model/failure.ts';
import { LOCAL_MACHINE, type MachineId, ownPlaceOf, type SessionId } from '../../../src/core/model/ids.ts';
import { countOf } from '../../../src/core/model/session.ts';
import { EMPTY_WORLD, type World } from '../../../src/core/model/world.ts';
import type { HostedSession } from '../../../src/core/ports/host.ts';
import type { Sessions } from '../../../src/core/ports/sessions.ts';
import { DEFAULT_POLICY } from '../../../src/core/settings/default-policy.ts';
import { actUntilDone } from '../../../src/engine/act-until-done.ts';
import { type EffectPorts, performEffect } from '../../../src/engine/effects/perform.ts';
import { createEngine, type EnginePorts } from '../../../src/engine/loop.ts';
import { memoryGateway } from '../../support/memory-gateway.ts';
import { NO_HEARTBEAT, NO_PLANNING, NO_QUARANTINE, NO_RUNS, NO_SESSIONS, unexpected } from '../../support/no-ports.ts';
import { at, type Place } from '../../support/runs.ts';
import { NOW, newSession, sessionIn, sessionNews, USER, after as worldAfter } from '../../support/world.ts';

const STARTED = worldAfter(EMPTY_WORLD, newSession());
const { id: S1 } = sessionIn(STARTED, 's1');
const RUNNING = worldAfter(STARTED, sessionNews(S1, { kind: 'up' }));
const PAUSED = worldAfter(RUNNING, { kind: 'session-pause', by: USER, session: S1 });

/** Performs the outbox in order, and returns the calls to the port. */
async function performed(world: World): Promise<readonly string[]> {
  const calls: string[] = [];
  const sessions: Sessions = {
    ...NO_SESSIONS,
    async start({ id }) {
      calls.push(`start ${id}`);
      return { kind: 'up' };
    },
    async stop(session) {
      calls.push(`stop ${session}`);
    },
    async pause({ id }) {
      calls.push(`pause ${id}`);
    },
  };
  const ports: EffectPorts = {
    runs: NO_RUNS,
    quarantine: NO_QUARANTINE,
    planning: NO_PLANNING,
    notify: { tell: unexpected, warn: unexpected },
    sessions,
  };
  for (const effect of world.outbox.values()) await performEffect(ports, world, effect, unexpected);
  return calls;
}

test('does not start a session that was stopped before', async () => {
  expect(await performed(worldAfter(STARTED, { kind: 'session-stop', by: USER, session: S1 }))).toEqual(['stop s1']);
});

test('does not start a session that was paused before', async () => {
  expect(await performed(worldAfter(STARTED, { kind: 'session-pause', by: USER, session: S1 }))).toEqual(['pause s1']);
});

test('does not start a session that was replaced before', async () => {
  expect(await performed(worldAfter(STARTED, { kind: 'session-resume', by: USER, session: S1, prompt: '' }))).toEqual([
    'start s2',
  ]);
});

// A failed pause (git's index was locked) is retried: by then another agent may work in the worktree.
test('a pending pause does not remove the worktree of the session’s successor', async () => {
  const resumed = worldAfter(PAUSED, { kind: 'session-resume', by: USER, session: S1, prompt: '' });
  const { id } = sessionIn(resumed, 's4');
  const started = worldAfter(resumed, sessionNews(id, { kind: 'up' }), { kind: 'effect-done', effect: 'e4.0' });
  expect(await performed(started)).not.toContain('pause s1');
});

test('a failing effect that a command waits for is reported once, however often it is retried', async () => {
  const warnings: string[] = [];
  let now = 0;
  const waiting = actUntilDone(
    enginePorts(PAUSED, (text) => warnings.push(text)),
    ['e3.0'],
    1_000,
    () => {
      now += 100;
      return now;
    },
  );
  await expect(waiting).rejects.toThrow('The decision is recorded');
  expect(warnings).toEqual(['The index is locked.']);
});

test('a program that is slow to stop delays neither rounds nor other places, only its own place', async () => {
  const calls: string[] = [];
  let askedToStop: (stopped: () => void) => void = unexpected;
  const stopAsked = new Promise<() => void>((resolve) => {
    askedToStop = resolve;
  });
  const two = worldAfter(RUNNING, newSession(), { kind: 'session-stop', by: USER, session: S1 });
  const again = worldAfter(two, { kind: 'session-resume', by: USER, session: S1, prompt: '' });
  const { id: s3, place } = sessionIn(again, 's3');
  const ports = enginePorts(again, unexpected);
  const sessions: Sessions = {
    ...ports.sessions,
    list: async () => [{ session: s3, place, life: { kind: 'running', pid: 1 }, lastOutput: undefined }],
    async start({ id }) {
      calls.push(`start ${id}`);
      return { kind: 'up' };
    },
    stop: (session) => {
      calls.push(`stop ${session}`);
      return new Promise((resolve) => askedToStop(resolve));
    },
  };
  const lock = { stillOurs: () => true, release: () => undefined };
  const { round, settled } = createEngine({ ...ports, sessions }, lock, 'resident', () => undefined);
  await round();
  const stopped = await stopAsked;
  await round();
  expect(calls).toEqual(['stop s1', 'start s3']);
  stopped();
  await settled();
  expect(calls).toEqual(['stop s1', 'start s3', 'start s5']);
});

test('an engine leaves the effects and the sessions of another machine alone, and performs its own', async () => {
  const elsewhere = worldAfter(
    EMPTY_WORLD,
    { kind: 'policy', policy: { ...DEFAULT_POLICY, machine: 'forge' } },
    newSession(),
    { kind: 'policy', policy: DEFAULT_POLICY },
    newSession(),
  );
  const started = async (machine: MachineId): Promise<{ asked: readonly string[]; left: readonly string[] }> => {
    const asked: string[] = [];
    const ports = enginePorts(elsewhere, unexpected);
    const sessions: Sessions = {
      ...NO_SESSIONS,
      async start({ id }) {
        asked.push(id);
        return { kind: 'up' };
      },
      // The other machine's session would be taken for gone.
      list: async () => asked.map((id) => hosted(id as SessionId)),
      look: async () => [],
    };
    const lock = { stillOurs: () => true, release: () => undefined };
    const { round, settled } = createEngine({ ...ports, machine, sessions }, lock, 'resident', () => undefined);
    for (let count = 0; count < 3; count++) {
      await round();
      await settled();
    }
    const world = await ports.gateway.look();
    expect([...world.sessions.values()].filter(({ ended }) => ended !== undefined)).toEqual([]);
    return { asked, left: [...world.outbox.values()].flatMap((effect) => ('session' in effect ? effect.session : [])) };
  };
  expect(await started(LOCAL_MACHINE)).toEqual({ asked: ['s4'], left: ['s2'] });
  expect(await started('forge' as MachineId)).toEqual({ asked: ['s2'], left: ['s4'] });
});

test('an engine says nothing about a session that runs on another machine', async () => {
  const policy = { ...DEFAULT_POLICY, machine: 'forge' };
  const started = worldAfter(EMPTY_WORLD, { kind: 'policy', policy }, newSession());
  const running = worldAfter(started, sessionNews('s2' as SessionId, { kind: 'up' }), {
    kind: 'effect-done',
    effect: 'e2.0',
  });
  const ports = enginePorts(running, unexpected);
  const lock = { stillOurs: () => true, release: () => undefined };
  const { round } = createEngine(
    { ...ports, sessions: { ...NO_SESSIONS, list: async () => [] } },
    lock,
    'resident',
    () => undefined,
  );
  await round();
  expect(sessionIn(await ports.gateway.look(), 's2').ended).toBeUndefined();
});

function hosted(session: SessionId): HostedSession {
  return { session, place: ownPlaceOf(session), life: { kind: 'running', pid: 1 }, lastOutput: undefined };
}

/** Ports of an engine for which nothing happens, and which cannot pause a session. */
function enginePorts(before: World, warn: (text: string) => void): EnginePorts {
  const lock = { stillOurs: () => true, release: () => undefined };
  return {
    machine: LOCAL_MACHINE,
    heartbeat: NO_HEARTBEAT,
    gateway: memoryGateway(before),
    inbox: {
      scan: () => ({ signals: [], lookAgainIn: undefined, hasMore: false }),
      remove: unexpected,
      waiting: unexpected,
      watchedPaths: unexpected,
    },
    quarantine: NO_QUARANTINE,
    planning: NO_PLANNING,
    planFiles: {
      list: unexpected,
      read: unexpected,
      readAll: unexpected,
      survey: unexpected,
      changed: () => ({ readings: [], lookAgainIn: undefined }),
      markHandled: unexpected,
      folder: '/plans',
    },
    sessions: {
      ...NO_SESSIONS,
      start: async () => ({ kind: 'up' }),
      async pause() {
        throw new Failure('failed', 'git-failed', 'The index is locked.');
      },
    },
    runs: NO_RUNS,
    policy: async () => undefined,
    clock: { now: () => NOW, elapsed: () => 0 },
    notify: { tell: unexpected, warn },
    notifications: { announced: () => [], remember: unexpected, send: unexpected },
    locks: { take: unexpected, tryTake: async () => lock, holder: () => undefined, wasAbandoned: () => false },
    engineLock: '/engine.lock',
    journalFolder: '/journal',
    planStateLock: '/plans/.plan-state.lock',
    watchedPaths: [],
    watch: unexpected,
  };
}

test('a program knows its attempt number in its role for its task: to plan, to build, to fix, and each review', () => {
  const attempts = (place: Place): readonly unknown[] => {
    const sessions = [...at(place).sessions.values()];
    return sessions.map((one) => `${one.role} ${countOf(sessions, one).attempt}`);
  };
  expect(attempts('FIXING')).toEqual(['implementer 1', 'implementer 2', 'implementer 3']);
  expect(attempts('CODE_REVIEW quality')).toEqual([
    'implementer 1',
    'implementer 2',
    'spec-reviewer 1',
    'quality-reviewer 1',
  ]);
});
