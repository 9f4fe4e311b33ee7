// Signals count once, from the right speaker and in the right state; all others go to quarantine with a reason.
import { describe, expect, test } from 'vitest';
import { fold, REMEMBERED_SIGNALS } from '../../../../src/core/journal/fold.ts';
import type { Event } from '../../../../src/core/model/event.ts';
import { EMPTY_WORLD } from '../../../../src/core/model/world.ts';
import { decide } from '../../../../src/core/rules/decide.ts';
import { planMachine } from '../../../../src/machines/plan.ts';
import { ROLES, SIGNALS } from '../../../../src/signals/registry.ts';
import { after, move, NOW, PLAN, signal, USER, worldWith } from '../../../support/world.ts';

test('a user-only event dropped as a signal is refused because of its source', () => {
  for (const event of planMachine.userOnly)
    for (const role of ROLES) {
      const state = event === 'reopen' ? 'cancelled' : 'done';
      const dropped = signal({ name: event.replaceAll('_', '-'), by: { who: 'agent', role } });
      const decision = decide(worldWith(state), dropped, NOW);
      expect(decision).toMatchObject({ kind: 'refused', code: 'user-only' });
      expect(fold(worldWith(state), decision.records).plans.get(PLAN)?.status).toBe(state);
    }
});

test('a file that cannot be read as a signal is refused once, although it is seen again before it is moved', () => {
  const file = { path: '/signals/strange', inode: '1' };
  const unreadable: Event = {
    kind: 'unreadable-signal',
    signal: { id: 'strange/1', shown: 'strange', file, code: 'bad-name', why: 'It is a folder.' },
  };
  const first = decide(worldWith('ready'), unreadable, NOW);
  const world = fold(worldWith('ready'), first.records);
  expect([...world.refused.values()]).toMatchObject([{ name: 'strange', file }]);
  expect(decide(world, unreadable, NOW)).toMatchObject({ kind: 'ignored', keep: true, records: [] });
});

test('a report about a command that an agent typed is always refused and kept', () => {
  for (const role of ROLES)
    for (const plan of [PLAN, 'unknown.md', '']) {
      const dropped = signal({ name: 'cadre approve', plan, body: 'cadre approve x#1', by: { who: 'agent', role } });
      const decision = decide(worldWith('reviewing'), dropped, NOW);
      expect(decision).toMatchObject({ kind: 'refused', code: 'user-only' });
      const world = fold(worldWith('reviewing'), decision.records);
      expect(world.plans.get(PLAN)?.status).toBe('reviewing');
      expect([...world.refused.values()]).toMatchObject([{ name: 'cadre approve' }]);
    }
});

test('a signal from the wrong role is refused because of the role', () => {
  const approval = signal({ name: 'review-approved', by: { who: 'agent', role: 'implementer', session: 's' } });
  expect(decide(worldWith('reviewing'), approval, NOW)).toMatchObject({ kind: 'refused', code: 'role' });
  const finished = signal({ name: 'planner-finished', plan: 'new.md', by: { who: 'agent', role: 'implementer' } });
  expect(decide(EMPTY_WORLD, finished, NOW)).toMatchObject({ kind: 'refused', code: 'role' });
});

describe.each(SIGNALS.filter((one) => one.plan !== undefined).map((one) => [one.name, one] as const))(
  '%s',
  (name, one) => {
    test.each(ROLES)('from the %s moves the plan or goes to quarantine, and never both', (role) => {
      for (const state of Object.keys(planMachine.table) as (keyof typeof planMachine.table)[]) {
        const world = worldWith(state);
        const dropped = signal({ name, body: 'text', by: { who: 'agent', role, session: 's' } });
        const decision = decide(world, dropped, NOW);
        const allowed = one.plan?.roles.includes(role) && planMachine.table[state][one.plan.event] !== undefined;
        expect(decision.kind, state).toBe(allowed ? 'accepted' : 'refused');
        const next = fold(world, decision.records);
        expect(next.refused.size).toBe(allowed ? 0 : 1);
        expect(next.taken.has(dropped.signal.id)).toBe(true);
      }
    });
  },
);

test('the same signal read twice has no effect the second time, even if the plan is in the same state again', () => {
  const finished = signal({ name: 'planner-finished' });
  const taken = after(worldWith('planning'), finished);
  const again = after(taken, move('plan_start'));
  expect(decide(again, finished, NOW)).toEqual({ kind: 'ignored', keep: false, records: [] });
});

test('a refused signal read again waits for its effect and is not refused twice', () => {
  const early = signal({ name: 'implement-finished' });
  const refused = decide(worldWith('ready'), early, NOW);
  const world = fold(worldWith('ready'), refused.records);
  expect(decide(world, early, NOW)).toEqual({ kind: 'ignored', keep: true, records: [] });
});

test('the same signal in another file after a refusal is refused again and kept', () => {
  const early = signal({ name: 'implement-finished' });
  const world = fold(worldWith('ready'), decide(worldWith('ready'), early, NOW).records);
  const again = signal({ name: 'implement-finished', file: { path: '/signals/again', inode: '2' } });
  expect(again.signal.id).toBe(early.signal.id);
  expect(fold(world, decide(world, again, NOW).records).refused.size).toBe(2);
});

test('a signal about an earlier state of the plan is stale', () => {
  const world = after(worldWith('planning'), move('planner_finished'), move('plan_start'));
  const entered = worldWith('planning').plans.get(PLAN)?.entered ?? -1;
  const late = signal({ name: 'planner-finished', entered });
  expect(decide(world, late, NOW)).toMatchObject({ kind: 'refused', code: 'stale' });
  const present = signal({ name: 'planner-finished', entered: world.plans.get(PLAN)?.entered ?? -1 });
  expect(decide(world, present, NOW).kind).toBe('accepted');
});

test('review-changes in a later round counts, and its body is in the record', () => {
  const first = signal({ name: 'review-changes', id: 'one', body: 'tests' });
  const world = after(worldWith('reviewing'), first, move('implement_finished'));
  const second = signal({ name: 'review-changes', id: 'two', body: 'docs' });
  const decision = decide(world, second, NOW);
  expect(decision.records[0]).toMatchObject({ feedback: 'docs', signal: { id: 'two', body: 'docs' } });
});

test('of two contradictory verdicts the first counts and the second goes to quarantine', () => {
  const approved = after(worldWith('reviewing'), signal({ name: 'review-approved' }));
  const decision = decide(approved, signal({ name: 'review-changes', body: 'no' }), NOW);
  expect(decision).toMatchObject({ kind: 'refused', code: 'state' });
});

test('planner-finished registers an unregistered plan file', () => {
  const world = after(EMPTY_WORLD, signal({ name: 'planner-finished', plan: 'new.md' }));
  expect([...world.plans.values()]).toMatchObject([{ plan: 'new.md', status: 'ready', branch: 'plan/new' }]);
});

test.each([
  [
    'planner-finished without a file',
    { name: 'planner-finished', plan: 'new.md', planFileExists: false },
    'unknown-plan',
  ],
  ['a verdict on an unknown plan', { name: 'review-approved', plan: 'new.md' }, 'unknown-plan'],
  ['an unknown name', { name: 'coder-finished' }, 'unknown-signal'],
  ['an event in the spelling of the machine', { name: 'planner_finished' }, 'unknown-signal'],
  ['a path for a plan', { name: 'planner-finished', plan: '../../etc/x.md' }, 'bad-name'],
  ['feedback without text', { name: 'review-changes', body: ' \n' }, 'no-body'],
  ['a question without a run', { name: 'question', body: 'why?' }, 'no-run'],
  ['implement-finished for a task', { name: 'implement-finished', task: '1' }, 'no-run'],
  ['a name of Object.prototype', { name: 'constructor' }, 'unknown-signal'],
  ['an event that starts work', { name: 'implement-start' }, 'source'],
])('%s goes to quarantine with its reason', (_what, part, code) => {
  const decision = decide(worldWith('reviewing'), signal(part), NOW);
  expect(decision).toMatchObject({ kind: 'refused', code });
  const kept = fold(worldWith('reviewing'), decision.records);
  expect([...kept.refused.values()]).toMatchObject([{ code }]);
  expect([...kept.outbox.values()]).toMatchObject([{ do: 'quarantine' }]);
});

test('the memory for signals is bounded and forgets the oldest', () => {
  let world = worldWith('ready');
  const early = (number: number) => signal({ name: 'implement-finished', id: `s${number}` });
  for (let number = 0; number <= REMEMBERED_SIGNALS; number++)
    world = fold(world, decide(world, early(number), NOW).records);
  expect(world.taken.size).toBe(REMEMBERED_SIGNALS);
  expect(world.taken.has('s0')).toBe(false);
  expect(world.taken.has(`s${REMEMBERED_SIGNALS}`)).toBe(true);
});

test('only a person releases or drops what is in quarantine', () => {
  const world = fold(worldWith('ready'), decide(worldWith('ready'), signal({ name: 'nonsense' }), NOW).records);
  const [id = ''] = world.refused.keys();
  for (const kind of ['quarantine-retry', 'quarantine-drop'] as const) {
    expect(decide(world, { kind, id, by: { who: 'agent', role: 'reviewer' } }, NOW)).toMatchObject({ code: 'source' });
    expect(after(world, { kind, id, by: USER }).refused.size).toBe(0);
    expect(decide(world, { kind, id: 'q99', by: USER }, NOW)).toMatchObject({ code: 'unknown-quarantine' });
  }
});
