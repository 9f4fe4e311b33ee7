// When an agent that only waits counts as silent, by what several looks show.
import { expect, test } from 'vitest';
import type { ScreenReading } from '../../src/agents/agent.ts';
import type { Sight } from '../../src/core/model/activity.ts';
import { EMPTY_WORLD } from '../../src/core/model/world.ts';
import { SILENT_AFTER, SilenceDetector } from '../../src/engine/silence.ts';
import { SimulatedRuns } from '../simulation/simulated-runs.ts';
import { at, runIn, settled } from '../support/runs.ts';
import { NOW, sessionNews } from '../support/world.ts';

const LAUNCHED = at('CODING');
const ID = runIn(LAUNCHED).session?.id ?? (undefined as never);
const WORLD = settled(LAUNCHED, sessionNews(ID, { kind: 'up' }));
const AGENTS = [...WORLD.sessions.values()];
const { trees } = new SimulatedRuns().seenBy(() => undefined);

const NOTHING: Sight = { reported: undefined, screen: undefined, lastOutput: undefined, lastSent: undefined };
const after = (time: number): number => NOW.getTime() + time;
const screen = (kind: 'idle' | 'busy'): Partial<Sight> => ({ screen: { kind } satisfies ScreenReading });
const finished = (time: number): Partial<Sight> => ({
  reported: { report: { kind: 'turn-finished' }, at: after(time) },
});

/** A look at this many milliseconds of the monotonic clock, and by how much the wall clock is ahead of it by then. */
type Look = readonly [time: number, sight: Partial<Sight>, ahead?: number];

const HOURS = 3_600_000;

test.each<[string, readonly Look[], number | undefined]>([
  [
    'a program that reported the end of its turn, at the second look',
    [
      [0, finished(0)],
      [50, finished(0)],
    ],
    50,
  ],
  [
    'a screen that shows it for long enough',
    [
      [0, screen('idle')],
      [SILENT_AFTER, screen('idle')],
    ],
    SILENT_AFTER,
  ],
  [
    'not a program that is starting',
    [
      [0, screen('idle')],
      [50, screen('idle')],
      [900, screen('idle')],
      [2_000, screen('busy')],
    ],
    undefined,
  ],
  [
    'not a screen that was busy in between',
    [
      [0, screen('idle')],
      [9_000, screen('busy')],
      [9_100, screen('idle')],
      [SILENT_AFTER, screen('idle')],
    ],
    undefined,
  ],
  [
    'not an agent that has just been sent something',
    [
      [0, screen('idle')],
      [SILENT_AFTER, { ...screen('idle'), lastSent: after(SILENT_AFTER - 100) }],
    ],
    undefined,
  ],
  ['not an agent at the first look', [[SILENT_AFTER, screen('idle')]], undefined],
  [
    'not an agent that waited before the machine slept and still waits',
    [
      [0, screen('idle')],
      [1_000, screen('idle'), 8 * HOURS],
    ],
    undefined,
  ],
  [
    'an agent that was sent something before the clock was set back, after the same time',
    [
      [0, { ...screen('idle'), lastSent: after(-50) }],
      [50, { ...screen('idle'), lastSent: after(-50) }, -7 * HOURS],
      [SILENT_AFTER, { ...screen('idle'), lastSent: after(-50) }, -7 * HOURS],
    ],
    SILENT_AFTER,
  ],
])('silent is %s', async (_what, looks, silentAt) => {
  const silence = new SilenceDetector();
  const reported: number[] = [];
  for (const [time, sight, ahead = 0] of looks) {
    const seen = [{ session: ID, sight: { ...NOTHING, ...sight } }];
    const events = await silence.events({ trees, world: EMPTY_WORLD }, AGENTS, seen, {
      now: after(time) + ahead,
      elapsed: HOURS + time,
    });
    if (events.length > 0) reported.push(time);
  }
  expect(reported).toEqual(silentAt === undefined ? [] : [silentAt]);
});
