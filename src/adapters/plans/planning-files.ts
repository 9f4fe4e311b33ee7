// The files of workshops on disk: docs/plans/<plan>/planning, and the plan files that are published from there.
import { dirname, join } from 'node:path';
import { ARTIFACTS, PLANNING_FOLDER } from '../../core/files/planning-folder.ts';
import { diskFailure } from '../../core/model/failure.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { PlanningFiles } from '../../core/ports/planning-files.ts';
import { type PlanFile, slugOf } from '../../plan/name.ts';
import { ensureFolder, freeName, readWhole, removeIfThere, replaceFile } from '../system/files.ts';
import { planArchive } from './plan-archive.ts';

export function planningFiles(disk: Disk, plans: string): PlanningFiles {
  const folderOf = (plan: PlanFile): string => join(plans, slugOf(plan), PLANNING_FOLDER);

  const textAt = (path: string): string | undefined => readWhole(disk, path)?.toString('utf8');

  /** An edit is moved, not deleted; returns where. */
  const moveAside = (plan: PlanFile, path: string, name: string): string => {
    const folder = join(folderOf(plan), 'edited');
    ensureFolder(disk, folder);
    const kept = freeName(disk, join(folder, name.replaceAll('/', '-')));
    disk.rename(path, kept);
    disk.syncFolder(folder);
    return kept;
  };

  const write: PlanningFiles['write'] = (plan, { files, wasWritten }) => {
    const folder = folderOf(plan);
    const moved: string[] = [];
    const clear = (name: string, path: string, found: string | undefined): void => {
      if (found === undefined || wasWritten(name, found)) return;
      const kept = moveAside(plan, path, name);
      moved.push(`${path} was edited. It is made from the journal, so it was written again; the edit is ${kept}.`);
    };
    for (const [name, text] of files) {
      const path = join(folder, name);
      const found = textAt(path);
      if (found === text) continue;
      clear(name, path, found);
      ensureFolder(disk, dirname(path));
      replaceFile(disk, path, Buffer.from(text));
    }
    for (const name of ARTIFACTS) {
      if (files.has(name)) continue;
      const path = join(folder, name);
      const found = textAt(path);
      if (found === undefined) continue;
      clear(name, path, found);
      removeIfThere(disk, path);
    }
    return moved;
  };

  return {
    ...planArchive(disk, plans, { write }),
    write(plan, folder) {
      try {
        return write(plan, folder);
      } catch (error) {
        throw diskFailure(error, 'write', folderOf(plan));
      }
    },
    published(plan) {
      const path = join(plans, plan);
      try {
        return textAt(path) ?? null;
      } catch (error) {
        throw diskFailure(error, 'read', path);
      }
    },
    publish(plan, text, replaces) {
      const path = join(plans, plan);
      try {
        const found = textAt(path);
        if (found === text) {
          // An engine that was killed may have written it without making its name durable.
          disk.syncFolder(plans);
          return undefined;
        }
        const isForeign = found !== undefined && found !== replaces;
        const kept = isForeign ? moveAside(plan, path, plan) : undefined;
        replaceFile(disk, path, Buffer.from(text));
        return kept;
      } catch (error) {
        throw diskFailure(error, 'write', path);
      }
    },
  };
}
