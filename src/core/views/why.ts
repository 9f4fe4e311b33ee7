// Why a plan or a task stands where it stands: whose turn it is, how long that may last, and what a person can do about it.

import { acceptedIn } from '../../machines/machine.ts';
import { PLAN_REVIEW, type PlanEvent, planMachine, WORKING } from '../../machines/plan.ts';
import type { RunState } from '../../machines/run.ts';
import { taskMachine } from '../../machines/task.ts';
import type { Role } from '../../signals/registry.ts';
import { type Deadline, reviewDeadlines, runDeadlines } from '../model/deadlines.ts';
import type { TaskAct } from '../model/event.ts';
import { waitingFor } from '../model/plan-owner.ts';
import type { HeldUp, PendingEffect, RunEntry } from '../model/run.ts';
import { type Duty, dutyIn, isHalted, isHeldUp, isLive, sessionHealth, sessionHealthOf } from '../model/run-status.ts';
import { blockersOf, listed, mergingIn, openTasks } from '../model/tasks.ts';
import type { PlanEntry, TaskEntry, World } from '../model/world.ts';
export type Owner = 'user' | 'engine' | Role;

export interface WaitStatus<Way extends string> {
  /** Whose turn it is; nobody's when it is at its end. */
  readonly owner: Owner | null;
  /** What it waits for, as a whole sentence. */
  readonly sentence: string;
  /** When the wait is over its time, and what happens then. A person is reminded, and never moved. */
  readonly deadline: { readonly at: string; readonly leadsTo: 'restart' | 'fail' | 'end' | 'remind' } | null;
  /** What a person can do now, cancelling the plan aside. */
  readonly waysOut: readonly Way[];
}

interface Turn {
  readonly owner: Owner | null;
  readonly sentence: string;
}

export function planWaitStatus(world: World, entry: PlanEntry): WaitStatus<PlanEvent> {
  const turn = planTurn(world, entry);
  const waysOut = acceptedIn(planMachine, entry.status).filter((event) => event !== 'cancel' && mayMove(entry, event));
  return { ...turn, deadline: deadlineOf(world, turn, reviewDeadlines(world, entry), entry.since), waysOut };
}

/** Of a plan that cadre works on, some moves follow from its tasks. */
function mayMove(entry: PlanEntry, event: PlanEvent): boolean {
  if (entry.work === undefined) return true;
  if (event === 'implement_finished') return false;
  return event !== 'review_approved' || openTasks(entry).length === 0;
}

function planTurn(world: World, entry: PlanEntry): Turn {
  const { work, status, plan } = entry;
  const outside = waitingFor(status);
  if (status === 'done' && work?.lands)
    return { owner: 'user', sentence: 'It is approved, and lands when cadre is thawed: "cadre thaw".' };
  if (status === 'done' && hasNotLanded(entry))
    return { owner: 'user', sentence: `It is done and has not landed: ${work?.landed?.text}` };
  if (outside === null) return { owner: null, sentence: `${plan} is ${status}: nobody owes it anything.` };
  if (status === 'planning' && work !== undefined)
    return {
      owner: 'user',
      sentence: 'It waits until a person says that its file stands as it is, or has it planned.',
    };
  if (work === undefined || (status !== WORKING && status !== PLAN_REVIEW))
    return { owner: outside.who, sentence: `It waits until ${outside.sentence}.` };
  if (status === PLAN_REVIEW) return reviewTurn(world, entry);
  const open = openTasks(entry);
  if (!entry.tasks.some((task) => !task.stale))
    return { owner: 'user', sentence: 'Its file has no task, so there is nothing to build: edit it.' };
  const last = mergingIn(entry);
  if (open.length === 0 && isHeldUp(last?.run))
    return { owner: 'user', sentence: `Everything else is done, and the merge of task ${last?.address} waits.` };
  if (open.length === 0) return { owner: 'engine', sentence: 'Everything is done; the review comes next.' };
  // Where everything else waits for one task, its owner has the plan's next step as well.
  const turns = open.filter((task) => !isBlocked(entry, task)).map((task) => taskTurn(world, entry, task));
  const busy = turns.find(({ owner }) => owner !== 'user') ?? turns[0];
  return { owner: busy?.owner ?? 'user', sentence: `Not done: ${listed(open.map((task) => task.address))}.` };
}

/** Something is in the way of what the settings ask for. */
export function hasNotLanded({ work }: PlanEntry): boolean {
  return work?.landed?.ok === false && work.landed.byHand !== true;
}

/** Whether an agent or the engine is at work on it, or will be without a person. */
export function mayGoOnAlone(world: World, entry: PlanEntry): boolean {
  const open = entry.status === WORKING && entry.work !== undefined ? openTasks(entry) : [];
  if (open.length === 0) return planTurn(world, entry).owner !== 'user';
  return open.some((task) => !isBlocked(entry, task) && taskTurn(world, entry, task).owner !== 'user');
}

/**
 * What waits for a person does so because something is used up that it may cost: turns, time, merges, restarts of an agent,
 * reviews of the plan. More of it, or a person's word, lets it go on.
 */
export function isOutOfBudget(world: World, entry: PlanEntry): boolean {
  if (entry.status === PLAN_REVIEW) return !world.frozen && planTurn(world, entry).owner === 'user';
  return openTasks(entry).some(({ run }) => run !== undefined && hasUsedUp(world, run));
}

function hasUsedUp({ policy, sessions }: World, run: RunEntry): boolean {
  if (run.state === 'ERROR') return run.usedUp != null;
  return run.question?.kind === 'check-in' || isHalted(run, policy, sessions);
}

function isBlocked(entry: PlanEntry, task: TaskEntry): boolean {
  return task.run === undefined && blockersOf(entry, task).length > 0;
}

function reviewTurn(world: World, { work, entered }: PlanEntry): Turn {
  if (work?.waiting)
    return {
      owner: 'user',
      sentence: 'It still needs changes and no review is left: approve, ask for them, or cancel.',
    };
  const present = sessionHealthOf(work?.session ?? null, entered, world.sessions);
  if (present === 'working')
    return { owner: 'reviewer', sentence: 'It waits until the reviewer approves the work or asks for changes.' };
  if (present === 'none' || (work?.relaunches ?? 0) < world.policy.budgets.relaunches)
    return world.frozen
      ? frozen('so no reviewer is started')
      : { owner: 'engine', sentence: 'The engine starts a reviewer.' };
  return {
    owner: 'user',
    sentence: 'Its reviewer has failed, and none is started any more: approve it or ask for changes.',
  };
}

export function taskWaitStatus(world: World, entry: PlanEntry, task: TaskEntry): WaitStatus<TaskAct> {
  const turn = taskTurn(world, entry, task);
  const { run } = task;
  const found = isLive(run) ? runDeadlines(world, entry, task, run) : [];
  const since = run?.issued?.heldUp?.since ?? run?.since ?? task.since;
  return { ...turn, deadline: deadlineOf(world, turn, found, since), waysOut: availableActions(world, entry, task) };
}

function taskTurn(world: World, entry: PlanEntry, task: TaskEntry): Turn {
  const { run } = task;
  if (taskMachine.final.includes(task.state)) {
    const how = task.markedDone === undefined ? '' : ' A person marked it done; nothing of it was merged.';
    return { owner: null, sentence: `It is done.${how}` };
  }
  if (run === undefined) return withoutRun(world, entry, task);
  if (run.state === 'ERROR')
    return { owner: 'user', sentence: `${errorOf(run)}Relaunch it, take it back, or mark it done.` };
  if (entry.status !== WORKING && run.issued === null)
    return { owner: planOwner(entry), sentence: `It stands still, because its plan is ${entry.status}.` };
  if (run.issued?.heldUp !== undefined) return heldUp(run.issued.do, run.issued.heldUp);
  if (isHalted(run, world.policy, world.sessions))
    return { owner: 'user', sentence: 'Its agent is gone or does nothing, and none is started any more: relaunch it.' };
  const duty = dutyIn(run, world.policy);
  return duty === undefined ? (RESTING[run.state]?.(world, entry, task) ?? ENGINE_WORKS) : agentTurn(world, run, duty);
}

function errorOf({ usedUp, failed }: RunEntry): string {
  if (failed != null) return `Its worktree could not be made ready. ${failed.trimEnd()}\n`;
  return usedUp == null ? 'Its run has ended in an error. ' : `Its run was given up. ${usedUp} `;
}

function heldUp(work: PendingEffect['do'], { why, needsPerson }: HeldUp): Turn {
  return needsPerson
    ? { owner: 'user', sentence: `It ${NOT_YET[work]}: ${why}` }
    : { owner: 'engine', sentence: `It ${NOT_YET[work]}, and the engine tries again: ${why}` };
}

/** What cannot be done, as it is said of a task. */
export const NOT_YET: { readonly [work in PendingEffect['do']]: string } = {
  worktree: 'cannot have its worktree yet',
  verify: 'cannot be verified yet',
  merge: 'cannot be merged yet',
};

function planOwner(entry: PlanEntry): Owner {
  return entry.status === PLAN_REVIEW ? 'reviewer' : 'user';
}

const ENGINE_WORKS: Turn = { owner: 'engine', sentence: 'The engine has the next step.' };

function agentTurn(world: World, run: RunEntry, { role, work }: Duty): Turn {
  if (sessionHealth(run, world.sessions) === 'working')
    return { owner: role, sentence: `The ${role} (${run.session?.id}) is at work: ${work}.` };
  return world.frozen
    ? frozen('so no agent is started')
    : { owner: 'engine', sentence: `The engine starts its ${role}.` };
}

/** Nobody but a person ends it. */
function frozen(consequence: string): Turn {
  return { owner: 'user', sentence: `cadre is frozen, ${consequence}. "cadre thaw" lets it go on.` };
}

/** Where no agent is asked for. */
const RESTING: { readonly [state in RunState]?: (world: World, entry: PlanEntry, task: TaskEntry) => Turn } = {
  SETUP: () => ({ owner: 'engine', sentence: 'The engine makes its worktree.' }),
  TESTING: (world, _entry, { run }) =>
    world.frozen && run?.issued === null
      ? frozen('so its commit is not verified')
      : { owner: 'engine', sentence: 'The engine verifies its commit.' },
  PLAN_REVIEW: ({ policy }) =>
    policy.architect.plan_review === 'human'
      ? { owner: 'user', sentence: 'A person looks at its plan.' }
      : ENGINE_WORKS,
  QUESTION: ({ policy }, _entry, { run }) =>
    policy.architect[run?.question?.kind === 'check-in' ? 'checkins' : 'questions'] === 'human'
      ? { owner: 'user', sentence: `It has asked: ${run?.question?.text ?? ''}` }
      : ENGINE_WORKS,
  CODE_REVIEW: () => ({
    owner: 'user',
    sentence: 'The quality reviewer would approve it, but it has not passed the verification: a person decides.',
  }),
  AWAIT_MERGE: (world, entry, { stale, run }) => {
    if (run?.issued !== null) return { owner: 'engine', sentence: 'It is being merged.' };
    if (stale)
      return {
        owner: 'user',
        sentence: "It is not in the plan's file any more: a person says whether it is merged anyway.",
      };
    if (world.frozen) return frozen('so it is not merged');
    const other = mergingIn(entry);
    if (isHeldUp(other?.run))
      return { owner: 'user', sentence: `It is merged after task ${other?.address}, whose merge waits.` };
    return { owner: 'engine', sentence: 'It waits for its turn to be merged.' };
  },
};

function withoutRun(world: World, entry: PlanEntry, task: TaskEntry): Turn {
  if (task.stale)
    return {
      owner: 'user',
      sentence: "It is not in the plan's file any more, so it is not launched; what it has is kept.",
    };
  if (task.state !== taskMachine.initial)
    return { owner: entry.work === undefined ? 'implementer' : 'user', sentence: 'Its work is done from outside.' };
  if (entry.status !== WORKING)
    return { owner: planOwner(entry), sentence: `It waits until its plan is ${WORKING}; the plan is ${entry.status}.` };
  const blockedBy = blockersOf(entry, task);
  if (blockedBy.length > 0)
    return { owner: 'engine', sentence: `It is blocked: task ${listed(blockedBy)} must be done before it.` };
  if (task.held && task.notStarted != null)
    return { owner: 'user', sentence: `Its agent never came up, and a person launches it again. ${task.notStarted}` };
  if (task.held) return { owner: 'user', sentence: 'It was taken back by a person, who launches it again.' };
  if (!entry.work?.going)
    return { owner: 'user', sentence: 'It may start: a person launches it, or lets cadre run the plan.' };
  if (world.frozen) return frozen('so it is not launched');
  return { owner: 'engine', sentence: 'It is launched as soon as fewer runs are at work.' };
}

/** The first of the deadlines; where a person has the turn, the next reminder. */
function deadlineOf(
  world: World,
  { owner }: Turn,
  found: readonly Deadline[],
  since: string,
): WaitStatus<string>['deadline'] {
  const first = found.toSorted((one, other) => one.at - other.at)[0];
  if (first !== undefined) return { at: new Date(first.at).toISOString(), leadsTo: CONSEQUENCES[first.wait.for] };
  if (owner !== 'user') return null;
  return { at: new Date(Date.parse(since) + world.policy.deadlines.reminder).toISOString(), leadsTo: 'remind' };
}

const CONSEQUENCES = { session: 'restart', run: 'end', effect: 'fail' } as const;

/** Everything that a person can do to the task now. */
export function availableActions(world: World, entry: PlanEntry, task: TaskEntry): readonly TaskAct[] {
  const { run, state } = task;
  const taking: readonly TaskAct[] = state === 'implementing' || state === 'verifying' ? ['revert', 'mark-done'] : [];
  if (entry.status !== WORKING) return taking;
  if (run === undefined) return state === taskMachine.initial && mayLaunch(world, entry, task) ? ['launch'] : taking;
  const acts = [...(ACTS_IN[run.state] ?? [])];
  if (run.state === 'CODE_REVIEW' && run.stage === 'quality' && run.unverified) acts.push('override');
  if (run.state === 'AWAIT_MERGE' && run.issued === null) acts.push('back');
  if (run.state === 'AWAIT_MERGE' && mayMergeAnyway(world, entry, task)) acts.push('merge-anyway');
  const isRelaunched =
    run.state === 'ERROR'
      ? mayLaunch(world, entry, task)
      : !world.frozen && isHalted(run, world.policy, world.sessions);
  return [...acts, ...(isRelaunched ? (['relaunch'] as const) : []), ...taking];
}

const ACTS_IN: { readonly [state in RunState]?: readonly TaskAct[] } = {
  PLANNING: ['next'],
  CODING: ['next'],
  FIXING: ['next'],
  PLAN_REVIEW: ['approve', 'changes', 'abandon'],
  QUESTION: ['answer', 'abandon'],
  TESTING: ['back'],
  CODE_REVIEW: ['approve', 'changes', 'back', 'abandon'],
};

function mayLaunch(world: World, entry: PlanEntry, task: TaskEntry): boolean {
  return !world.frozen && !task.stale && blockersOf(entry, task).length === 0;
}

function mayMergeAnyway(world: World, entry: PlanEntry, task: TaskEntry): boolean {
  return task.stale && !world.frozen && mergingIn(entry) === undefined && entry.work?.tip != null;
}
