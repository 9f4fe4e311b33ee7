// checkpoint.json: one checksummed line, replaced as a whole. A bad one is ignored: the journal has everything.
import { setFlagsFromString } from 'node:v8';
import { restoreWorld, type StoredWorld, storeWorld } from '../../core/journal/checkpoint-format.ts';
import { systemCode } from '../../core/model/failure.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { Checkpoints, Journal } from '../../core/ports/journal.ts';
import { checkedText, withChecksum } from '../system/checked-text.ts';
import { readWhole, replaceDerived } from '../system/files.ts';

/** Raised whenever the shape of a stored world changes; an older checkpoint is then ignored. */
const CHECKPOINT_VERSION = 9;

interface Stored {
  readonly v: number;
  /** As the journal writes it. */
  readonly cursor: string;
  readonly world: StoredWorld;
}

export function checkpoints(disk: Disk, path: string, journal: Journal): Checkpoints {
  return {
    async load() {
      const bytes = readIfPossible(disk, path);
      if (bytes !== undefined && bytes.length >= LARGE) compileLater();
      const stored = decode(bytes);
      const cursor = stored === undefined ? undefined : await journal.restore(stored.cursor);
      return stored === undefined || cursor === undefined ? undefined : { world: restoreWorld(stored.world), cursor };
    },
    async save({ world, cursor }) {
      const stored: Stored = { v: CHECKPOINT_VERSION, cursor: journal.store(cursor), world: storeWorld(world) };
      const json = JSON.stringify(stored);
      replaceDerived(disk, path, withChecksum(json));
    },
  };
}

/** In bytes; about 2,000 plans. To load what sets up V8 takes some milliseconds, too. */
const LARGE = 1_000_000;

/**
 * Most processes go through thousands of plans once and end. V8 would optimize that on other threads, and spend a quarter of
 * all processor time on it. In an engine, which keeps running, functions are optimized all the same, a little later.
 */
function compileLater(): void {
  setFlagsFromString(`--interrupt-budget=${BUDGET}`);
}

/** How much of a function runs before V8 optimizes it, in bytes of bytecode; by default about 66,000. */
const BUDGET = 1_000_000;

/** A checkpoint only saves time, so one that cannot be read is not a reason to stop. */
function readIfPossible(disk: Disk, path: string): Buffer | undefined {
  try {
    return readWhole(disk, path);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

function decode(bytes: Buffer | undefined): Stored | undefined {
  const json = bytes === undefined ? undefined : checkedText(bytes);
  if (json === undefined) return undefined;
  const stored: Stored = JSON.parse(json);
  return stored.v === CHECKPOINT_VERSION ? stored : undefined;
}
