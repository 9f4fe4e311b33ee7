// What the engine does with effects about sessions that come late, or twice.
import { expect, test } from 'vitest';
import { Failure } from '../../../src/core/model/failure.ts';
import { KeyedQueue } from '../../../src/core/model/keyed-queue.ts';
import { attemptOf } from '../../../src/core/model/session.ts';
import { EMPTY_WORLD, type World } from '../../../src/core/model/world.ts';
import type { Quarantine } from '../../../src/core/ports/quarantine.ts';
import type { Sessions } from '../../../src/core/ports/sessions.ts';
import { decideAll } from '../../../src/core/rules/decide.ts';
import { actUntilDone } from '../../../src/engine/act-until-done.ts';
import { type EffectPorts, performEffect } from '../../../src/engine/effects/perform.ts';
import { createEngine, type EnginePorts } from '../../../src/engine/loop.ts';
import { SimulatedRuns } from '../../simulation/simulated-runs.ts';
import { at, type Place } from '../../support/runs.ts';
import { NOW, newSession, sessionIn, sessionNews, USER, after as worldAfter } from '../../support/world.ts';

const BEGUN = worldAfter(EMPTY_WORLD, newSession());
const { id: S1 } = sessionIn(BEGUN, 's1');
const RUNNING = worldAfter(BEGUN, sessionNews(S1, { kind: 'up' }));
const PAUSED = worldAfter(RUNNING, { kind: 'session-pause', by: USER, session: S1 });

/** Everything in the outbox, in order; tells what the ports were asked for. */
async function performed(world: World): Promise<readonly string[]> {
  const asked: string[] = [];
  const sessions: Sessions = {
    ...NO_SESSIONS,
    async start({ id }) {
      asked.push(`start ${id}`);
      return { kind: 'up' };
    },
    async stop(session) {
      asked.push(`stop ${session}`);
    },
    async pause({ id }) {
      asked.push(`pause ${id}`);
    },
  };
  const ports: EffectPorts = {
    runs: NO_RUNS,
    quarantine: NO_QUARANTINE,
    notify: { tell: unasked, warn: unasked },
    sessions,
  };
  for (const effect of world.outbox.values()) await performEffect(ports, world, effect);
  return asked;
}

function unasked(): never {
  throw new Error('Nobody has asked for this.');
}

const NO_QUARANTINE: Quarantine = { keep: unasked, show: unasked, putBack: unasked, discard: unasked };
const SIMULATED = new SimulatedRuns().seenBy(unasked);
const NO_RUNS: EffectPorts['runs'] = {
  ...SIMULATED,
  notify: { tell: unasked, warn: unasked },
  stop: new AbortController().signal,
  queue: new KeyedQueue(),
  launchedTexts: async () => new Map(),
  cadre: ['cadre'],
  verify: null,
  verifyPrompt: '',
  settings: { setup: [], verify: undefined, baseBranch: undefined, syncBase: true, land: 'manual', taskMerge: 'local' },
};
const NO_SESSIONS: Sessions = {
  start: unasked,
  stop: unasked,
  pause: unasked,
  send: unasked,
  list: unasked,
  look: unasked,
  screen: unasked,
  worktreeOf: unasked,
  watch: unasked,
  watchActivity: unasked,
  attach: unasked,
  tidy: unasked,
  close: unasked,
};

test('a session that was stopped before it was started is not started', async () => {
  expect(await performed(worldAfter(BEGUN, { kind: 'session-stop', by: USER, session: S1 }))).toEqual(['stop s1']);
});

test('a session that was paused before it was started is not started', async () => {
  expect(await performed(worldAfter(BEGUN, { kind: 'session-pause', by: USER, session: S1 }))).toEqual(['pause s1']);
});

test('a session that another has followed before it was started is not started', async () => {
  expect(await performed(worldAfter(BEGUN, { kind: 'session-resume', by: USER, session: S1, prompt: '' }))).toEqual([
    'start s2',
  ]);
});

// A pause that could not be done (git's index was locked) is tried again: by then another agent may work in the worktree.
test('a pause that is still to be done when another has followed does not take the worktree from under it', async () => {
  const resumed = worldAfter(PAUSED, { kind: 'session-resume', by: USER, session: S1, prompt: '' });
  const { id } = sessionIn(resumed, 's4');
  const started = worldAfter(resumed, sessionNews(id, { kind: 'up' }), { kind: 'effect-done', effect: 'e4.0' });
  expect(await performed(started)).not.toContain('pause s1');
});

test('what a command waits for and cannot be done is said once, however often it is tried', async () => {
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

test('a program that is slow to stop holds up neither the rounds nor other places, and what follows in its place waits', async () => {
  const asked: string[] = [];
  let askedToStop: (stopped: () => void) => void = unasked;
  const stopAsked = new Promise<() => void>((resolve) => {
    askedToStop = resolve;
  });
  const two = worldAfter(RUNNING, newSession(), { kind: 'session-stop', by: USER, session: S1 });
  const again = worldAfter(two, { kind: 'session-resume', by: USER, session: S1, prompt: '' });
  const { id: s3, place } = sessionIn(again, 's3');
  const ports = enginePorts(again, unasked);
  const sessions: Sessions = {
    ...ports.sessions,
    list: async () => [{ session: s3, place, life: { kind: 'running', pid: 1 }, lastOutput: undefined }],
    async start({ id }) {
      asked.push(`start ${id}`);
      return { kind: 'up' };
    },
    stop: (session) => {
      asked.push(`stop ${session}`);
      return new Promise((resolve) => askedToStop(resolve));
    },
  };
  const lock = { stillOurs: () => true, release: () => undefined };
  const { round, settled } = createEngine({ ...ports, sessions }, lock, 'resident', () => undefined);
  await round();
  const stopped = await stopAsked;
  await round();
  expect(asked).toEqual(['start s3', 'stop s1']);
  stopped();
  await settled();
  expect(asked).toEqual(['start s3', 'stop s1', 'start s5']);
});

/** An engine's surroundings in which nothing happens, and in which no session can be paused. */
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
      look: async () => world,
      confirmed: async () => world,
      settle: async () => [],
      rebuildPlanState: unasked,
    },
    inbox: {
      scan: () => ({ signals: [], lookAgainIn: undefined, hasMore: false }),
      remove: unasked,
      waiting: unasked,
      watchedPaths: unasked,
    },
    quarantine: NO_QUARANTINE,
    planFiles: {
      list: unasked,
      read: unasked,
      changed: () => ({ readings: [], lookAgainIn: undefined }),
      markHandled: unasked,
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
    notify: { tell: unasked, warn },
    locks: { take: unasked, tryTake: async () => lock, holder: () => undefined },
    engineLock: '/engine.lock',
    journalFolder: '/journal',
    planStateLock: '/plans/.plan-state.lock',
    watchedPaths: [],
    watch: unasked,
  };
}

test('a program is told the how-manieth it is in its role for its task: to plan, to build, to fix, and each review', () => {
  const told = (place: Place): readonly unknown[] => {
    const sessions = [...at(place).sessions.values()];
    return sessions.map((one) => `${one.role} ${attemptOf(sessions, one)}`);
  };
  expect(told('FIXING')).toEqual(['implementer 1', 'implementer 2', 'implementer 3']);
  expect(told('CODE_REVIEW quality')).toEqual([
    'implementer 1',
    'implementer 2',
    'spec-reviewer 1',
    'quality-reviewer 1',
  ]);
});
