// Effects that fail for now: what is recorded, whose turn it is, and how it is shown.
import { describe, expect, test } from 'vitest';
import { nextDeadline, overdue } from '../../../../src/core/model/deadlines.ts';
import type { Event } from '../../../../src/core/model/event.ts';
import type { JournalRecord } from '../../../../src/core/model/record.ts';
import type { World } from '../../../../src/core/model/world.ts';
import { decideAll } from '../../../../src/core/rules/decide.ts';
import { outcomeOf } from '../../../../src/core/views/outcome.ts';
import { viewTasks } from '../../../../src/core/views/plan.ts';
import { taskNames } from '../../../../src/core/views/record.ts';
import { planWaitStatus, taskWaitStatus } from '../../../../src/core/views/why.ts';
import { progressLines } from '../../../../src/surfaces/cli/text/progress-lines.ts';
import { recordLine } from '../../../../src/surfaces/cli/text/record-line.ts';
import {
  act,
  answerTo,
  at,
  HUMAN,
  type Place,
  placeOf,
  planIn,
  result,
  runIn,
  SIDE_BY_SIDE,
  says,
  settled,
  TWO,
} from '../../../support/runs.ts';
import { move, NOW, PLAN, read, taskIn, USER } from '../../../support/world.ts';

const WHY = 'plan/x is checked out in /theirs, which has uncommitted changes. Commit them.';
const OTHER = 'https://github.com/people/thing/pull/1 is open. Approve it there.';

function waits(world: World, why = WHY, needsPerson = true): Event {
  return { kind: 'held-up', effect: runIn(world).issued?.effect ?? 'none', why, needsPerson };
}

function waiting(world: World = at('AWAIT_MERGE')): World {
  return settled(world, waits(world));
}

/** The second task is approved while the merge of the first one is held up. */
function bothApproved(): World {
  let world = waiting(at('AWAIT_MERGE', HUMAN, SIDE_BY_SIDE));
  world = settled(world, result(world, { of: 'worktree', base: 'b0' }, '2'));
  world = settled(world, says(world, 'plan-submitted', { task: '2' }), act('approve', { task: '2' }));
  world = settled(world, act('next', { task: '2' }));
  world = settled(world, result(world, { of: 'verify', passed: true, text: '' }, '2'));
  return settled(world, act('approve', { task: '2' }), act('approve', { task: '2' }));
}

const hours = (count: number): Date => new Date(NOW.getTime() + count * 3_600_000);

describe('the reason for a delay', () => {
  test('is recorded once, without a move, and the merge stays pending', () => {
    const world = at('AWAIT_MERGE');
    const { records, world: after } = decideAll(world, [waits(world)], NOW);
    expect(records).toMatchObject([
      { event: 'held_up', by: 'engine', task: '1', cause: WHY, moves: [] },
      { event: 'session_interrupted' },
    ]);
    expect(runIn(after)).toMatchObject({ state: 'AWAIT_MERGE', issued: { do: 'merge', heldUp: { why: WHY } } });
    expect(runIn(after).entered).toBe(runIn(world).entered);
    expect([...after.outbox.keys()]).toEqual(expect.arrayContaining([...world.outbox.keys()]));
  });

  test('is recorded again only when it changes', () => {
    const world = waiting();
    const tries = Array.from({ length: 100 }, () => waits(world));
    expect(decideAll(world, tries, hours(1)).records).toEqual([]);
    const { records, world: after } = decideAll(world, [waits(world, OTHER)], hours(1));
    expect(records).toHaveLength(1);
    expect(runIn(after).issued?.heldUp).toEqual({ why: OTHER, since: NOW.toISOString(), needsPerson: true });
  });

  test.each<Place>(['CODING', 'DONE'])('is ignored for a run in %s', (place) => {
    const world = at(place);
    expect(answerTo(world, waits(world))).toMatchObject({ kind: 'ignored' });
  });

  test('is forgotten with every result of the merge', () => {
    const world = waiting();
    expect(placeOf(settled(world, result(world, { of: 'merge', tip: 't1' })))).toBe('DONE');
    const fixing = settled(world, result(world, { of: 'merge', failed: 'It was closed.' }));
    expect([placeOf(fixing), runIn(fixing).issued]).toEqual(['FIXING', null]);
    expect(answerTo(fixing, waits(world))).toMatchObject({ kind: 'ignored' });
  });
});

describe('a merge that needs a person', () => {
  test('is the person’s turn, who sees the reason and is only reminded', () => {
    const world = waiting();
    expect(taskWaitStatus(world, planIn(world), taskIn(world, '1'))).toEqual({
      owner: 'user',
      need: 'held-up',
      sentence: `Cannot merge yet: ${WHY}`,
      suggestions: [],
      deadline: { at: hours(24).toISOString(), leadsTo: 'remind' },
      waysOut: [],
    });
    expect(viewTasks(world, planIn(world))[0]).toMatchObject({
      merging: true,
      owner: 'user',
      run: { doing: 'merge', heldUp: { why: WHY, since: NOW.toISOString(), needsPerson: true } },
    });
    expect(planWaitStatus(world, planIn(world)).owner).toBe('user');
  });

  test('has no deadline, and its time does not count for the run', () => {
    const world = waiting();
    expect(nextDeadline(at('AWAIT_MERGE'))).toBeDefined();
    expect(nextDeadline(world)).toBeUndefined();
    expect(overdue(world, hours(1_000))).toEqual([]);
    const late: Event = {
      kind: 'overdue',
      wait: { for: 'effect', plan: PLAN, task: '1', effect: runIn(world).issued?.effect ?? '' },
      landed: null,
    };
    expect(placeOf(decideAll(world, [late], hours(1_000)).world)).toBe('AWAIT_MERGE');
    const back = decideAll(world, [result(world, { of: 'merge', conflict: 'a' })], hours(1_000)).world;
    expect([placeOf(back), runIn(back).clock.spent]).toEqual(['FIXING', 0]);
  });

  test('cannot be sent back, since it may happen at any moment', () => {
    const world = waiting();
    expect(answerTo(world, act('back'))).toMatchObject({ kind: 'refused', why: expect.stringContaining(WHY) });
  });

  test('still is the person’s turn when its plan is cancelled, and ends normally', () => {
    const world = settled(waiting(), move('cancel'));
    expect(taskWaitStatus(world, planIn(world), taskIn(world, '1'))).toMatchObject({
      owner: 'user',
      sentence: expect.stringContaining(WHY),
    });
    expect(placeOf(settled(world, result(world, { of: 'merge', tip: 't1' })))).toBe('DONE');
  });

  test('makes the merges behind it wait for the same person', () => {
    const world = bothApproved();
    expect(taskWaitStatus(world, planIn(world), taskIn(world, '2'))).toMatchObject({
      owner: 'user',
      sentence: 'Waiting for task 1, which merges first and is held up.',
      waysOut: ['back'],
    });
    const merged = settled(world, result(world, { of: 'merge', tip: 't1' }));
    expect(taskWaitStatus(merged, planIn(merged), taskIn(merged, '2'))).toMatchObject({ owner: 'engine' });
  });

  test('of a stale task keeps the plan from its review, and the message says so', () => {
    const world = settled(
      waiting(at('AWAIT_MERGE', HUMAN, TWO)),
      read('### Task 2: Pour\n\npour\n'),
      act('mark-done', { task: '2' }),
    );
    expect(planWaitStatus(world, planIn(world))).toMatchObject({
      owner: 'user',
      sentence: 'Everything else is done; the merge of task 1 is waiting.',
    });
  });

  test('ends "cadre run" for the person, and is retried when "cadre run" is used again', () => {
    expect(outcomeOf(waiting(), PLAN)).toMatchObject({ kind: 'person' });
    expect(outcomeOf(bothApproved(), PLAN)).toMatchObject({ kind: 'person' });
    const again = settled(waiting(), { kind: 'run', plan: PLAN, by: USER });
    expect(runIn(again).issued).toEqual(runIn(at('AWAIT_MERGE')).issued);
    expect(outcomeOf(again, PLAN)).toBeUndefined();
  });
});

describe('a delay that needs no person', () => {
  test.each<[Place, string]>([
    ['SETUP', 'Cannot create the worktree yet'],
    ['TESTING', 'Cannot verify yet'],
    ['AWAIT_MERGE', 'Cannot merge yet'],
  ])('in %s stays the engine’s turn, with a deadline', (place, what) => {
    const before = at(place);
    const world = settled(before, waits(before, 'No memory.', false));
    expect(taskWaitStatus(world, planIn(world), taskIn(world, '1'))).toMatchObject({
      owner: 'engine',
      sentence: `${what}; the engine retries: No memory.`,
      deadline: { at: expect.any(String) },
    });
    expect(outcomeOf(world, PLAN)).toBeUndefined();
  });

  test('gets a new deadline when a person has done their part', () => {
    const waited = decideAll(waiting(), [waits(waiting(), 'Its checks run.', false)], hours(100)).world;
    expect(overdue(waited, hours(101))).toEqual([]);
    expect(overdue(waited, hours(102))).toHaveLength(1);
  });

  test('gets a new deadline when a person runs the plan again', () => {
    const retried = decideAll(waiting(), [{ kind: 'run', plan: PLAN, by: USER }], hours(100)).world;
    expect(overdue(retried, hours(101))).toEqual([]);
    expect(overdue(retried, hours(102))).toHaveLength(1);
  });
});

describe('a delay is shown', () => {
  test('once, and again when the reason changes', () => {
    let world = at('AWAIT_MERGE');
    const tell = progressLines(world, PLAN);
    const lines: string[] = [];
    for (const why of [WHY, WHY, WHY, OTHER, OTHER]) {
      const decided = decideAll(world, [waits(world, why)], NOW);
      world = decided.world;
      for (const record of decided.records) lines.push(...tell(world, record));
    }
    expect(lines.map((line) => line.slice(10))).toEqual([
      `1 Dig  cannot merge yet: ${WHY}`,
      `1 Dig  cannot merge yet: ${OTHER}`,
    ]);
  });

  test('without control characters', () => {
    const world = at('AWAIT_MERGE');
    const { records, world: after } = decideAll(world, [waits(world, 'gh failed: \u001b[2Jno.\nTry again.')], NOW);
    const tell = progressLines(world, PLAN);
    const lineOf = (record: JournalRecord): string => recordLine(record, taskNames(after));
    const shown = [...records.flatMap((record) => tell(after, record)), ...records.slice(0, 1).map(lineOf)];
    expect(shown).toEqual([
      expect.stringContaining('gh failed: \\u{1b}[2Jno. Try again.'),
      expect.stringContaining('x.md#1  held up  "gh failed: \\u{1b}[2Jno."'),
    ]);
  });
});

test('a stale task is not shown as merging unless somebody merges it', () => {
  const gone = read('### Task 2: Pour\n\npour\n');
  const merging = (world: World): boolean | undefined => viewTasks(world, planIn(world))[1]?.merging;
  const [reviewed, approved] = [at('CODE_REVIEW quality', HUMAN, TWO), at('AWAIT_MERGE', HUMAN, TWO)];
  expect(merging(settled(reviewed, gone, act('approve', { task: '1' })))).toBe(false);
  expect(merging(settled(approved, gone))).toBe(true);
});
