// Which tasks may start, compared with a model that computes it in the simplest and slowest way.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { statesOf } from '../../src/machines/machine.ts';
import { type TaskState, taskMachine } from '../../src/machines/task.ts';
import { findCycles, type Ordered, order } from '../../src/plan/order.ts';

const STATES = statesOf(taskMachine);

describe('a plan without an explicit order', () => {
  const plan = planOf({ tasks: { 1: null, 2: null } }, { tasks: { 3: null, 4: null } });

  test('runs one task after the other', () => {
    expect(show(plan)).toEqual(['1 may start', '2 waits for 1', '3 waits for 1, 2', '4 waits for 3']);
    expect(show(plan, { 1: 'done' })).toEqual(['1 done', '2 may start', '3 waits for 2', '4 waits for 3']);
    expect(show(plan, { 1: 'done', 2: 'done' })).toEqual(['1 done', '2 done', '3 may start', '4 waits for 3']);
  });

  test('waits for an open task even if later ones are done', () => {
    expect(show(plan, { 2: 'done', 3: 'done' })).toEqual(['1 may start', '2 done', '3 done', '4 waits for 1']);
  });

  test.each(STATES.filter((state) => state !== 'done'))('waits for a task that is %s', (state) => {
    expect(order(plan, new Map([['1', state]]))[1]).toMatchObject({ mayStart: false, blockedBy: ['1'] });
  });
});

test('the tasks of a parallel phase may all start when the phases before are done', () => {
  const plan = planOf({ tasks: { 1: null } }, { parallel: true, tasks: { 2: null, 3: null } }, { tasks: { 4: null } });
  expect(show(plan)).toEqual(['1 may start', '2 waits for 1', '3 waits for 1', '4 waits for 2, 3']);
  expect(show(plan, { 1: 'done' })).toEqual(['1 done', '2 may start', '3 may start', '4 waits for 2, 3']);
  expect(show(plan, { 1: 'done', 3: 'done' })).toEqual(['1 done', '2 may start', '3 done', '4 waits for 2']);
});

test('a phase without tasks does not change what waits for what', () => {
  const plan = planOf({ tasks: { 1: null } }, { tasks: {} }, { tasks: { 2: null } });
  expect(show(plan)).toEqual(['1 may start', '2 waits for 1']);
});

test('"Depends on" replaces the order of the plan for that task only', () => {
  const plan = planOf({ tasks: { 1: null, 2: null, 3: [], 4: null } }, { tasks: { 5: ['1'], 6: null } });
  expect(show(plan)).toEqual([
    '1 may start',
    '2 waits for 1',
    '3 may start',
    '4 waits for 3',
    '5 waits for 1',
    '6 waits for 5',
  ]);
  expect(show(plan, { 3: 'done', 5: 'done' })).toEqual([
    '1 may start',
    '2 waits for 1',
    '3 done',
    '4 waits for 2',
    '5 done',
    '6 waits for 1, 2, 4',
  ]);
});

test('a task that depends on an unknown task never starts', () => {
  expect(show(planOf({ tasks: { 1: ['9'] } }), { 1: 'planned' })).toEqual(['1 waits for 9']);
});

test.each(STATES)('a task that is %s may start only if that is the initial state', (state) => {
  expect(order(planOf({ tasks: { 1: null } }), new Map([['1', state]]))[0]?.mayStart).toBe(state === 'planned');
});

describe('a cycle', () => {
  test.each<[string, Ordered, readonly (readonly string[])[]]>([
    ['of a task with itself', planOf({ tasks: { 1: ['1'] } }), [['1']]],
    ['of two tasks', planOf({ parallel: true, tasks: { 1: ['2'], 2: ['1'] } }), [['1', '2']]],
    ['through the order of the plan', planOf({ tasks: { 1: ['2'], 2: null } }), [['1', '2']]],
    ['through phases', planOf({ parallel: true, tasks: { 1: ['2'] } }, { tasks: { 2: null } }), [['1', '2']]],
  ])('%s is found', (_what, plan, cycles) => {
    expect(findCycles(plan)).toEqual(cycles);
  });

  test('is not made by a dependency on an unknown task, or on a later task that waits for nothing', () => {
    expect(findCycles(planOf({ tasks: { 1: ['9'], 2: null } }))).toEqual([]);
    expect(findCycles(planOf({ tasks: { 1: ['2'], 2: [] } }))).toEqual([]);
  });

  test('is reported once, not once for every path through it', () => {
    expect(findCycles(planOf({ tasks: { 1: ['2', '2'], 2: null } }))).toEqual([['1', '2']]);
  });
});

describe('over random plans', { timeout: 60_000 }, () => {
  const dependsOn = fc.oneof(
    { weight: 2, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.array(fc.integer({ min: 1, max: 14 }).map(String), { maxLength: 4 }) },
  );
  const plans = fc
    .array(fc.record({ parallel: fc.boolean(), dependencies: fc.array(dependsOn, { maxLength: 4 }) }), { maxLength: 5 })
    .map((phases): Ordered => {
      let number = 0;
      return {
        phases: phases.map(({ parallel, dependencies }) => ({
          parallel,
          tasks: dependencies.map((dependsOn) => ({ address: String(++number), dependsOn })),
        })),
      };
    });
  const states = fc.array(fc.constantFrom(...STATES, 'done' as const, 'done' as const), {
    minLength: 20,
    maxLength: 20,
  });

  test('order agrees with the model', () => {
    fc.assert(
      fc.property(plans, states, (plan, all) => {
        const known = new Map(all.map((state, index) => [String(index + 1), state]));
        const isOpen = (address: string): boolean => known.get(address) !== 'done';
        const model = waitsIn(plan);
        const turns = order(plan, known);
        expect(turns.map((turn) => turn.address)).toEqual([...model.keys()]);
        for (const { address, mayStart, blockedBy } of turns) {
          const open = [...(model.get(address) ?? [])].filter(isOpen);
          expect(mayStart, address).toBe(known.get(address) === 'planned' && open.length === 0);
          // The model lists every earlier task; `order` lists only the ones a task waits for directly.
          expect(blockedBy.length > 0, address).toBe(open.length > 0);
          expect(open).toEqual(expect.arrayContaining([...blockedBy]));
        }
      }),
      { numRuns: 3_000 },
    );
  });

  test('findCycles finds a cycle in every strongly connected part of the model, and no others', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const model = waitsIn(plan);
        const reaches = closureOf(model);
        const cycles = findCycles(plan);
        for (const cycle of cycles) {
          expect(cycle).not.toEqual([]);
          for (const [index, address] of cycle.entries())
            expect(model.get(address), `${cycle}`).toContain(cycle[(index + 1) % cycle.length]);
        }
        const found = new Set(cycles.flat());
        for (const [address, reached] of reaches) {
          const knot = [...reached].filter((other) => reaches.get(other)?.has(address));
          if (knot.length > 0)
            expect(
              knot.some((other) => found.has(other)),
              `${knot}`,
            ).toBe(true);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  test('a plan without cycles and unknown tasks can be completed in any permitted order', () => {
    fc.assert(
      fc.property(plans, fc.infiniteStream(fc.nat({ max: 99 })), (plan, choices) => {
        const addresses = new Set(plan.phases.flatMap((phase) => phase.tasks.map((task) => task.address)));
        const sound = { phases: plan.phases.map((phase) => ({ ...phase, tasks: phase.tasks.map(withKnown) })) };
        fc.pre(findCycles(sound).length === 0);
        const states = new Map<string, TaskState>();
        while (states.size < addresses.size) {
          const ready = order(sound, states).filter((turn) => turn.mayStart);
          const next = ready[(choices.next().value ?? 0) % ready.length];
          expect(next, `stuck after ${[...states.keys()]}`).toBeDefined();
          states.set(next?.address ?? '', 'done');
        }

        function withKnown<T extends { readonly dependsOn: readonly string[] | null }>(task: T): T {
          return { ...task, dependsOn: task.dependsOn?.filter((address) => addresses.has(address)) ?? null };
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

/** Everything that each task waits for, directly or indirectly. */
function waitsIn(plan: Ordered): ReadonlyMap<string, ReadonlySet<string>> {
  const waits = new Map<string, ReadonlySet<string>>();
  const before: string[] = [];
  for (const { parallel, tasks } of plan.phases) {
    for (const [index, { address, dependsOn }] of tasks.entries()) {
      const beside = parallel ? [] : tasks.slice(0, index).map((task) => task.address);
      waits.set(address, new Set(dependsOn ?? [...before, ...beside]));
    }
    before.push(...tasks.map((task) => task.address));
  }
  return waits;
}

function closureOf(waits: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    [...waits].map(([address, first]) => {
      const reached = new Set(first);
      for (const one of reached) for (const further of waits.get(one) ?? []) reached.add(further);
      return [address, reached];
    }),
  );
}

interface PhaseInShort {
  readonly parallel?: boolean;
  readonly tasks: Readonly<Record<number, readonly string[] | null>>;
}

function planOf(...phases: readonly PhaseInShort[]): Ordered {
  return {
    phases: phases.map(({ parallel = false, tasks }) => ({
      parallel,
      tasks: Object.entries(tasks).map(([address, dependsOn]) => ({ address, dependsOn })),
    })),
  };
}

/** One line per task. */
function show(plan: Ordered, states: Readonly<Record<string, TaskState>> = {}): readonly string[] {
  return order(plan, new Map(Object.entries(states))).map(({ address, mayStart, blockedBy }) => {
    if (states[address] === 'done') return `${address} done`;
    return mayStart ? `${address} may start` : `${address} waits for ${blockedBy.join(', ')}`;
  });
}
