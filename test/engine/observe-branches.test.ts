// What the engine observes of branches: only of plans that are being built, and at one look at the settings.
import { expect, test } from 'vitest';
import type { PlanEntry, World } from '../../src/core/model/world.ts';
import { branchEventsIn } from '../../src/engine/observe.ts';
import { named } from '../support/pieces.ts';
import { at } from '../support/runs.ts';
import { PLAN } from '../support/world.ts';

const COUNT = 50;

test('many plans that are being built cost one look at the settings', async () => {
  const looks = await looksAtSettings(at('CODING'));
  expect(looks).toEqual({ settings: 1, branches: COUNT });
});

test('plans that nobody builds cost none', async () => {
  const { work: _work, ...idle } = entryIn(at('CODING'));
  const looks = await looksAtSettings({ ...at('CODING'), plans: new Map([[PLAN, idle]]) });
  expect(looks).toEqual({ settings: 0, branches: 0 });
});

/** Of a world in which the plan is there many times. */
async function looksAtSettings(world: World): Promise<{ settings: number; branches: number }> {
  const looks = { settings: 0, branches: 0 };
  const plans = Array.from({ length: COUNT }, (_, number) => {
    const plan = named(`plan-${number}.md`);
    return [plan, { ...entryIn(world), plan }] as const;
  });
  const ports = {
    trees: {
      tipOf: async () => {
        looks.branches += 1;
        return undefined;
      },
      baseOf: async () => ({ branch: 'main', commit: 'c0' }),
    },
    merging: { contains: async () => true },
    get settings() {
      looks.settings += 1;
      return { baseBranch: undefined };
    },
  };
  await branchEventsIn(ports as unknown as Parameters<typeof branchEventsIn>[0], { ...world, plans: new Map(plans) });
  return looks;
}

function entryIn({ plans }: World): PlanEntry {
  const entry = plans.get(PLAN);
  if (entry === undefined) throw new Error('The world has no plan.');
  return entry;
}
