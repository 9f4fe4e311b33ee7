// The files of the journal: segments of records, read from any position, written only under the journal's lock.
import { diskFailure, explained, Failure, systemCode } from '../../core/model/failure.ts';
import type { JournalRecord } from '../../core/model/record.ts';
import { suggest } from '../../core/model/suggestion.ts';
import type { Disk, FileFacts } from '../../core/ports/disk.ts';
import { ensureFolder, freeName, syncUpwards, writeAll, writeDurably } from '../system/files.ts';
import { decodeRecords, encodeRecord } from './record-text.ts';

/** A segment that has grown to this size is closed, and a checkpoint is due. */
export const SEGMENT_BYTES = 512 * 1024;

/** `seq` is the last record read; the next one starts at `offset` of `segment`. */
export interface Position {
  readonly seq: number;
  /** The number of the segment's first record, which is also its name. Zero before there is a segment. */
  readonly segment: number;
  readonly offset: number;
  /** Distinguishes a segment from another file that has taken its name. */
  readonly inode: bigint;
}

/** Before the first record. */
export const BEGINNING: Position = { seq: 0, segment: 0, offset: 0, inode: 0n };

export interface SegmentsRead {
  readonly records: readonly JournalRecord[];
  readonly position: Position;
  /** Bytes at the very end that are not a record: another process is writing them now, or one died while writing. */
  readonly torn: number;
}

/** Everything that writes is called only under the journal's lock. */
export class Segments {
  readonly #disk: Disk;
  readonly folder: string;
  /** Why this process can no longer write. Once set, only a new process may try again. */
  #stopped: Failure | undefined;

  readonly #segmentBytes: number;

  /** The segment whose name this process has made durable. */
  #named: number | undefined;

  constructor(disk: Disk, folder: string, segmentBytes = SEGMENT_BYTES) {
    this.#disk = disk;
    this.folder = folder;
    this.#segmentBytes = segmentBytes;
  }

  /** Everything after `position`. Changes nothing and needs no lock. */
  read(position: Position): SegmentsRead {
    const segments = this.numbers();
    if (position.segment !== 0 && !segments.includes(position.segment)) throw gone(this.path(position.segment));
    const records: JournalRecord[] = [];
    let at = position.segment === 0 ? this.#firstPosition(segments) : position;
    for (;;) {
      const { read, reached, torn } = this.#readSegment(at);
      for (const record of read) records.push(record);
      at = reached;
      const next = segments.find((first) => first > at.segment);
      if (next === undefined) return { records, position: at, torn };
      if (torn > 0) throw this.#damage(at, 'the segment ends in bytes that are not a record');
      if (next !== at.seq + 1) throw missingSegment(this.path(at.seq + 1), next);
      at = this.#enter(next, at.seq);
    }
  }

  /** Appends one commit and syncs it. If that fails, none of it remains, or this process can no longer write. */
  append(position: Position, records: readonly JournalRecord[]): Position {
    if (this.#stopped !== undefined) throw this.#stopped;
    const [head] = records;
    if (head === undefined) return position;
    const bytes = Buffer.concat(asCommit(head, records).map(encodeRecord));
    const at = position.segment === 0 ? this.#createSegment(1, 0) : position;
    this.#write(at, bytes);
    return { ...at, seq: head.seq + records.length - 1, offset: at.offset + bytes.length };
  }

  /** Syncs what others appended: a process that was killed between its write and its sync did not. */
  confirm(position: Position): void {
    if (this.#stopped !== undefined) throw this.#stopped;
    const path = this.path(position.segment);
    const file = explained('open the journal', path, () => this.#disk.open(path, 'append'));
    try {
      this.#syncOrStop(path, () => this.#disk.sync(file));
    } finally {
      this.#disk.close(file);
    }
  }

  /** Starts the next segment if this one has grown large. */
  rotate(position: Position): Position {
    return position.offset < this.#segmentBytes ? position : this.#createSegment(position.seq + 1, position.seq);
  }

  /** Copies the torn end to a file beside the segment and cuts it off. Returns the path of the copy. */
  repair(position: Position, torn: number): string {
    if (this.#stopped !== undefined) throw this.#stopped;
    const path = this.path(position.segment);
    const copy = explained('copy the torn end of', path, () => this.#copyTornEnd(position, torn));
    const file = explained('open the journal', path, () => this.#disk.open(path, 'append'));
    try {
      explained('cut the torn end off', path, () => this.#disk.truncate(file, position.offset));
      this.#syncOrStop(path, () => this.#disk.sync(file));
    } finally {
      this.#disk.close(file);
    }
    return copy;
  }

  #copyTornEnd(position: Position, torn: number): string {
    const copy = freeName(this.#disk, `${this.path(position.segment)}.torn`);
    writeDurably(this.#disk, copy, this.#readBytes(position, torn));
    this.#disk.syncFolder(this.folder);
    return copy;
  }

  /** The first sequence number of each segment, in order. */
  numbers(): readonly number[] {
    const numbers: number[] = [];
    for (const name of this.#names()) if (SEGMENT_NAME.test(name)) numbers.push(Number.parseInt(name, 10));
    return numbers.sort((one, other) => one - other);
  }

  #names(): readonly string[] {
    try {
      return this.#disk.names(this.folder);
    } catch (error) {
      // Without a second look: another process may create the folder in between.
      if (systemCode(error) === 'ENOENT') return [];
      if (systemCode(error) === undefined || this.#disk.facts(this.folder) !== undefined) throw error;
      return [];
    }
  }

  path(segment: number): string {
    return `${this.folder}/${String(segment).padStart(12, '0')}.log`;
  }

  inodeOf(segment: number): bigint {
    return this.#factsOf(segment).inode;
  }

  /** The start of the segment that holds the record after `seq`, or would hold it. */
  startFor(seq: number): Position {
    const segments = this.numbers();
    const segment = segments.findLast((first) => first <= seq + 1);
    return segment === undefined ? BEGINNING : this.#enter(segment, segment - 1);
  }

  #firstPosition(segments: readonly number[]): Position {
    const [first] = segments;
    if (first === undefined) return BEGINNING;
    if (first !== 1) throw missingSegment(this.path(1), first);
    return this.#enter(1, 0);
  }

  #enter(segment: number, seq: number): Position {
    return { seq, segment, offset: 0, inode: this.inodeOf(segment) };
  }

  #readSegment(at: Position): { read: readonly JournalRecord[]; reached: Position; torn: number } {
    if (at.segment === 0) return { read: [], reached: at, torn: 0 };
    const facts = this.#factsOf(at.segment);
    if (facts.inode !== at.inode) throw gone(this.path(at.segment));
    if (facts.size < at.offset) throw shrunk(this.path(at.segment), at.seq);
    if (facts.size === at.offset) return { read: [], reached: at, torn: 0 };
    const bytes = this.#readBytes(at, facts.size - at.offset);
    const result = decodeRecords(bytes, at.seq + 1);
    const reached = { ...at, seq: at.seq + result.records.length, offset: at.offset + result.length };
    if (result.kind === 'damaged') throw this.#damage(reached, result.why);
    if (result.kind === 'newer') throw newer(this.path(at.segment), result.version);
    return { read: result.records, reached, torn: bytes.length - result.length };
  }

  #readBytes(at: Position, length: number): Buffer {
    const path = this.path(at.segment);
    try {
      const file = this.#disk.open(path, 'read');
      try {
        return this.#disk.read(file, at.offset, length);
      } finally {
        this.#disk.close(file);
      }
    } catch (error) {
      throw diskFailure(error, 'read the journal', path);
    }
  }

  #write(at: Position, bytes: Buffer): void {
    const path = this.path(at.segment);
    // Opening to append would create a missing file, and an empty journal would look complete.
    this.#factsOf(at.segment);
    const file = explained('open the journal', path, () => this.#disk.open(path, 'append'));
    try {
      const facts = explained('check', path, () => this.#disk.factsOf(file));
      if (facts.inode !== at.inode || facts.size !== at.offset) throw gone(path);
      // The process that created this empty segment may have been killed before its name was durable.
      if (at.offset === 0 && at.segment !== this.#named) this.#syncOrStop(path, () => this.#syncName(at.segment));
      this.#writeOrUndo(file, at, bytes);
      this.#syncOrStop(path, () => this.#disk.sync(file));
    } finally {
      this.#disk.close(file);
    }
  }

  #writeOrUndo(file: number, at: Position, bytes: Buffer): void {
    try {
      writeAll(this.#disk, file, bytes);
    } catch (error) {
      const failure = diskFailure(error, 'append to the journal', this.path(at.segment));
      try {
        this.#disk.truncate(file, at.offset);
      } catch {
        // Half a record is left. The next process repairs it; this one must not write after it.
        this.#stopped = new Failure(
          'environment',
          'journal-stopped',
          `${failure.message} This process can no longer write.`,
          { cause: error },
        );
        throw this.#stopped;
      }
      throw failure;
    }
  }

  /** After a failed sync the kernel may have dropped the bytes and cleared the error, so a retry would prove nothing. */
  #syncOrStop(path: string, sync: () => void): void {
    try {
      sync();
    } catch (error) {
      if (systemCode(error) === undefined) throw error;
      this.#stopped = new Failure(
        'environment',
        'sync-failed',
        `The disk did not confirm a write to ${path}, so it is unknown whether the last step was kept. This process can no longer write. Check the disk, then start cadre again; the log shows what was kept.`,
        { cause: error, try: [suggest('log')] },
      );
      throw this.#stopped;
    }
  }

  #syncName(segment: number): void {
    // With the first segment, the journal's folder, the state folder, repos/ and the home may all be new.
    syncUpwards(this.#disk, this.folder, segment === 1 ? 4 : 0);
    this.#named = segment;
  }

  #createSegment(first: number, seq: number): Position {
    const path = this.path(first);
    explained('create', this.folder, () => ensureFolder(this.#disk, this.folder, 0o700));
    const file = explained('create', path, () => this.#disk.open(path, 'append'));
    try {
      const { inode } = explained('check', path, () => this.#disk.factsOf(file));
      this.#syncOrStop(path, () => {
        this.#disk.sync(file);
        this.#syncName(first);
      });
      return { seq, segment: first, offset: 0, inode };
    } finally {
      this.#disk.close(file);
    }
  }

  #factsOf(segment: number): FileFacts {
    const facts = this.#disk.facts(this.path(segment));
    if (facts === undefined) throw gone(this.path(segment));
    return facts;
  }

  #damage(at: Position, why: string): Failure {
    return new Failure(
      'person',
      'journal-damaged',
      `The journal is damaged in ${this.path(at.segment)} at byte ${at.offset}: ${why}. The last intact record is ${at.seq}. Nothing was changed. Restore the file from a backup.`,
      { try: [suggest('doctor')] },
    );
  }
}

const SEGMENT_NAME = /^\d{12}\.log$/;

/** In a commit of several records, the first says where the commit ends, the others where it starts. */
function asCommit(head: JournalRecord, records: readonly JournalRecord[]): readonly JournalRecord[] {
  if (records.length === 1) return records;
  const last = head.seq + records.length - 1;
  return records.map((record) => (record.seq === head.seq ? { ...record, last } : { ...record, first: head.seq }));
}

function gone(path: string): Failure {
  return new Failure(
    'person',
    'journal-gone',
    `${path} was deleted or replaced while cadre was using it. Nothing was written. Put the file back or restore it from a backup, then start cadre again.`,
  );
}

function shrunk(path: string, seq: number): Failure {
  return new Failure(
    'person',
    'journal-shrunk',
    `${path} is shorter than it was when record ${seq} was written: records are missing. Nothing was changed. Restore the file from a backup.`,
  );
}

function missingSegment(path: string, next: number): Failure {
  return new Failure(
    'person',
    'journal-segment-missing',
    `The journal has a gap: ${path} is missing, but the segment that starts with record ${next} exists. Nothing was changed. Restore the file from a backup.`,
  );
}

function newer(path: string, version: number): Failure {
  return new Failure(
    'person',
    'journal-newer',
    `${path} was written by a newer cadre (journal version ${version}). Nothing was changed. Update cadre.`,
  );
}
