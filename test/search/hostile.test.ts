// Agents that hang, die, lie, loop, flood and ask for ever: every plan comes to rest within its limits, and says why.
import { expect, test } from 'vitest';
import { walk } from './hostile.ts';

const RUNS = Number(process.env.CADRE_HOSTILE_RUNS ?? 1_000);
const FIRST = Number(process.env.CADRE_SEED ?? 1);

test(`${RUNS} plans built by hostile agents end within their limits, with a cause`, () => {
  const walks = Array.from({ length: RUNS }, (_, index) => walk(FIRST + index));
  expect(walks.filter(({ violations }) => violations.length > 0).slice(0, 3)).toEqual([]);
  const steps = walks.reduce((sum, one) => sum + one.steps, 0);
  const refused = walks.reduce((sum, one) => sum + one.refused, 0);
  const ended = (how: string): number => walks.filter(({ end }) => end === how).length;
  const shown = ['done', 'person', 'budget', 'cancelled'].map((how) => `${how} ${ended(how)}`);
  process.stdout.write(`hostile runs: ${RUNS}, steps: ${steps}, refused signals: ${refused}, ${shown.join(', ')}\n`);
  // Walks in which little happens would show nothing.
  expect(steps).toBeGreaterThan(RUNS * 20);
  for (const how of ['done', 'person', 'budget']) expect(ended(how), how).toBeGreaterThan(0);
}, 3_600_000);
