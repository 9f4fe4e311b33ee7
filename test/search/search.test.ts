// The exhaustive search as far as it is quick: every world that a plan of one task, of two tasks in sequence, of two tasks in
// parallel, and one in a workshop can reach, with tiny budgets. `npm run search` goes through all models.
import { expect, test } from 'vitest';
import { isCi } from '../support/tier.ts';
import { MODELS, type Model } from './models.ts';
import { partition } from './partition.ts';
import { search } from './search.ts';

/** More states than any of these models has: a search that reaches this limit has not seen everything, and fails. */
const MOST = 100_000;

/** The least each model must find, so that a search that looks at nothing does not pass. "npm test" runs the smaller ones,
 * "npm run test:ci" the others. */
const SMALL: Readonly<Record<string, number>> = {
  'one/least/usual+base': 1_000,
  'seq/narrow/usual+stale': 900,
  'par/least/usual': 2_500,
  'workshop/least': 700,
  'plan findings/usual': 5_000,
  'findings/narrow/escalation': 100,
};
const LARGER: Readonly<Record<string, number>> = {
  'one/least/usual+link': 1_000,
  'one/tiny/usual+wide': 2_000,
  'seq/tiny/usual': 8_000,
  'one/least/usual+branch': 10_000,
  'workshop/tiny+pause': 7_000,
  'findings/usual': 15_000,
};

test.each(Object.entries(isCi() ? LARGER : SMALL))(
  '%s: no dead end, no cycle without a person, and no broken invariant',
  (name, least) => {
    const { states, transitions, violations, seconds } = search(modelOf(name), { violations: 5, states: MOST });
    process.stdout.write(`${name}: ${states} states, ${transitions} transitions (${seconds.toFixed(1)} s)\n`);
    expect(violations).toEqual([]);
    expect(states).toBeGreaterThan(least);
  },
  300_000,
);

// It looks at every single world, so the shortest of these takes as long as all searches of "npm test".
test.each(isCi() ? ['one/tiny/usual', 'par/narrow/usual+stale'] : [])(
  '%s: worlds that count as one are equivalent',
  (name) => {
    const { worlds, classes, torn } = partition(modelOf(name), MOST);
    process.stdout.write(`${name}: ${worlds} worlds taken for ${classes}\n`);
    expect(torn).toEqual([]);
    expect(worlds).toBeGreaterThan(5 * classes);
  },
  300_000,
);

test('a plan is planned in a workshop, and comes to review, to be ready, and to be done', () => {
  const seen = new Set<string>();
  search(modelOf('workshop/least'), { violations: 1, states: MOST }, ({ world }) => {
    for (const { status, workshop } of world.plans.values()) seen.add(`${status} ${workshop?.state ?? 'without'}`);
  });
  const states = ['without', 'clarifying', 'workshop', 'formalizing', 'review_ready'];
  const plans = ['ready', 'planning', 'implementing', 'reviewing', 'done', 'cancelled'];
  expect([...seen].sort()).toEqual(plans.flatMap((plan) => states.map((state) => `${plan} ${state}`)).sort());
});

function modelOf(name: string): Model {
  const model = MODELS.find((one) => one.name === name);
  if (model === undefined) throw new Error(`There is no model ${name}.`);
  return model;
}
