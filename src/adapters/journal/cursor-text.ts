// Positions in segments as cursors, which live as long as a process, and as text for a checkpoint.
import { Failure } from '../../core/model/failure.ts';
import { type Cursor, START } from '../../core/ports/journal.ts';
import { BEGINNING, type Position, type Segments } from './segments.ts';

export function cursorFrom({ seq, segment, offset, inode }: Position): Cursor {
  return segment === 0 ? START : (`${seq} ${segment} ${offset} ${inode}` as Cursor);
}

export function positionOf(cursor: Cursor): Position {
  if (cursor === START) return BEGINNING;
  const [seq, segment, offset, inode = '0'] = cursor.split(' ');
  return { seq: Number(seq), segment: Number(segment), offset: Number(offset), inode: BigInt(inode) };
}

/**
 * Without the inode, which changes when a journal is restored from a backup; with every segment there is, so that a lost
 * one is noticed although it need not be read.
 */
interface StoredPosition {
  readonly seq: number;
  readonly segment: number;
  readonly offset: number;
  readonly segments: readonly number[];
}

export function storePosition({ seq, segment, offset }: Position, segments: Segments): string {
  const stored: StoredPosition = { seq, segment, offset, segments: segments.numbers() };
  return JSON.stringify(stored);
}

export function restorePosition(text: string, segments: Segments): Position | undefined {
  if (text === '') return BEGINNING;
  const stored = parse(text);
  if (stored === undefined) return undefined;
  requireSegments(stored, segments);
  const { seq, segment, offset } = stored;
  return { seq, segment, offset, inode: segments.inodeOf(segment) };
}

function parse(text: string): StoredPosition | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isStored(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isStored(value: unknown): value is StoredPosition {
  if (typeof value !== 'object' || value === null) return false;
  const numbers = ['seq', 'segment', 'offset'].map((key) => Reflect.get(value, key));
  return numbers.every((one) => typeof one === 'number') && Array.isArray(Reflect.get(value, 'segments'));
}

function requireSegments(stored: StoredPosition, segments: Segments): void {
  const present = new Set(segments.numbers());
  const missing = stored.segments.find((segment) => !present.has(segment));
  if (missing === undefined) return;
  throw new Failure(
    'person',
    'journal-segment-missing',
    `The journal is incomplete: ${segments.path(missing)} is missing, but records up to ${stored.seq} were written. Nothing was changed. Restore the file from a backup.`,
  );
}
