// When an agent that only waits is said to have fallen silent, by what is seen of it at one look after the other.
import { expect, test } from 'vitest';
import type { ScreenReading } from '../../src/agents/agent.ts';
import type { Sight } from '../../src/core/model/activity.ts';
import { ownPlaceOf } from '../../src/core/model/ids.ts';
import { Silence, STILL_FOR } from '../../src/engine/observe.ts';
import { SimulatedRuns } from '../simulation/simulated-runs.ts';
import { at, runIn, settled } from '../support/runs.ts';
import { NOW, sessionNews } from '../support/world.ts';

const BEGUN = at('CODING');
const ID = runIn(BEGUN).session?.id ?? (undefined as never);
const WORLD = settled(BEGUN, sessionNews(ID, { kind: 'up' }));
const { trees } = new SimulatedRuns().seenBy(() => undefined);

const NOTHING: Sight = { reported: undefined, screen: undefined, lastOutput: undefined, lastSent: undefined };
const after = (time: number): number => NOW.getTime() + time;
const screen = (kind: 'idle' | 'busy'): Partial<Sight> => ({ screen: { kind } satisfies ScreenReading });
const finished = (time: number): Partial<Sight> => ({
  reported: { report: { kind: 'turn-finished' }, at: after(time) },
});

test.each<[string, readonly [number, Partial<Sight>][], number | undefined]>([
  [
    'a program that says that its turn is over, at the second look',
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
      [STILL_FOR, screen('idle')],
    ],
    STILL_FOR,
  ],
  [
    'not a program that starts',
    [
      [0, screen('idle')],
      [50, screen('idle')],
      [900, screen('idle')],
      [2_000, screen('busy')],
    ],
    undefined,
  ],
  [
    'not a screen between two things',
    [
      [0, screen('idle')],
      [9_000, screen('busy')],
      [9_100, screen('idle')],
      [STILL_FOR, screen('idle')],
    ],
    undefined,
  ],
  [
    'not one that was told something just now',
    [
      [0, screen('idle')],
      [STILL_FOR, { ...screen('idle'), lastSent: after(STILL_FOR - 100) }],
    ],
    undefined,
  ],
  ['not one at which somebody looks for the first time', [[STILL_FOR, screen('idle')]], undefined],
])('silent is %s', async (_what, looks, said) => {
  const silence = new Silence();
  const heard: number[] = [];
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
    if (events.length > 0) heard.push(time);
  }
  expect(heard).toEqual(said === undefined ? [] : [said]);
});
