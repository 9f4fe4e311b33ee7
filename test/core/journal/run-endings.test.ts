// How a run ended is known from the journal, also after the world has forgotten the run.
import { expect, test } from 'vitest';
import { type RunEnding, runEndings } from '../../../src/core/journal/run-endings.ts';
import type { Event } from '../../../src/core/model/event.ts';
import type { JournalRecord } from '../../../src/core/model/record.ts';
import type { World } from '../../../src/core/model/world.ts';
import { decideAll } from '../../../src/core/rules/decide.ts';
import { act, branchMade, going, HUMAN, ONE, result, says } from '../../support/runs.ts';
import { move, NOW } from '../../support/world.ts';

type Step = (world: World) => Event | readonly Event[];

const TO_CODING: readonly Step[] = [
  (world) => [...branchMade(world), result(world, { of: 'worktree', base: 'b0' })],
  (world) => says(world, 'plan-submitted'),
  () => act('approve'),
];
const TO_MERGE: readonly Step[] = [
  ...TO_CODING,
  (world) => says(world, 'implement-finished', { worktree: { head: 'c1', clean: true, commits: 1 } }),
  (world) => result(world, { of: 'verify', passed: false, text: 'one test fails' }),
  (world) => says(world, 'fix-finished', { worktree: { head: 'c2', clean: true, commits: 2 } }),
  (world) => result(world, { of: 'verify', passed: true, text: '' }),
  () => act('approve', { worktree: { head: 'c2', clean: true, commits: 2 } }),
  () => act('approve', { worktree: { head: 'c2', clean: true, commits: 2 } }),
  (world) => result(world, { of: 'merge', tip: 't1' }),
];

function endingsAfter(...steps: readonly Step[]): readonly (readonly [string, RunEnding])[] {
  let world = going(HUMAN, ONE);
  const all: JournalRecord[] = [];
  for (const step of steps) {
    const { decisions, records, world: next } = decideAll(world, [step(world)].flat(), NOW);
    for (const decision of decisions) if (decision.kind !== 'accepted') throw new Error(JSON.stringify(decision));
    all.push(...records);
    world = next;
  }
  return [...runEndings(all)];
}

const FIRST = 'cadre/x/t1-a1';
const AT = NOW.toISOString();

test.each([
  ['revert', 'revert'],
  ['mark-done', 'mark_done'],
] as const)('a person who does "%s" ends the run, and none of its work is merged', (what, event) => {
  expect(endingsAfter(...TO_CODING, () => act(what))).toEqual([[FIRST, { at: AT, event, by: 'user', merged: null }]]);
});

test('a merge ends the run with the commit that was merged, not with one that was verified before', () => {
  expect(endingsAfter(...TO_MERGE)).toEqual([[FIRST, { at: AT, event: 'merged', by: 'engine', merged: 'c2' }]]);
});

test('a run that failed ends when its task is launched again', () => {
  const failed: Step = (world) => result(world, { of: 'worktree', failed: 'no space' });
  expect(endingsAfter(failed)).toEqual([]);
  expect(endingsAfter(failed, () => act('relaunch'))).toEqual([
    [FIRST, { at: AT, event: 'launch', by: 'user', merged: null }],
  ]);
});

test('a cancelled plan ends no run', () => {
  expect(endingsAfter(...TO_CODING, () => move('cancel'))).toEqual([]);
});
