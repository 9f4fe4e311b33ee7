// plan-state.json on disk, with a note of what cadre wrote last, so that a foreign edit can be told from our own lag.
import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { diskFailure } from '../core/failure.ts';
import type { Disk, FileFacts, PlanStateStore, PlanStateText } from '../core/ports.ts';
import { freeName, readWhole, replaceFile, temporaryFor, writeAll } from './files.ts';

/** What cadre wrote last: from which record, and the digests of the last texts, of which a crash leaves one. */
interface Note {
  readonly seq: number;
  readonly digests: readonly string[];
}

const NOTED_WRITES = 4;

export function planStateStore(disk: Disk, path: string, notePath: string): PlanStateStore {
  let last: { readonly facts: FileFacts; readonly found: PlanStateText } | undefined;

  const read = (): PlanStateText | undefined => {
    const facts = disk.facts(path);
    if (facts === undefined) return undefined;
    if (last !== undefined && sameFile(last.facts, facts)) return last.found;
    const bytes = readWhole(disk, path);
    if (bytes === undefined) return undefined;
    const found = { text: bytes.toString('utf8'), ours: readNote().digests.includes(digest(bytes)) };
    last = { facts, found };
    return found;
  };

  const readNote = (): Note => decodeNote(readWhole(disk, notePath)) ?? { seq: 0, digests: [] };

  /** Replaced at once, but not synced: a note that a power failure spoils is passed over, and nothing worse follows. */
  const writeNote = (note: Note): void => {
    const temporary = temporaryFor(notePath);
    const file = disk.open(temporary, 'write');
    try {
      writeAll(disk, file, encodeNote(note));
    } finally {
      disk.close(file);
    }
    disk.rename(temporary, notePath);
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
    writtenUpTo: () => readNote().seq,
    write(text, seq) {
      const bytes = Buffer.from(text, 'utf8');
      try {
        writeNote({ seq, digests: [...readNote().digests, digest(bytes)].slice(-NOTED_WRITES) });
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

function encodeNote(note: Note): Buffer {
  const json = JSON.stringify(note);
  return Buffer.from(`${crc32(json)} ${json}\n`);
}

function decodeNote(bytes: Buffer | undefined): Note | undefined {
  const text = bytes?.toString('latin1').trimEnd() ?? '';
  const json = text.slice(text.indexOf(' ') + 1);
  return text === `${crc32(json)} ${json}` ? JSON.parse(json) : undefined;
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
