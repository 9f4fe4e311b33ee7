// Where refused signals are kept: the original as it was, and its reason beside it.
import { chmodSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { diskFailure, Failure, systemCode } from '../../core/model/failure.ts';
import type { Refused } from '../../core/model/refused-signal.ts';
import type { Disk, Path } from '../../core/ports/disk.ts';
import type { Quarantine } from '../../core/ports/quarantine.ts';
import { decodeMessage, encodeMessage } from '../../signals/message.ts';
import { LARGEST_BODY_BYTES } from '../../signals/registry.ts';
import { showText } from '../../text/show.ts';
import type { Repo } from '../repo/repo.ts';
import { ensureFolder, readWhole, removeIfThere, replaceFile, writeDurably } from '../system/files.ts';
import { toPath } from './inbox.ts';

/** As much of an original as is shown. */
const SHOWN_BYTES = 4096;

export function quarantineFolder(disk: Disk, repo: Repo): Quarantine {
  const original = (id: string): string => join(repo.quarantine, `${id}.original`);
  const reason = (id: string): string => join(repo.quarantine, `${id}.json`);
  /** The fallback when the original lies on another file system, from which nothing can be moved in one step. */
  const besides = (refused: Refused): string =>
    join(dirname(refused.file.path), '.quarantine', `${refused.id}.original`);

  const whereKept = (refused: Refused): string | undefined =>
    [original(refused.id), besides(refused)].find((path) => disk.facts(path) !== undefined);

  const moveAside = (refused: Refused): string => {
    const source = toPath(refused.file);
    const target = original(refused.id);
    // Gone, or another file of that name by now: then there is nothing to move, only a reason to write down.
    if (String(disk.facts(source)?.inode) !== refused.file.inode) return target;
    try {
      renameThough(source, target);
      return target;
    } catch (error) {
      if (systemCode(error) !== 'EXDEV') throw error;
      const near = besides(refused);
      ensureFolder(disk, dirname(near));
      renameThough(source, near);
      return near;
    }
  };

  /** A folder of ours that may not be written cannot be moved, until it may. */
  const renameThough = (source: Path, target: string): void => {
    try {
      disk.rename(source, target);
    } catch (error) {
      if (systemCode(error) !== 'EACCES' || disk.facts(source)?.kind !== 'folder') throw error;
      chmodSync(source, 0o700);
      disk.rename(source, target);
    }
  };

  return {
    keep(refused) {
      try {
        // Somebody may have removed it since the engine began.
        ensureFolder(disk, repo.quarantine, 0o700);
        const kept = whereKept(refused) ?? moveAside(refused);
        if (disk.facts(dirname(kept)) !== undefined) disk.syncFolder(dirname(kept));
        // A reason that is there says nothing about the original: after a power failure either may have come back alone.
        if (disk.facts(reason(refused.id)) === undefined)
          replaceFile(disk, reason(refused.id), Buffer.from(`${JSON.stringify({ ...refused, kept }, null, 2)}\n`));
      } catch (error) {
        throw diskFailure(error, 'move aside', refused.file.path);
      }
    },
    show(refused) {
      try {
        const path = whereKept(refused);
        const facts = path === undefined ? undefined : disk.facts(path);
        // A link may lead to what the agent has no business to show.
        const isPlain = facts?.kind === 'file' && facts.links === 1 && facts.owner === process.geteuid?.();
        return path !== undefined && isPlain ? readStart(disk, path) : undefined;
      } catch (error) {
        throw diskFailure(error, 'read', refused.file.path);
      }
    },
    putBack(refused, entered) {
      try {
        const kept = whereKept(refused);
        const source = toPath(refused.file);
        if (kept === undefined) return;
        if (disk.facts(source) !== undefined) throw occupied(refused);
        ensureFolder(disk, dirname(refused.file.path), 0o700);
        if (restamp(disk, repo, refused, kept, source, entered)) removeIfThere(disk, kept);
        else disk.rename(kept, source);
        disk.syncFolder(dirname(refused.file.path));
        removeIfThere(disk, reason(refused.id));
      } catch (error) {
        throw diskFailure(error, 'put back', refused.file.path);
      }
    },
    discard(refused) {
      try {
        const kept = whereKept(refused);
        if (kept !== undefined && disk.facts(kept)?.kind === 'folder') rmSync(kept, { recursive: true });
        else if (kept !== undefined) removeIfThere(disk, kept);
        removeIfThere(disk, reason(refused.id));
      } catch (error) {
        throw diskFailure(error, 'remove from quarantine', refused.id);
      }
    },
  };
}

function readStart(disk: Disk, path: string): Buffer {
  const file = disk.open(path, 'read');
  try {
    return disk.read(file, 0, SHOWN_BYTES);
  } finally {
    disk.close(file);
  }
}

/** A message says about which state of its plan it speaks; put back, it speaks about the present one. */
function restamp(disk: Disk, repo: Repo, refused: Refused, kept: string, target: Path, entered: number): boolean {
  const box = dirname(dirname(refused.file.path));
  if (dirname(box) !== repo.inbox || typeof target !== 'string') return false;
  const facts = disk.facts(kept);
  if (facts?.kind !== 'file' || facts.size > LARGEST_BODY_BYTES) return false;
  const message = decodeMessage(readWhole(disk, kept)?.toString('utf8') ?? '', box.slice(repo.inbox.length + 1));
  if ('why' in message) return false;
  const again = { ...message, entered, retried: refused.id };
  const temporary = join(box, 'tmp', refused.id);
  ensureFolder(disk, dirname(temporary), 0o700);
  writeDurably(disk, temporary, Buffer.from(encodeMessage(again)));
  disk.rename(temporary, target);
  return true;
}

function occupied(refused: Refused): Failure {
  return new Failure(
    'failed',
    'occupied',
    `${showText(refused.file.path)} exists again, so ${refused.id} cannot be put back there. Wait until it is taken, then try again.`,
  );
}
