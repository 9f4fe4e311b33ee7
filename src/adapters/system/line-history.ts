// The lines that were typed at a prompt, in a file of the person's own: a limited number of them, oldest first.
import { dirname } from 'node:path';
import type { Disk } from '../../core/ports/disk.ts';
import type { Locks } from '../../core/ports/locks.ts';
import { ensureFolder, readWhole, replaceDerived } from './files.ts';

/** How many lines are kept. */
export const MOST_LINES = 500;

/** A longer line is a pasted text, which nobody types again. */
const LONGEST_LINE = 2_000;

/** How long to wait for another prompt that adds a line, in milliseconds. */
const LOCK_TIMEOUT = 1_000;

export interface LineHistory {
  read(): readonly string[];
  /** The same line twice in a row is kept once. */
  add(line: string): Promise<void>;
}

export function lineHistory(disk: Disk, locks: Locks, path: string): LineHistory {
  const read = (): readonly string[] =>
    (readWhole(disk, path)?.toString('utf8') ?? '').split('\n').filter((line) => line !== '');
  return {
    read,
    async add(line) {
      const kept = line.trim();
      if (kept === '' || kept.length > LONGEST_LINE || /[\n\r\0]/.test(kept)) return;
      ensureFolder(disk, dirname(path), 0o700);
      const lock = await locks.take(`${path}.lock`, LOCK_TIMEOUT);
      try {
        const before = read();
        if (before.at(-1) === kept) return;
        const lines = [...before, kept].slice(-MOST_LINES);
        replaceDerived(disk, path, Buffer.from(`${lines.join('\n')}\n`));
      } finally {
        lock.release();
      }
    },
  };
}
