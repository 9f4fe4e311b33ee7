// What a person can do to a task now, computed from its state and its run.
import { WORKING } from '../../machines/plan.ts';
import type { RunState } from '../../machines/run.ts';
import { taskMachine } from '../../machines/task.ts';
import type { TaskAct } from '../model/event.ts';
import { isHalted } from '../model/run-status.ts';
import { blockersOf, mergingIn } from '../model/tasks.ts';
import type { PlanEntry, TaskEntry, World } from '../model/world.ts';

export function availableActions(world: World, entry: PlanEntry, task: TaskEntry): readonly TaskAct[] {
  const { run, state } = task;
  const always: readonly TaskAct[] = state === 'implementing' || state === 'verifying' ? ['revert', 'mark-done'] : [];
  if (entry.status !== WORKING) return always;
  if (run === undefined) return state === taskMachine.initial && mayLaunch(world, entry, task) ? ['launch'] : always;
  const acts = [...ACTS_IN[run.state]];
  if (run.state === 'CODE_REVIEW' && run.stage === 'quality' && run.unverified) acts.push('override');
  if (run.state === 'AWAIT_MERGE' && run.issued === null) acts.push('back');
  if (run.state === 'AWAIT_MERGE' && mayMergeAnyway(world, entry, task)) acts.push('merge-anyway');
  if (mayRelaunch(world, entry, task)) acts.push('relaunch');
  return [...acts, ...always];
}

const ACTS_IN: { readonly [state in RunState]: readonly TaskAct[] } = {
  WAITING: [],
  SETUP: [],
  PLANNING: ['next'],
  PLAN_REVIEW: ['approve', 'changes', 'abandon'],
  CODING: ['next'],
  QUESTION: ['answer', 'abandon'],
  TESTING: ['back'],
  FIXING: ['next'],
  CODE_REVIEW: ['approve', 'changes', 'back', 'abandon'],
  AWAIT_MERGE: [],
  DONE: [],
  ERROR: [],
};

function mayRelaunch(world: World, entry: PlanEntry, task: TaskEntry): boolean {
  const { run } = task;
  if (run === undefined) return false;
  if (run.state === 'ERROR') return mayLaunch(world, entry, task);
  return !world.frozen && isHalted(run, world.policy, world.sessions);
}

function mayLaunch(world: World, entry: PlanEntry, task: TaskEntry): boolean {
  return !world.frozen && !task.stale && blockersOf(entry, task).length === 0;
}

function mayMergeAnyway(world: World, entry: PlanEntry, task: TaskEntry): boolean {
  return task.stale && !world.frozen && mergingIn(entry) === undefined && entry.work?.tip != null;
}
