// cadre's parts connected on any disk, as the program does it, so that a test can reach between them.
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { checkpoints } from '../../src/adapters/journal/checkpoint.ts';
import { fileJournal } from '../../src/adapters/journal/file-journal.ts';
import { Segments } from '../../src/adapters/journal/segments.ts';
import { overview } from '../../src/adapters/plans/overview.ts';
import { planFiles } from '../../src/adapters/plans/plan-files.ts';
import { planStateStore } from '../../src/adapters/plans/plan-state-store.ts';
import { initRepo } from '../../src/adapters/repo/init-repo.ts';
import { findRepo, type Repo as Places } from '../../src/adapters/repo/repo.ts';
import { clock } from '../../src/adapters/system/clock.ts';
import { disk as realDisk } from '../../src/adapters/system/disk.ts';
import { fileHeartbeat } from '../../src/adapters/system/heartbeat.ts';
import { fileLocks } from '../../src/adapters/system/lock.ts';
import { watchFolders } from '../../src/adapters/system/watcher.ts';
import { Failure } from '../../src/core/model/failure.ts';
import type { Disk } from '../../src/core/ports/disk.ts';
import type { Gateway } from '../../src/core/ports/gateway.ts';
import type { Checkpoints, Journal } from '../../src/core/ports/journal.ts';
import type { Locks } from '../../src/core/ports/locks.ts';
import type { PlanStateStore } from '../../src/core/ports/plan-state.ts';
import { openGateway } from '../../src/engine/gateway.ts';
import { type PlanStateProjection, planStateProjection } from '../../src/engine/projection.ts';
import type { PlanFile } from '../../src/plan/name.ts';
import type { Repo } from './repo.ts';

export interface Pieces {
  readonly places: Places;
  readonly gateway: Gateway;
  readonly segments: Segments;
  readonly journal: Journal;
  readonly checkpoints: Checkpoints;
  readonly store: PlanStateStore;
  readonly planState: PlanStateProjection;
  readonly locks: Locks;
}

/** The parts of one process. A second call acts as another process, which knows only what is on disk. */
export function openPieces(repo: Repo, disk: Disk = realDisk, locks: Locks = fileLocks({ command: 'a test' })): Pieces {
  const places = findRepo(repo.root, repo.env);
  const segments = new Segments(disk, places.journal);
  const journal = fileJournal({ segments, locks, lock: places.journalLock, watch: watchFolders });
  const saved = checkpoints(disk, places.checkpoint, journal);
  const store = planStateStore(disk, places.planState, places.planStateNote);
  const planState = planStateProjection(store, locks, places.planStateLock);
  const gateway = openGateway({
    journal,
    checkpoints: saved,
    folder: places.state,
    planState,
    overview: overview(disk, locks, places.home, planFiles(disk, places.plans, clock)),
    clock,
    heartbeat: fileHeartbeat(places.engineBeat),
    prepare: () => initRepo(disk, places),
  });
  return { places, gateway, segments, journal, checkpoints: saved, store, planState, locks };
}

/** The same locks with a short timeout. */
export function impatient(locks: Locks, patience: number): Locks {
  return { ...locks, take: (path) => locks.take(path, patience) };
}

/** Removed when the test ends, passed or failed. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cadre-folder-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function named(plan: string): PlanFile {
  return plan as PlanFile;
}

/** The Failure that the act ends in. Any other error is a bug of the program. */
export async function failureOf(act: () => unknown): Promise<Failure> {
  try {
    await act();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw new Error('It did not fail with a Failure.', { cause: error });
  }
  throw new Error('It did not fail.');
}

/**
 * Every file under a folder with its bytes, to show that nothing changed. Without locks, because waiting processes sign them,
 * and without plan-state.seen, which a read writes once plan-state.json is old enough.
 */
export function contentsOf(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    names
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !/\.lock$|\/plan-state\.seen$/.test(path))
      .sort()
      .map((path) => [path, readFileSync(path, 'latin1')]),
  );
}
