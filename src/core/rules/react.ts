// What the engine does by itself: whatever the world as it stands asks for. Level-triggered: it looks at states and never at
// what happened, so it may be asked at any time, also after a crash, and ends when nothing is left to be done.

import { WORKING } from '../../machines/plan.ts';
import { BY_ENGINE, type Decision, record } from '../model/decision.ts';
import { numbered } from '../model/effect.ts';
import { sameMachine } from '../model/ids.ts';
import type { JournalRecord } from '../model/record.ts';
import { isLive } from '../model/run-status.ts';
import type { SessionEntry } from '../model/session.ts';
import { blockersOf, mergingIn, openTasks, turnsOf } from '../model/tasks.ts';
import type { TaskEntry, World } from '../model/world.ts';
import type { ManagedContext } from './plan/context.ts';
import { land } from './plan/landing.ts';
import { isFinished } from './plan/managed-plan.ts';
import { movePlan } from './plan/move.ts';
import { keepReviewing } from './plan/review.ts';
import { isGoing } from './plan/start.ts';
import { launch } from './run/launch.ts';
import { startMerge } from './run/merge.ts';
import { reactRun } from './run/react.ts';

/** The next record that follows from the world alone, or nothing when it is at rest. */
export function react(world: World, now: Date): JournalRecord | undefined {
  const unwanted = stopUnwanted(world, now);
  if (unwanted !== undefined) return unwanted;
  for (const entry of world.plans.values()) {
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
 * Whether a world at rest is still at rest after this record. Reactions depend on managed plans, sessions and settings; these
 * records change one plan or the document, so where that plan is not managed nothing can follow from them.
 */
export function keepsRest(world: World, line: JournalRecord): boolean {
  if (!DESCRIPTIVE.has(line.event)) return false;
  return !('plan' in line) || world.plans.get(line.plan)?.work === undefined;
}

const DESCRIPTIVE: ReadonlySet<JournalRecord['event']> = new Set([
  'register',
  'import',
  'import_document',
  'describe',
  'plan_state_differs',
  'plan_read',
]);

type Reaction = (context: ManagedContext) => Decision | undefined;

const REACTIONS: readonly Reaction[] = [land, reopenForOpenTask, continueRuns, mergeNext, launchNext, finish, review];

/** A session of a run or of a review lives only as long as its run or review goes on. */
function stopUnwanted(world: World, now: Date): JournalRecord | undefined {
  for (const session of world.sessions.values()) {
    if (session.wanted !== 'running' || isWanted(world, session)) continue;
    const effects = numbered(world.seq + 1, [{ do: 'stop-session', session: session.id, ...sameMachine(session) }]);
    return record({ world, now, by: BY_ENGINE }, { event: 'session_stopped', about: session.id }, { effects });
  }
  return undefined;
}

/** A person's own sessions are the person's. */
function isWanted(world: World, { id, plan, task, attempt, reviews }: SessionEntry): boolean {
  if (attempt === undefined && reviews === undefined) return true;
  const entry = plan === undefined ? undefined : world.plans.get(plan);
  if (reviews) return entry?.work?.session?.id === id && entry.work.session.entered === entry.entered;
  const run = entry?.tasks.find((one) => one.id === task)?.run;
  return entry?.status === WORKING && isLive(run) && run.attempt === attempt && run.session?.id === id;
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

/** One at a time, in the order in which they came to wait for it. What is gone from the file is merged by a person only. */
function mergeNext(context: ManagedContext): Decision | undefined {
  const { world, entry, work } = context;
  if (world.frozen || entry.status !== WORKING || work.tip === null || mergingIn(entry) !== undefined) return undefined;
  let first: TaskEntry | undefined;
  for (const task of entry.tasks)
    if (task.run?.state === 'AWAIT_MERGE' && !task.stale && task.run.entered < (first?.run?.entered ?? Infinity))
      first = task;
  if (first?.run === undefined) return undefined;
  return startMerge({ ...context, task: first, run: first.run });
}

function launchNext(context: ManagedContext): Decision | undefined {
  const { world, entry } = context;
  if (world.frozen || !isGoing(entry) || liveRuns(world) >= world.policy.maxParallel) return undefined;
  const mayStart = new Set(turnsOf(entry).flatMap((turn) => (turn.mayStart ? [turn.address] : [])));
  const waiting = entry.tasks.filter((one) => mayStart.has(one.address) && !one.held && !one.stale);
  const task = waiting.find((one) => blockersOf(entry, one).length === 0);
  return task === undefined ? undefined : launch({ ...context, task });
}

function liveRuns(world: World): number {
  let count = 0;
  for (const entry of world.plans.values())
    if (entry.status === WORKING) for (const task of entry.tasks) if (isLive(task.run)) count++;
  return count;
}

function finish({ world, now, entry }: ManagedContext): Decision | undefined {
  if (entry.status !== WORKING || !isFinished(entry)) return undefined;
  return movePlan(world, { plan: entry.plan, event: 'implement_finished', by: BY_ENGINE }, now);
}

function review(context: ManagedContext): Decision | undefined {
  return context.world.frozen ? undefined : keepReviewing(context);
}
