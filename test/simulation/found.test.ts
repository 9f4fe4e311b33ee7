// Stories that once broke a promise, with faults at every place where they could again.
import { expect, test } from 'vitest';
import { simulate } from './run.ts';
import { ROUND, register, SCRIPTS, type Script, say, touch, writePlan } from './scripts.ts';

const REFUSED_AND_KILLED: Script = {
  name: 'an engine is killed before its refusal is durable, and another one moves the signal to quarantine',
  steps: [
    register('x.md'),
    touch('review-changes-x.md', 'text'),
    say('planner-finished', 'x.md', 'planner'),
    ROUND,
    ROUND,
    ROUND,
  ],
};

test('no effect is performed for a record that a power failure could still lose', async () => {
  const { changes } = await simulate(REFUSED_AND_KILLED, { kind: 'none' }, 1);
  const violations: string[] = [];
  for (let at = 1; at <= changes; at++)
    for (const thenPower of [3, 6, 9, 12])
      violations.push(...(await simulate(REFUSED_AND_KILLED, { kind: 'kill', at, thenPower }, at)).violations);
  expect(violations).toEqual([]);
});

test('a plan that a killed engine has published, without making it durable, is still there after a power failure', async () => {
  const story = SCRIPTS.find(({ name }) => name.includes('worked out again and approved'));
  if (story === undefined) throw new Error('There is no such story.');
  const { changes } = await simulate(story, { kind: 'none' }, 1);
  const violations: string[] = [];
  // The plan is published near the end of the story. What a power failure leaves of a name is a matter of chance.
  for (let at = changes - 11; at <= changes - 7; at++)
    for (let seed = 1; seed <= 10; seed++)
      violations.push(...(await simulate(story, { kind: 'kill', at, thenPower: 7 }, seed)).violations);
  expect(violations).toEqual([]);
});

test('a file that loses all its task headings leaves the plan its tasks, whatever fails meanwhile', async () => {
  const story: Script = {
    name: 'a plan file loses its task headings',
    steps: [writePlan('x.md', 'A', 'B'), register('x.md'), ROUND, ROUND, ROUND, writePlan('x.md'), ROUND, ROUND],
  };
  const { changes } = await simulate(story, { kind: 'none' }, 1);
  const violations: string[] = [];
  for (let at = 1; at <= changes; at++)
    for (const kind of ['kill', 'power'] as const)
      violations.push(...(await simulate(story, { kind, at }, at)).violations);
  expect(violations).toEqual([]);
});
