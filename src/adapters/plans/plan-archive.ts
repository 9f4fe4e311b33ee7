// Moves the files of plans to docs/plans/archive/<plan>, and back.
import { dirname, join } from 'node:path';
import { ARCHIVE_FOLDER } from '../../core/files/planning-folder.ts';
import { diskFailure } from '../../core/model/failure.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { PlanArchive, PlanningFiles } from '../../core/ports/planning-files.ts';
import { type PlanFile, slugOf } from '../../plan/name.ts';
import { ensureFolder, freeName } from '../system/files.ts';

/**
 * The plan's folder is renamed as a whole, then its file follows. After a crash in between, the folder is gone from its old
 * place, so only the file is left to move.
 */
export function planArchive(disk: Disk, plans: string, planning: Pick<PlanningFiles, 'write'>): PlanArchive {
  const exists = (path: string): boolean => disk.facts(path) !== undefined;
  const placesOf = (plan: PlanFile) => {
    const folder = join(plans, slugOf(plan));
    const archived = join(plans, ARCHIVE_FOLDER, slugOf(plan));
    return { folder, archived, file: join(plans, plan), archivedFile: join(archived, plan) };
  };

  const move = (from: string, to: string): void => {
    ensureFolder(disk, dirname(to));
    disk.rename(from, exists(to) ? freeName(disk, to) : to);
    disk.syncFolder(dirname(to));
    disk.syncFolder(dirname(from));
  };

  return {
    archive(plan, folderOfWorkshop) {
      const { folder, archived, file, archivedFile } = placesOf(plan);
      try {
        const isMoved = exists(archived) && !exists(folder);
        if (folderOfWorkshop !== undefined && !isMoved) planning.write(plan, folderOfWorkshop);
        if (exists(folder)) move(folder, exists(archived) ? join(archived, slugOf(plan)) : archived);
        if (exists(file)) move(file, archivedFile);
      } catch (error) {
        throw diskFailure(error, 'move', archived);
      }
    },
    unarchive(plan) {
      const { folder, archived, file, archivedFile } = placesOf(plan);
      try {
        if (exists(archivedFile) && !exists(file)) move(archivedFile, file);
        if (!exists(archived) || disk.names(archived).length === 0) return undefined;
        if (exists(folder) || exists(archivedFile))
          return `${archived} was not moved back as a whole: something else has its name.`;
        move(archived, folder);
        return undefined;
      } catch (error) {
        throw diskFailure(error, 'move', archived);
      }
    },
  };
}
