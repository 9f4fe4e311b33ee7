// Why a plan or a task waits: whose turn it is, how long that may last, and what a person can do about it.
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
import { type Suggestion, suggest } from '../model/suggestion.ts';
import { blockersOf, listed, mergingIn, openTasks } from '../model/tasks.ts';
import type { PlanEntry, TaskEntry, World } from '../model/world.ts';
import { availableActions } from './available-actions.ts';

export type Owner = 'user' | 'engine' | Role;

export interface WaitStatus<Way extends string> extends Wait {
  /** When the wait ends by itself, and in what. A person is reminded, and never moved. */
  readonly deadline: { readonly at: string; readonly leadsTo: 'restart' | 'fail' | 'end' | 'remind' } | null;
  /** What a person can do now, apart from cancelling the plan. */
  readonly waysOut: readonly Way[];
}

interface Wait {
  /** Whose turn it is; nobody's once it has ended. */
  readonly owner: Owner | null;
  /** What it waits for, as a whole sentence. */
  readonly sentence: string;
  /** What ends the wait, other than an action on the plan or task itself. */
  readonly suggestions: readonly Suggestion[];
}

export function planWaitStatus(world: World, entry: PlanEntry): WaitStatus<PlanEvent> {
  const wait = planWait(world, entry);
  const waysOut = acceptedIn(planMachine, entry.status).filter((event) => event !== 'cancel' && mayMove(entry, event));
  const { owner, sentence, suggestions } = wait;
  return {
    owner,
    sentence,
    suggestions,
    deadline: deadlineOf(world, wait, reviewDeadlines(world, entry), entry.since),
    waysOut,
  };
}

/** Some moves of a managed plan follow from its tasks, so nobody makes them by hand. */
function mayMove(entry: PlanEntry, event: PlanEvent): boolean {
  if (entry.work === undefined) return true;
  if (event === 'implement_finished') return false;
  return event !== 'review_approved' || openTasks(entry).length === 0;
}

function planWait(world: World, entry: PlanEntry): Wait {
  const { work, status, plan } = entry;
  const outside = waitingFor(status);
  if (status === 'done' && work?.lands) return frozen('Approved; it lands when cadre is thawed.');
  if (status === 'done' && hasNotLanded(entry)) return user(`Done, but it has not landed: ${work?.landed?.text}`);
  if (outside === null) return nobody(`${plan} is ${status}: nothing left to do.`);
  if (status === 'planning' && work !== undefined)
    return user('Waiting for you: accept the plan file as it is, or start planning.');
  if (work === undefined || (status !== WORKING && status !== PLAN_REVIEW))
    return { owner: outside.who, sentence: `Waiting until ${outside.sentence}.`, suggestions: [] };
  return status === PLAN_REVIEW ? reviewWait(world, entry) : tasksWait(world, entry);
}

function tasksWait(world: World, entry: PlanEntry): Wait {
  const open = openTasks(entry);
  if (!entry.tasks.some((task) => !task.stale))
    return user('The plan file has no tasks, so there is nothing to build. Edit the file.');
  const last = mergingIn(entry);
  if (open.length === 0 && isHeldUp(last?.run))
    return user(`Everything else is done; the merge of task ${last?.address} is waiting.`);
  if (open.length === 0) return engine('All tasks are done; the plan review is next.');
  // Where everything waits for one task, the owner of that task has the plan's next step as well.
  const waits = open.filter((task) => !isBlocked(entry, task)).map((task) => taskWait(world, entry, task));
  const busy = waits.find(({ owner }) => owner !== 'user') ?? waits[0];
  const sentence = `Open tasks: ${listed(open.map((task) => task.address))}.`;
  return { owner: busy?.owner ?? 'user', sentence, suggestions: [] };
}

function reviewWait(world: World, { work, entered }: PlanEntry): Wait {
  if (work?.waiting)
    return user('The reviewer still asks for changes, and the review limit is reached: approve, reject, or cancel.');
  const health = sessionHealthOf(work?.session ?? null, entered, world.sessions);
  if (health === 'working')
    return {
      owner: 'reviewer',
      sentence: 'Waiting for the reviewer to approve or to ask for changes.',
      suggestions: [],
    };
  if (health === 'none' || (work?.relaunches ?? 0) < world.policy.budgets.relaunches)
    return world.frozen ? frozen('Frozen: no reviewer is started.') : engine('Starting a reviewer.');
  return user('The reviewer failed and the restart limit is reached: approve the plan, or ask for changes.');
}

/** Something prevents the landing that the settings ask for. */
export function hasNotLanded({ work }: PlanEntry): boolean {
  return work?.landed?.ok === false && work.landed.byHand !== true;
}

/** An agent or the engine is working on it, or will be without a person. */
export function mayContinueAlone(world: World, entry: PlanEntry): boolean {
  const open = entry.status === WORKING && entry.work !== undefined ? openTasks(entry) : [];
  if (open.length === 0) return planWait(world, entry).owner !== 'user';
  return open.some((task) => !isBlocked(entry, task) && taskWait(world, entry, task).owner !== 'user');
}

/** The wait for a person is due to a limit that was reached: turns, time, merges, restarts, plan reviews. */
export function isOutOfBudget(world: World, entry: PlanEntry): boolean {
  if (entry.status === PLAN_REVIEW) return !world.frozen && planWait(world, entry).owner === 'user';
  return openTasks(entry).some(({ run }) => run !== undefined && hasUsedUp(world, run));
}

function hasUsedUp({ policy, sessions }: World, run: RunEntry): boolean {
  if (run.state === 'ERROR') return run.usedUp != null;
  return run.question?.kind === 'check-in' || isHalted(run, policy, sessions);
}

function isBlocked(entry: PlanEntry, task: TaskEntry): boolean {
  return task.run === undefined && blockersOf(entry, task).length > 0;
}

export function taskWaitStatus(world: World, entry: PlanEntry, task: TaskEntry): WaitStatus<TaskAct> {
  const wait = taskWait(world, entry, task);
  const { run } = task;
  const found = isLive(run) ? runDeadlines(world, entry, task, run) : [];
  const since = run?.issued?.heldUp?.since ?? run?.since ?? task.since;
  const { owner, sentence, suggestions } = wait;
  return {
    owner,
    sentence,
    suggestions,
    deadline: deadlineOf(world, wait, found, since),
    waysOut: availableActions(world, entry, task),
  };
}

function taskWait(world: World, entry: PlanEntry, task: TaskEntry): Wait {
  const { run } = task;
  if (taskMachine.final.includes(task.state))
    return nobody(task.markedDone === undefined ? 'Done.' : 'Done: a person marked it done, and nothing was merged.');
  if (run === undefined) return unlaunchedWait(world, entry, task);
  if (run.state === 'ERROR') return user(`${errorOf(run)}Relaunch it, revert it, or mark it done.`);
  if (entry.status !== WORKING && run.issued === null)
    return { owner: planOwner(entry), sentence: `Suspended, because its plan is ${entry.status}.`, suggestions: [] };
  if (run.issued?.heldUp !== undefined) return heldUpWait(run.issued.do, run.issued.heldUp);
  if (isHalted(run, world.policy, world.sessions))
    return user('The agent is gone or does nothing, and the restart limit is reached: relaunch it.');
  const duty = dutyIn(run, world.policy);
  return duty === undefined ? restingWait(world, entry, task) : agentWait(world, run, duty);
}

function errorOf({ usedUp, failed }: RunEntry): string {
  if (failed != null) return `The worktree could not be set up. ${failed.trimEnd()}\n`;
  return usedUp == null ? 'The run ended in an error. ' : `The run was abandoned. ${usedUp} `;
}

function heldUpWait(work: PendingEffect['do'], { why, needsPerson }: HeldUp): Wait {
  return needsPerson ? user(`${NOT_YET[work]}: ${why}`) : engine(`${NOT_YET[work]}; the engine retries: ${why}`);
}

/** What the engine cannot do for a run yet. */
export const NOT_YET: { readonly [work in PendingEffect['do']]: string } = {
  worktree: 'Cannot create the worktree yet',
  verify: 'Cannot verify yet',
  merge: 'Cannot merge yet',
};

function planOwner(entry: PlanEntry): Owner {
  return entry.status === PLAN_REVIEW ? 'reviewer' : 'user';
}

function agentWait(world: World, run: RunEntry, { role, work }: Duty): Wait {
  if (sessionHealth(run, world.sessions) === 'working')
    return { owner: role, sentence: `The ${role} (${run.session?.id}) is working: ${work}.`, suggestions: [] };
  return world.frozen ? frozen('Frozen: no agent is started.') : engine(`Starting the ${role}.`);
}

/** Where no agent is asked for. */
function restingWait(world: World, entry: PlanEntry, task: TaskEntry): Wait {
  return RESTING[task.run?.state ?? 'WAITING']?.(world, entry, task) ?? ENGINE_NEXT;
}

const ENGINE_NEXT: Wait = engine('The engine has the next step.');

const RESTING: { readonly [state in RunState]: ((world: World, entry: PlanEntry, task: TaskEntry) => Wait) | null } = {
  WAITING: null,
  SETUP: () => engine('Creating the worktree.'),
  PLANNING: null,
  PLAN_REVIEW: ({ policy }) =>
    policy.architect.plan_review === 'human' ? user("Waiting for you to review the task's plan.") : ENGINE_NEXT,
  CODING: null,
  QUESTION: ({ policy }, _entry, { run }) =>
    policy.architect[run?.question?.kind === 'check-in' ? 'checkins' : 'questions'] === 'human'
      ? user(`Question: ${run?.question?.text ?? ''}`)
      : ENGINE_NEXT,
  TESTING: (world, _entry, { run }) =>
    world.frozen && run?.issued === null ? frozen('Frozen: the commit is not verified.') : engine('Running tests.'),
  FIXING: null,
  CODE_REVIEW: () =>
    user('The quality reviewer would approve, but the commit has not passed verification: you decide.'),
  AWAIT_MERGE: (world, entry, { stale, run }) => {
    if (run?.issued !== null) return engine('Merging.');
    if (stale) return user('Approved, but no longer in the plan file: you decide whether it is merged.');
    if (world.frozen) return frozen('Frozen: nothing is merged.');
    const other = mergingIn(entry);
    if (isHeldUp(other?.run)) return user(`Waiting for task ${other?.address}, which merges first and is held up.`);
    return engine('Waiting for its turn to merge.');
  },
  DONE: null,
  ERROR: null,
};

function unlaunchedWait(world: World, entry: PlanEntry, task: TaskEntry): Wait {
  if (task.stale) return user('No longer in the plan file, so it is not launched. Everything it has is kept.');
  if (task.state !== taskMachine.initial)
    return {
      owner: entry.work === undefined ? 'implementer' : 'user',
      sentence: 'Being built outside of cadre.',
      suggestions: [],
    };
  if (entry.status !== WORKING) {
    const sentence = `Waiting until its plan is ${WORKING}; the plan is ${entry.status}.`;
    return { owner: planOwner(entry), sentence, suggestions: [] };
  }
  const blockedBy = blockersOf(entry, task);
  if (blockedBy.length > 0) return engine(`Blocked: task ${listed(blockedBy)} must be done first.`);
  if (task.held && task.notStarted != null)
    return user(`The agent failed to start; launch it again. ${task.notStarted}`);
  if (task.held) return user('Reverted by a person; launch it again when it should be built.');
  if (!entry.work?.going) return user('Ready to start: launch it, or run the plan.');
  if (world.frozen) return frozen('Frozen: it is not launched.');
  return engine('Waiting for a free slot.');
}

function user(sentence: string): Wait {
  return { owner: 'user', sentence, suggestions: [] };
}

function engine(sentence: string): Wait {
  return { owner: 'engine', sentence, suggestions: [] };
}

function nobody(sentence: string): Wait {
  return { owner: null, sentence, suggestions: [] };
}

/** Only a person thaws. */
function frozen(sentence: string): Wait {
  return { owner: 'user', sentence, suggestions: [suggest('thaw')] };
}

/** The first deadline; where it is a person's turn, the next reminder. */
function deadlineOf(
  world: World,
  { owner }: Wait,
  found: readonly Deadline[],
  since: string,
): WaitStatus<string>['deadline'] {
  const first = found.length > 1 ? found.toSorted((one, other) => one.at - other.at)[0] : found[0];
  if (first !== undefined) return { at: new Date(first.at).toISOString(), leadsTo: CONSEQUENCES[first.wait.for] };
  if (owner !== 'user') return null;
  return { at: new Date(Date.parse(since) + world.policy.deadlines.reminder).toISOString(), leadsTo: 'remind' };
}

const CONSEQUENCES = { session: 'restart', run: 'end', effect: 'fail' } as const;
