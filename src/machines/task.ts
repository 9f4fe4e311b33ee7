// The lifecycle of a task. While it has a run, its state follows from the run (task-of-run.ts).
import { defineTable, type EventOf, type Machine, type StateOf } from './machine.ts';

const table = defineTable({
  planned: { launch: 'implementing' },
  implementing: { verify_start: 'verifying', escalate: 'spec_review', revert: 'planned', mark_done: 'done' },
  verifying: { verify_pass: 'spec_review', verify_fail: 'implementing', revert: 'planned', mark_done: 'done' },
  spec_review: { review_pass: 'quality_review', review_fail: 'implementing' },
  quality_review: { review_pass: 'done', review_fail: 'implementing' },
  done: {},
});

export type TaskState = StateOf<typeof table>;
export type TaskEvent = EventOf<typeof table>;

export const taskMachine: Machine<TaskState, TaskEvent> = {
  name: 'task',
  initial: 'planned',
  final: ['done'],
  userOnly: ['mark_done'],
  table,
};
