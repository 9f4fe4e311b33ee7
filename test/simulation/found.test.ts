// Stories that once broke a promise, at every place where they could again.
import { expect, test } from 'vitest';
import { simulate } from './run.ts';
import { ROUND, register, type Script, say, touch } from './scripts.ts';

const REFUSED_AND_KILLED: Script = {
  name: 'an engine is killed before what it refuses is durable, and another puts it aside',
  steps: [
    register('x.md'),
    touch('review-changes-x.md', 'text'),
    say('planner-finished', 'x.md', 'planner'),
    ROUND,
    ROUND,
    ROUND,
  ],
};

test('nothing is done for a record that a power failure could still take', async () => {
  const { changes } = await simulate(REFUSED_AND_KILLED, { kind: 'none' }, 1);
  const violations: string[] = [];
  for (let at = 1; at <= changes; at++)
    for (const thenPower of [3, 6, 9, 12])
      violations.push(...(await simulate(REFUSED_AND_KILLED, { kind: 'kill', at, thenPower }, at)).violations);
  expect(violations).toEqual([]);
});
