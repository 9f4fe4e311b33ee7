// The lifecycle of a run: one attempt at one task, from launch to merge.
import { defineTable, type EventOf, type Machine, type StateOf } from './machine.ts';

const table = defineTable({
  WAITING: { receive_task: 'SETUP' },
  SETUP: { workspace_ready: 'PLANNING', setup_failed: 'ERROR' },
  PLANNING: { submit_plan: 'PLAN_REVIEW', ask: 'QUESTION' },
  PLAN_REVIEW: { approve: 'CODING', changes: 'PLANNING', abandon: 'ERROR', unrecoverable: 'ERROR' },
  CODING: { code_complete: 'TESTING', ask: 'QUESTION', auto_checkin: 'QUESTION', unrecoverable: 'ERROR' },
  TESTING: { tests_pass: 'CODE_REVIEW', tests_fail: 'FIXING' },
  FIXING: { fix_done: 'TESTING', ask: 'QUESTION', auto_checkin: 'QUESTION', unrecoverable: 'ERROR' },
  CODE_REVIEW: { approve: 'AWAIT_MERGE', changes: 'FIXING', abandon: 'ERROR', unrecoverable: 'ERROR' },
  AWAIT_MERGE: { merged: 'DONE', merge_conflict: 'FIXING' },
  QUESTION: {
    answer_design: 'PLANNING',
    resubmit: 'PLAN_REVIEW',
    resume_coding: 'CODING',
    resume_fixing: 'FIXING',
    escalate: 'CODE_REVIEW',
    abandon: 'ERROR',
    unrecoverable: 'ERROR',
  },
  DONE: {},
  ERROR: {},
});

export type RunState = StateOf<typeof table>;
export type RunEvent = EventOf<typeof table>;

export const runMachine: Machine<RunState, RunEvent> = {
  name: 'coder',
  initial: 'WAITING',
  final: ['DONE', 'ERROR'],
  userOnly: [],
  table,
};
