// Where refused signals are kept: the unchanged original, and the reason beside it.
import { chmodSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { explained, Failure, systemCode } from '../../core/model/failure.ts';
import type { RefusedSignal } from '../../core/model/refused-signal.ts';
import type { Disk, Path } from '../../core/ports/disk.ts';
import type { Quarantine } from '../../core/ports/quarantine.ts';
import { decodeMessage, encodeMessage } from '../../signals/message.ts';
import { LARGEST_BODY_BYTES } from '../../signals/registry.ts';
import { showText } from '../../text/show.ts';
import type { Repo } from '../repo/repo.ts';
import { ensureFolder, readWhole, removeIfThere, replaceFile, writeDurably } from '../system/files.ts';
import { toPath } from './inbox.ts';

/** How much of an original is shown. */
const SHOWN_BYTES = 4096;

export function quarantineFolder(disk: Disk, repo: Repo): Quarantine {
  const original = (id: string): string => join(repo.quarantine, `${id}.original`);
  const reason = (id: string): string => join(repo.quarantine, `${id}.json`);
  /** For an original on another file system, from which it cannot be renamed. */
  const nearby = (refused: RefusedSignal): string =>
    join(dirname(refused.file.path), '.quarantine', `${refused.id}.original`);

  const whereKept = (refused: RefusedSignal): string | undefined =>
    [original(refused.id), nearby(refused)].find((path) => disk.facts(path) !== undefined);

  const moveAside = (refused: RefusedSignal): string => {
    const source = toPath(refused.file);
    const target = original(refused.id);
    // The file may be gone, or another file may have its name by now. Then only the reason is kept.
    if (String(disk.facts(source)?.inode) !== refused.file.inode) return target;
    try {
      renameFile(disk, source, target);
      return target;
    } catch (error) {
      if (systemCode(error) !== 'EXDEV') throw error;
      ensureFolder(disk, dirname(nearby(refused)));
      renameFile(disk, source, nearby(refused));
      return nearby(refused);
    }
  };

  return {
    keep: (refused) =>
      explained('quarantine', refused.file.path, () => {
        // Somebody may have removed it since the engine started.
        ensureFolder(disk, repo.quarantine, 0o700);
        const kept = whereKept(refused) ?? moveAside(refused);
        if (disk.facts(dirname(kept)) !== undefined) disk.syncFolder(dirname(kept));
        // After a power failure the original and the reason may exist without each other.
        if (disk.facts(reason(refused.id)) === undefined)
          replaceFile(disk, reason(refused.id), Buffer.from(`${JSON.stringify({ ...refused, kept }, null, 2)}\n`));
      }),
    keepMany: (files) =>
      explained('quarantine', repo.signals, () => {
        const folder = join(repo.quarantine, 'counted');
        ensureFolder(disk, folder, 0o700);
        for (const file of files) {
          const source = toPath(file);
          const facts = disk.facts(source);
          if (String(facts?.inode) !== file.inode || facts === undefined) continue;
          moveOrKeepNearby(disk, { source, beside: dirname(file.path) }, folder, `${facts.inode}-${facts.born}`);
        }
      }),
    show: (refused) =>
      explained('read', refused.file.path, () => {
        const path = whereKept(refused);
        const facts = path === undefined ? undefined : disk.facts(path);
        // A link may lead to a file that the agent should not be able to show.
        const isPlain = facts?.kind === 'file' && facts.links === 1 && facts.owner === process.geteuid?.();
        return path !== undefined && isPlain ? readStart(disk, path) : undefined;
      }),
    putBack: (refused, entered) =>
      explained('put back', refused.file.path, () => {
        const kept = whereKept(refused);
        if (kept === undefined) return;
        if (disk.facts(toPath(refused.file)) !== undefined) throw occupied(refused);
        ensureFolder(disk, dirname(refused.file.path), 0o700);
        if (putBackMessage({ disk, repo, refused, kept, entered })) removeIfThere(disk, kept);
        else disk.rename(kept, toPath(refused.file));
        disk.syncFolder(dirname(refused.file.path));
        removeIfThere(disk, reason(refused.id));
      }),
    discard: (refused) =>
      explained('remove from quarantine', refused.id, () => {
        const kept = whereKept(refused);
        if (kept !== undefined && disk.facts(kept)?.kind === 'folder') rmSync(kept, { recursive: true });
        else if (kept !== undefined) removeIfThere(disk, kept);
        removeIfThere(disk, reason(refused.id));
      }),
  };
}

/** From another file system it cannot be renamed; it is kept beside its own folder then. */
function moveOrKeepNearby(
  disk: Disk,
  { source, beside }: { readonly source: Path; readonly beside: string },
  folder: string,
  name: string,
): void {
  try {
    renameFile(disk, source, join(folder, name));
  } catch (error) {
    if (systemCode(error) !== 'EXDEV') throw error;
    const nearby = join(beside, '.quarantine');
    ensureFolder(disk, nearby);
    renameFile(disk, source, join(nearby, name));
  }
}

/** A folder without write permission cannot be moved, even by its owner. */
function renameFile(disk: Disk, source: Path, target: string): void {
  try {
    disk.rename(source, target);
  } catch (error) {
    if (systemCode(error) !== 'EACCES' || disk.facts(source)?.kind !== 'folder') throw error;
    chmodSync(source, 0o700);
    disk.rename(source, target);
  }
}

function readStart(disk: Disk, path: string): Buffer {
  const file = disk.open(path, 'read');
  try {
    return disk.read(file, 0, SHOWN_BYTES);
  } finally {
    disk.close(file);
  }
}

interface PutBack {
  readonly disk: Disk;
  readonly repo: Repo;
  readonly refused: RefusedSignal;
  readonly kept: string;
  readonly entered: number;
}

/**
 * A message names the state of its plan that it is about; put back, it is about the present one. Returns false, and does
 * nothing, if the original is not a message.
 */
function putBackMessage({ disk, repo, refused, kept, entered }: PutBack): boolean {
  const target = toPath(refused.file);
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

function occupied(refused: RefusedSignal): Failure {
  return new Failure(
    'failed',
    'occupied',
    `${showText(refused.file.path)} exists again, so ${refused.id} cannot be put back there. Wait until it is taken, then try again.`,
  );
}
