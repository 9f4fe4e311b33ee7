// An engine notifies a person once of each thing, also when another engine did it before.
import { expect, test } from 'vitest';
import { Failure } from '../../src/core/model/failure.ts';
import type { SessionId } from '../../src/core/model/ids.ts';
import type { World } from '../../src/core/model/world.ts';
import type { Delivery, Notifications } from '../../src/core/ports/notify.ts';
import { type Asks, asksIn, NO_ASKS } from '../../src/core/views/asking.ts';
import { SETTLES_AFTER } from '../../src/core/views/notifications/announce.ts';
import { Announcer } from '../../src/engine/announcer.ts';
import { act, at, HUMAN, runIn, says, settled } from '../support/runs.ts';
import { NOW, sessionNews } from '../support/world.ts';

const WORKING = at('CODING', { ...HUMAN, notifyCommand: ['hook', 'it'] });
const ASKED = settled(WORKING, says(WORKING, 'question'));
const ANSWERED = settled(ASKED, act('answer', { text: 'red' }));
const ASKED_AGAIN = settled(ANSWERED, says(ANSWERED, 'question'));

/** What a person and the disk see of the engines of one repository. */
class Outside {
  readonly sent: string[] = [];
  readonly warned: string[] = [];
  kept: readonly string[] | undefined;
  elapsed = 0;
  diskIsFull = false;
  answer: readonly Delivery[] = [];
  /** How many ids were kept when each notification was sent. */
  readonly keptAtSending: (number | undefined)[] = [];

  engine(): Announcer {
    const notifications: Notifications = {
      announced: () => this.kept,
      remember: (ids) => {
        if (this.diskIsFull) throw new Failure('environment', 'ENOSPC', 'The disk is full.');
        this.kept = ids;
      },
      send: async ({ id, kind }, command) => {
        this.sent.push(kind);
        this.keptAtSending.push(this.kept?.length);
        expect(id).not.toBe('');
        expect(command).toEqual(['hook', 'it']);
        return this.answer;
      },
    };
    const clock = { now: () => NOW, elapsed: () => this.elapsed };
    return new Announcer({ clock, notifications, notify: { warn: (text) => void this.warned.push(text) } });
  }
}

/** An engine that has seen these worlds, one after the other. */
async function through(outside: Outside, ...worlds: readonly World[]): Promise<Announcer> {
  const engine = outside.engine();
  for (const world of worlds) {
    engine.start(world);
    engine.announce(world, NO_ASKS);
    await engine.settled();
  }
  return engine;
}

test('a need is announced once, however often the engine looks, and the next one again', async () => {
  const outside = new Outside();
  await through(outside, WORKING, ASKED, ASKED, ANSWERED, ASKED_AGAIN, ASKED_AGAIN);
  expect(outside.sent).toEqual(['question', 'question']);
});

test('the next engine does not repeat it, and announces what came in between', async () => {
  const outside = new Outside();
  await through(outside, WORKING, ASKED);
  await through(outside, ASKED);
  expect(outside.sent).toEqual(['question']);
  await through(outside, ASKED_AGAIN);
  expect(outside.sent).toEqual(['question', 'question']);
});

test('the first engine that knows of nothing announces nothing that held before it', async () => {
  const outside = new Outside();
  await through(outside, ASKED, ASKED);
  expect(outside.sent).toEqual([]);
  await through(outside, ASKED_AGAIN);
  expect(outside.sent).toEqual(['question']);
});

test('it is kept after it was sent, so that a kill in between repeats it and loses nothing', async () => {
  const outside = new Outside();
  await through(outside, WORKING, ASKED);
  expect(outside.keptAtSending).toEqual([0]);
  expect(outside.kept).toHaveLength(1);
});

test('a disk that keeps nothing is reported, and this engine repeats nothing', async () => {
  const outside = new Outside();
  outside.kept = [];
  outside.diskIsFull = true;
  await through(outside, WORKING, ASKED, ASKED);
  expect([outside.sent, outside.warned]).toEqual([['question'], ['The disk is full.']]);
});

test('what prevents sending is a warning once, until it has worked again', async () => {
  const outside = new Outside();
  const failed: readonly Delivery[] = [{ channel: 'command', result: 'failed', sentence: 'It exited with 1.' }];
  outside.answer = failed;
  const engine = await through(outside, WORKING, ASKED, ANSWERED, ASKED_AGAIN);
  expect(outside.warned).toEqual(['It exited with 1.']);
  const next = async (world: World): Promise<void> => {
    engine.announce(ANSWERED, NO_ASKS);
    engine.announce(world, NO_ASKS);
    await engine.settled();
  };
  outside.answer = [{ channel: 'desktop', result: 'missing', sentence: 'There is none.' }];
  await next(ASKED);
  outside.answer = failed;
  await next(ASKED_AGAIN);
  expect(outside.warned).toEqual(['It exited with 1.', 'It exited with 1.']);
});

const SESSION = runIn(WORKING).session?.id as SessionId;
const UP = settled(WORKING, sessionNews(SESSION, { kind: 'up' }));

/** What is seen of the agent: that it asks this, that it asks nothing, or nothing at all. */
function seen(question: string | null | undefined): Asks {
  const agents = [...UP.sessions.values()].filter(({ id }) => id === SESSION);
  if (question === undefined) return asksIn(UP, agents, [], NOW.getTime());
  const screen = question === null ? ({ kind: 'busy' } as const) : ({ kind: 'asks-permission', question } as const);
  const sight = { reported: undefined, screen, lastOutput: undefined, lastSent: undefined };
  return asksIn(UP, agents, [{ session: SESSION, sight }], NOW.getTime());
}

test('a program that asks for long enough is announced, once, also if the host does not answer for a while', () => {
  const outside = new Outside();
  const engine = outside.engine();
  engine.start(UP);
  const look = (elapsed: number, question: string | null | undefined): number | undefined => {
    outside.elapsed = elapsed;
    return engine.announce(UP, seen(question));
  };
  expect(look(0, 'May I?')).toBe(SETTLES_AFTER.permission);
  look(2_000, null);
  expect(look(3_000, 'May I?')).toBe(SETTLES_AFTER.permission);
  look(4_000, undefined);
  expect(outside.sent).toEqual([]);
  look(3_000 + SETTLES_AFTER.permission, 'May I? (as the screen has it)');
  look(60_000, undefined);
  look(61_000, 'May I?');
  expect(outside.sent).toEqual(['permission']);
  look(62_000, null);
  look(63_000, 'May I, again?');
  look(70_000, 'May I, again?');
  expect(outside.sent).toEqual(['permission', 'permission']);
});
