// The ways out that a person has, as commands that can be typed.
import type { TaskAct } from '../../core/model/event.ts';
import type { PlanEntry, TaskEntry } from '../../core/model/world.ts';
import { hasNotLanded } from '../../core/views/why.ts';
import type { PlanEvent } from '../../machines/plan.ts';
import { slugOf } from '../../plan/name.ts';
import { idOf } from './find-task.ts';

type TaskCommand = (id: string, task: TaskEntry) => string;

const TASK_COMMANDS: { readonly [act in TaskAct]: TaskCommand } = {
  launch: (id) => `cadre launch ${id}`,
  relaunch: (id) => `cadre retry ${id}`,
  revert: (id) => `cadre revert ${id}`,
  'mark-done': (id) => `cadre mark-done ${id}`,
  next: (id) => `cadre next ${id}`,
  back: (id) => `cadre back ${id}`,
  approve: (id) => `cadre approve ${id}`,
  override: (id) => `cadre approve ${id} --override`,
  changes: (id) => `cadre reject ${id} --feedback "..."`,
  abandon: (id) => `cadre abandon ${id}`,
  answer: (id, { run }) =>
    run?.question?.kind === 'check-in' ? `cadre answer ${id} CONTINUE` : `cadre answer ${id} "..."`,
  'merge-anyway': (id) => `cadre merge-anyway ${id}`,
};

/** An approval that needs to be an override is offered as nothing else. */
export function taskCommands(entry: PlanEntry, task: TaskEntry, acts: readonly TaskAct[]): readonly string[] {
  const offered = acts.includes('override') ? acts.filter((act) => act !== 'approve') : acts;
  return offered.map((act) => TASK_COMMANDS[act](idOf(entry, task), task));
}

const PLAN_COMMANDS: { readonly [event in PlanEvent]?: (plan: string) => string } = {
  implement_start: (plan) => `cadre run ${plan}`,
  review_approved: (plan) => `cadre approve ${plan}`,
  review_changes_requested: (plan) => `cadre reject ${plan} --feedback "..."`,
  cancel: (plan) => `cadre cancel ${plan}`,
  reopen: (plan) => `cadre reopen ${plan}`,
  start_over: (plan) => `cadre start-over ${plan}`,
};

export function planCommands(entry: PlanEntry, events: readonly PlanEvent[]): readonly string[] {
  const name = slugOf(entry.plan);
  const landing = entry.status === 'done' && hasNotLanded(entry) ? [`cadre land ${name}`] : [];
  return [...landing, ...movingCommands(name, events)];
}

function movingCommands(name: string, events: readonly PlanEvent[]): readonly string[] {
  return events.map((event) => PLAN_COMMANDS[event]?.(name) ?? `cadre move ${name} ${event}`);
}
