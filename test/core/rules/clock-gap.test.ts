// Time in which cadre was not awake: it ends no agent, no run and no effect, and `why` shows what is really left.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { restoreWorld, storeWorld } from '../../../src/core/journal/checkpoint-format.ts';
import { deadlines, delayBy, gapBefore, overdue, SHORTEST_GAP } from '../../../src/core/model/deadlines.ts';
import type { Event } from '../../../src/core/model/event.ts';
import { EMPTY_WORLD, type World } from '../../../src/core/model/world.ts';
import { decideAll } from '../../../src/core/rules/decide.ts';
import { planWaitStatus, taskWaitStatus } from '../../../src/core/views/why.ts';
import { AGENT, at, going, PLACES, planIn, runIn, silent } from '../../support/runs.ts';
import { move, NOW, PLAN, read, register, sessionNews, signal, taskIn } from '../../support/world.ts';

const HOUR = 3_600_000;
const SLEPT = 8 * HOUR;

/** So many milliseconds after the moment at which every world of these tests was made. */
function later(milliseconds: number): Date {
  return new Date(NOW.getTime() + milliseconds);
}

/** What the gateway does first: records the gap since the last beat, if there is one. */
function awake(world: World, beat: Date, now: Date, ...events: readonly Event[]): World {
  return decideAll(world, [...gapBefore(world, beat.getTime(), now), ...events], now).world;
}

function leftIn(world: World, now: Date): readonly number[] {
  return deadlines(world).map((deadline) => deadline.at - now.getTime());
}

const TIMED = PLACES.filter((place) => deadlines(at(place, AGENT)).length > 0);

test('agents, verifications, merges and runs have deadlines in most states', () => {
  expect(TIMED).toEqual(expect.arrayContaining(['SETUP', 'CODING', 'TESTING', 'CODE_REVIEW spec', 'AWAIT_MERGE']));
});

describe.each(TIMED)('in %s', (place) => {
  const world = at(place, AGENT);
  const beat = later(60_000);

  test.each([
    ['the machine sleeps for 8 hours, or no engine runs for a night', SLEPT],
    ['the clock jumps 7 hours ahead', 7 * HOUR],
    ['the clock is set back by 7 hours', -7 * HOUR],
    ['the machine sleeps for two weeks', 14 * 24 * HOUR],
  ])('%s: as much time is left as before', (_what, gap) => {
    const now = new Date(beat.getTime() + gap);
    const woken = awake(world, beat, now);
    expect(leftIn(woken, now)).toEqual(leftIn(world, beat));
    expect(overdue(woken, now)).toEqual([]);
    // In DONE, the reviewer of the plan is working.
    const wait =
      taskWaitStatus(woken, planIn(woken), taskIn(woken, '1')).deadline ??
      planWaitStatus(woken, planIn(woken)).deadline;
    expect(wait?.at).toBe(new Date(now.getTime() + Math.min(...leftIn(world, beat))).toISOString());
  });

  test('what would be overdue after the gap is not, whatever the engine submits', () => {
    const now = new Date(beat.getTime() + SLEPT);
    const claimed = overdue(world, new Date(beat.getTime() + 14 * 24 * HOUR));
    expect(claimed).not.toEqual([]);
    const { decisions } = decideAll(awake(world, beat, now), claimed, now);
    expect(decisions.map(({ kind }) => kind)).toEqual(claimed.map(() => 'ignored'));
  });

  test('the time after the gap counts again', () => {
    const now = new Date(beat.getTime() + SLEPT);
    const woken = awake(world, beat, now);
    expect(overdue(woken, new Date(now.getTime() + 24 * HOUR))).not.toEqual([]);
  });
});

test('the time that a run was worked on is without the gaps, also across records in between', () => {
  const world = at('CODING', AGENT);
  const slept = awake(world, later(HOUR), later(HOUR + SLEPT));
  const event = sessionNews(runIn(slept).session?.id as never, { kind: 'up' });
  const up = decideAll(slept, [event], later(HOUR + SLEPT + 1_000)).world;
  expect(runIn(up).clock.spent).toBe(runIn(world).clock.spent + HOUR + 1_000);
});

test('a gap is recorded once, with its length, before what else happened', () => {
  const world = at('CODING', AGENT);
  const [beat, now] = [later(1_000), later(SLEPT)];
  const gap = gapBefore(world, beat.getTime(), now);
  const { records } = decideAll(world, [...gap, move('cancel')], now);
  expect(records[0]).toMatchObject({ event: 'clock_gap', by: 'engine', from: beat.toISOString(), gap: SLEPT - 1_000 });
  const after = awake(world, beat, now);
  expect(gapBefore(after, beat.getTime(), later(SLEPT + 1_000))).toEqual([]);
  expect(gapBefore(restoreWorld(storeWorld(after)), beat.getTime(), later(SLEPT + 1_000))).toEqual([]);
  // The next gap, if still no engine beats, starts where the last one ended.
  expect(gapBefore(after, beat.getTime(), later(2 * SLEPT))).toMatchObject([{ from: now.toISOString() }]);
});

test('no gap is recorded where nothing has a deadline, or where no engine ever ran', () => {
  const registered = decideAll(EMPTY_WORLD, [register(PLAN)], NOW).world;
  const [gap] = gapBefore(registered, NOW.getTime(), later(SLEPT));
  expect(decideAll(registered, gap === undefined ? [] : [gap], later(SLEPT)).records).toEqual([]);
  expect(gapBefore(at('CODING', AGENT), undefined, later(SLEPT))).toEqual([]);
  expect(gapBefore(at('CODING', AGENT), NOW.getTime(), later(SHORTEST_GAP - 1))).toEqual([]);
});

test('what starts after a gap that nobody recorded has no more time than usual', () => {
  // No engine for a night, and nothing to do; then a person runs a plan, before the engine starts.
  const started = going(AGENT);
  for (const beat of [later(-SLEPT), later(7 * HOUR)]) {
    const now = later(5_000);
    expect(leftIn(awake(started, beat, now), now).map((left) => Math.ceil(left / 10_000))).toEqual(
      leftIn(started, NOW).map((left) => Math.ceil(left / 10_000)),
    );
  }
});

test('the next turn of an agent has its whole time', () => {
  const world = at('CODING', AGENT);
  const [beat, now] = [later(HOUR), later(HOUR + SLEPT)];
  const nudged = awake(world, beat, now, silent(world));
  expect(runIn(nudged).session).toMatchObject({ at: now.toISOString() });
  expect(runIn(nudged).session?.asleep ?? 0).toBe(0);
});

test('a sentinel from the time in which no engine ran counts, also when the clock was set back since', () => {
  for (const gap of [SLEPT, -7 * HOUR]) {
    const world = at('CODING', AGENT);
    const [beat, now] = [later(HOUR), later(HOUR + gap)];
    const made = new Date(now.getTime() - HOUR / 2).toISOString();
    const { place, session } = runIn(world);
    const dropped = signal({
      id: 'x',
      name: 'implement-finished',
      by: { who: 'agent', role: 'implementer', session: session?.id ?? '' },
      place,
      made,
      worktree: { head: 'c1', clean: true, commits: 1 },
    });
    const { world: after } = decideAll(awake(world, beat, now), [dropped], now);
    expect(runIn(after).state).toBe('TESTING');
  }
});

test('a gap never delays a wait by more than itself, and never into the past', () => {
  const time = fc.integer({ min: 0, max: 1e12 });
  fc.assert(
    fc.property(time, time, time, (from, to, start) => {
      const gap = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
      const delay = delayBy(gap, start);
      expect(Math.abs(delay)).toBeLessThanOrEqual(Math.abs(to - from));
      expect(Math.sign(delay) === 0 || Math.sign(delay) === Math.sign(to - from)).toBe(true);
      // Whatever started before now has lasted no longer after the gap than before it.
      if (start <= from && start <= to) expect(to - (start + delay)).toBeLessThanOrEqual(Math.max(from, to) - start);
    }),
  );
});

test('a plan that is only read has no clock', () => {
  expect(deadlines(decideAll(EMPTY_WORLD, [register(PLAN), read('### Task 1: Dig\n\ndig\n')], NOW).world)).toEqual([]);
});
