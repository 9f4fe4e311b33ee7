// When a merge is started: only of a pinned commit, and onto a plan branch of which cadre knows where it is.
import { expect, test } from 'vitest';
import { startMerge } from '../../../../src/core/rules/run/merge.ts';
import type { RunContext } from '../../../../src/core/rules/run/step.ts';
import { at, planIn, runIn } from '../../../support/runs.ts';
import { ENGINE, NOW, taskIn } from '../../../support/world.ts';

function approved(pinned: string | null, tip: string | null): RunContext {
  const world = at('AWAIT_MERGE');
  const entry = planIn(world);
  if (entry.work === undefined) throw new Error('The plan is not managed.');
  const run = { ...runIn(world), pinned, issued: null };
  const task = { ...taskIn(world, '1'), run };
  return { world, now: NOW, by: ENGINE, entry: { ...entry, tasks: [task], work: { ...entry.work, tip } }, task, run };
}

test('a pinned commit is merged onto the plan branch where it is', () => {
  expect(startMerge(approved('c1', 'b0'))).toMatchObject({
    kind: 'accepted',
    records: [{ event: 'merge_begun', effects: [{ do: 'merge', pin: 'c1', tip: 'b0' }] }],
  });
});

test.each([
  [null, 'b0'],
  ['c1', null],
])('nothing is merged of %s onto %s', (pinned, tip) => {
  expect(startMerge(approved(pinned, tip))).toMatchObject({ kind: 'refused', code: 'not-looked' });
});
