// The texts of many plans, kept between two times that they are asked for: of a thousand plans, one moves at a time.
import type { PlanEntry } from '../model/world.ts';

/** The texts of these entries in order, several of them joined in one. */
export type PlanTexts = (entries: Iterable<PlanEntry>) => readonly string[];

/** Long enough that few pieces are left to join, short enough that little is made again for one changed entry. */
const PIECE = 64;

interface Piece {
  readonly entries: readonly PlanEntry[];
  readonly text: string;
}

/** An entry is a value: the same object has the same text. */
export function planTexts(write: (entry: PlanEntry) => string, between: string): PlanTexts {
  const texts = new WeakMap<PlanEntry, string>();
  let pieces: readonly Piece[] = [];

  const textOf = (entry: PlanEntry): string => {
    const known = texts.get(entry);
    if (known !== undefined) return known;
    const text = write(entry);
    texts.set(entry, text);
    return text;
  };

  const pieceOf = (entries: readonly PlanEntry[], before: Piece | undefined): Piece =>
    before !== undefined && isSame(before.entries, entries)
      ? before
      : { entries, text: entries.map(textOf).join(between) };

  return (entries) => {
    const all = [...entries];
    const count = Math.ceil(all.length / PIECE);
    pieces = Array.from({ length: count }, (_, at) => pieceOf(all.slice(at * PIECE, (at + 1) * PIECE), pieces[at]));
    return pieces.map((piece) => piece.text);
  };
}

function isSame(one: readonly PlanEntry[], other: readonly PlanEntry[]): boolean {
  return one.length === other.length && one.every((entry, at) => entry === other[at]);
}
