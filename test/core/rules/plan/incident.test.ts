// A branch that somebody else moved: nothing is launched, merged, approved or landed until a person has decided.
import { describe, expect, test } from 'vitest';
import type { EffectResult, Event, EventOfKind } from '../../../../src/core/model/event.ts';
import type { World } from '../../../../src/core/model/world.ts';
import { needsIn } from '../../../../src/core/views/needs.ts';
import { outcomeOf } from '../../../../src/core/views/outcome.ts';
import { planWaitStatus, taskWaitStatus } from '../../../../src/core/views/why.ts';
import {
  act,
  answerTo,
  at,
  branchMade,
  going,
  HUMAN,
  planIn,
  result,
  reviewerSays,
  runIn,
  SIDE_BY_SIDE,
  settled,
  TWO,
} from '../../../support/runs.ts';
import { ENGINE, move, PLAN, taskIn, USER } from '../../../support/world.ts';

const tipOf = (world: World): string | null => planIn(world).work?.tip ?? null;
const incidentOf = (world: World) => planIn(world).work?.incident ?? null;
const seen = (world: World, found: string | null): EventOfKind<'branch-seen'> => ({
  kind: 'branch-seen',
  plan: PLAN,
  expected: tipOf(world),
  found,
});
/** The world after the plan branch was found at this commit. */
const foundAt = (world: World, found: string | null): World => settled(world, seen(world, found));
const pending = (world: World, what: string): readonly string[] =>
  [...world.outbox.values()].flatMap((effect) => (effect.do === what ? [effect.id] : []));
const RESTORE: Event = { kind: 'incident-restore', plan: PLAN, by: USER };
const take = (found: string, more: { missing?: readonly string[]; lost?: 'replan' | 'keep' } = {}): Event => ({
  kind: 'incident-take',
  plan: PLAN,
  by: USER,
  found,
  missing: [],
  ...more,
});
/** The world after the engine has tried to move the branch. */
const setBranch = (world: World, outcome: Partial<Extract<EffectResult, { of: 'set-branch' }>> = {}): World => {
  const effect = pending(world, 'set-branch')[0] ?? 'none';
  const tried: Event = { kind: 'result', effect, result: { of: 'set-branch', ...outcome } };
  return settled(world, tried, { kind: 'effect-done', effect });
};
/** Everything is done, and the reviewer is working on the plan branch at t1. */
const reviewed = (): World => at('DONE');
const approve = (world: World): Event => {
  const said = move('review_approved');
  return said.kind === 'move' ? { ...said, landing: { tip: tipOf(world) ?? '' } } : said;
};

test('a branch that was read before it was restored is not a second incident', () => {
  const deleted = foundAt(at('CODING'), null);
  const early: Event = { ...seen(deleted, null), incident: incidentOf(deleted)?.at ?? null };
  expect(answerTo(deleted, early).kind).toBe('ignored');
  const restored = setBranch(deleted);
  expect(incidentOf(restored)).toBeNull();
  expect(answerTo(restored, early).kind).toBe('ignored');
  expect(answerTo(restored, { ...early, incident: null }).kind).toBe('accepted');
});

describe('a plan branch at a commit that cadre did not make', () => {
  const merging = (): World => at('AWAIT_MERGE');

  test('is an incident, which takes back a merge that is issued and costs no attempt', () => {
    const before = merging();
    expect(runIn(before)).toMatchObject({ issued: { do: 'merge' }, counts: { mergeAttempts: 1 } });
    const world = foundAt(before, 'foreign');
    expect(incidentOf(world)).toMatchObject({
      of: 'plan-branch',
      branch: 'plan/x',
      expected: 'b0',
      found: 'foreign',
    });
    expect(runIn(world)).toMatchObject({ state: 'AWAIT_MERGE', issued: null, counts: { mergeAttempts: 0 } });
    expect(pending(world, 'merge')).toEqual([]);
  });

  test('is not taken over: the journal keeps its own commit', () => {
    expect(tipOf(foundAt(merging(), 'foreign'))).toBe('b0');
  });

  test('stops launches, and agents that are working continue', () => {
    const world = foundAt(settled(at('CODING', HUMAN, TWO)), 'foreign');
    expect(runIn(world).session).not.toBeNull();
    expect(world.sessions.get(runIn(world).session?.id as never)?.wanted).toBe('running');
    const marked = settled(world, act('mark-done'));
    expect(taskIn(marked, '2').state).toBe('planned');
    expect(answerTo(marked, act('launch', { task: '2' }))).toMatchObject({ kind: 'refused', code: 'incident' });
    expect(taskIn(settled(marked, seen(marked, 'b0')), '2').state).toBe('implementing');
  });

  test('stops a merge whose intention is not recorded yet', () => {
    const world = foundAt(merging(), 'foreign');
    const effect = pending(merging(), 'merge')[0] ?? '';
    const intended: Event = {
      kind: 'intend-move',
      plan: PLAN,
      move: { effect, branch: 'plan', from: 'b0', to: 'm' },
    };
    expect(answerTo(merging(), intended).kind).toBe('accepted');
    expect(answerTo(world, intended)).toMatchObject({ kind: 'refused', code: 'state' });
  });

  test('stops the reviewer, and neither a person nor the reviewer can approve', () => {
    const before = reviewed();
    const reviewer = planIn(before).work?.session?.id;
    const world = foundAt(before, 'foreign');
    expect(world.sessions.get(reviewer as never)?.wanted).toBe('stopped');
    expect(planIn(world).work?.session).toBeNull();
    expect(answerTo(world, approve(world))).toMatchObject({ kind: 'refused', code: 'incident' });
    expect(answerTo(world, reviewerSays(before, 'review-approved')).kind).toBe('refused');
  });

  test('stops a landing, which starts again when the incident is over', () => {
    const before = reviewed();
    const landing = settled(before, approve(before));
    expect(pending(landing, 'land')).toHaveLength(1);
    const world = foundAt(landing, 'foreign');
    expect(pending(world, 'land')).toEqual([]);
    expect(answerTo(world, { kind: 'land', plan: PLAN, by: USER })).toMatchObject({ code: 'incident' });
    expect(pending(settled(world, seen(world, 't1')), 'land')).toHaveLength(1);
  });

  test('waits for a person, who is told once and can restore it or take it', () => {
    const world = foundAt(merging(), 'foreign');
    expect(planWaitStatus(world, planIn(world))).toMatchObject({ owner: 'user' });
    expect(taskWaitStatus(world, planIn(world), taskIn(world, '1'))).toMatchObject({
      owner: 'user',
      sentence: 'Incident: nothing is merged.',
    });
    expect(needsIn(world)).toMatchObject([
      {
        task: null,
        sentence: expect.stringContaining('plan/x is at foreign, but cadre left it at b0.'),
        actions: [{ do: 'incident-restore' }, { do: 'incident-take' }],
      },
    ]);
    expect(outcomeOf(world, PLAN)).toMatchObject({ kind: 'person' });
    expect(answerTo(world, seen(world, 'foreign')).kind).toBe('ignored');
  });

  test('is no incident where cadre itself moved it since it was read, or is about to', () => {
    const before = merging();
    const effect = pending(before, 'merge')[0] ?? '';
    const move = { effect, branch: 'plan', from: 'b0', to: 'm' } as const;
    const intended = settled(before, { kind: 'intend-move', plan: PLAN, move });
    for (const found of ['b0', 'm']) expect(answerTo(intended, seen(intended, found)).kind).toBe('ignored');
    const merged = settled(intended, result(intended, { of: 'merge', tip: 'm' }));
    expect(answerTo(merged, seen(before, 'b0')).kind).toBe('ignored');
    expect(incidentOf(foundAt(intended, 'foreign'))).not.toBeNull();
  });

  test('that exists before cadre creates it is an incident as well', () => {
    const world = going();
    const base = { branch: 'main', commit: 'b0' };
    const early: Event = { kind: 'branch-seen', plan: PLAN, expected: null, found: 'foreign', base };
    const found = settled(world, early);
    expect(incidentOf(found)).toMatchObject({ expected: null, found: 'foreign' });
    expect(planIn(settled(found, take('foreign'))).work).toMatchObject({ tip: 'foreign', base, incident: null });
  });

  test('and a move that was cut off and made by git is completed, not an incident', () => {
    const world = settled(going(HUMAN, SIDE_BY_SIDE));
    const [intended] = branchMade(world);
    if (intended === undefined) throw new Error('Nothing is intended.');
    const cutOff = settled(world, intended, act('revert'));
    expect(tipOf(settled(cutOff, seen(cutOff, 'b0')))).toBe('b0');
  });
});

describe('a plan branch that was deleted', () => {
  test('is restored by the engine, and the merge is issued again without having cost an attempt', () => {
    const world = foundAt(at('AWAIT_MERGE'), null);
    expect([...world.outbox.values()].find((effect) => effect.do === 'set-branch')).toMatchObject({
      from: null,
      to: 'b0',
    });
    expect(planWaitStatus(world, planIn(world)).owner).toBe('engine');
    expect(needsIn(world)).toEqual([]);
    expect(outcomeOf(world, PLAN)).toBeUndefined();
    const restored = setBranch(world);
    expect(incidentOf(restored)).toBeNull();
    expect(runIn(restored)).toMatchObject({ issued: { do: 'merge' }, counts: { mergeAttempts: 1 } });
  });

  test('that cannot be restored waits for a person, who tries again', () => {
    const world = foundAt(at('AWAIT_MERGE'), null);
    const failed = setBranch(world, { failed: 'The disk is full.' });
    expect(pending(failed, 'set-branch')).toEqual([]);
    expect(needsIn(failed)).toMatchObject([
      { sentence: expect.stringContaining('The disk is full.'), actions: [{ do: 'incident-restore' }] },
    ]);
    expect(answerTo(failed, take('')).kind).toBe('refused');
    expect(pending(settled(failed, RESTORE), 'set-branch')).toHaveLength(1);
  });

  test('is restored when cadre is thawed', () => {
    const frozen = settled(at('AWAIT_MERGE'), { kind: 'freeze', by: USER });
    const world = foundAt(frozen, null);
    expect(pending(world, 'set-branch')).toEqual([]);
    expect(pending(settled(world, { kind: 'thaw', by: USER }), 'set-branch')).toHaveLength(1);
  });
});

describe('a person', () => {
  test('restores it: the branch goes back, what is on it is kept, and the plan continues', () => {
    const found = foundAt(reviewed(), 'foreign');
    const world = settled(found, RESTORE);
    expect([...world.outbox.values()].find((effect) => effect.do === 'set-branch')).toMatchObject({
      from: 'foreign',
      to: 't1',
      keep: 'foreign',
    });
    expect(incidentOf(world)).not.toBeNull();
    expect(answerTo(world, RESTORE)).toMatchObject({ kind: 'refused', code: 'state' });
    expect(answerTo(world, seen(world, 't1')).kind).toBe('ignored');
    const restored = setBranch(world);
    expect(incidentOf(restored)).toBeNull();
    expect(planIn(restored).work).toMatchObject({ tip: 't1', relaunches: 0, session: { tip: 't1' } });
  });

  test('takes it as it is: the next review is of that commit, and what the journal had is kept', () => {
    const world = settled(foundAt(reviewed(), 'foreign'), take('foreign'));
    expect(planIn(world).work).toMatchObject({ tip: 'foreign', incident: null, session: { tip: 'foreign' } });
    expect([...world.outbox.values()].find((effect) => effect.do === 'set-branch')).toMatchObject({
      from: 'foreign',
      to: 'foreign',
      keep: 't1',
    });
  });

  test('cannot take a commit that nobody has seen', () => {
    const world = foundAt(reviewed(), 'foreign');
    expect(answerTo(world, take('later'))).toMatchObject({ kind: 'refused', code: 'moved' });
    expect(incidentOf(foundAt(world, 'later'))).toMatchObject({ found: 'later' });
  });

  test('says whether tasks whose work is not on it are built again or stay done', () => {
    const found = foundAt(reviewed(), 'foreign');
    expect(answerTo(found, take('foreign', { missing: ['1'] }))).toMatchObject({
      kind: 'refused',
      code: 'needs-choice',
      why: expect.stringContaining('The work of task 1 is not on plan/x at foreign.'),
    });
    const kept = settled(found, take('foreign', { missing: ['1'], lost: 'keep' }));
    expect([taskIn(kept, '1').state, planIn(kept).status]).toEqual(['done', 'reviewing']);
    const again = settled(found, take('foreign', { missing: ['1'], lost: 'replan' }));
    expect([taskIn(again, '1').state, planIn(again).status]).toEqual(['implementing', 'implementing']);
    expect(runIn(again).attempt).toBe(2);
  });

  test('is the only one who decides', () => {
    const world = foundAt(reviewed(), 'foreign');
    for (const by of [ENGINE, { who: 'agent', role: 'implementer' } as const])
      for (const event of [RESTORE, take('foreign')])
        expect(answerTo(world, { ...event, by } as Event)).toMatchObject({ kind: 'refused', code: 'user-only' });
    expect(answerTo(reviewed(), RESTORE)).toMatchObject({ kind: 'refused', code: 'state' });
  });

  test('who moves the branch back ends the incident', () => {
    const world = foundAt(foundAt(at('AWAIT_MERGE'), 'foreign'), 'b0');
    expect(incidentOf(world)).toBeNull();
    expect(runIn(world).issued?.do).toBe('merge');
  });

  test('who cancels the plan keeps the incident, and who starts over has none', () => {
    const world = foundAt(reviewed(), 'foreign');
    expect(incidentOf(settled(world, move('cancel')))).not.toBeNull();
    const before = reviewed();
    const done = foundAt(settled(before, approve(before)), 'foreign');
    expect(incidentOf(settled(done, move('start_over')))).toBeNull();
  });
});

describe('a base branch', () => {
  const base = (found: string, contains: boolean): Event => ({
    kind: 'base-seen',
    plan: PLAN,
    expected: { branch: 'main', commit: 'b0' },
    found: { branch: 'main', commit: found },
    contains,
  });

  test('that gains commits is no incident', () => {
    expect(answerTo(at('AWAIT_MERGE'), base('b1', true)).kind).toBe('ignored');
  });

  test('that has lost the commit of the plan can be taken as it is, and cadre does not move it', () => {
    const world = settled(at('AWAIT_MERGE'), base('elsewhere', false));
    expect(incidentOf(world)).toMatchObject({ of: 'base', branch: 'main', expected: 'b0', found: 'elsewhere' });
    expect(runIn(world)).toMatchObject({ issued: null, counts: { mergeAttempts: 0 } });
    expect(answerTo(world, RESTORE)).toMatchObject({ kind: 'refused', code: 'state' });
    const taken = settled(world, take('elsewhere'));
    expect(planIn(taken).work).toMatchObject({ incident: null, base: { branch: 'main', commit: 'elsewhere' } });
    expect(runIn(taken).issued?.do).toBe('merge');
  });

  test('that a person moves back ends the incident', () => {
    const world = settled(at('AWAIT_MERGE'), base('elsewhere', false));
    expect(incidentOf(settled(world, base('b0', true)))).toBeNull();
  });

  test('with an unrelated history leads to a task, because an approved plan could not land', () => {
    const world = reviewed();
    const said = approve(world);
    if (said.kind !== 'move') throw new Error('That is not an approval.');
    const landing = { tip: 't1', conflict: { base: 'main', files: [] } };
    const fixing = settled(world, { ...said, landing });
    expect(taskIn(fixing, 'R1').feedback).toContain('git merge --allow-unrelated-histories main');
  });
});
