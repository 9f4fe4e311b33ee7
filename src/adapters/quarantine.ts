// Where refused signals are kept: the original as it was, and its reason beside it.
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { diskFailure, Failure, systemCode } from '../core/failure.ts';
import type { Disk, Path, Quarantine, Quarantined } from '../core/ports.ts';
import { decodeMessage, encodeMessage } from '../signals/message.ts';
import { ensureFolder, readWhole, removeIfThere, replaceFile, writeDurably } from './files.ts';
import { toPath } from './inbox.ts';
import type { Repo } from './repo.ts';

/** As much of an original as is shown. */
const SHOWN_BYTES = 4096;

export function quarantineFolder(disk: Disk, repo: Repo): Quarantine {
  const original = (id: string): string => join(repo.quarantine, `${id}.original`);
  const reason = (id: string): string => join(repo.quarantine, `${id}.json`);
  /** The fallback when the original lies on another file system, from which nothing can be moved in one step. */
  const besides = (refused: Quarantined): string =>
    join(dirname(refused.file.path), '.quarantine', `${refused.id}.original`);

  const whereKept = (refused: Quarantined): string | undefined =>
    [original(refused.id), besides(refused)].find((path) => disk.facts(path) !== undefined);

  const moveAside = (refused: Quarantined): string => {
    const source = toPath(refused.file);
    const target = original(refused.id);
    // Gone, or another file of that name by now: then there is nothing to move, only a reason to write down.
    if (String(disk.facts(source)?.inode) !== refused.file.inode) return target;
    try {
      disk.rename(source, target);
      return target;
    } catch (error) {
      if (systemCode(error) !== 'EXDEV') throw error;
      const near = besides(refused);
      ensureFolder(disk, dirname(near));
      disk.rename(source, near);
      return near;
    }
  };

  return {
    keep(refused) {
      try {
        if (disk.facts(reason(refused.id)) !== undefined) return;
        const kept = whereKept(refused) ?? moveAside(refused);
        replaceFile(disk, reason(refused.id), Buffer.from(`${JSON.stringify({ ...refused, kept }, null, 2)}\n`));
      } catch (error) {
        throw diskFailure(error, 'move aside', refused.file.path);
      }
    },
    show(refused) {
      const path = whereKept(refused);
      if (path === undefined || disk.facts(path)?.kind !== 'file') return undefined;
      const file = disk.open(path, 'read');
      try {
        return disk.read(file, 0, SHOWN_BYTES);
      } finally {
        disk.close(file);
      }
    },
    putBack(refused, entered) {
      const kept = whereKept(refused);
      const source = toPath(refused.file);
      const there = disk.facts(source);
      // Put back before, by someone who was stopped before it was off the list.
      if (kept === undefined && String(there?.inode) === refused.file.inode) return;
      if (kept === undefined) throw nothingKept(refused.id);
      if (there !== undefined) throw occupied(refused);
      try {
        ensureFolder(disk, dirname(refused.file.path), 0o700);
        if (!restamp(disk, repo, refused, kept, source, entered)) disk.rename(kept, source);
        disk.syncFolder(dirname(refused.file.path));
      } catch (error) {
        throw diskFailure(error, 'put back', refused.file.path);
      }
    },
    discard(refused) {
      const kept = whereKept(refused);
      if (kept !== undefined && disk.facts(kept)?.kind === 'folder') rmSync(kept, { recursive: true });
      else if (kept !== undefined) removeIfThere(disk, kept);
      removeIfThere(disk, reason(refused.id));
    },
  };
}

/** A message says about which state of its plan it speaks; put back, it speaks about the present one. */
function restamp(
  disk: Disk,
  repo: Repo,
  refused: Quarantined,
  kept: string,
  target: Path,
  entered: (plan: string) => number,
): boolean {
  const box = dirname(dirname(refused.file.path));
  if (dirname(box) !== repo.inbox || typeof target !== 'string') return false;
  const message = decodeMessage(readWhole(disk, kept)?.toString('utf8') ?? '', box.slice(repo.inbox.length + 1));
  if ('why' in message) return false;
  const again = { ...message, entered: entered(message.plan), retried: refused.id };
  const temporary = join(box, 'tmp', refused.id);
  ensureFolder(disk, dirname(temporary), 0o700);
  writeDurably(disk, temporary, Buffer.from(encodeMessage(again)));
  disk.rename(temporary, target);
  return true;
}

function nothingKept(id: string): Failure {
  return new Failure(
    'failed',
    'nothing-kept',
    `The original of ${id} is not in quarantine: the engine has not moved it aside yet, or someone removed it. "cadre quarantine drop ${id}" takes it off the list.`,
  );
}

function occupied(refused: Quarantined): Failure {
  return new Failure(
    'failed',
    'occupied',
    `${refused.file.path} exists again, so ${refused.id} cannot be put back there. Wait until it is taken, then try again.`,
  );
}
