// Why a plan or a task waits: whose turn it is, how long that may last, and what a person can do about it.
import { acceptedIn } from '../../machines/machine.ts';
import { PLAN_REVIEW, type PlanEvent, planMachine, WORKING } from '../../machines/plan.ts';
import type { RunState } from '../../machines/run.ts';
import { taskMachine } from '../../machines/task.ts';
import { slugOf } from '../../plan/name.ts';
import { type Author, asAuthor, authorWords } from '../../signals/author.ts';
import type { Role } from '../../signals/registry.ts';
import { type Deadline, planningDeadlines, reviewDeadlines, runDeadlines } from '../model/deadlines.ts';
import type { TaskAct } from '../model/event.ts';
import { hasNotLanded, isAtWork, plannerOf, waitingFor } from '../model/plan-owner.ts';
import { blockersOfPlan, blockersOfStage, type Finding, isContradiction } from '../model/review/finding.ts';
import type { HeldUp, Incident, PendingEffect, RunEntry, Said, WorktreeIncident } from '../model/run.ts';
import {
  answererOf,
  type Duty,
  dutyIn,
  findingsWait,
  isHalted,
  isHeldUp,
  isLive,
  rulerOf,
  sessionHealth,
  sessionHealthOf,
} from '../model/run-status.ts';
import { failureOf, hasEnded, type SessionEntry, type Trouble } from '../model/session.ts';
import {
  branchStopOf,
  incidentWords,
  isBeingRestored,
  mayMoveBranches,
  type Stop,
  stopOf,
  worktreeIncidentWords,
} from '../model/stops.ts';
import { type Suggestion, suggest } from '../model/suggestion.ts';
import { blockersOf, listed, mergingIn, openTasks } from '../model/tasks.ts';
import type { WorkshopWait } from '../model/workshop/entry.ts';
import { isPlanning, workshopWait } from '../model/workshop/status.ts';
import type { PlanEntry, TaskEntry, World } from '../model/world.ts';
import type { NotificationKind } from '../settings/notify.ts';
import { taskReference } from './actions.ts';
import { availableActions } from './available-actions.ts';
import { incidentActions, worktreeActions } from './incident.ts';
import { planningWait } from './workshop/view.ts';

export type Owner = 'user' | 'engine' | Role;

/** What a person is needed for. An agent that asks on its screen and the end of a plan are in no wait. */
export type NeedKind = Exclude<NotificationKind, 'permission' | 'done'>;

export interface WaitStatus<Way extends string> extends Wait {
  /** When the wait ends without a person, and in what. A person is reminded, and never moved. */
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
  /** Null unless it is a person's turn; also for what the person stopped or has not started, and what another need is for. */
  readonly need: NeedKind | null;
}

export function planWaitStatus(world: World, entry: PlanEntry): WaitStatus<PlanEvent> {
  const wait = planWait(world, entry);
  const { owner, sentence, suggestions, need } = wait;
  return {
    owner,
    sentence,
    suggestions,
    need,
    deadline: deadlineOf(
      world,
      wait,
      [...reviewDeadlines(world, entry), ...planningDeadlines(world, entry)],
      isPlanning(entry) ? entry.workshop.since : entry.since,
    ),
    waysOut: planWaysOut(entry),
  };
}

export function planWaysOut(entry: PlanEntry): readonly PlanEvent[] {
  if (entry.archived !== undefined) return [];
  return acceptedIn(planMachine, entry.status).filter((event) => event !== 'cancel' && mayMove(entry, event));
}

/** Some moves of a managed plan follow from its tasks, so nobody makes them by hand. */
function mayMove(entry: PlanEntry, event: PlanEvent): boolean {
  // The plan of a workshop is ready when it is approved; what is possible before is said with the wait.
  if (event === 'planner_finished' && isPlanning(entry)) return false;
  if (entry.work === undefined) return true;
  if (event === 'implement_finished') return false;
  return event !== 'review_approved' || (openTasks(entry).length === 0 && entry.work.incident === null);
}

/** Without what only one plan at a time is asked for: a list has thousands. */
export function planWait(world: World, entry: PlanEntry): Wait {
  const { work, status, plan } = entry;
  const outside = waitingFor(status);
  const stop = branchStopOf(world, entry);
  if (work?.incident != null && (UNDER_WAY.includes(status) || work.lands))
    return incidentWait(world, entry, work.incident);
  if (work !== undefined && UNDER_WAY.includes(status) && stop?.code === 'paused') return pausedWait(entry, stop);
  if (status === 'done' && work?.lands)
    return stopped(stop, 'the plan is approved and lands later') ?? engine('Landing.');
  if (status === 'done' && hasNotLanded(entry))
    return user('land', `Done, but it has not landed: ${work?.landed?.text}`);
  if (isPlanning(entry)) return planningWait(world, entry);
  if (isBeingPublished(world, entry)) return engine('Approved; the plan file is being written.');
  if (entry.archived !== undefined)
    return { ...nobody(`Archived; it was ${status}.`), suggestions: [suggest('plan-unarchive', slugOf(plan))] };
  const planner = plannerOf(world, entry);
  if (planner !== undefined) return plannerWait(planner);
  if (outside === null) return nobody(`${plan} is ${status}: nothing left to do.`);
  if (status === 'planning' && work !== undefined)
    return user(null, 'Waiting for you: accept the plan file as it is, or start planning.');
  if (work === undefined || (status !== WORKING && status !== PLAN_REVIEW))
    return waitOf(outside.who, `Waiting until ${outside.sentence}.`);
  return status === PLAN_REVIEW ? reviewWait(world, entry) : tasksWait(world, entry);
}

/** The architect approved the plan of its workshop, and nobody has waited until its file is there. */
function isBeingPublished({ outbox }: World, { plan, workshop }: PlanEntry): boolean {
  if (workshop === undefined || outbox.size === 0) return false;
  return [...outbox.values()].some((effect) => effect.do === 'publish-plan' && effect.plan === plan);
}

/** A planner without a workshop: a person started it, so cadre does not start another. */
function plannerWait(planner: SessionEntry): Wait {
  const { id } = planner;
  if (isAtWork(planner))
    return { ...waitOf('planner', `The planner (${id}) is working.`), suggestions: [suggest('session-screen', id)] };
  const how = hasEnded(planner) ? `ended: ${failureOf(planner)}` : `is ${planner.wanted}.`;
  const sentence = `The plan is not finished, and its planner (${id}) ${how} Resume it, start another one, or accept the plan file as it is.`;
  return {
    ...user('halted', sentence),
    suggestions: [suggest('session-screen', id), suggest('session-resume', id)],
  };
}

/** What only a person decides; also while cadre is paused or frozen, which keeps it from moving a branch. */
function incidentWait(world: World, entry: PlanEntry, incident: Incident): Wait {
  const sentence = incidentWords(incident);
  const stop = stopOf(world, entry);
  if (isBeingRestored(incident)) return stopped(stop, sentence) ?? engine(sentence);
  const actions = incidentActions(entry.plan, incident);
  const suggestions = stop === undefined ? actions : [...actions, stop.end];
  return { owner: 'user', sentence, suggestions, need: 'incident' };
}

const UNDER_WAY: readonly string[] = [WORKING, PLAN_REVIEW];

function pausedWait(entry: PlanEntry, stop: Stop): Wait {
  const open = openTasks(entry).map((task) => task.address);
  const what = entry.status === PLAN_REVIEW ? 'In review.' : `Open tasks: ${listed(open)}.`;
  return { owner: 'user', sentence: `Paused. ${what}`, suggestions: [stop.end], need: null };
}

function tasksWait(world: World, entry: PlanEntry): Wait {
  const open = openTasks(entry);
  if (!entry.tasks.some((task) => !task.stale))
    return user('decision', 'The plan file has no tasks, so there is nothing to build. Edit the file.');
  const last = mergingIn(entry);
  if (open.length === 0 && isHeldUp(last?.run))
    return user('held-up', `Everything else is done; the merge of task ${last?.address} is waiting.`);
  if (open.length === 0) return engine('All tasks are done; the plan review is next.');
  // Where everything waits for one task, the owner of that task has the plan's next step as well.
  const waits = open.filter((task) => !isBlocked(entry, task)).map((task) => taskWait(world, entry, task));
  const busy = waits.find(({ owner }) => owner !== 'user') ?? waits[0];
  const sentence = `Open tasks: ${listed(open.map((task) => task.address))}.`;
  return waitOf(busy?.owner ?? 'user', sentence);
}

function reviewWait(world: World, entry: PlanEntry): Wait {
  const { work, entered } = entry;
  if (work?.waiting) return planFindingsWait(entry, work.waiting.by);
  const health = sessionHealthOf(work?.session ?? null, entered, world.sessions);
  if (health === 'working') return waitOf('reviewer', 'Waiting for the reviewer to approve or to ask for changes.');
  if (health === 'none' || (work?.relaunches ?? 0) < world.policy.budgets.relaunches)
    return stopped(branchStopOf(world, entry), 'no reviewer is started') ?? engine('Starting a reviewer.');
  return user('halted', 'The reviewer failed and the restart limit is reached: approve the plan, or ask for changes.');
}

/** A review of the plan was taken, and a person decides what follows from it. */
function planFindingsWait(entry: PlanEntry, by: Author | undefined): Wait {
  const blockers = blockersOfPlan(entry);
  const suggestions = entry.findings === undefined ? [] : [suggest('findings', slugOf(entry.plan))];
  const ids = blockers.map(({ id }) => id).join(', ');
  if (blockers.some(isContradiction)) return { ...user('decision', contradictionSentence(blockers)), suggestions };
  if (blockers.length > 0 && blockers.every(({ claimed }) => claimed === entry.work?.tip))
    return { ...user('decision', `${notShown(ids)} Confirm it, approve the plan, or reject it.`), suggestions };
  // What the engine found is about the branches, so it is in no finding.
  if (blockers.length === 0 && entry.findings !== undefined && by !== 'engine')
    return {
      ...user('decision', 'Nothing is open any longer in the review: approve the plan, or reject it.'),
      suggestions,
    };
  const sentence = 'The reviewer still asks for changes, and the review limit is reached: approve, reject, or cancel.';
  return { ...user('budget', sentence), suggestions };
}

function contradictionSentence(blockers: readonly Finding[]): string {
  const found = blockers.filter(isContradiction).map(({ id, problem, contradicts }) => {
    return `${id}: ${problem}\nThe plan says: ${contradicts}`;
  });
  return `A finding contradicts the plan. Which holds?\n${found.join('\n')}`;
}

function notShown(ids: string): string {
  return `The reviewer says that what you demanded is addressed (${ids}), but its place has not changed.`;
}

/** An agent or the engine is working on it, or will be without a person. */
export function mayContinueAlone(world: World, entry: PlanEntry): boolean {
  const open = entry.status === WORKING && entry.work !== undefined ? openTasks(entry) : [];
  if (open.length === 0) return planWait(world, entry).owner !== 'user';
  return open.some((task) => !isBlocked(entry, task) && taskWait(world, entry, task).owner !== 'user');
}

/** The wait for a person is due to a limit that was reached: turns, time, merges, restarts, plan reviews. */
export function isOutOfBudget(world: World, entry: PlanEntry): boolean {
  if (isPlanning(entry)) return OUT_OF_BUDGET.includes(workshopWait(world, entry));
  if (entry.status === PLAN_REVIEW) {
    const { owner, need } = planWait(world, entry);
    return mayMoveBranches(world, entry) && owner === 'user' && need !== 'decision';
  }
  return openTasks(entry).some((task) => task.run !== undefined && hasUsedUp(world, task, task.run));
}

const OUT_OF_BUDGET: readonly (WorkshopWait | undefined)[] = ['rounds', 'documents', 'planner'];

function hasUsedUp({ policy, sessions }: World, task: TaskEntry, run: RunEntry): boolean {
  if (run.state === 'ERROR') return run.usedUp != null;
  if (findingsWait(run, task) === 'ruling') return true;
  return run.question?.kind === 'check-in' || isHalted(run, policy, sessions, task);
}

function isBlocked(entry: PlanEntry, task: TaskEntry): boolean {
  return task.run === undefined && blockersOf(entry, task).length > 0;
}

export function taskWaitStatus(world: World, entry: PlanEntry, task: TaskEntry): WaitStatus<TaskAct> {
  const wait = taskWait(world, entry, task);
  const { run } = task;
  const found = isLive(run) ? runDeadlines(world, entry, task, run) : [];
  const since = run?.issued?.heldUp?.since ?? run?.since ?? task.since;
  const { owner, sentence, suggestions, need } = wait;
  return {
    owner,
    sentence,
    suggestions,
    need,
    deadline: deadlineOf(world, wait, found, since),
    waysOut: availableActions(world, entry, task),
  };
}

function taskWait(world: World, entry: PlanEntry, task: TaskEntry): Wait {
  const { run } = task;
  if (taskMachine.final.includes(task.state))
    return nobody(task.markedDone === undefined ? 'Done.' : 'Done: a person marked it done, and nothing was merged.');
  if (run === undefined) return unlaunchedWait(world, entry, task);
  if (run.state === 'ERROR') return user(errorNeed(run), `${errorOf(run)}Relaunch it, revert it, or mark it done.`);
  if (entry.status !== WORKING && run.issued === null)
    return waitOf(planOwner(entry), `Suspended, because its plan is ${entry.status}.`);
  if (run.incident != null) return worktreeWait(world, entry, task, run.incident);
  if (run.issued?.heldUp !== undefined) return heldUpWait(run.issued.do, run.issued.heldUp);
  if (run.waitsNext) return user('decision', nextSentence(run, task.stale));
  if (isHalted(run, world.policy, world.sessions, task)) return haltedWait(world, run);
  const duty = dutyIn(run, world.policy, task);
  return duty === undefined ? restingWait(world, entry, task) : agentWait(world, entry, run, duty);
}

function worktreeWait({ outbox }: World, entry: PlanEntry, task: TaskEntry, incident: WorktreeIncident): Wait {
  if (outbox.has(incident.restoring ?? '')) return engine('The worktree is being restored.');
  const suggestions = worktreeActions(entry, task);
  return { owner: 'user', sentence: worktreeIncidentWords(incident), suggestions, need: 'incident' };
}

/** What the last agent did, for a person who decides whether another one would do better. */
function haltedWait({ sessions }: World, { session }: RunEntry): Wait {
  const last = session === null ? undefined : sessions.get(session.id);
  const trouble = session?.trouble ?? null;
  const cause = trouble !== null ? TROUBLES[trouble] : last === undefined ? 'It failed to start.' : failureOf(last);
  return {
    ...user('halted', `The agent failed, and the restart limit is reached: relaunch it. ${cause}`),
    suggestions: last === undefined ? [] : [suggest('session-screen', last.id)],
  };
}

const TROUBLES: { readonly [trouble in Trouble]: string } = {
  silent: 'It was reminded and did not respond.',
  overdue: 'It did not finish in time.',
  undelivered: 'The next instruction could not be delivered to it.',
};

function errorNeed({ usedUp, abandoned }: RunEntry): NeedKind | null {
  if (abandoned != null) return asAuthor(abandoned.by) === 'person' ? null : 'halted';
  return usedUp == null ? 'halted' : 'budget';
}

function errorOf({ usedUp, failed, abandoned }: RunEntry): string {
  if (failed != null) return `The worktree could not be set up. ${failed.trimEnd()}\n`;
  if (abandoned != null) return abandonedWords(abandoned);
  return usedUp == null ? 'The run ended in an error. ' : `The run ended. ${usedUp} `;
}

function abandonedWords({ by, text }: Said): string {
  const who = authorWords(asAuthor(by));
  return text === '' ? `Abandoned by ${who}. ` : `Abandoned by ${who}: ${text}\n`;
}

/** What a person starts, because `auto_verify` is off. */
function nextSentence({ state, stage, unverified }: RunEntry, isStale: boolean): string {
  if (state === 'AWAIT_MERGE' && isStale) return NO_LONGER_PLANNED;
  if (state === 'AWAIT_MERGE') return 'Approved; waiting for you to start the merge.';
  if (state !== 'CODE_REVIEW') return 'The agent has finished; waiting for you to start the verification.';
  if (stage === 'quality') return 'The spec review passed; waiting for you to start the quality review.';
  return `${unverified ? 'Not verified' : 'Tests passed'}; waiting for you to start the spec review.`;
}

const NO_LONGER_PLANNED = 'Approved, but no longer in the plan file: you decide whether it is merged.';

function heldUpWait(work: PendingEffect['do'], { why, needsPerson }: HeldUp): Wait {
  return needsPerson
    ? user('held-up', `${NOT_YET[work]}: ${why}`)
    : engine(`${NOT_YET[work]}; the engine retries: ${why}`);
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

function agentWait(world: World, entry: PlanEntry, run: RunEntry, { role, work }: Duty): Wait {
  if (sessionHealth(run, world.sessions) === 'working')
    return waitOf(role, `The ${role} (${run.session?.id}) is working: ${work}.`);
  const isInterrupted = sessionHealth(run, world.sessions) === 'interrupted';
  const what = isInterrupted ? `the ${role} was stopped, and continues with the same turn` : 'no agent is started';
  return stopped(stopOf(world, entry), what) ?? engine(`Starting the ${role}.`);
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
    policy.architect.plan_review === 'human'
      ? user('decision', "Waiting for you to review the task's plan.")
      : ENGINE_NEXT,
  CODING: null,
  QUESTION: ({ policy }, _entry, task) => {
    const { run } = task;
    const isCheckIn = run?.question?.kind === 'check-in';
    return run !== undefined && answererOf(run, policy, task) === 'human'
      ? user(isCheckIn ? 'budget' : 'question', `Question: ${run?.question?.text ?? ''}`)
      : ENGINE_NEXT;
  },
  TESTING: (world, entry, { run }) => {
    const stop = run?.issued === null ? stopOf(world, entry) : undefined;
    return stopped(stop, 'the commit is not verified') ?? engine('Running tests.');
  },
  FIXING: null,
  CODE_REVIEW: (world, entry, task) =>
    task.run === undefined ? ENGINE_NEXT : findingsWaitOf(world, entry, task, task.run),
  AWAIT_MERGE: (world, entry, { stale, run }) => {
    if (run?.issued !== null) return engine('Merging.');
    if (stale) return user('decision', NO_LONGER_PLANNED);
    const stop = branchStopOf(world, entry);
    const other = mergingIn(entry);
    if (stop === undefined && isHeldUp(other?.run))
      return user(null, `Waiting for task ${other?.address}, which merges first and is held up.`);
    return stopped(stop, 'nothing is merged') ?? engine('Waiting for its turn to merge.');
  },
  DONE: null,
  ERROR: null,
};

/** A review has been taken, and something has to be decided about it. */
function findingsWaitOf(world: World, entry: PlanEntry, task: TaskEntry, run: RunEntry): Wait {
  const suggestions = [suggest('findings', taskReference(entry, task))];
  const blockers = blockersOfStage(run.stage ?? 'spec', task);
  switch (findingsWait(run, task)) {
    case 'contradiction':
      return { ...user('decision', contradictionSentence(blockers)), suggestions };
    case 'evidence': {
      const ids = blockers.map(({ id }) => id).join(', ');
      return {
        ...user('decision', `${notShown(ids)} Confirm it, or send it back.`),
        suggestions,
      };
    }
    case 'ruling': {
      if (rulerOf(run, world.policy, task) === 'auto') return ENGINE_NEXT;
      const ids = blockers.map(({ id }) => id).join(', ');
      return {
        ...user(
          'budget',
          `The rounds of review are used up, and these findings are open: ${ids}. Park or overrule them, or send the task back for another round.`,
        ),
        suggestions,
      };
    }
    case 'passed':
      return ENGINE_NEXT;
    case undefined:
      return user(
        'decision',
        'The quality reviewer would approve, but the commit has not passed verification: you decide.',
      );
  }
}

function unlaunchedWait(world: World, entry: PlanEntry, task: TaskEntry): Wait {
  if (task.stale) return user(null, 'No longer in the plan file, so it is not launched. Everything it has is kept.');
  if (task.state !== taskMachine.initial)
    return waitOf(entry.work === undefined ? 'implementer' : 'user', 'Being built outside of cadre.');
  if (entry.status !== WORKING)
    return waitOf(planOwner(entry), `Waiting until its plan is ${WORKING}; the plan is ${entry.status}.`);
  const blockedBy = blockersOf(entry, task);
  if (blockedBy.length > 0) return engine(`Blocked: task ${listed(blockedBy)} must be done first.`);
  if (task.held && task.notStarted != null)
    return user('halted', `The agent failed to start; launch it again. ${task.notStarted}`);
  if (task.held) return user(null, 'Reverted by a person; launch it again when it should be built.');
  if (!entry.work?.going) return user(null, 'Ready to start: launch it, or run the plan.');
  return stopped(branchStopOf(world, entry), 'it is not launched') ?? engine('Waiting for a free slot.');
}

function user(need: NeedKind | null, sentence: string): Wait {
  return { owner: 'user', sentence, suggestions: [], need };
}

function engine(sentence: string): Wait {
  return waitOf('engine', sentence);
}

function nobody(sentence: string): Wait {
  return waitOf(null, sentence);
}

/** One that no person is needed for now. */
function waitOf(owner: Owner | null, sentence: string): Wait {
  return { owner, sentence, suggestions: [], need: null };
}

/** Undefined where nothing is stopped. */
function stopped(stop: Stop | undefined, what: string): Wait | undefined {
  if (stop === undefined) return undefined;
  return { owner: stop.owner, sentence: `${stop.word}: ${what}.`, suggestions: [stop.end], need: null };
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
