// The link of a run's worktree was changed: nobody works there, nothing merges, and it costs the run nothing.
import { describe, expect, test } from 'vitest';
import { nextDeadline } from '../../../../src/core/model/deadlines.ts';
import type { Event } from '../../../../src/core/model/event.ts';
import type { World } from '../../../../src/core/model/world.ts';
import { decide, decideAll } from '../../../../src/core/rules/decide.ts';
import { incidentsIn } from '../../../../src/core/views/incident.ts';
import { needsIn } from '../../../../src/core/views/needs.ts';
import { notificationsIn } from '../../../../src/core/views/notifications/notification.ts';
import { taskWaitStatus } from '../../../../src/core/views/why.ts';
import { act, at, planIn, runIn, says, settled } from '../../../support/runs.ts';
import { NOW, PLAN, taskIn, USER } from '../../../support/world.ts';

const WHY = '/trees/t1-a1/.git was changed.';

function seen(world: World, why: string | null = WHY): Event {
  return { kind: 'link-seen', plan: PLAN, task: '1', attempt: runIn(world).attempt, why };
}

const restore: Event = { kind: 'worktree-restore', plan: PLAN, task: '1', by: USER };
const changed = (world: World): World => settled(world, seen(world));
const sessionsOf = (world: World) => [...world.sessions.values()].filter(({ wanted }) => wanted === 'running');
const relinked = (world: World, failed?: string): Event => ({
  kind: 'result',
  effect: runIn(world).incident?.restoring ?? 'none',
  result: { of: 'relink', ...(failed === undefined ? {} : { failed }) },
});

describe.each(['PLANNING', 'CODING', 'TESTING', 'CODE_REVIEW spec', 'AWAIT_MERGE', 'FIXING'] as const)(
  'in %s',
  (place) => {
    const state = place.split(' ')[0];

    test('the agent is stopped, what was issued is withdrawn at no cost, and no time counts', () => {
      const before = at(place);
      const world = changed(before);
      expect(runIn(world)).toMatchObject({ state, issued: null, incident: { why: WHY, at: NOW.toISOString() } });
      expect(sessionsOf(world)).toEqual([]);
      expect(nextDeadline(world)).toBeUndefined();
      const merges = state === 'AWAIT_MERGE' ? 1 : 0;
      const { counts } = runIn(before);
      expect(runIn(world).counts).toEqual({ ...counts, mergeAttempts: counts.mergeAttempts - merges });
    });

    test('it is a person’s, and the same turn continues once the worktree is restored', () => {
      const before = at(place);
      let world = changed(before);
      expect(taskWaitStatus(world, planIn(world), taskIn(world, '1'))).toMatchObject({
        owner: 'user',
        need: 'incident',
        suggestions: [{ do: 'worktree-restore', on: 'x#1' }],
      });
      world = settled(world, restore);
      expect([...world.outbox.values()].map((effect) => effect.do)).toContain('relink');
      expect(taskWaitStatus(world, planIn(world), taskIn(world, '1')).owner).toBe('engine');
      world = settled(world, relinked(world));
      expect(runIn(world)).toMatchObject({ state, incident: null, counts: runIn(before).counts });
      expect(runIn(world).issued?.do).toBe(runIn(before).issued?.do);
      // Nothing is asked of an agent while its work is merged.
      expect(sessionsOf(world)).toHaveLength(place === 'AWAIT_MERGE' ? 0 : sessionsOf(before).length);
    });
  },
);

test('it is shown once among incidents, needs and notifications', () => {
  const world = changed(at('CODING'));
  expect(incidentsIn(world)).toMatchObject([
    { plan: PLAN, task: '1', of: 'worktree', restoring: false, actions: [{ do: 'worktree-restore' }] },
  ]);
  expect(needsIn(world)).toMatchObject([{ kind: 'incident', task: '1' }]);
  expect(notificationsIn(world, [])).toMatchObject([{ kind: 'incident', title: 'x#1 has an incident' }]);
  expect(decideAll(world, [seen(world)], NOW).records).toEqual([]);
});

test('its signals are kept unread, and those of an agent without the key are refused', () => {
  const before = at('CODING');
  const world = changed(before);
  expect(decide(world, says(before, 'implement-finished'), NOW)).toEqual({ kind: 'ignored', keep: true, records: [] });
});

test.each(['next', 'approve', 'override', 'relaunch', 'merge-anyway'] as const)('a person cannot %s it', (name) => {
  const world = changed(at('CODE_REVIEW spec'));
  expect(decide(world, act(name), NOW)).toMatchObject({ kind: 'refused', code: 'incident' });
  expect(taskWaitStatus(world, planIn(world), taskIn(world, '1')).waysOut).not.toContain(name);
});

test('a person may still revert it, or send it back', () => {
  expect(taskIn(settled(changed(at('CODING')), act('revert')), '1').state).toBe('planned');
  expect(runIn(settled(changed(at('CODE_REVIEW spec')), act('changes', { text: 'more' }))).state).toBe('FIXING');
});

test('it ends when somebody undoes the change, and not before the effect that restores it is done', () => {
  const world = changed(at('CODING'));
  expect(runIn(settled(world, seen(world, null))).incident).toBeNull();
  const restoring = settled(world, restore);
  expect(decide(restoring, seen(restoring, null), NOW).kind).toBe('ignored');
  expect(decide(restoring, restore, NOW)).toMatchObject({ kind: 'refused', code: 'state' });
});

test('where the worktree cannot be restored the person learns why, and may try again', () => {
  let world = settled(changed(at('CODING')), restore);
  world = settled(world, relinked(world, 'No space left.'));
  const { owner, sentence } = taskWaitStatus(world, planIn(world), taskIn(world, '1'));
  expect([owner, sentence]).toEqual(['user', expect.stringContaining('It could not be restored: No space left.')]);
  expect(decide(world, seen(world, null), NOW).kind).toBe('ignored');
  expect(decide(world, restore, NOW).kind).toBe('accepted');
});

test('neither an agent nor an earlier attempt decides about it', () => {
  const world = changed(at('CODING'));
  const by = { who: 'agent', role: 'implementer' } as const;
  expect(decide(world, { kind: 'worktree-restore', plan: PLAN, task: '1', by }, NOW)).toMatchObject({
    kind: 'refused',
    code: 'user-only',
  });
  const other = at('CODING');
  expect(decide(other, { kind: 'link-seen', plan: PLAN, task: '1', attempt: 9, why: WHY }, NOW).kind).toBe('ignored');
});
