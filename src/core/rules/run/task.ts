// Rules for tasks: who may move one, and when it may be launched.
import { isUserOnly, step } from '../../../machines/machine.ts';
import { WORKING } from '../../../machines/plan.ts';
import { type TaskEvent, taskMachine } from '../../../machines/task.ts';
import { accepted, type Decision, record, refused } from '../../model/decision.ts';
import type { By, Event } from '../../model/event.ts';
import type { TaskMove } from '../../model/record.ts';
import type { RuleRefusal } from '../../model/refusal.ts';
import { speakerName, unknownPlan, unknownTask } from '../../model/refusals.ts';
import { findTask, listed, turnsOf } from '../../model/tasks.ts';
import type { PlanEntry, TaskEntry, World } from '../../model/world.ts';

type TaskMoveEvent = Extract<Event, { kind: 'task-move' }>;

export function decideTask(world: World, event: TaskMoveEvent, now: Date): Decision {
  const entry = world.plans.get(event.plan);
  if (entry === undefined) return refused('unknown-plan', unknownPlan(event.plan));
  const task = findTask(entry, event.task);
  if (task === undefined) return refused('unknown-task', unknownTask(entry, event.task));
  const no = whyNotFrom(event.by, event.event) ?? whyNotWithRun(entry, task) ?? whyNotNow(entry, task, event);
  if (no !== undefined) return refused(no.code, no.why);
  const result = step(taskMachine, task.state, event.event);
  if (result.kind === 'refused') return refused('state', `${nameOf(entry, task)} is where it was: ${result.why}`);
  const move: TaskMove = {
    machine: 'task',
    plan: entry.plan,
    task: task.id,
    event: event.event,
    from: task.state,
    to: result.to,
  };
  const fact = { event: event.event, plan: entry.plan, task: task.id };
  return accepted(record(world, now, event.by, fact, { moves: [move] }));
}

const BY_PERSON_OR_ENGINE: readonly TaskEvent[] = ['launch', 'revert'];

function whyNotFrom(by: By, event: TaskEvent): { code: RuleRefusal; why: string } | undefined {
  if (isUserOnly(taskMachine, event))
    return by.who === 'user'
      ? undefined
      : { code: 'user-only', why: `"${event}" is a person's decision; ${speakerName(by)} cannot cause it.` };
  if (by.who === 'engine' || (by.who === 'user' && BY_PERSON_OR_ENGINE.includes(event))) return undefined;
  return { code: 'source', why: `"${event}" follows from what a task's run does; ${speakerName(by)} cannot cause it.` };
}

/** Where cadre has a run for it, the task follows the run. */
function whyNotWithRun(entry: PlanEntry, task: TaskEntry): { code: RuleRefusal; why: string } | undefined {
  if (task.run === undefined) return undefined;
  const why = `${nameOf(entry, task)} moves with its run, which is ${task.run.state}. Say what is to become of the run.`;
  return { code: 'state', why };
}

function whyNotNow(
  entry: PlanEntry,
  task: TaskEntry,
  { event, by }: TaskMoveEvent,
): { code: RuleRefusal; why: string } | undefined {
  const name = nameOf(entry, task);
  if (!ANY_TIME.includes(event) && entry.status !== WORKING)
    return { code: 'state', why: `${name} cannot move: its plan is ${entry.status}, not ${WORKING}.` };
  if (event !== 'launch') return undefined;
  if (task.stale) return { code: 'stale', why: `${name} is not in the plan's file any more, so it is not launched.` };
  if (task.held && by.who !== 'user')
    return { code: 'source', why: `${name} was taken back by a person, so only a person launches it again.` };
  const blockedBy = turnsOf(entry).find((turn) => turn.address === task.address)?.blockedBy ?? [];
  if (blockedBy.length > 0)
    return { code: 'blocked', why: `${name} waits for ${listed(blockedBy)}, which must be done first.` };
  return undefined;
}

/** What a person can do to a task whatever its plan does. */
const ANY_TIME: readonly TaskEvent[] = ['revert', 'mark_done'];

function nameOf(entry: PlanEntry, task: TaskEntry): string {
  return `${entry.plan}#${task.address}`;
}
