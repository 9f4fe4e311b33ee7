// The world with the tasks as the plan files have them at this moment.

import { fold } from '../../core/journal/fold.ts';
import type { World } from '../../core/model/world.ts';
import type { PlanReading } from '../../core/ports/plan-files.ts';
import { decide } from '../../core/rules/decide.ts';
import { readEvents } from '../../core/rules/plan/outline.ts';
import type { PlanFile } from '../../plan/name.ts';
import type { AppPorts } from '../ports.ts';
import type { Known } from '../targets.ts';

export interface CurrentWorld {
  readonly world: World;
  readonly readings: ReadonlyMap<PlanFile, PlanReading>;
}

/** Reads every plan file, and writes nothing: the engine records what changed in the files. */
export async function currentWorld({ gateway, planFiles, clock }: AppPorts): Promise<CurrentWorld> {
  const world = await gateway.look();
  const readings = new Map([...world.plans.values()].map(({ plan, file }) => [plan, planFiles.read(plan, file)]));
  const events = [...readings].flatMap(([plan, reading]) => readEvents(plan, reading));
  // No plan file affects another plan, so all are decided in one world, which is then changed once.
  const now = clock.now();
  const records = events.flatMap((event) => decide(world, event, now).records);
  return { world: fold(world, records), readings };
}

/** What references are resolved against. */
export async function known(ports: AppPorts): Promise<Known> {
  const { world } = await currentWorld(ports);
  return { world, newestFirst: () => ports.planFiles.list() };
}
