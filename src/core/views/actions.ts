// What a person can do to a plan or a task now, as suggestions that each surface renders in its own way.
import type { PlanEvent } from '../../machines/plan.ts';
import { slugOf } from '../../plan/name.ts';
import type { TaskAct } from '../model/event.ts';
import { hasNotLanded } from '../model/plan-owner.ts';
import { type ActionName, type Suggestion, suggest } from '../model/suggestion.ts';
import type { PlanEntry, TaskEntry } from '../model/world.ts';

/** The shortest reference to a task that is never ambiguous. */
export function taskReference({ plan }: Pick<PlanEntry, 'plan'>, { address }: Pick<TaskEntry, 'address'>): string {
  return `${slugOf(plan)}#${address}`;
}

/** Where an approval has to be an override, only the override is offered. */
export function taskActions(entry: PlanEntry, task: TaskEntry, acts: readonly TaskAct[]): readonly Suggestion[] {
  const offered = acts.includes('override') ? acts.filter((act) => act !== 'approve') : acts;
  const text = task.run?.question?.kind === 'check-in' ? 'CONTINUE' : undefined;
  return offered.map((act) =>
    suggest(TASK_ACTIONS[act], taskReference(entry, task), act === 'answer' ? text : undefined),
  );
}

export const TASK_ACTIONS: { readonly [act in TaskAct]: ActionName } = {
  launch: 'launch',
  relaunch: 'retry',
  revert: 'revert',
  'mark-done': 'mark-done',
  next: 'next',
  back: 'back',
  approve: 'approve',
  override: 'override',
  changes: 'reject',
  abandon: 'abandon',
  answer: 'answer',
  'merge-anyway': 'merge-anyway',
  park: 'finding-park',
  overrule: 'finding-overrule',
  confirm: 'finding-confirm',
  'plan-holds': 'finding-plan-holds',
  'finding-holds': 'finding-holds',
};

export function planActions(entry: PlanEntry, events: readonly PlanEvent[]): readonly Suggestion[] {
  const plan = slugOf(entry.plan);
  const landing = entry.status === 'done' && hasNotLanded(entry) ? [suggest('land', plan)] : [];
  return [...landing, ...events.map((event) => planAction(plan, event))];
}

function planAction(plan: string, event: PlanEvent): Suggestion {
  const action = PLAN_ACTIONS[event];
  return action === null ? suggest('move', plan, event) : suggest(action, plan);
}

/** Null: there is no action of that name, so the event is sent as it is. */
const PLAN_ACTIONS: { readonly [event in PlanEvent]: ActionName | null } = {
  plan_start: null,
  planner_finished: null,
  implement_start: 'run',
  implement_finished: null,
  review_approved: 'approve',
  review_changes_requested: 'reject',
  cancel: 'cancel',
  reopen: 'reopen',
  start_over: 'start-over',
};
