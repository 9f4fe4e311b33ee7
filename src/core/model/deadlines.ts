// How long each wait may last. A deadline of an agent or of the engine ends in an event; one of a person only reminds.
import { WORKING } from '../../machines/plan.ts';
import type { EventOfKind, Wait } from './event.ts';
import type { RunEntry } from './run.ts';
import { isActive, isHeldUp, isLive, sessionHealth, sessionHealthOf } from './run-status.ts';
import type { PlanEntry, TaskEntry, World } from './world.ts';

export interface Deadline {
  readonly wait: Wait;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What has taken too long by now, as the events that say so. For a merge the engine adds where the branch is. */
export function overdue(world: World, now: Date): readonly EventOfKind<'overdue'>[] {
  const late = deadlines(world).filter((deadline) => deadline.at <= now.getTime());
  return late.map(({ wait }) => ({ kind: 'overdue', wait }));
}

/** When the next of them passes; so long nobody need look. */
export function nextDeadline(world: World): number | undefined {
  return deadlines(world).reduce<number | undefined>(
    (first, { at }) => (first === undefined || at < first ? at : first),
    undefined,
  );
}

export function deadlines(world: World): readonly Deadline[] {
  const found: Deadline[] = [];
  for (const entry of world.plans.values()) {
    if (entry.work === undefined) continue;
    for (const task of entry.tasks) if (isLive(task.run)) found.push(...runDeadlines(world, entry, task, task.run));
    found.push(...reviewDeadlines(world, entry));
  }
  return found;
}

/** An effect that was issued keeps its deadline, unless it waits for a person; everything else stands still with its plan. */
export function runDeadlines(world: World, entry: PlanEntry, task: TaskEntry, run: RunEntry): readonly Deadline[] {
  const { deadlines: limits, budgets } = world.policy;
  const whose = { plan: entry.plan, task: task.id };
  const found: Deadline[] = [];
  const { issued, session, clock } = run;
  if (issued !== null && !isHeldUp(run))
    found.push({
      wait: { for: 'effect', ...whose, effect: issued.effect },
      at: Date.parse(issued.heldUp?.since ?? issued.at) + limits[issued.do],
    });
  if (entry.status !== WORKING) return found;
  if (session !== null && sessionHealth(run, world.sessions) === 'working')
    found.push(ofSession(world, session.id, session.at));
  // How a merge ends is for the merge to say.
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
  return [ofSession(world, session.id, session.at)];
}

function ofSession(world: World, id: Extract<Wait, { for: 'session' }>['session'], at: string): Deadline {
  const { sessionStart, turn } = world.policy.deadlines;
  const up = world.sessions.get(id)?.up;
  return { wait: { for: 'session', session: id }, at: Date.parse(at) + (up === undefined ? sessionStart : turn) };
}

/** Whether this very wait is over its time. */
export function isOverdue(found: readonly Deadline[], wait: Wait, now: Date): boolean {
  const same = found.find((deadline) => JSON.stringify(deadline.wait) === JSON.stringify(wait));
  return same !== undefined && same.at <= now.getTime();
}
