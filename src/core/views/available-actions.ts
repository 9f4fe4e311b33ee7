// What a person can do to a task now, computed from its state and its run.
import { WORKING } from '../../machines/plan.ts';
import type { RunState } from '../../machines/run.ts';
import { taskMachine } from '../../machines/task.ts';
import type { TaskAct } from '../model/event.ts';
import type { RunEntry } from '../model/run.ts';
import { isHalted } from '../model/run-status.ts';
import { mayIssue, mayMoveBranches, NEEDS_WORKTREE } from '../model/stops.ts';
import { blockersOf, mergingIn } from '../model/tasks.ts';
import type { PlanEntry, TaskEntry, World } from '../model/world.ts';
import { MAY_BE } from '../rules/run/ruling.ts';

export function availableActions(world: World, entry: PlanEntry, task: TaskEntry): readonly TaskAct[] {
  const { run, state } = task;
  const rulings = RULINGS.filter((ruling) => (task.findings ?? []).some(MAY_BE[ruling]));
  const always: readonly TaskAct[] =
    state === 'implementing' || state === 'verifying' ? ['revert', 'mark-done', ...rulings] : rulings;
  if (entry.status !== WORKING) return always;
  if (run === undefined)
    return state === taskMachine.initial && mayLaunch(world, entry, task) ? ['launch', ...rulings] : always;
  const acts = [...(run.waitsNext ? waitingActs(run, task.stale) : ACTS_IN[run.state])];
  if (run.state === 'CODE_REVIEW' && run.stage === 'quality' && run.unverified) acts.push('override');
  if (run.state === 'AWAIT_MERGE' && run.issued === null) acts.push('back');
  if (run.state === 'AWAIT_MERGE' && mayMergeAnyway(world, entry, task)) acts.push('merge-anyway');
  if (mayRelaunch(world, entry, task)) acts.push('relaunch');
  const possible = run.incident == null ? acts : acts.filter((act) => !NEEDS_WORKTREE.includes(act));
  return [...possible, ...always];
}

const RULINGS = ['park', 'overrule', 'confirm', 'plan-holds', 'finding-holds'] as const;

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

/** While a step waits for a person because `auto_verify` is off. */
function waitingActs({ state }: RunEntry, stale: boolean): readonly TaskAct[] {
  if (state === 'CODE_REVIEW') return ['next', ...ACTS_IN.CODE_REVIEW];
  if (state === 'AWAIT_MERGE') return stale ? [] : ['next'];
  return ['next', 'back', 'changes'];
}

function mayRelaunch(world: World, entry: PlanEntry, task: TaskEntry): boolean {
  const { run } = task;
  if (run === undefined) return false;
  if (run.state === 'ERROR') return mayLaunch(world, entry, task);
  return mayIssue(world, entry) && isHalted(run, world.policy, world.sessions, task);
}

function mayLaunch(world: World, entry: PlanEntry, task: TaskEntry): boolean {
  return mayMoveBranches(world, entry) && !task.stale && blockersOf(entry, task).length === 0;
}

function mayMergeAnyway(world: World, entry: PlanEntry, task: TaskEntry): boolean {
  return task.stale && mayMoveBranches(world, entry) && mergingIn(entry) === undefined && entry.work?.tip != null;
}
