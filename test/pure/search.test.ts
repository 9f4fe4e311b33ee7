// The short form of the exhaustive search: every world that a plan of one task can get into, with tiny budgets, and the plan
// of two tasks along its main ways. `npm run search` goes through the larger models.
import { expect, test } from 'vitest';
import { MODELS } from '../search/models.ts';
import { search } from '../search/search.ts';

/** The least that each must find, so that a search that looks at nothing does not pass. */
const SHORT: Readonly<Record<string, number>> = {
  'one/tiny/usual': 3_000,
  'seq/narrow/usual+stale': 100,
};

test.each(Object.entries(SHORT))(
  '%s: nothing is stuck, goes in circles or breaks a promise',
  (name, least) => {
    const model = MODELS.find((one) => one.name === name);
    if (model === undefined) throw new Error(`There is no model ${name}.`);
    const { states, transitions, violations, seconds } = search(model, { violations: 5, states: 100_000 });
    process.stdout.write(`${name}: ${states} states, ${transitions} transitions (${seconds.toFixed(1)} s)\n`);
    expect(violations).toEqual([]);
    expect(states).toBeGreaterThan(least);
  },
  300_000,
);
