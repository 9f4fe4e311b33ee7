// Where two texts differ: the lines between their common start and their common end.

export interface TextDifference {
  /** The first line that differs, from 1. */
  readonly line: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

export function textDifference(before: string, after: string): TextDifference | null {
  const [old, updated] = [before.split(/\r?\n/), after.split(/\r?\n/)];
  const shorter = Math.min(old.length, updated.length);
  let head = 0;
  while (head < shorter && old[head] === updated[head]) head++;
  if (head === old.length && head === updated.length) return null;
  let tail = 0;
  while (tail < shorter - head && old[old.length - 1 - tail] === updated[updated.length - 1 - tail]) tail++;
  return {
    line: head + 1,
    removed: old.slice(head, old.length - tail),
    added: updated.slice(head, updated.length - tail),
  };
}
