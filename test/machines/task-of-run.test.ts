// A task follows its run: for every step of a run there is one event that takes the task along, or the task stays.
import { expect, test } from 'vitest';
import { statesOf, transitionsOf } from '../../src/machines/machine.ts';
import { type RunState, runMachine } from '../../src/machines/run.ts';
import { taskMachine } from '../../src/machines/task.ts';
import { type ReviewStage, taskEventBetween, taskStateOf } from '../../src/machines/task-of-run.ts';

/** The task's events, as docs/machines.md has them, for every step of a run that moves its task. */
const EXPECTED = `
WAITING receive_task SETUP: planned launch implementing
CODING code_complete TESTING: implementing verify_start verifying
TESTING tests_pass CODE_REVIEW/spec: verifying verify_pass spec_review
TESTING tests_fail FIXING: verifying verify_fail implementing
FIXING fix_done TESTING: implementing verify_start verifying
CODE_REVIEW/spec approve AWAIT_MERGE: spec_review review_pass quality_review
CODE_REVIEW/spec changes FIXING: spec_review review_fail implementing
CODE_REVIEW/spec abandon ERROR: spec_review review_fail implementing
CODE_REVIEW/spec unrecoverable ERROR: spec_review review_fail implementing
CODE_REVIEW/quality changes FIXING: quality_review review_fail implementing
CODE_REVIEW/quality abandon ERROR: quality_review review_fail implementing
CODE_REVIEW/quality unrecoverable ERROR: quality_review review_fail implementing
AWAIT_MERGE merged DONE: quality_review review_pass done
AWAIT_MERGE merge_conflict FIXING: quality_review review_fail implementing
QUESTION escalate CODE_REVIEW/spec: implementing escalate spec_review
`;

test('the steps of a run that move its task, and how', () => {
  const moving = transitionsOf(runMachine).flatMap(({ from, event, to }) =>
    stagesOf(from).flatMap((stage) => {
      const before = { state: from, stage };
      const after = { state: to, stage: to === 'CODE_REVIEW' ? ('spec' as const) : null };
      const [one, other] = [taskStateOf(before), taskStateOf(after)];
      if (one === other) return [];
      return [`${shown(before)} ${event} ${shown(after)}: ${one} ${taskEventBetween(one, other)} ${other}`];
    }),
  );
  expect(moving.toSorted()).toEqual(EXPECTED.trim().split('\n').toSorted());
});

test('a passed spec review moves the task while the run stays in CODE_REVIEW', () => {
  const [spec, quality] = (['spec', 'quality'] as const).map((stage) => taskStateOf({ state: 'CODE_REVIEW', stage }));
  expect([spec, quality]).toEqual(['spec_review', 'quality_review']);
  expect(taskEventBetween('spec_review', 'quality_review')).toBe('review_pass');
});

test('at most one event of a task leads from one state to another', () => {
  const edges = transitionsOf(taskMachine).map(({ from, to }) => `${from} ${to}`);
  expect(new Set(edges).size).toBe(edges.length);
  for (const { from, event, to } of transitionsOf(taskMachine)) expect(taskEventBetween(from, to)).toBe(event);
});

test('every state of a run gives its task a state', () => {
  const states = statesOf(taskMachine);
  for (const state of statesOf(runMachine)) expect(states).toContain(taskStateOf({ state, stage: null }));
});

function stagesOf(state: RunState): readonly (ReviewStage | null)[] {
  return state === 'CODE_REVIEW' ? ['spec', 'quality'] : [null];
}

function shown({ state, stage }: { readonly state: RunState; readonly stage: ReviewStage | null }): string {
  return stage === null ? state : `${state}/${stage}`;
}
