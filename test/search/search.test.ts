// The exhaustive search, as far as it is fast: every world that a plan of one task, of two sequential tasks and of two
// parallel tasks can get into, with tiny limits. `npm run search` searches the larger models.
import { expect, test } from 'vitest';
import { MODELS, type Model } from './models.ts';
import { partition } from './partition.ts';
import { search } from './search.ts';

/** More than any of them has: a search that reaches this limit is incomplete and fails. */
const MOST = 100_000;

/** The least that each must find, so that a search that finds nothing does not pass. */
const SHORT: Readonly<Record<string, number>> = {
  'one/tiny/usual+wide': 2_000,
  'seq/tiny/usual': 8_000,
  'seq/narrow/usual+stale': 900,
  'par/least/usual': 2_500,
};

test.each(Object.entries(SHORT))(
  '%s: no dead end, no cycle without a person, and no broken invariant',
  (name, least) => {
    const { states, transitions, violations, seconds } = search(modelOf(name), { violations: 5, states: MOST });
    process.stdout.write(`${name}: ${states} states, ${transitions} transitions (${seconds.toFixed(1)} s)\n`);
    expect(violations).toEqual([]);
    expect(states).toBeGreaterThan(least);
  },
  300_000,
);

test.each(['one/tiny/usual', 'par/narrow/usual+stale'])(
  '%s: worlds that count as one are equivalent',
  (name) => {
    const { worlds, classes, torn } = partition(modelOf(name), MOST);
    process.stdout.write(`${name}: ${worlds} worlds taken for ${classes}\n`);
    expect(torn).toEqual([]);
    expect(worlds).toBeGreaterThan(5 * classes);
  },
  300_000,
);

function modelOf(name: string): Model {
  const model = MODELS.find((one) => one.name === name);
  if (model === undefined) throw new Error(`There is no model ${name}.`);
  return model;
}
