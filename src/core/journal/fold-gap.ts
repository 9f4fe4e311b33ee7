// How a gap in which no engine was awake changes a plan: what waits for an agent or the engine has that much longer.
import { type ClockGap, countedFrom, delayBy } from '../model/deadlines.ts';
import type { RunEntry } from '../model/run.ts';
import { isLive } from '../model/run-status.ts';
import type { PlanEntry, TaskEntry } from '../model/world.ts';

export function afterGap(entry: PlanEntry, gap: ClockGap): PlanEntry {
  return managedAfter(planningAfter(entry, gap), gap);
}

function planningAfter(entry: PlanEntry, gap: ClockGap): PlanEntry {
  const { workshop } = entry;
  if (workshop === undefined || workshop.session === null) return entry;
  return { ...entry, workshop: { ...workshop, session: delayed(workshop.session, workshop.session.at, gap) } };
}

function managedAfter(entry: PlanEntry, gap: ClockGap): PlanEntry {
  const { work } = entry;
  if (work === undefined) return entry;
  const session = work.session === null ? null : delayed(work.session, work.session.at, gap);
  return { ...entry, work: { ...work, session }, tasks: entry.tasks.map((task) => taskAfter(task, gap)) };
}

function taskAfter(task: TaskEntry, gap: ClockGap): TaskEntry {
  return isLive(task.run) ? { ...task, run: runAfter(task.run, gap) } : task;
}

function runAfter(run: RunEntry, gap: ClockGap): RunEntry {
  const { session, issued, clock } = run;
  const counted = Date.parse(clock.at);
  return {
    ...run,
    session: session === null ? null : delayed(session, session.at, gap),
    issued: issued === null ? null : delayed(issued, issued.heldUp?.since ?? issued.at, gap),
    clock: { ...clock, at: new Date(counted + delayBy(gap, counted)).toISOString() },
  };
}

function delayed<Base extends { readonly asleep?: number }>(base: Base, start: string, gap: ClockGap): Base {
  const delay = delayBy(gap, countedFrom(start, base));
  return delay === 0 ? base : { ...base, asleep: (base.asleep ?? 0) + delay };
}
