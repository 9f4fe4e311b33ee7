// A merge that cannot go on before a person has done something: what is kept of it, who owns it, and how it is told.
import { describe, expect, test } from 'vitest';
import { nextDeadline, overdue } from '../../src/core/deadlines.ts';
import { decideAll } from '../../src/core/decide.ts';
import type { Event } from '../../src/core/events.ts';
import { viewTasks } from '../../src/core/view.ts';
import { planStanding, taskStanding } from '../../src/core/why.ts';
import type { World } from '../../src/core/world.ts';
import { endOf } from '../../src/surfaces/cli/progress.ts';
import { progressTeller, waitingLines } from '../../src/surfaces/cli/progress-lines.ts';
import { recordLine } from '../../src/surfaces/cli/record-line.ts';
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
} from '../support/runs.ts';
import { move, NOW, PLAN, read, taskIn } from '../support/world.ts';

const WHY = 'plan/x is checked out in /theirs, where files are changed. Commit them.';
const OTHER = 'https://github.com/people/thing/pull/1 is open. It has to be approved there.';

function waits(world: World, why = WHY, task = '1'): Event {
  return { kind: 'merge-waits', effect: runIn(world, task).issued?.effect ?? 'none', why };
}

function waiting(world: World = at('AWAIT_MERGE')): World {
  return settled(world, waits(world));
}

/** The second task is approved while the merge of the first one waits. */
function bothApproved(): World {
  let world = waiting(at('AWAIT_MERGE', HUMAN, SIDE_BY_SIDE));
  world = settled(world, result(world, { of: 'worktree', base: 'b0' }, '2'));
  world = settled(world, says(world, 'plan-submitted', { task: '2' }), act('approve', { task: '2' }));
  world = settled(world, act('next', { task: '2' }));
  world = settled(world, result(world, { of: 'verify', passed: true, text: '' }, '2'));
  return settled(world, act('approve', { task: '2' }), act('approve', { task: '2' }));
}

const hours = (count: number): Date => new Date(NOW.getTime() + count * 3_600_000);

describe('what is in the way', () => {
  test('is kept in one record, which moves nothing and leaves the merge to be done', () => {
    const world = at('AWAIT_MERGE');
    const { records, world: after } = decideAll(world, [waits(world)], NOW);
    expect(records).toMatchObject([{ event: 'merge_waits', by: 'engine', task: '1', cause: WHY, moves: [] }]);
    expect(runIn(after)).toMatchObject({ state: 'AWAIT_MERGE', issued: { do: 'merge', waits: { why: WHY } } });
    expect(runIn(after).entered).toBe(runIn(world).entered);
    expect(after.outbox).toEqual(world.outbox);
  });

  test('is not written again as long as it is the same, and is when it is something else', () => {
    const world = waiting();
    const tries = Array.from({ length: 100 }, () => waits(world));
    expect(decideAll(world, tries, hours(1)).records).toEqual([]);
    const { records, world: after } = decideAll(world, [waits(world, OTHER)], hours(1));
    expect(records).toHaveLength(1);
    expect(runIn(after).issued?.waits).toEqual({ why: OTHER, since: NOW.toISOString() });
  });

  test.each<Place>(['SETUP', 'TESTING', 'CODING', 'DONE'])('is nothing to a run in %s', (place) => {
    const world = at(place);
    expect(answerTo(world, waits(world))).toMatchObject({ kind: 'ignored' });
  });

  test('is forgotten with the merge, whatever comes of it', () => {
    const world = waiting();
    expect(placeOf(settled(world, result(world, { of: 'merge', tip: 't1' })))).toBe('DONE');
    const fixing = settled(world, result(world, { of: 'merge', failed: 'It was closed.' }));
    expect([placeOf(fixing), runIn(fixing).issued]).toEqual(['FIXING', null]);
    expect(answerTo(fixing, waits(world))).toMatchObject({ kind: 'ignored' });
  });
});

describe('a merge that waits', () => {
  test('is a person’s, who is told what for and only reminded', () => {
    const world = waiting();
    expect(taskStanding(world, planIn(world), taskIn(world, '1'))).toEqual({
      owner: 'user',
      sentence: `It is to be merged, and waits: ${WHY}`,
      deadline: { at: hours(24).toISOString(), leadsTo: 'remind' },
      waysOut: [],
    });
    expect(viewTasks(world, planIn(world))[0]).toMatchObject({
      merging: true,
      owner: 'user',
      run: { doing: 'merge', mergeWaits: { why: WHY, since: NOW.toISOString() } },
    });
    expect(planStanding(world, planIn(world)).owner).toBe('user');
  });

  test('has all the time there is, and its run is not charged for it', () => {
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

  test('is not taken back by a person, since it may come about at any moment', () => {
    const world = waiting();
    expect(answerTo(world, act('back'))).toMatchObject({ kind: 'refused', why: expect.stringContaining(WHY) });
  });

  test('is a person’s also where its plan was cancelled, and ends as it would have', () => {
    const world = settled(waiting(), move('cancel'));
    expect(taskStanding(world, planIn(world), taskIn(world, '1'))).toMatchObject({
      owner: 'user',
      sentence: expect.stringContaining(WHY),
    });
    expect(placeOf(settled(world, result(world, { of: 'merge', tip: 't1' })))).toBe('DONE');
  });

  test('keeps those behind it waiting for the same person', () => {
    const world = bothApproved();
    expect(taskStanding(world, planIn(world), taskIn(world, '2'))).toMatchObject({
      owner: 'user',
      sentence: 'It is merged after task 1, whose merge waits.',
      waysOut: ['back'],
    });
    const merged = settled(world, result(world, { of: 'merge', tip: 't1' }));
    expect(taskStanding(merged, planIn(merged), taskIn(merged, '2'))).toMatchObject({ owner: 'engine' });
  });

  test('of a task that is gone from the file keeps the plan from its review, and says so', () => {
    const world = settled(
      waiting(at('AWAIT_MERGE', HUMAN, TWO)),
      read('### Task 2: Pour\n\npour\n'),
      act('mark-done', { task: '2' }),
    );
    expect(planStanding(world, planIn(world))).toMatchObject({
      owner: 'user',
      sentence: 'Everything else is done, and the merge of task 1 waits.',
    });
  });

  test('is no end of "cadre run", because it goes on by itself', () => {
    expect(endOf(waiting(), PLAN)).toBeUndefined();
    expect(endOf(bothApproved(), PLAN)).toBeUndefined();
  });
});

describe('it is told', () => {
  test('once, however often it is tried, and again when it is something else', () => {
    let world = at('AWAIT_MERGE');
    const tell = progressTeller(world, PLAN);
    const lines: string[] = [];
    for (const why of [WHY, WHY, WHY, OTHER, OTHER]) {
      const decided = decideAll(world, [waits(world, why)], NOW);
      world = decided.world;
      for (const record of decided.records) lines.push(...tell(world, record));
    }
    expect(lines.map((line) => line.slice(10))).toEqual([
      `1 Dig  waits to be merged. ${WHY}`,
      `1 Dig  waits to be merged. ${OTHER}`,
    ]);
  });

  test('at once to who comes back later', () => {
    expect(waitingLines(at('AWAIT_MERGE'), PLAN)).toEqual([]);
    expect(waitingLines(waiting(), PLAN)).toEqual([`1 Dig  waits to be merged. ${WHY}`]);
  });

  test('without acting on the terminal', () => {
    const world = at('AWAIT_MERGE');
    const { records, world: after } = decideAll(world, [waits(world, 'gh says: \u001b[2Jno.\nTry again.')], NOW);
    const tell = progressTeller(world, PLAN);
    const shown = [...records.flatMap((record) => tell(after, record)), ...records.map(recordLine)];
    expect(shown).toEqual([
      expect.stringContaining('gh says: \\u{1b}[2Jno. Try again.'),
      expect.stringContaining('x.md#1  the merge waits  "gh says: \\u{1b}[2Jno."'),
    ]);
  });
});
