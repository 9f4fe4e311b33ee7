// How a task follows its run: the task's state for every state of the run, and the event that gets it there.
import { transitionsOf } from './machine.ts';
import type { RunState } from './run.ts';
import { type TaskEvent, type TaskState, taskMachine } from './task.ts';

/** Which of the two reviews a run in CODE_REVIEW is in. */
export type ReviewStage = 'spec' | 'quality';

const TASK_STATES: { readonly [state in RunState]: TaskState | { readonly [stage in ReviewStage]: TaskState } } = {
  WAITING: 'planned',
  SETUP: 'implementing',
  PLANNING: 'implementing',
  PLAN_REVIEW: 'implementing',
  CODING: 'implementing',
  TESTING: 'verifying',
  FIXING: 'implementing',
  CODE_REVIEW: { spec: 'spec_review', quality: 'quality_review' },
  AWAIT_MERGE: 'quality_review',
  QUESTION: 'implementing',
  DONE: 'done',
  ERROR: 'implementing',
};

export function taskStateOf(run: { readonly state: RunState; readonly stage: ReviewStage | null }): TaskState {
  const state = TASK_STATES[run.state];
  return typeof state === 'string' ? state : state[run.stage ?? 'spec'];
}

/** No two events of the task's machine lead from one state to the same other one. */
export function taskEventBetween(from: TaskState, to: TaskState): TaskEvent | undefined {
  return transitionsOf(taskMachine).find((edge) => edge.from === from && edge.to === to)?.event;
}
