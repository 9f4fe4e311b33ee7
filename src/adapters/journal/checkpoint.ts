// checkpoint.json: one checksummed line, replaced as a whole. A bad one is passed over: the journal has everything.
import { crc32 } from 'node:zlib';
import { restoreWorld, type StoredWorld, storeWorld } from '../../core/journal/checkpoint-format.ts';
import { Failure, systemCode } from '../../core/model/failure.ts';
import type { World } from '../../core/model/world.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { Checkpoints, Position } from '../../core/ports/journal.ts';
import { readWhole, replaceFile } from '../system/files.ts';
import type { Journal } from './journal.ts';

/** Raised whenever the shape of a stored world changes; an older checkpoint is then passed over. */
const CHECKPOINT_VERSION = 4;

interface Stored {
  readonly v: number;
  readonly segment: number;
  readonly offset: number;
  /** Every segment there was, so that a lost one is noticed although it need not be read. */
  readonly segments: readonly number[];
  readonly world: StoredWorld;
}

export function checkpoints(disk: Disk, path: string, journal: Journal): Checkpoints {
  return {
    load() {
      const stored = decode(readIfPossible(disk, path));
      if (stored === undefined) return undefined;
      requireSegments(stored, journal);
      const inode = disk.facts(journal.path(stored.segment))?.inode ?? 0n;
      const position: Position = { seq: stored.world.seq, segment: stored.segment, offset: stored.offset, inode };
      return { world: restoreWorld(stored.world), position };
    },
    save(world: World, position: Position) {
      const stored: Stored = {
        v: CHECKPOINT_VERSION,
        segment: position.segment,
        offset: position.offset,
        segments: journal.segments(),
        world: storeWorld(world),
      };
      const json = JSON.stringify(stored);
      replaceFile(disk, path, Buffer.from(`${crc32(json)} ${json}\n`));
    },
  };
}

/** It saves time and nothing else, so whatever keeps it from being read is no reason to stop. */
function readIfPossible(disk: Disk, path: string): Buffer | undefined {
  try {
    return readWhole(disk, path);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

function decode(bytes: Buffer | undefined): Stored | undefined {
  const text = bytes?.toString('utf8').trimEnd() ?? '';
  const space = text.indexOf(' ');
  const json = text.slice(space + 1);
  if (space === -1 || String(crc32(json)) !== text.slice(0, space)) return undefined;
  const stored: Stored = JSON.parse(json);
  return stored.v === CHECKPOINT_VERSION ? stored : undefined;
}

function requireSegments(stored: Stored, journal: Journal): void {
  const present = new Set(journal.segments());
  const missing = stored.segments.find((segment) => !present.has(segment));
  if (missing === undefined) return;
  throw new Failure(
    'person',
    'journal-segment-missing',
    `The journal is incomplete: ${journal.path(missing)} is missing, although records up to ${stored.world.seq} had been written. Restore it from a backup; nothing was changed.`,
  );
}
