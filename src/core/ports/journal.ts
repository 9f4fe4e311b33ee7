// The journal and its checkpoints, as ports.
import type { JournalRecord } from '../model/record.ts';
import type { World } from '../model/world.ts';

/** How far a reader of the journal has come: `seq` was the last record, the next would stand at `offset` of `segment`. */
export interface Position {
  readonly seq: number;
  /** The first sequence number of the segment, which is also its name. Zero before there is any. */
  readonly segment: number;
  readonly offset: number;
  /** Tells a segment from another file that took its place. */
  readonly inode: bigint;
}

export const START: Position = { seq: 0, segment: 0, offset: 0, inode: 0n };

export interface Reading {
  readonly records: readonly JournalRecord[];
  readonly position: Position;
  /** Bytes at the very end that are no record: being written by another process now, or left by one that died. */
  readonly torn: number;
}

/** The truth. Everything but `read` is called only under the journal's lock. */
export interface JournalStore {
  /** Everything after `position`. Fails with a sentence on damage; never skips. */
  read(position: Position): Reading;
  /** Appends the records as one commit. When it returns they are durable; when it fails none of them is, or nothing more is written. */
  append(position: Position, records: readonly JournalRecord[]): Position;
  /** Makes durable what was read up to here, whoever wrote it. */
  confirm(position: Position): void;
  /** Starts a new segment if the present one has grown large. */
  rotate(position: Position): Position;
  /** Keeps a copy of the torn end, whose path it returns, and cuts it off. */
  repair(position: Position, torn: number): string;
}

/** A folded world beside the journal, so that starting is quick. Losing it loses nothing. */
export interface Checkpoints {
  load(): { readonly world: World; readonly position: Position } | undefined;
  save(world: World, position: Position): void;
}
