// The names of runs: whatever is written can be parsed, for every task that a plan can have.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RefusedSignal } from '../../../src/core/model/refused-signal.ts';
import {
  branchOfRun,
  parseRunName,
  runAroundFile,
  treeName,
  treeOfBranch,
  writeRunName,
} from '../../../src/core/model/run-name.ts';
import { taskBehind } from '../../../src/core/views/plan.ts';
import { after, PLAN, read, taskIn, USER, worldWithTasks } from '../../support/world.ts';

/** `3`, `2.1`, `1~2`, `2.1~3`, and `R1` for a task that a review asked for. */
const taskId = fc.oneof(
  fc.stringMatching(/^(0|[1-9]\d{0,8})(\.(0|[1-9]\d{0,8}))?(~([2-9]|[1-9]\d{1,3}))?$/),
  fc.stringMatching(/^R[1-9]\d{0,3}$/),
);
const runName = fc.record({ task: taskId, attempt: fc.integer({ min: 1, max: 99_999 }) });

describe('the name of a run', () => {
  test('is parsed to the task and the attempt that it was written for', () => {
    fc.assert(
      fc.property(runName, (run) => {
        expect(parseRunName(writeRunName(run))).toEqual(run);
      }),
    );
  });

  test('is different for every run', () => {
    fc.assert(
      fc.property(runName, runName, (one, other) => {
        const isSame = one.task === other.task && one.attempt === other.attempt;
        expect(writeRunName(one) === writeRunName(other)).toBe(isSame);
      }),
    );
  });

  test('can be the name of a worktree, and is the last part of the branch', () => {
    fc.assert(
      fc.property(runName, (run) => {
        expect(treeName(writeRunName(run))).toBe(writeRunName(run));
        expect(treeOfBranch(PLAN, branchOfRun(PLAN, run))).toEqual({ plan: PLAN, name: writeRunName(run) });
      }),
    );
  });

  test.each([
    ['3', 1, 'cadre/x/t3-a1'],
    ['2.1', 12, 'cadre/x/t2.1-a12'],
    ['1~2', 3, 'cadre/x/t1-2-a3'],
    ['R1', 1, 'cadre/x/tR1-a1'],
  ])('of task %s, attempt %i, gives the branch %s', (task, attempt, branch) => {
    expect(branchOfRun(PLAN, { task, attempt })).toBe(branch);
  });

  test.each(['', 't', 't1', 't1-a', 'a1', '1-a1', 't-a1', 'review', 'merged', 't1-a1x'])('is not "%s"', (text) => {
    expect(parseRunName(text)).toBeUndefined();
  });
});

test('a file of docs/plans is in the worktree of the run that its folder names, and in no other', () => {
  expect(runAroundFile('/store/worktrees/x/t2.1-a4/docs/plans/.signals/a')).toEqual({ task: '2.1', attempt: 4 });
  expect(runAroundFile('/store/worktrees/x/review/docs/plans/.signals/a')).toBeUndefined();
  expect(runAroundFile('/repo/docs/plans/.signals/a')).toBeUndefined();
  expect(runAroundFile('/store/inbox/s1/new/a')).toBeUndefined();
});

test('a refused sentinel belongs to the task in whose worktree it is, also when another task had its number before', () => {
  const buyInsteadOfDig = after(worldWithTasks('### Task 1: Dig\n\ndig\n'), read('### Task 1: Buy land\n\nbuy\n'));
  const world = after(buyInsteadOfDig, { kind: 'act', act: 'launch', plan: PLAN, task: '1', by: USER });
  const { id, run } = taskIn(world, '1');
  expect(id).toBe('1~2');
  const folder = run?.branch.split('/').at(-1);
  expect(taskBehind(world, refusedIn(`/store/worktrees/x/${folder}`))).toBe('1~2');
});

function refusedIn(worktree: string): RefusedSignal {
  const file = { path: `${worktree}/docs/plans/.signals/implement-finished-x.md`, inode: '1' };
  return { id: 'q9', signal: 'sentinel/1', code: 'stale', why: 'Late.', name: 'implement-finished', plan: PLAN, file };
}
