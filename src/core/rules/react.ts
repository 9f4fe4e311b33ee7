// What the engine does automatically in the present world. Level-triggered: it looks at states and never at
// events, so it can run at any time, also after a crash, and ends when nothing is left to do.

import { WORKING } from '../../machines/plan.ts';
import { BY_ENGINE, type Decision, record } from '../model/decision.ts';
import { numbered } from '../model/effect.ts';
import { sameMachine } from '../model/ids.ts';
import type { JournalRecord } from '../model/record.ts';
import { isHeard, isHeldUp, isLive, waitsForPerson } from '../model/run-status.ts';
import { hasEnded, isManaged, type SessionEntry } from '../model/session.ts';
import { isPaused, mayMoveBranches } from '../model/stops.ts';
import { blockersOf, mergingIn, openTasks, turnsOf } from '../model/tasks.ts';
import { isPlanning, type PlanningEntry, planReviewer, workshopWait } from '../model/workshop/status.ts';
import type { PlanEntry, TaskEntry, World } from '../model/world.ts';
import type { ManagedContext } from './plan/context.ts';
import { restoreDeleted } from './plan/incident.ts';
import { land } from './plan/landing.ts';
import { isFinished } from './plan/managed-plan.ts';
import { movePlan } from './plan/move.ts';
import { keepReviewing, reviewWaitsForPerson } from './plan/review.ts';
import { isGoing } from './plan/start.ts';
import { launch } from './run/launch.ts';
import { startMerge } from './run/merge.ts';
import { reactRun } from './run/react.ts';
import { keepPlanning } from './workshop/keep.ts';

/** The next record that follows from the world alone; undefined when there is none. */
export function react(world: World, now: Date): JournalRecord | undefined {
  const unwanted = stopUnwanted(world, now);
  if (unwanted !== undefined) return unwanted;
  for (const entry of world.plans.values()) {
    if (isPlanning(entry)) {
      const line = keepPlanning({ world, now, by: BY_ENGINE, entry })?.records[0];
      if (line !== undefined) return line;
    }
    if (entry.work === undefined) continue;
    const context = { world, now, by: BY_ENGINE, entry, work: entry.work };
    for (const reaction of REACTIONS) {
      const line = reaction(context)?.records[0];
      if (line !== undefined) return line;
    }
  }
  return undefined;
}

/**
 * Whether a world at rest is still at rest after this record. Reactions depend on managed plans, workshops, sessions and
 * settings; these records change one plan or the document, so where that plan has neither nothing can follow from them.
 */
export function keepsRest(world: World, line: JournalRecord): boolean {
  if (!DESCRIPTIVE.has(line.event)) return false;
  const entry = 'plan' in line ? world.plans.get(line.plan) : undefined;
  return entry === undefined || (entry.work === undefined && entry.workshop === undefined);
}

const DESCRIPTIVE: ReadonlySet<JournalRecord['event']> = new Set([
  'register',
  'import',
  'import_document',
  'describe',
  'plan_state_differs',
  'plan_read',
  'warned',
]);

type Reaction = (context: ManagedContext) => Decision | undefined;

const REACTIONS: readonly Reaction[] = [
  restoreDeleted,
  land,
  reopenForOpenTask,
  continueRuns,
  mergeNext,
  launchNext,
  finish,
  review,
];

/** A session of a run or a review is stopped with its run or review, and interrupted while it must not work. */
function stopUnwanted(world: World, now: Date): JournalRecord | undefined {
  for (const session of world.sessions.values()) {
    // Sessions that a person started are never stopped automatically.
    if (!isHeard(session) || !isManaged(session)) continue;
    const entry = session.plan === undefined ? undefined : world.plans.get(session.plan);
    const isOver = entry === undefined || !isWanted(entry, session);
    const isStopped = session.interrupted === true || hasEnded(session);
    if (!isOver && (isStopped || mayWork(world, entry, session))) continue;
    const event = isOver ? 'session_stopped' : 'session_interrupted';
    const effects = numbered(world.seq + 1, [{ do: 'stop-session', session: session.id, ...sameMachine(session) }]);
    return record({ world, now, by: BY_ENGINE }, { event, about: session.id }, { effects });
  }
  return undefined;
}

function isWanted(entry: PlanEntry, { id, task, attempt, reviews, plans }: SessionEntry): boolean {
  if (plans) return isPlanning(entry) && entry.workshop.session?.id === id;
  if (reviews) return entry.work?.session?.id === id && entry.work.session.entered === entry.entered;
  const run = entry.tasks.find((one) => one.id === task)?.run;
  return entry.status === WORKING && isLive(run) && run.attempt === attempt && run.session?.id === id;
}

/** Not during a pause, not while a person has the next step, and not where it could change what is being verified. */
function mayWork(world: World, entry: PlanEntry, session: SessionEntry): boolean {
  if (isPaused(world, entry)) return false;
  if (session.reviews) return !reviewWaitsForPerson(world, entry);
  if (session.plans) return !isPlanning(entry) || isTheirTurn(world, entry, session);
  const task = entry.tasks.find((one) => one.id === session.task);
  if (task?.run === undefined) return true;
  if (task.run.issued?.do === 'verify') return false;
  const isStuck = isHeldUp(mergingIn(entry)?.run) || entry.work?.incident != null;
  const isBehind = task.run.state === 'AWAIT_MERGE' && task.run.issued === null && isStuck;
  return !isBehind && !waitsForPerson(world, task.run, task);
}

/** Of the agents of a workshop: whether it is the planner's or the architect's turn, and not a person's. */
function isTheirTurn(world: World, entry: PlanningEntry, { role }: SessionEntry): boolean {
  return role === 'architect'
    ? planReviewer(world, entry) === 'architect'
    : workshopWait(world, entry) === undefined && planReviewer(world, entry) === undefined;
}

function reopenForOpenTask({ world, now, entry }: ManagedContext): Decision | undefined {
  if (entry.status !== 'reviewing' || openTasks(entry).length === 0) return undefined;
  return movePlan(world, { plan: entry.plan, event: 'review_changes_requested', by: BY_ENGINE }, now);
}

function continueRuns({ entry, ...context }: ManagedContext): Decision | undefined {
  if (entry.status !== WORKING) return undefined;
  for (const task of entry.tasks) {
    if (!isLive(task.run)) continue;
    const decision = reactRun({ ...context, entry, task, run: task.run });
    if (decision !== undefined) return decision;
  }
  return undefined;
}

/** One at a time, in the order in which they were approved. A stale task is merged only when a person asks for it. */
function mergeNext(context: ManagedContext): Decision | undefined {
  const { world, entry, work } = context;
  if (!mayMoveBranches(world, entry) || entry.status !== WORKING || work.tip === null) return undefined;
  if (mergingIn(entry) !== undefined) return undefined;
  let first: TaskEntry | undefined;
  for (const task of entry.tasks)
    if (
      task.run?.state === 'AWAIT_MERGE' &&
      !task.run.waitsNext &&
      task.run.incident == null &&
      !task.stale &&
      task.run.entered < (first?.run?.entered ?? Infinity)
    )
      first = task;
  if (first?.run === undefined) return undefined;
  return startMerge({ ...context, task: first, run: first.run });
}

function launchNext(context: ManagedContext): Decision | undefined {
  const { world, entry } = context;
  if (!isGoing(entry) || !mayMoveBranches(world, entry) || liveRuns(world) >= world.policy.maxParallel)
    return undefined;
  const mayStart = new Set(turnsOf(entry).flatMap((turn) => (turn.mayStart ? [turn.address] : [])));
  const waiting = entry.tasks.filter((one) => mayStart.has(one.address) && !one.held && !one.stale);
  const task = waiting.find((one) => blockersOf(entry, one).length === 0);
  return task === undefined ? undefined : launch({ ...context, task });
}

function liveRuns(world: World): number {
  let count = 0;
  for (const entry of world.plans.values())
    if (entry.status === WORKING && !isPaused(world, entry))
      for (const task of entry.tasks) if (isLive(task.run)) count++;
  return count;
}

function finish({ world, now, entry }: ManagedContext): Decision | undefined {
  if (entry.status !== WORKING || !isFinished(entry)) return undefined;
  return movePlan(world, { plan: entry.plan, event: 'implement_finished', by: BY_ENGINE }, now);
}

function review(context: ManagedContext): Decision | undefined {
  return mayMoveBranches(context.world, context.entry) ? keepReviewing(context) : undefined;
}
