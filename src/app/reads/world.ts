// The world with the tasks as the plan files have them at this moment.

import { fold } from '../../core/journal/fold.ts';
import type { EventOfKind } from '../../core/model/event.ts';
import type { PlanEntry, World } from '../../core/model/world.ts';
import type { PlanReading } from '../../core/ports/plan-files.ts';
import { decide } from '../../core/rules/decide.ts';
import { readEvents, usableReading } from '../../core/rules/plan/outline.ts';
import type { PlanFile } from '../../plan/name.ts';
import type { AppPorts } from '../ports.ts';
import { type Known, plansOfSubject } from '../targets.ts';

export interface CurrentWorld {
  readonly world: World;
  readonly readings: ReadonlyMap<PlanFile, PlanReading>;
}

/** Reads the plan files, or only those of some plans. Records nothing: the engine records what changed in the files. */
export async function currentWorld(
  { gateway, planFiles, clock }: AppPorts,
  only: (world: World) => Iterable<PlanEntry> = ({ plans }) => plans.values(),
): Promise<CurrentWorld> {
  const world = await gateway.look();
  const read = [...only(world)].filter(({ archived }) => archived === undefined);
  const readings = usableReadings(world, planFiles.readAll(read));
  return { world: worldAsRead(world, readings, clock.now()), readings };
}

/** The readings, as far as they may be used for the plans that are known. */
export function usableReadings(
  world: World,
  readings: ReadonlyMap<PlanFile, PlanReading>,
): ReadonlyMap<PlanFile, PlanReading> {
  const usable = new Map(readings);
  // Nearly all of them: what was read before, and is as it was.
  for (const [plan, reading] of readings)
    if (reading.kind !== 'known') usable.set(plan, usableReading(world.plans.get(plan), reading));
  return usable;
}

/** The world as it will be when the engine has recorded these readings. */
export function worldAsRead(world: World, readings: ReadonlyMap<PlanFile, PlanReading>, now: Date): World {
  const events: EventOfKind<'read'>[] = [];
  for (const [plan, reading] of readings) if (reading.kind !== 'known') events.push(...readEvents(plan, reading));
  // No plan file affects another plan, so all are decided in one world, which is then changed once.
  const records = events.flatMap((event) => decide(world, event, now).records);
  return fold(world, records);
}

/** What a reference is resolved against; only the files of plans that it may mean are read. */
export async function known(
  ports: AppPorts,
  reference: string | undefined,
  plansMeant = plansOfSubject,
): Promise<Known> {
  const newestFirst = (): readonly PlanFile[] => ports.planFiles.list();
  const { world } = await currentWorld(ports, (found) => plansMeant({ world: found, newestFirst }, reference));
  return { world, newestFirst };
}
