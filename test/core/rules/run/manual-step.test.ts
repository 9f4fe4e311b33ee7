// With `auto_verify` off a person starts the verification, each review and the merge; nothing is spent while one waits.
import { describe, expect, test } from 'vitest';
import { overdue } from '../../../../src/core/model/deadlines.ts';
import type { World } from '../../../../src/core/model/world.ts';
import { DEFAULT_POLICY } from '../../../../src/core/settings/default-policy.ts';
import type { Policy } from '../../../../src/core/settings/policy.ts';
import { needsIn } from '../../../../src/core/views/needs.ts';
import { outcomeOf } from '../../../../src/core/views/outcome.ts';
import { taskWaitStatus } from '../../../../src/core/views/why.ts';
import {
  act,
  answerTo,
  branchMade,
  going,
  planIn,
  result,
  runIn,
  says,
  settled,
  silent,
} from '../../../support/runs.ts';
import { NOW, PLAN, taskIn, USER } from '../../../support/world.ts';

const MANUAL: Policy = { ...DEFAULT_POLICY, autoVerify: false };
const LATER = new Date(NOW.getTime() + 1e11);
const C1 = { head: 'c1', clean: true, commits: 1 };

const running = ({ sessions }: World): readonly string[] =>
  [...sessions.values()].flatMap(({ wanted, role }) => (wanted === 'running' ? [role] : []));

const coding = (): World => {
  const launched = going(MANUAL);
  return settled(launched, ...branchMade(launched), result(launched, { of: 'worktree', base: 'b0' }));
};
const finished = (): World => settled(coding(), says(coding(), 'implement-finished'));
const testing = (): World => settled(finished(), act('next'));
const verified = (): World => settled(testing(), result(testing(), { of: 'verify', passed: true, text: '' }));
const inSpec = (): World => settled(verified(), act('next'));
const specPassed = (): World => settled(inSpec(), says(inSpec(), 'review-approved'));
const inQuality = (): World => settled(specPassed(), act('next'));
const approved = (): World => settled(inQuality(), says(inQuality(), 'review-approved'));

describe.each([
  ['before the verification', finished, 'CODING', 'The agent has finished; waiting for you to start the verification.'],
  ['before the spec review', verified, 'CODE_REVIEW', 'Tests passed; waiting for you to start the spec review.'],
  [
    'before the quality review',
    specPassed,
    'CODE_REVIEW',
    'The spec review passed; waiting for you to start the quality review.',
  ],
  ['before the merge', approved, 'AWAIT_MERGE', 'Approved; waiting for you to start the merge.'],
] as const)('a run waits %s', (_when, make, state, sentence) => {
  test('for a person, without an agent, a turn or a clock', () => {
    const world = make();
    expect(runIn(world)).toMatchObject({ state, waitsNext: true, issued: null, counts: { turns: 1 } });
    expect(running(world)).toEqual([]);
    expect(overdue(world, LATER)).toEqual([]);
    const status = taskWaitStatus(world, planIn(world), taskIn(world, '1'));
    expect(status).toMatchObject({ owner: 'user', sentence, deadline: { leadsTo: 'remind' } });
    expect(status.waysOut[0]).toBe('next');
  });

  test('and is shown as something that needs the person', () => {
    const world = make();
    expect(needsIn(world)[0]?.actions[0]).toMatchObject({ do: 'next', on: 'x#1' });
    expect(outcomeOf(world, PLAN)?.kind).toBe('person');
  });

  test('and continues with one step', () => {
    const world = settled(make(), act('next'));
    expect(runIn(world).waitsNext ?? false).toBe(false);
    expect(runIn(world).issued !== null || running(world).length === 1).toBe(true);
  });

  test('also after the settings changed', () => {
    const world = settled(make(), { kind: 'policy', policy: DEFAULT_POLICY });
    expect(runIn(world).waitsNext).toBe(true);
  });
});

test('goes through all four waits to done, with one turn', () => {
  const merging = settled(approved(), act('next'));
  const done = settled(merging, result(merging, { of: 'merge', tip: 't9' }));
  expect(taskIn(done, '1').state).toBe('done');
  expect(taskIn(done, '1').run?.counts).toMatchObject({ coding: 1, turns: 1, mergeAttempts: 1 });
});

test('an idle implementer with a new commit waits like one that has signalled', () => {
  const world = coding();
  expect(runIn(settled(world, silent(world, '1', C1)))).toMatchObject({ state: 'CODING', waitsNext: true });
  const without = settled(world, silent(world, '1', { ...C1, head: 'b0', commits: 0 }));
  expect(runIn(without)).toMatchObject({ state: 'CODING', counts: { coding: 2 } });
});

test('what is not finished is refused when the agent signals, and again at the step', () => {
  const dirty = { ...C1, clean: false };
  expect(answerTo(coding(), says(coding(), 'implement-finished', { worktree: dirty }))).toMatchObject({
    code: 'unclean',
  });
  expect(answerTo(finished(), act('next', { worktree: dirty }))).toMatchObject({ code: 'unclean' });
  expect(answerTo(verified(), act('next', { worktree: dirty }))).toMatchObject({ code: 'unclean' });
});

test('a commit that has come to the branch meanwhile is neither reviewed nor merged', () => {
  const moved = { ...C1, head: 'c2' };
  expect(runIn(settled(finished(), act('next', { worktree: moved }))).pinned).toBe('c2');
  for (const world of [verified(), specPassed(), approved()])
    expect(runIn(settled(world, act('next', { worktree: moved })))).toMatchObject({ state: 'FIXING' });
});

test('a person’s own approval needs no second word', () => {
  const passed = settled(verified(), act('approve'));
  expect(runIn(passed)).toMatchObject({ stage: 'quality' });
  expect(running(passed)).toEqual(['quality-reviewer']);
  expect(runIn(settled(passed, act('approve'))).issued?.do).toBe('merge');
});

test('a person sends it back, reverts it or marks it done instead', () => {
  const back = settled(finished(), act('changes', { text: 'shorter' }));
  expect(runIn(back)).toMatchObject({ state: 'CODING', counts: { coding: 2 } });
  expect(running(back)).toEqual(['implementer']);
  expect(taskIn(back, '1').findings).toMatchObject([{ id: 'f1', demand: true, problem: 'shorter', state: 'open' }]);
  expect(runIn(settled(finished(), act('back'))).counts.coding).toBe(2);
  expect(runIn(settled(verified(), act('back'))).state).toBe('FIXING');
  expect(runIn(settled(approved(), act('back'))).state).toBe('FIXING');
  expect(taskIn(settled(finished(), act('revert')), '1').state).toBe('planned');
  expect(taskIn(settled(finished(), act('mark-done')), '1').state).toBe('done');
});

test('a fix needs no word before it, and one before its verification', () => {
  const failed = settled(testing(), result(testing(), { of: 'verify', passed: false, text: 'no' }));
  expect(running(failed)).toEqual(['implementer']);
  const fixed = settled(failed, says(failed, 'fix-finished'));
  expect(runIn(fixed)).toMatchObject({ state: 'FIXING', waitsNext: true });
  expect(runIn(settled(fixed, act('next'))).state).toBe('TESTING');
});

test('during a pause the step is taken, and its work starts afterwards', () => {
  const paused = settled(finished(), { kind: 'pause', by: USER }, act('next'));
  expect(runIn(paused)).toMatchObject({ state: 'TESTING', issued: null });
  expect(runIn(settled(paused, { kind: 'resume', by: USER })).issued?.do).toBe('verify');
});

test('"next" is not a person’s approval of a review that is running', () => {
  expect(answerTo(inSpec(), act('next'))).toMatchObject({ kind: 'refused', code: 'state' });
});
