// Who may move a plan, and where: the full matrix of state, event and speaker.
import { describe, expect, test } from 'vitest';
import { fold } from '../../../../src/core/journal/fold.ts';
import type { By } from '../../../../src/core/model/event.ts';
import { EMPTY_WORLD } from '../../../../src/core/model/world.ts';
import { decide } from '../../../../src/core/rules/decide.ts';
import { eventsOf, isUserOnly, statesOf, step } from '../../../../src/machines/machine.ts';
import { type PlanEvent, planMachine } from '../../../../src/machines/plan.ts';
import { ROLES, rolesFor } from '../../../../src/signals/registry.ts';
import { after, move, NOW, PLAN, register, signal, USER, worldWith } from '../../../support/world.ts';

const SPEAKERS: readonly By[] = [
  USER,
  { who: 'engine' },
  ...ROLES.map((role): By => ({ who: 'agent', role, session: 's1' })),
];

const STATES = statesOf(planMachine);
const EVENTS = eventsOf(planMachine);

describe.each(STATES)('a plan that is %s', (state) => {
  test.each(EVENTS)(
    'accepts %s only from speakers that may cause it, and only where the table has an edge',
    (event) => {
      const edge = step(planMachine, state, event);
      for (const by of SPEAKERS) {
        const decision = decide(worldWith(state), move(event, by), NOW);
        const expected = mayCause(by, event) && edge.kind === 'moved';
        expect(decision.kind, `${JSON.stringify(by)} says ${event}`).toBe(expected ? 'accepted' : 'refused');
        if (decision.kind === 'accepted' && edge.kind === 'moved') {
          const next = fold(worldWith(state), decision.records);
          expect(next.plans.get(PLAN)?.status).toBe(edge.to);
        }
      }
    },
  );
});

/** Repeated on purpose, independent of the rules under test. */
function mayCause(by: By, event: PlanEvent): boolean {
  if (by.who === 'user') return true;
  if (['cancel', 'reopen', 'start_over', 'plan_start', 'implement_start'].includes(event)) return false;
  if (by.who === 'engine') return true;
  const roles: Partial<Record<PlanEvent, readonly string[]>> = {
    planner_finished: ['planner', 'outside'],
    implement_finished: ['implementer', 'outside'],
    review_approved: ['reviewer', 'outside'],
    review_changes_requested: ['reviewer', 'outside'],
  };
  return roles[event]?.includes(by.role) ?? false;
}

test.each(EVENTS.filter((event) => isUserOnly(planMachine, event)))(
  'no agent of any role causes %s, and the refusal gives the source as the reason',
  (event) => {
    for (const state of STATES)
      for (const role of ROLES) {
        const decision = decide(worldWith(state), move(event, { who: 'agent', role }), NOW);
        expect(decision).toMatchObject({ kind: 'refused', code: 'user-only', records: [] });
      }
  },
);

test('an implementer cannot approve its own work, and the refusal gives the role as the reason', () => {
  const decision = decide(worldWith('reviewing'), move('review_approved', { who: 'agent', role: 'implementer' }), NOW);
  expect(decision).toMatchObject({ kind: 'refused', code: 'role' });
});

test('a move records who caused it, its source, its target and its time', () => {
  const decision = decide(
    worldWith('planning'),
    move('planner_finished', { who: 'agent', role: 'planner', session: 's7' }),
    NOW,
  );
  expect(decision.records).toMatchObject([
    {
      seq: 3,
      at: NOW.toISOString(),
      by: 'agent',
      role: 'planner',
      session: 's7',
      event: 'planner_finished',
      moves: [{ machine: 'plan', plan: PLAN, event: 'planner_finished', from: 'planning', to: 'ready' }],
    },
  ]);
});

test('an agent’s move notifies the person in the same record when the next step is the person’s', () => {
  const byAgent = decide(worldWith('planning'), move('planner_finished', { who: 'agent', role: 'planner' }), NOW);
  expect(byAgent.records[0]?.effects).toEqual([
    { id: 'e3.0', do: 'tell', text: 'x.md is ready: it waits until a person starts planning or implementing it.' },
  ]);
  const byPerson = decide(worldWith('planning'), move('planner_finished'), NOW);
  expect(byPerson.records[0]?.effects).toBeUndefined();
});

test('an effect stays in the outbox until it is acknowledged once', () => {
  const world = after(worldWith('planning'), move('planner_finished', { who: 'agent', role: 'planner' }));
  expect([...world.outbox.keys()]).toEqual(['e3.0']);
  const done = after(world, { kind: 'effect-done', effect: 'e3.0' });
  expect([...done.outbox.keys()]).toEqual([]);
  expect(decide(done, { kind: 'effect-done', effect: 'e3.0' }, NOW)).toEqual({
    kind: 'ignored',
    keep: false,
    records: [],
  });
});

test('the feedback of a review is kept with the plan, and who said it', () => {
  const asked = after(worldWith('reviewing'), {
    kind: 'move',
    plan: PLAN,
    event: 'review_changes_requested',
    by: USER,
    feedback: 'more tests',
  });
  expect(asked.plans.get(PLAN)?.feedback).toEqual({ text: 'more tests', at: NOW.toISOString(), by: 'person' });
  const outside = after(worldWith('reviewing'), signal({ name: 'review-changes', body: 'more tests' }));
  expect(outside.plans.get(PLAN)?.feedback).toMatchObject({ text: 'more tests', by: 'outside' });
});

test.each([
  ['a registered plan', PLAN, true, 'already-known'],
  ['a plan without a file', 'y.md', false, 'no-file'],
  ['a path', '../y.md', true, 'bad-name'],
  ['a name of Object.prototype', '__proto__', true, 'bad-name'],
])('%s cannot be registered', (_what, plan, planFileExists, code) => {
  const event = { kind: 'register' as const, plan, by: USER, description: '', topic: '', planFileExists };
  expect(decide(worldWith('ready'), event, NOW)).toMatchObject({ kind: 'refused', code });
});

test('an agent cannot register a plan by command', () => {
  const event = { ...register('y.md'), by: { who: 'agent', role: 'planner' } } as never;
  expect(decide(EMPTY_WORLD, event, NOW)).toMatchObject({ kind: 'refused', code: 'source' });
});

test('plans named like members of Object.prototype are ordinary plans', () => {
  const names = Object.getOwnPropertyNames(Object.prototype).map((name) => `${name}.md`);
  const world = after(EMPTY_WORLD, ...names.map(register));
  expect([...world.plans.keys()]).toEqual(names);
});

test('the signal registry gives no role a user-only event', () => {
  for (const event of EVENTS) if (isUserOnly(planMachine, event)) expect(rolesFor(event)).toEqual([]);
});
