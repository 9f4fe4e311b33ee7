// plan-state.json on disk, with a note of what cadre wrote last, to tell a foreign edit from a file that lags behind.
import { dirname } from 'node:path';
import { diskFailure } from '../../core/model/failure.ts';
import type { Disk, FileFacts } from '../../core/ports/disk.ts';
import type { PlanStateStore, PlanStateText } from '../../core/ports/plan-state.ts';
import { crc32 } from '../system/crc32.ts';
import { signatureOf } from '../system/file-signature.ts';
import { freeName, readWhole, replaceFile, writeAll } from '../system/files.ts';
import { sha256 } from '../system/sha256.ts';
import { noteOurs, wasOurs } from './seen-plan-state.ts';

/** What cadre wrote last: up to which record, and the digests of the last texts. A crash leaves one of these texts. */
interface Note {
  readonly seq: number;
  readonly digests: readonly string[];
}

/** Editors empty a file before they write it, so a file that changed within this time may be incomplete. In milliseconds. */
const FRESH_FOR = 1_000;

const NOTED_WRITES = 4;
const NOTE_BYTES = 512;
const NO_BYTES = Buffer.alloc(0);

interface Slots {
  readonly slots: readonly [Buffer, Buffer];
  readonly notes: readonly [Note, Note];
}

export function planStateStore(disk: Disk, path: string, notePath: string, seenPath?: string): PlanStateStore {
  let last: { readonly facts: FileFacts; readonly found: PlanStateText } | undefined;

  const read = (): PlanStateText | undefined => {
    const facts = disk.facts(path);
    if (facts === undefined) return undefined;
    if (last !== undefined && signatureOf(last.facts) === signatureOf(facts)) return last.found;
    const bytes = readWhole(disk, path);
    if (bytes === undefined) return undefined;
    const found = { text: bytes.toString('utf8'), ours: latestOf(readSlots().notes).digests.includes(digest(bytes)) };
    last = { facts, found };
    return found;
  };

  const isOurs = (): boolean => {
    const facts = disk.facts(path);
    if (facts === undefined) return true;
    if (last !== undefined && signatureOf(last.facts) === signatureOf(facts)) return last.found.ours;
    if (seenPath !== undefined && wasOurs(disk, seenPath, facts)) return true;
    const ours = read()?.ours ?? true;
    if (ours && seenPath !== undefined) noteOurs(disk, seenPath, facts);
    return ours;
  };

  const readSlots = (): Slots => {
    const bytes = readWhole(disk, notePath) ?? NO_BYTES;
    const slots = [bytes.subarray(0, NOTE_BYTES), bytes.subarray(NOTE_BYTES, 2 * NOTE_BYTES)] as const;
    return { slots, notes: [decodeNote(slots[0]), decodeNote(slots[1])] };
  };

  /**
   * Overwrites the older of two slots of equal length. That takes no new disk space, which may be short, and an interrupted
   * write damages one slot at most. A damaged slot is ignored, so the file need not be synced.
   */
  const writeNote = (seq: number, written: string): void => {
    const { slots, notes } = readSlots();
    const note = encodeNote({ seq, digests: [written, ...latestOf(notes).digests.slice(0, NOTED_WRITES - 1)] });
    const replacesFirst = notes[0].seq <= notes[1].seq;
    const file = disk.open(notePath, 'overwrite');
    try {
      writeAll(disk, file, Buffer.concat(replacesFirst ? [note, blank(slots[1])] : [blank(slots[0]), note]));
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
    isOurs() {
      try {
        return isOurs();
      } catch (error) {
        throw diskFailure(error, 'read', path);
      }
    },
    isFresh() {
      const modified = disk.facts(path)?.modified;
      return modified !== undefined && Math.abs(Date.now() - Number(modified / 1_000_000n)) < FRESH_FOR;
    },
    everWritten: () => disk.facts(notePath) !== undefined,
    writtenUpTo: () => latestOf(readSlots().notes).seq,
    write(text, seq) {
      const bytes = Buffer.from(text, 'utf8');
      try {
        writeNote(seq, digest(bytes));
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
        throw diskFailure(error, 'move away', path);
      }
      return aside;
    },
  };
}

/** The newer note, with the digests of the older one added. */
function latestOf([first, second]: Slots['notes']): Note {
  const [newer, older] = second.seq > first.seq ? [second, first] : [first, second];
  return { seq: newer.seq, digests: [...new Set([...newer.digests, ...older.digests])].slice(0, NOTED_WRITES) };
}

function encodeNote(note: Note): Buffer {
  const json = JSON.stringify(note);
  return Buffer.from(`${`${crc32(json)} ${json}`.padEnd(NOTE_BYTES - 1)}\n`);
}

function decodeNote(bytes: Buffer): Note {
  const text = bytes.toString('latin1').trimEnd();
  const json = text.slice(text.indexOf(' ') + 1);
  return text === `${crc32(json)} ${json}` ? JSON.parse(json) : { seq: 0, digests: [] };
}

function blank(slot: Buffer): Buffer {
  return slot.length === NOTE_BYTES ? slot : Buffer.alloc(NOTE_BYTES, ' ');
}

function digest(bytes: Buffer): string {
  return sha256(bytes);
}
