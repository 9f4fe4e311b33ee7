// Plan, task and run together, event by event: what each event moves, in one record.
import { describe, expect, test } from 'vitest';
import type { Event } from '../../../../src/core/model/event.ts';
import type { SeenRun } from '../../../../src/core/model/run.ts';
import type { World } from '../../../../src/core/model/world.ts';
import { decideAll } from '../../../../src/core/rules/decide.ts';
import {
  act,
  answerTo,
  at,
  COMMITTED,
  PLACES,
  type Place,
  placeOf,
  result,
  runIn,
  says,
  settled,
} from '../../../support/runs.ts';
import { NOW, taskIn } from '../../../support/world.ts';

/** From this state, the event leads to that state of the run and that state of the task. */
type Row = readonly [from: Place, what: string, event: (world: World) => Event, to: string, task: string];

const verified = (passed: boolean) => (world: World) => result(world, { of: 'verify', passed, text: 'output' });
const by =
  (what: Parameters<typeof act>[0], text = 'text') =>
  () =>
    act(what, { text });
const said = (name: string, body?: string) => (world: World) => says(world, name, body === undefined ? {} : { body });

const ROWS: readonly Row[] = [
  [
    'SETUP',
    'the worktree is ready',
    (world) => result(world, { of: 'worktree', base: 'b0' }),
    'PLANNING',
    'implementing',
  ],
  [
    'SETUP',
    'the worktree cannot be created',
    (world) => result(world, { of: 'worktree', failed: 'x' }),
    'ERROR',
    'implementing',
  ],
  ['PLANNING', 'plan-submitted', said('plan-submitted'), 'PLAN_REVIEW', 'implementing'],
  ['PLANNING', 'next', by('next'), 'PLAN_REVIEW', 'implementing'],
  ['PLANNING', 'question', said('question'), 'QUESTION from PLANNING', 'implementing'],
  ['PLAN_REVIEW', 'approve', by('approve'), 'CODING', 'implementing'],
  ['PLAN_REVIEW', 'changes', by('changes'), 'PLANNING', 'implementing'],
  ['PLAN_REVIEW', 'abandon', by('abandon'), 'ERROR', 'implementing'],
  ['CODING', 'implement-finished', said('implement-finished'), 'TESTING', 'verifying'],
  ['CODING', 'next', by('next'), 'TESTING', 'verifying'],
  ['CODING', 'question', said('question'), 'QUESTION from CODING', 'implementing'],
  ['TESTING', 'the tests pass', verified(true), 'CODE_REVIEW spec', 'spec_review'],
  ['TESTING', 'the tests fail', verified(false), 'FIXING', 'implementing'],
  [
    'TESTING',
    'the tests cannot be run',
    (world) => result(world, { of: 'verify', failed: 'x' }),
    'FIXING',
    'implementing',
  ],
  ['TESTING', 'back', by('back'), 'FIXING', 'implementing'],
  ['FIXING', 'fix-finished', said('fix-finished'), 'TESTING', 'verifying'],
  ['FIXING', 'implement-finished', said('implement-finished'), 'TESTING', 'verifying'],
  ['FIXING', 'next', by('next'), 'TESTING', 'verifying'],
  ['FIXING', 'question', said('question'), 'QUESTION from FIXING', 'implementing'],
  ['CODE_REVIEW spec', 'review-approved', said('review-approved'), 'CODE_REVIEW quality', 'quality_review'],
  ['CODE_REVIEW spec', 'approve', by('approve'), 'CODE_REVIEW quality', 'quality_review'],
  ['CODE_REVIEW spec', 'review-changes', said('review-changes'), 'FIXING', 'implementing'],
  ['CODE_REVIEW spec', 'changes', by('changes'), 'FIXING', 'implementing'],
  ['CODE_REVIEW spec', 'back', by('back'), 'FIXING', 'implementing'],
  ['CODE_REVIEW spec', 'abandon', by('abandon'), 'ERROR', 'implementing'],
  ['CODE_REVIEW quality', 'review-approved', said('review-approved'), 'AWAIT_MERGE', 'quality_review'],
  ['CODE_REVIEW quality', 'approve', by('approve'), 'AWAIT_MERGE', 'quality_review'],
  ['CODE_REVIEW quality', 'review-changes', said('review-changes'), 'FIXING', 'implementing'],
  ['CODE_REVIEW quality', 'abandon', by('abandon'), 'ERROR', 'implementing'],
  ['AWAIT_MERGE', 'merged', (world) => result(world, { of: 'merge', tip: 't1' }), 'DONE', 'done'],
  ['AWAIT_MERGE', 'a conflict', (world) => result(world, { of: 'merge', conflict: 'a.ts' }), 'FIXING', 'implementing'],
  ['AWAIT_MERGE', 'a failure', (world) => result(world, { of: 'merge', failed: 'x' }), 'FIXING', 'implementing'],
  ['QUESTION from PLANNING', 'answer', by('answer'), 'PLANNING', 'implementing'],
  ['QUESTION from CODING', 'answer', by('answer'), 'CODING', 'implementing'],
  ['QUESTION from FIXING', 'answer', by('answer'), 'FIXING', 'implementing'],
  ['QUESTION from PLANNING', 'plan-submitted', said('plan-submitted'), 'PLAN_REVIEW', 'implementing'],
  ['QUESTION from CODING', 'abandon', by('abandon'), 'ERROR', 'implementing'],
  ['QUESTION from CODING', 'ABANDON', by('answer', 'ABANDON\nno use'), 'ERROR', 'implementing'],
  ['check-in', 'CONTINUE', by('answer', 'CONTINUE'), 'CODING', 'implementing'],
  ['check-in', 'PIVOT', by('answer', 'PIVOT\nuse a map'), 'CODING', 'implementing'],
  ['check-in', 'ESCALATE', by('answer', 'ESCALATE'), 'CODE_REVIEW spec', 'spec_review'],
  ['check-in', 'ABANDON', by('answer', 'ABANDON'), 'ERROR', 'implementing'],
];

test.each(ROWS)('%s: %s', (from, _what, event, to, task) => {
  const before = at(from);
  expect(placeOf(before)).toBe(from);
  const world = settled(before, event(before));
  expect([placeOf(world), taskIn(world, '1').state]).toEqual([to, task]);
});

test('a run and its task move in one record', () => {
  for (const [from, , event] of ROWS) {
    const world = at(from);
    const [line] = decideAll(world, [event(world)], NOW).records;
    const task = taskIn(world, '1');
    const ends = new Map(line?.moves.map((move) => [move.machine, move.to]));
    if (ends.has('coder') && ends.get('coder') === 'TESTING') expect(ends.get('task')).toBe('verifying');
    if (ends.has('task')) expect(line?.moves.find((move) => move.machine === 'task')?.from).toBe(task.state);
  }
});

describe('a person ends a run', () => {
  const TAKEN = PLACES.filter((place) => !['DONE', 'AWAIT_MERGE'].includes(place) && !place.startsWith('CODE_REVIEW'));
  test.each(TAKEN)(
    'in %s: revert makes the task planned and held, mark-done makes it done without a merge',
    (place) => {
      const reverted = settled(at(place), act('revert'));
      expect(taskIn(reverted, '1')).toMatchObject({ state: 'planned', held: true, attempts: 1 });
      expect(taskIn(reverted, '1').run).toBeUndefined();
      const marked = settled(at(place), act('mark-done'));
      expect(taskIn(marked, '1')).toMatchObject({ state: 'done', markedDone: { at: NOW.toISOString() } });
      expect(taskIn(marked, '1').run).toBeUndefined();
    },
  );

  test.each(['CODE_REVIEW spec', 'CODE_REVIEW quality', 'AWAIT_MERGE'] as const)(
    'not in %s: the work has to be sent back first',
    (place) => {
      for (const what of ['revert', 'mark-done'] as const)
        expect(answerTo(at(place), act(what))).toMatchObject({
          kind: 'refused',
          try: [{ do: 'back', on: 'x#1' }],
        });
    },
  );

  test('and its session is stopped before its work is kept', () => {
    const [line] = decideAll(at('CODING'), [act('revert')], NOW).records;
    expect(line?.effects?.map((effect) => effect.do)).toEqual(['stop-session', 'keep']);
  });

  test('and its pending effect is dropped, so that a late result changes nothing', () => {
    const before = at('TESTING');
    const late = result(before, { of: 'verify', passed: true, text: '' });
    const world = settled(before, act('revert'));
    expect([...world.outbox.values()].some((effect) => effect.do === 'verify')).toBe(false);
    expect(answerTo(world, late).kind).toBe('ignored');
  });
});

test('uncommitted changes, or no commit at all, do not count as finished work', () => {
  for (const [place, name] of [
    ['CODING', 'implement-finished'],
    ['FIXING', 'fix-finished'],
  ] as const) {
    const world = at(place);
    for (const [worktree, code] of [
      [{ ...COMMITTED, clean: false }, 'unclean'],
      [{ ...COMMITTED, commits: 0 }, 'no-commit'],
    ] as const) {
      expect(answerTo(world, says(world, name, { worktree }))).toMatchObject({ kind: 'refused', code });
      expect(answerTo(world, act('next', { worktree }))).toMatchObject({ kind: 'refused', code });
    }
  }
});

test('a session speaks only for its own plan', () => {
  const world = at('CODING');
  const elsewhere = answerTo(world, says(world, 'implement-finished', { plan: 'another.md' }));
  expect(elsewhere).toMatchObject({ kind: 'refused', code: 'not-yours' });
  expect(answerTo(world, says(world, 'implement-finished'))).toMatchObject({ kind: 'accepted' });
});

test('a verdict on a branch that has moved sends the run back', () => {
  for (const place of ['CODE_REVIEW spec', 'CODE_REVIEW quality'] as const) {
    const world = at(place);
    const moved = settled(world, says(world, 'review-approved', { worktree: { ...COMMITTED, head: 'c2' } }));
    expect(runIn(moved)).toMatchObject({ state: 'FIXING', fixing: { reason: 'code_review_changes' } });
  }
});

test('the verdict of a reviewer that changed files is refused, its changes are undone, and it is asked again', () => {
  const world = at('CODE_REVIEW spec');
  const { session } = runIn(world);
  const {
    records,
    decisions,
    world: next,
  } = decideAll(world, [says(world, 'review-approved', { worktree: { ...COMMITTED, clean: false } })], NOW);
  expect(decisions[0]).toMatchObject({ kind: 'refused', code: 'unclean' });
  expect(records[0]?.effects?.map((effect) => effect.do)).toEqual(['quarantine', 'undo']);
  expect(placeOf(next)).toBe('CODE_REVIEW spec');
  expect(runIn(next).session?.id).not.toBe(session?.id);
  expect(runIn(next).counts.relaunches).toBe(1);
});

test('an approval is for what the person saw: where the run has moved on to the next review or another commit, it is refused', () => {
  const world = at('CODE_REVIEW spec');
  const { state, stage, pinned: commit } = runIn(world);
  const approval = (seen: SeenRun): Event => ({ ...act('approve'), seen }) as Event;
  expect(answerTo(world, approval({ state, stage, commit }))).toMatchObject({ kind: 'accepted' });
  for (const other of [{ stage: 'quality' as const }, { commit: 'c0ffee' }, { state: 'PLAN_REVIEW' as const }])
    expect(answerTo(world, approval({ state, stage, commit, ...other }))).toMatchObject({
      kind: 'refused',
      code: 'moved',
    });
});
