// Writes ~/.cadre/state.json, which all repositories share, under its own lock.
import { join } from 'node:path';
import { projectStateFile, readStateFile } from '../../core/files/state-file.ts';
import { diskFailure } from '../../core/model/failure.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { Locks } from '../../core/ports/locks.ts';
import type { PlanFiles } from '../../core/ports/plan-files.ts';
import type { Overview } from '../../core/ports/plan-state.ts';
import { activePlan } from '../../core/views/plan.ts';
import { freeName, readWhole, replaceDerived } from '../system/files.ts';

/** How long to wait for the lock, in milliseconds. */
const LOCK_TIMEOUT = 2_000;

export function overview(disk: Disk, locks: Locks, home: string, files: PlanFiles): Overview {
  const path = join(home, 'state.json');
  return {
    async update(world) {
      const lock = await locks.take(join(home, 'state.lock'), LOCK_TIMEOUT);
      try {
        const before = readWhole(disk, path);
        const document = readOrMoveAway(disk, path, before);
        const text = projectStateFile(document, files.folder, world, activePlan(world, files.list()));
        if (text !== before?.toString('utf8')) replaceDerived(disk, path, Buffer.from(text));
      } catch (error) {
        throw diskFailure(error, 'write', path);
      } finally {
        lock.release();
      }
    },
  };
}

/** The file is derived, so an unreadable one is rebuilt. The old one is kept beside it. */
function readOrMoveAway(disk: Disk, path: string, bytes: Buffer | undefined): Readonly<Record<string, unknown>> {
  if (bytes === undefined) return {};
  const read = readStateFile(bytes.toString('utf8'));
  if (read.kind === 'good') return read.document;
  disk.rename(path, freeName(disk, `${path}.corrupt`));
  return {};
}
