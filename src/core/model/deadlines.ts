// How long each wait may last. A deadline of an agent or of the engine ends in an event; a person is only reminded. Time in
// which no engine was awake (the machine slept, no engine ran, or somebody set the clock) counts against nobody.
import { WORKING } from '../../machines/plan.ts';
import type { EventOfKind, Wait } from './event.ts';
import type { RunEntry, RunSession } from './run.ts';
import { isActive, isHeldUp, isLive, sessionHealth, sessionHealthOf } from './run-status.ts';
import { isPaused } from './stops.ts';
import { isPlanning, plannerHealth } from './workshop/status.ts';
import type { PlanEntry, TaskEntry, World } from './world.ts';

export interface Deadline {
  readonly wait: Wait;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The events for all deadlines that have passed. For a merge the engine adds the commit that it made, if any. */
export function overdue(world: World, now: Date): readonly EventOfKind<'overdue'>[] {
  const late = deadlines(world).filter((deadline) => deadline.at <= now.getTime());
  return late.map(({ wait }) => ({ kind: 'overdue', wait }));
}

/** When the next deadline passes; nobody has to check before. */
export function nextDeadline(world: World): number | undefined {
  return deadlines(world).reduce<number | undefined>(
    (first, { at }) => (first === undefined || at < first ? at : first),
    undefined,
  );
}

export function deadlines(world: World): readonly Deadline[] {
  const found: Deadline[] = [];
  for (const entry of world.plans.values()) {
    found.push(...planningDeadlines(world, entry));
    if (entry.work === undefined) continue;
    for (const task of entry.tasks) if (isLive(task.run)) found.push(...runDeadlines(world, entry, task, task.run));
    found.push(...reviewDeadlines(world, entry));
  }
  return found;
}

/** A pending effect keeps its deadline unless it waits for a person; all others are suspended or paused with the plan. */
export function runDeadlines(world: World, entry: PlanEntry, task: TaskEntry, run: RunEntry): readonly Deadline[] {
  const { deadlines: limits, budgets } = world.policy;
  const whose = { plan: entry.plan, task: task.id };
  const found: Deadline[] = [];
  const { issued, session, clock } = run;
  if (issued !== null && !isHeldUp(run))
    found.push({
      wait: { for: 'effect', ...whose, effect: issued.effect },
      at: countedFrom(issued.heldUp?.since ?? issued.at, issued) + limits[issued.do],
    });
  if (entry.status !== WORKING || isPaused(world, entry)) return found;
  if (session !== null && sessionHealth(run, world.sessions) === 'working') found.push(ofSession(world, session));
  // A merge that is being performed decides how the run ends.
  if (issued?.do !== 'merge' && isActive(run, world.sessions))
    found.push({
      wait: { for: 'run', ...whose, attempt: run.attempt },
      at: Date.parse(clock.at) + budgets.wallClock - clock.spent,
    });
  return found;
}

export function reviewDeadlines(world: World, entry: PlanEntry): readonly Deadline[] {
  const session = entry.work?.session ?? null;
  if (session === null || sessionHealthOf(session, entry.entered, world.sessions) !== 'working') return [];
  return [ofSession(world, session)];
}

export function planningDeadlines(world: World, entry: PlanEntry): readonly Deadline[] {
  if (!isPlanning(entry) || isPaused(world, entry) || entry.workshop.session === null) return [];
  return plannerHealth(entry.workshop, world) === 'working' ? [ofSession(world, entry.workshop.session)] : [];
}

function ofSession(world: World, session: Pick<RunSession, 'id' | 'at' | 'asleep'>): Deadline {
  const { sessionStart, turn } = world.policy.deadlines;
  const up = world.sessions.get(session.id)?.up;
  const limit = up === undefined ? sessionStart : turn;
  return { wait: { for: 'session', session: session.id }, at: countedFrom(session.at, session) + limit };
}

/** The moment from which a wait would have lasted as long if cadre had been awake all the time. */
export function countedFrom(start: string, { asleep = 0 }: { readonly asleep?: number }): number {
  return Date.parse(start) + asleep;
}

/** Whether this wait is among the found deadlines and has passed. */
export function isOverdue(found: readonly Deadline[], wait: Wait, now: Date): boolean {
  const same = found.find((deadline) => JSON.stringify(deadline.wait) === JSON.stringify(wait));
  return same !== undefined && same.at <= now.getTime();
}

/** Between two moments of the wall clock. `to` is the earlier one where the clock was set back. */
export interface ClockGap {
  readonly from: string;
  readonly to: string;
}

/** An awake engine says so much more often than this, in milliseconds. */
export const SHORTEST_GAP = 60_000;

/** The gap between the last beat of an engine, if it is one, and now. A gap that is recorded already starts at its end. */
export function gapBefore(
  { gap }: Pick<World, 'gap'>,
  beat: number | undefined,
  now: Date,
): readonly EventOfKind<'clock-gap'>[] {
  if (beat === undefined) return [];
  const from = gap !== undefined && Date.parse(gap.beat) === beat ? Date.parse(gap.to) : beat;
  if (Math.abs(now.getTime() - from) < SHORTEST_GAP) return [];
  return [{ kind: 'clock-gap', beat: new Date(beat).toISOString(), from: new Date(from).toISOString() }];
}

/**
 * By how much the gap delays the deadline of a wait that counts from `start`, in milliseconds since 1970. Only the part of it
 * after the start counts. Where the clock was set back, a start in the future is one from before.
 */
export function delayBy({ from, to }: ClockGap, start: number): number {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  if (last >= first) return Math.max(0, last - Math.max(first, start));
  return start > last ? last - first : 0;
}
