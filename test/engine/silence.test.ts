// When an agent that only waits counts as silent, by what several looks show.
import { expect, test } from 'vitest';
import type { ScreenReading } from '../../src/agents/agent.ts';
import type { Sight } from '../../src/core/model/activity.ts';
import { ownPlaceOf } from '../../src/core/model/ids.ts';
import { SILENT_AFTER, SilenceDetector } from '../../src/engine/silence.ts';
import { SimulatedRuns } from '../simulation/simulated-runs.ts';
import { at, runIn, settled } from '../support/runs.ts';
import { NOW, sessionNews } from '../support/world.ts';

const LAUNCHED = at('CODING');
const ID = runIn(LAUNCHED).session?.id ?? (undefined as never);
const WORLD = settled(LAUNCHED, sessionNews(ID, { kind: 'up' }));
const { trees } = new SimulatedRuns().seenBy(() => undefined);

const NOTHING: Sight = { reported: undefined, screen: undefined, lastOutput: undefined, lastSent: undefined };
const after = (time: number): number => NOW.getTime() + time;
const screen = (kind: 'idle' | 'busy'): Partial<Sight> => ({ screen: { kind } satisfies ScreenReading });
const finished = (time: number): Partial<Sight> => ({
  reported: { report: { kind: 'turn-finished' }, at: after(time) },
});

test.each<[string, readonly [number, Partial<Sight>][], number | undefined]>([
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
])('silent is %s', async (_what, looks, silentAt) => {
  const silence = new SilenceDetector();
  const reported: number[] = [];
  for (const [time, sight] of looks) {
    const look = async () => [
      {
        session: ID,
        place: ownPlaceOf(ID),
        life: { kind: 'running', pid: 7 } as const,
        lastOutput: undefined,
        sight: { ...NOTHING, ...sight },
      },
    ];
    const events = await silence.events({ trees, sessions: { look } }, WORLD, new Date(after(time)));
    if (events.length > 0) reported.push(time);
  }
  expect(reported).toEqual(silentAt === undefined ? [] : [silentAt]);
});
