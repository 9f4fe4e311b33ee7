// plan-state.json on disk, with a note of what cadre wrote last, so that a foreign edit can be told from our own lag.
import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { diskFailure } from '../core/failure.ts';
import type { Disk, FileFacts, PlanStateStore, PlanStateText } from '../core/ports.ts';
import { freeName, readWhole, replaceFile, writeAll } from './files.ts';

const NOTED_WRITES = 4;

export function planStateStore(disk: Disk, path: string, notePath: string): PlanStateStore {
  let last: { readonly facts: FileFacts; readonly found: PlanStateText } | undefined;

  const read = (): PlanStateText | undefined => {
    const facts = disk.facts(path);
    if (facts === undefined) return undefined;
    if (last !== undefined && sameFile(last.facts, facts)) return last.found;
    const bytes = readWhole(disk, path);
    if (bytes === undefined) return undefined;
    const found = { text: bytes.toString('utf8'), ours: readNote().includes(digest(bytes)) };
    last = { facts, found };
    return found;
  };

  /** Digests of what was written last and of what is being written: crashes between the two leave one of them. */
  const readNote = (): readonly string[] => readWhole(disk, notePath)?.toString('latin1').trim().split('\n') ?? [];

  const addToNote = (next: string): void => {
    const digests = [...readNote(), next].slice(-NOTED_WRITES);
    const file = disk.open(notePath, 'write');
    try {
      writeAll(disk, file, Buffer.from(`${digests.join('\n')}\n`));
    } finally {
      disk.close(file);
    }
  };

  return {
    path,
    read() {
      try {
        return read();
      } catch (error) {
        throw diskFailure(error, 'read', path);
      }
    },
    everWritten: () => disk.facts(notePath) !== undefined,
    write(text) {
      const bytes = Buffer.from(text, 'utf8');
      try {
        addToNote(digest(bytes));
        replaceFile(disk, path, bytes);
      } catch (error) {
        throw diskFailure(error, 'write', path);
      }
      const facts = disk.facts(path);
      last = facts === undefined ? undefined : { facts, found: { text, ours: true } };
    },
    setAside() {
      const aside = freeName(disk, `${path}.corrupt`);
      try {
        disk.rename(path, aside);
        disk.syncFolder(dirname(path));
      } catch (error) {
        throw diskFailure(error, 'set aside', path);
      }
      return aside;
    },
  };
}

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function sameFile(one: FileFacts, other: FileFacts): boolean {
  return (
    one.inode === other.inode &&
    one.size === other.size &&
    one.modified === other.modified &&
    one.changed === other.changed
  );
}
