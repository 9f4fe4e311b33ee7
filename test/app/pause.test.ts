// Pausing and resuming through the app: when a pause answers, the agents are stopped.
import { expect, test } from 'vitest';
import { perform } from '../../src/app/perform.ts';
import type { World } from '../../src/core/model/world.ts';
import { type Fake, fakeApp } from '../support/app.ts';
import { at, planIn, runIn, settled } from '../support/runs.ts';
import { PLAN } from '../support/world.ts';

const pausing = (fake: Fake, on?: string) => perform(fake.ports, { do: 'pause', on, input: {} });
const resuming = (fake: Fake, on?: string) => perform(fake.ports, { do: 'resume', on, input: {} });

const coding = (): World => at('CODING');

test('answers when the agents are stopped', async () => {
  const fake = fakeApp({ world: coding() });
  expect(await pausing(fake, 'x')).toMatchObject({ kind: 'done', changed: true, plan: { paused: true } });
  expect(fake.asked).toEqual([expect.stringMatching(/^perform (e\d+\.0,?)+$/)]);
});

test('answers when a merge that was about to move the branch has done so', async () => {
  const merging = at('AWAIT_MERGE');
  const effect = runIn(merging).issued?.effect ?? '';
  const move = { effect, branch: 'plan', from: planIn(merging).work?.tip ?? null, to: 'm' } as const;
  const fake = fakeApp({ world: settled(merging, { kind: 'intend-move', plan: PLAN, move }) });
  await pausing(fake);
  expect(fake.asked).toEqual([expect.stringMatching(new RegExp(`^perform .*${effect}$`))]);
});

test('a second pause changes nothing, and stops what the first one could not', async () => {
  const fake = fakeApp({ world: coding() });
  await pausing(fake);
  expect(await pausing(fake)).toMatchObject({ changed: false, record: null, stopped: [expect.stringMatching(/^s/)] });
});

test('starts an engine only if a resume gives it something to do', async () => {
  const fake = fakeApp({ world: coding() });
  await pausing(fake);
  expect(await resuming(fake)).toMatchObject({ changed: true, engine: { pid: 1 } });
  const idle = fakeApp();
  await pausing(idle);
  expect(await resuming(idle)).toMatchObject({ changed: true, engine: null });
  expect(idle.asked).not.toContain('start engine');
});

test('an unknown plan is not paused', async () => {
  await expect(pausing(fakeApp({ world: coding() }), 'nothing')).rejects.toMatchObject({ code: 'unknown-plan' });
});

test('an agent that pauses is refused, and reported', async () => {
  const fake = fakeApp({ world: coding(), by: { who: 'agent', role: 'implementer', session: 's1' } });
  expect(await pausing(fake)).toMatchObject({ kind: 'refused', code: 'user-only' });
  expect(fake.reported).toEqual(['pause']);
});
