// Rules for pausing a plan or the whole repository. Agents are stopped by a reaction, and continue with the same turn.
import { accepted, type Decision, IGNORED, record, refused, refusedFor } from '../model/decision.ts';
import type { EventOfKind } from '../model/event.ts';
import { personsDecision, unknownPlan } from '../model/refusals.ts';
import type { RecordChange } from '../model/run.ts';
import { isMoving } from '../model/stops.ts';
import type { PlanEntry, World } from '../model/world.ts';
import { landingsOf } from './plan/landing.ts';
import { withdrawMerge } from './run/merge.ts';

export function pauseOrResume(world: World, { kind, by, plan }: EventOfKind<'pause' | 'resume'>, now: Date): Decision {
  if (by.who !== 'user') return refused('user-only', personsDecision(kind, by));
  const context = { world, now, by };
  const isPause = kind === 'pause';
  if (plan === undefined) {
    if (world.paused === isPause) return IGNORED;
    const changes = isPause ? withdrawn(world, [...world.plans.values()]) : [];
    return accepted(record(context, { event: isPause ? 'paused' : 'resumed' }, { changes }));
  }
  const entry = world.plans.get(plan);
  if (entry === undefined) return refusedFor('unknown-plan', unknownPlan(plan));
  if ((entry.paused ?? false) === isPause) return IGNORED;
  const changes = isPause ? withdrawn(world, [entry]) : [];
  return accepted(record(context, { event: isPause ? 'plan_paused' : 'plan_resumed', plan }, { changes }));
}

/** Merges and landings that no branch moves for yet, with their attempts: they are issued again afterwards. */
function withdrawn(world: World, entries: readonly PlanEntry[]): readonly RecordChange[] {
  return entries.flatMap((entry): readonly RecordChange[] => [
    ...entry.tasks.flatMap((task): readonly RecordChange[] =>
      isMoving(entry, task.run?.issued?.effect ?? '') ? [] : withdrawMerge(entry, task),
    ),
    ...landingsOf(world, entry).flatMap(({ id, plan }): readonly RecordChange[] =>
      isMoving(entry, id) ? [] : [{ of: 'plan', plan, change: { lands: true } }],
    ),
  ]);
}
