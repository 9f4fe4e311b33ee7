// The life of a plan, from a file that lies ready to work that is done or cancelled.
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

/** The state in which a plan's tasks are worked on; in any other they stand still. */
export const WORKING: PlanState = 'implementing';

/** The state in which what the tasks have made is looked at as a whole. */
export const PLAN_REVIEW: PlanState = 'reviewing';

export const planMachine: Machine<PlanState, PlanEvent> = {
  name: 'plan',
  initial: 'ready',
  final: ['done', 'cancelled'],
  userOnly: ['start_over', 'cancel', 'reopen'],
  table,
};

/** Names that older files use for a state: read, and never written. */
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
