// Deciding many events at once: the same records as deciding them one at a time, without copying the world for each.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold } from '../../../src/core/journal/fold.ts';
import type { Decision } from '../../../src/core/model/decision.ts';
import type { Event } from '../../../src/core/model/event.ts';
import type { JournalRecord } from '../../../src/core/model/record.ts';
import { EMPTY_WORLD, type World } from '../../../src/core/model/world.ts';
import { type Decided, decide, decideAll } from '../../../src/core/rules/decide.ts';
import { react } from '../../../src/core/rules/react.ts';
import { DEFAULT_POLICY } from '../../../src/core/settings/default-policy.ts';
import type { PlanFile } from '../../../src/plan/name.ts';
import { HUMAN, ONE, SIDE_BY_SIDE, TWO } from '../../support/runs.ts';
import { move, NOW, read, register, USER } from '../../support/world.ts';

/** What `decideAll` has to equal: the world is copied for every record, and reactions are looked for after every event. */
function oneAtATime(world: World, events: readonly Event[]): Decided {
  const decisions: Decision[] = [];
  const records: JournalRecord[] = [];
  let after = world;
  const write = (lines: readonly JournalRecord[]): void => {
    records.push(...lines);
    after = fold(after, lines);
  };
  for (const event of events) {
    const decision = decide(after, event, NOW);
    decisions.push(decision);
    if (decision.records.length === 0) continue;
    write(decision.records);
    for (let line = react(after, NOW); line !== undefined; line = react(after, NOW)) write([line]);
  }
  return { world: after, decisions, records };
}

const plan = fc.constantFrom('a.md', 'b.md', 'c.md').map((name) => name as PlanFile);
const status = fc.constantFrom('planning', 'ready', 'implementing', 'reviewing', 'done');
const fields = fc.string({ maxLength: 3 }).map((description) => ({
  ...{ description, branch: 'plan/x', topic: '', createdAt: '', extra: {} },
}));
const effectNumber = fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 1 }));

const event: fc.Arbitrary<Event> = fc.oneof(
  plan.map(register),
  fc.tuple(plan, fc.constantFrom(ONE, TWO, SIDE_BY_SIDE, '# Nothing\n')).map(([of, text]) => read(text, of)),
  fc.record({ kind: fc.constant('import'), plan, status, fields }),
  fc.record({ kind: fc.constant('describe'), plan, fields }),
  fc.record({ kind: fc.constant('differ'), plan, fileStatus: status }),
  fc.record({ kind: fc.constant('adopt'), plan, by: fc.constant(USER), fileStatus: status }),
  fc.constant<Event>({ kind: 'import-document', topics: { a: 1 }, extra: {} }),
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('run'), plan, by: fc.constant(USER) }) },
  fc
    .tuple(plan, fc.constantFrom('plan_start', 'planner_finished', 'implement_start', 'cancel', 'reopen', 'start_over'))
    .map(([of, name]) => move(name, USER, of)),
  fc.record({ kind: fc.constantFrom('freeze', 'thaw'), by: fc.constant(USER) }),
  fc.constantFrom<Event>({ kind: 'policy', policy: HUMAN }, { kind: 'policy', policy: DEFAULT_POLICY }),
  effectNumber.map(
    ([seq, index]): Event => ({
      kind: 'result',
      effect: `e${seq}.${index}`,
      result: { of: 'worktree', base: 'c0' },
    }),
  ),
  effectNumber.map(([seq, index]): Event => ({ kind: 'effect-done', effect: `e${seq}.${index}` })),
);

const KNOWN = ['a.md', 'b.md'].flatMap((name) => [register(name), read(SIDE_BY_SIDE, name as PlanFile)]);

test('deciding many events at once equals deciding one at a time', () => {
  let reactions = 0;
  fc.assert(
    fc.property(fc.array(event, { maxLength: 12 }), fc.array(event, { maxLength: 20 }), (before, events) => {
      const start = oneAtATime(EMPTY_WORLD, [...KNOWN, ...before]).world;
      const decided = decideAll(start, events, NOW);
      expect(decided).toEqual(oneAtATime(start, events));
      reactions += decided.records.length - decided.decisions.flatMap((one) => one.records).length;
    }),
    { numRuns: 2_000 },
  );
  expect(reactions, 'too few reactions to show anything').toBeGreaterThan(500);
});

test('a world that is not at rest comes to rest with the first record, whatever that record is', () => {
  const managed = decideAll(EMPTY_WORLD, [register('a.md'), read(ONE, 'a.md' as PlanFile)], NOW).world;
  const run = decide(managed, { kind: 'run', plan: 'a.md' as PlanFile, by: USER }, NOW);
  const restless = fold(managed, run.records);

  expect(decideAll(restless, [register('b.md')], NOW).records.map((line) => line.event)).toContain('launch');
});

test('the world that was given stays as it was', () => {
  const world = oneAtATime(EMPTY_WORLD, [register('a.md'), read(TWO, 'a.md' as PlanFile)]).world;
  const copy = structuredClone(world);
  decideAll(world, [register('b.md'), { kind: 'run', plan: 'a.md' as PlanFile, by: USER }], NOW);
  expect(world).toEqual(copy);
});

test('where nothing is decided the world is the one that was given', () => {
  const world = oneAtATime(EMPTY_WORLD, [register('a.md')]).world;
  expect(decideAll(world, [register('a.md')], NOW).world).toBe(world);
});
