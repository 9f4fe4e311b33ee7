// The lifecycle of a plan, from ready to done or cancelled.
import { defineTable, type EventOf, type Machine, type StateOf } from './machine.ts';

const table = defineTable({
  ready: { plan_start: 'planning', implement_start: 'implementing', cancel: 'cancelled' },
  planning: { planner_finished: 'ready', cancel: 'cancelled' },
  implementing: { implement_finished: 'reviewing', cancel: 'cancelled' },
  reviewing: { review_approved: 'done', review_changes_requested: 'implementing', cancel: 'cancelled' },
  done: { start_over: 'planning', cancel: 'cancelled' },
  cancelled: { reopen: 'planning' },
});

export type PlanState = StateOf<typeof table>;
export type PlanEvent = EventOf<typeof table>;

/** The state in which a plan's tasks are built; in any other they are suspended. */
export const WORKING: PlanState = 'implementing';

/** The state in which the whole plan is reviewed. */
export const PLAN_REVIEW: PlanState = 'reviewing';

export const planMachine: Machine<PlanState, PlanEvent> = {
  name: 'plan',
  initial: 'ready',
  final: ['done', 'cancelled'],
  userOnly: ['start_over', 'cancel', 'reopen'],
  table,
};

/** Names that older files use for a state. They are read and never written. */
export const OLDER_PLAN_STATES: ReadonlyMap<string, PlanState> = new Map([
  ['in_progress', 'implementing'],
  ['completed', 'done'],
  ['finished', 'done'],
]);

export function readPlanState(word: unknown): PlanState | undefined {
  if (typeof word !== 'string') return undefined;
  if (Object.hasOwn(table, word)) return word as PlanState;
  return OLDER_PLAN_STATES.get(word);
}
