// Keeps the files of workshops equal to the journal.
import { planningFolder } from '../core/files/planning-folder.ts';
import type { Effect } from '../core/model/effect.ts';
import { Failure } from '../core/model/failure.ts';
import type { WorkshopEntry } from '../core/model/workshop/entry.ts';
import { isPlanning } from '../core/model/workshop/status.ts';
import type { PlanEntry, World } from '../core/model/world.ts';
import type { PlanningFiles, PlanningFolder } from '../core/ports/planning-files.ts';
import type { PlanFile } from '../plan/name.ts';

/** Returns what a person should know: edits that were moved away, and files that could not be written. */
export type PlanningWriter = (world: World) => readonly string[];

/** Files that are deleted or edited while their plan is in planning are noticed; later only what the journal changes. */
export function planningWriter(files: PlanningFiles): PlanningWriter {
  const last = new Map<PlanFile, { readonly workshop: WorkshopEntry; readonly folder: PlanningFolder }>();

  const write = (entry: PlanEntry, workshop: WorkshopEntry): readonly string[] => {
    const { plan } = entry;
    const known = last.get(plan);
    const isSame = known?.workshop === workshop;
    if (isSame && !isPlanning(entry)) return [];
    const folder = isSame ? known.folder : planningFolder(workshop);
    const notes = files.write(plan, folder);
    last.set(plan, { workshop, folder });
    return notes;
  };

  return (world) => {
    const notes: string[] = [];
    for (const entry of world.plans.values())
      try {
        if (entry.workshop !== undefined && !isArchived(world, entry)) notes.push(...write(entry, entry.workshop));
      } catch (error) {
        // The journal has everything, so nothing else waits for these files. They are tried again in every round.
        if (!(error instanceof Failure)) throw error;
        notes.push(`${error.message} The workshop of ${entry.plan} continues without its files.`);
      }
    return notes;
  };
}

/** Its files are in the archive as they are, or are about to be moved from there or to there. */
function isArchived({ outbox }: World, { plan, archived }: PlanEntry): boolean {
  const isMoving = (effect: Effect): boolean =>
    (effect.do === 'archive-plan' || effect.do === 'unarchive-plan') && effect.plan === plan;
  return archived !== undefined || [...outbox.values()].some(isMoving);
}
