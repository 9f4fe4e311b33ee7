// Effects of sessions that come late, or twice.
import { expect, test } from 'vitest';
import { Failure } from '../../../src/core/model/failure.ts';
import { KeyedQueue } from '../../../src/core/model/keyed-queue.ts';
import { attemptOf } from '../../../src/core/model/session.ts';
import { EMPTY_WORLD, type World } from '../../../src/core/model/world.ts';
import type { Quarantine } from '../../../src/core/ports/quarantine.ts';
import type { Sessions } from '../../../src/core/ports/sessions.ts';
import { decideAll } from '../../../src/core/rules/decide.ts';
import { actUntilDone } from '../../../src/engine/act-until-done.ts';
import { type EffectPorts, perform } from '../../../src/engine/effects/perform.ts';
import { type EnginePorts, engine } from '../../../src/engine/loop.ts';
import { SimulatedRuns } from '../../simulation/simulated-runs.ts';
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
    notify: { tell: unexpected, warn: unexpected },
    sessions,
  };
  for (const effect of world.outbox.values()) await perform(ports, world, effect);
  return calls;
}

function unexpected(): never {
  throw new Error('Unexpected call.');
}

const NO_QUARANTINE: Quarantine = { keep: unexpected, show: unexpected, putBack: unexpected, discard: unexpected };
const SIMULATED = new SimulatedRuns().seenBy(unexpected);
const NO_RUNS: EffectPorts['runs'] = {
  ...SIMULATED,
  notify: { tell: unexpected, warn: unexpected },
  stop: new AbortController().signal,
  queue: new KeyedQueue(),
  launchedTexts: () => new Map(),
  cadre: ['cadre'],
  verify: null,
  verifyPrompt: '',
  settings: { setup: [], verify: undefined, baseBranch: undefined, syncBase: true, land: 'manual', taskMerge: 'local' },
};
const NO_SESSIONS: Sessions = {
  start: unexpected,
  stop: unexpected,
  pause: unexpected,
  send: unexpected,
  list: unexpected,
  look: unexpected,
  screen: unexpected,
  worktreeOf: unexpected,
  watch: unexpected,
  attach: unexpected,
  tidy: unexpected,
  close: unexpected,
};

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
  await expect(waiting).rejects.toThrow('It is decided');
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
  const { round, settled } = engine({ ...ports, sessions }, lock, 'long', () => undefined);
  await round();
  const stopped = await stopAsked;
  await round();
  expect(calls).toEqual(['start s3', 'stop s1']);
  stopped();
  await settled();
  expect(calls).toEqual(['start s3', 'stop s1', 'start s5']);
});

/** Ports of an engine for which nothing happens, and which cannot pause a session. */
function enginePorts(before: World, warn: (text: string) => void): EnginePorts {
  let world = before;
  const lock = { stillOurs: () => true, release: () => undefined };
  return {
    gateway: {
      async submit(events) {
        const decided = decideAll(world, events, NOW);
        world = decided.world;
        return { answers: decided.decisions, notes: [] };
      },
      look: () => world,
      confirmed: () => world,
      settle: async () => [],
      rebuildPlanState: unexpected,
    },
    inbox: {
      scan: () => ({ seen: [], lookAgainIn: undefined, more: false }),
      remove: unexpected,
      waiting: unexpected,
      folders: unexpected,
    },
    quarantine: NO_QUARANTINE,
    planFiles: {
      list: unexpected,
      read: unexpected,
      changed: () => ({ readings: [], lookAgainIn: undefined }),
      taken: unexpected,
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
    locks: { take: unexpected, tryTake: async () => lock, holder: () => undefined },
    engineLock: '/engine.lock',
    journalFolder: '/journal',
    planStateLock: '/plans/.plan-state.lock',
    watch: unexpected,
  };
}

test('a program knows its attempt number in its role for its task: to plan, to build, to fix, and each review', () => {
  const attempts = (place: Place): readonly unknown[] => {
    const sessions = [...at(place).sessions.values()];
    return sessions.map((one) => `${one.role} ${attemptOf(sessions, one)}`);
  };
  expect(attempts('FIXING')).toEqual(['implementer 1', 'implementer 2', 'implementer 3']);
  expect(attempts('CODE_REVIEW quality')).toEqual([
    'implementer 1',
    'implementer 2',
    'spec-reviewer 1',
    'quality-reviewer 1',
  ]);
});
