// Rules for what a person does to a task and its run: one row of the table for each act.
import { WORKING } from '../../../machines/plan.ts';
import type { RunState } from '../../../machines/run.ts';
import type { TaskState } from '../../../machines/task.ts';
import { short } from '../../model/commit.ts';
import { type Decision, refused, refusedFor } from '../../model/decision.ts';
import type { EventOfKind, Ruling, TaskAct } from '../../model/event.ts';
import { archivedPlan, personsDecision, unknownPlan, unknownTask } from '../../model/refusals.ts';
import type { RunEntry, SeenRun, WorktreeIncident } from '../../model/run.ts';
import { dutyIn, isHalted, sessionHealth } from '../../model/run-status.ts';
import { branchStopOf, NEEDS_WORKTREE, stopOf, worktreeIncidentWords } from '../../model/stops.ts';
import { suggest } from '../../model/suggestion.ts';
import { findTask } from '../../model/tasks.ts';
import type { PlanEntry, TaskEntry, World } from '../../model/world.ts';
import { startSession } from './agent-turns.ts';
import { answerQuestion } from './answer.ts';
import { endRun } from './end.ts';
import { launch, launchAgain } from './launch.ts';
import { backToWork, takeNext } from './manual-step.ts';
import { startMerge } from './merge.ts';
import { MAY_BE, rule } from './ruling.ts';
import { nameOf, type RunContext, recordStep, referenceTo } from './step.ts';
import { NO_COMMENT } from './to-fix.ts';
import { giveVerdict, movedOn, sendBack, sendBackMoved } from './verdict.ts';
import { backFromMerge, finishWork, testsFail } from './verify.ts';

type ActEvent = EventOfKind<'act'>;
type Act = (context: RunContext, event: ActEvent) => Decision;

export function decideAct(world: World, event: ActEvent, now: Date): Decision {
  const { act, by } = event;
  if (by.who === 'agent' || (act === 'mark-done' && by.who !== 'user'))
    return refused('user-only', personsDecision(act, by));
  const entry = world.plans.get(event.plan);
  if (entry === undefined) return refusedFor('unknown-plan', unknownPlan(event.plan));
  if (entry.archived !== undefined) return refusedFor('state', archivedPlan(entry));
  const task = findTask(entry, event.task);
  if (task === undefined) return refused('unknown-task', unknownTask(entry, event.task));
  if (act === 'launch') return launch({ world, now, by, entry, task });
  if (isRuling(act)) return rule({ world, now, by, entry, task }, act, { ids: event.findings, why: event.text });
  const { run } = task;
  if (run === undefined) return withoutRun(entry, task, act);
  const context: RunContext = { world, now, by, entry, task, run };
  // For a task that is done, each act gives its own reason.
  if (!ANY_TIME.includes(act) && entry.status !== WORKING && run.state !== 'DONE')
    return refused(
      'state',
      `${nameOf(context)} is suspended, because its plan is ${entry.status}. It continues when the plan is ${WORKING} again.`,
    );
  if (event.seen !== undefined && !isAsSeen(run, event.seen)) return movedSince(context);
  if (run.incident != null && NEEDS_WORKTREE.includes(act)) return whileChanged(context, run.incident);
  return ACTS[act](context, event);
}

function isAsSeen({ state, stage, pinned }: RunEntry, seen: SeenRun): boolean {
  return state === seen.state && stage === seen.stage && pinned === seen.commit;
}

function movedSince(context: RunContext): Decision {
  const { state, stage, pinned } = context.run;
  const now = [stage === null ? state : `${state} (${stage})`, ...(pinned === null ? [] : [`at ${short(pinned)}`])];
  return refused(
    'moved',
    `${nameOf(context)} was not approved: it has moved on since, and is ${now.join(' ')} now.`,
    suggest('why', referenceTo(context)),
  );
}

/** What a person can do in every state of the plan. */
const ANY_TIME: readonly TaskAct[] = ['revert', 'mark-done'];

function whileChanged(context: RunContext, incident: WorktreeIncident): Decision {
  return refused(
    'incident',
    `${nameOf(context)} does not continue. ${worktreeIncidentWords(incident)}`,
    suggest('worktree-restore', referenceTo(context)),
  );
}

function isRuling(act: TaskAct): act is Ruling {
  return Object.hasOwn(MAY_BE, act);
}

/** The task was not launched, or a person marked it done. */
function withoutRun(entry: PlanEntry, task: TaskEntry, act: RunAct): Decision {
  if (act === 'revert' || act === 'mark-done') return cannotEnd({ entry, task }, act);
  const isLaunch = act === 'relaunch' || act === 'next';
  const instead = isLaunch ? [suggest('launch', referenceTo({ entry, task }))] : [];
  return refused('no-run', `${nameOf({ entry, task })} has no run, so there is nothing to ${VERBS[act]}.`, ...instead);
}

/** What is done to a run. */
type RunAct = Exclude<TaskAct, 'launch' | Ruling>;

const VERBS: { readonly [act in Exclude<RunAct, 'revert' | 'mark-done'>]: string } = {
  relaunch: 'relaunch',
  next: 'continue',
  back: 'send back',
  approve: 'approve',
  override: 'approve',
  changes: 'send back',
  abandon: 'abandon',
  answer: 'answer',
  'merge-anyway': 'merge',
};

const ACTS: { readonly [act in RunAct]: Act } = {
  relaunch,
  revert: (context) => endByPerson(context, 'revert'),
  'mark-done': (context) => endByPerson(context, 'mark-done'),
  next,
  back,
  approve: (context, { worktree }) => giveVerdict(context, 'approve', '', worktree),
  changes: (context, { text = '', worktree }) => {
    if (text.trim() === '') return needsText(context, 'what has to change');
    return isUnverified(context.run) ? backToWork(context, text) : giveVerdict(context, 'changes', text, worktree);
  },
  abandon: (context, { text = '', worktree }) => giveVerdict(context, 'abandon', text, worktree),
  override: (context, { worktree }) =>
    context.run.state === 'CODE_REVIEW' && context.run.stage === 'quality' && context.run.unverified
      ? giveVerdict(context, 'approve', '', worktree)
      : refused(
          'state',
          `${nameOf(context)} has nothing to override: it is not an unverified commit in quality review.`,
        ),
  answer: (context, { text = '', worktree }) =>
    text.trim() === '' ? needsText(context, 'the answer') : answerQuestion(context, text, worktree),
  'merge-anyway': mergeAnyway,
};

/** After an ERROR, starts a new run; for a halted run, starts another agent. */
function relaunch(context: RunContext): Decision {
  const { world, entry, run } = context;
  if (run.state === 'ERROR') return launchAgain(context);
  const duty = dutyIn(run, world.policy, context.task);
  if (duty === undefined || !isHalted(run, world.policy, world.sessions, context.task)) {
    const how =
      sessionHealth(run, world.sessions) === 'working' ? 'its agent is working' : 'it is not waiting for an agent';
    return refused('state', `${nameOf(context)} is ${run.state} and not halted: ${how}.`);
  }
  const stop = stopOf(world, entry);
  if (stop !== undefined) return refused(stop.code, `${stop.why}, so no agent is started.`, stop.end);
  return startSession(context, duty);
}

function endByPerson(context: RunContext, act: 'revert' | 'mark-done'): Decision {
  const { task } = context;
  if (task.state === 'implementing' || task.state === 'verifying')
    return endRun(context, act === 'revert' ? 'revert' : 'mark_done');
  return cannotEnd(context, act);
}

function cannotEnd(context: Pick<RunContext, 'entry' | 'task'>, act: 'revert' | 'mark-done'): Decision {
  const { state } = context.task;
  const what = act === 'revert' ? 'reverted' : 'marked done';
  const instead = isReviewed(state) ? [suggest('back', referenceTo(context))] : [];
  return refused('state', `${nameOf(context)} is ${state}, so it cannot be ${what}.`, ...instead);
}

function isReviewed(state: TaskState): boolean {
  return state === 'spec_review' || state === 'quality_review';
}

/** The step that the run's agent would take, or the one that waits for a person. */
function next(context: RunContext, { worktree }: ActEvent): Decision {
  const { run } = context;
  if (run.waitsNext && run.state === 'CODE_REVIEW') return takeNext(context, worktree, sendBackMoved);
  if (run.waitsNext && run.state === 'AWAIT_MERGE')
    return takeNext(context, worktree, (engine, seen) => backFromMerge(engine, 'merge_failure', movedOn(engine, seen)));
  switch (context.run.state) {
    case 'PLANNING':
      return recordStep(context, { moves: ['submit_plan'] });
    case 'CODING':
    case 'FIXING':
      return finishWork(context, worktree);
    default:
      return refused(
        'state',
        `"next" is not possible while ${nameOf(context)} is ${context.run.state}: ${INSTEAD[context.run.state]}.`,
      );
  }
}

const INSTEAD: { readonly [state in Exclude<RunState, 'PLANNING' | 'CODING' | 'FIXING'>]: string } = {
  WAITING: 'the engine has the next step',
  SETUP: 'the engine has the next step',
  PLAN_REVIEW: 'approve its plan, request changes, or abandon it',
  TESTING: 'the engine has the next step',
  CODE_REVIEW: 'approve it, request changes, or abandon it',
  AWAIT_MERGE: 'the engine has the next step',
  QUESTION: 'answer its question',
  DONE: 'it is done',
  ERROR: 'relaunch it, revert it, or mark it done',
};

/** Sends the work back to the implementer, from verification, review or merge. */
function back(context: RunContext, { text = '' }: ActEvent): Decision {
  const why = text.trim() === '' ? NO_COMMENT : text;
  if (isUnverified(context.run)) return backToWork(context, why);
  switch (context.run.state) {
    case 'CODE_REVIEW':
      return sendBack(context, why);
    case 'TESTING':
      return testsFail(context, 'test_failure', why);
    case 'AWAIT_MERGE':
      return context.run.issued === null
        ? backFromMerge(context, 'merge_failure', why)
        : refused('state', `${nameOf(context)} is being merged, and the result is not known yet. ${waitFor(context)}`);
    default:
      return refused(
        'state',
        `${nameOf(context)} is ${context.run.state}: it is not under review, so it cannot be sent back.`,
      );
  }
}

/** The agent has finished, and a person may send it back before the verification. */
function isUnverified({ state, waitsNext }: RunEntry): boolean {
  return waitsNext === true && (state === 'CODING' || state === 'FIXING');
}

function waitFor({ run }: RunContext): string {
  return run.issued?.heldUp === undefined ? 'Wait for it.' : `It waits: ${run.issued.heldUp.why}`;
}

function mergeAnyway(context: RunContext): Decision {
  const { run, task, entry, world } = context;
  if (run.state !== 'AWAIT_MERGE' || !task.stale)
    return refused(
      'state',
      `${nameOf(context)} is ${run.state}: only an approved task that was removed from the plan file can be merged anyway.`,
    );
  const stop = branchStopOf(world, entry);
  if (stop !== undefined) return refused(stop.code, `${stop.why}, so nothing is merged.`, stop.end);
  return startMerge(context);
}

function needsText(context: RunContext, what: string): Decision {
  return refused('no-body', `Say ${what}: ${nameOf(context)} cannot continue without it.`);
}
