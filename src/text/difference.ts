// Where two texts differ: the lines between what they begin with and what they end with in common.

export interface TextDifference {
  /** The first line that differs, from 1. */
  readonly line: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

export function textDifference(before: string, after: string): TextDifference | null {
  const [old, young] = [before.split(/\r?\n/), after.split(/\r?\n/)];
  const shorter = Math.min(old.length, young.length);
  let head = 0;
  while (head < shorter && old[head] === young[head]) head++;
  if (head === old.length && head === young.length) return null;
  let tail = 0;
  while (tail < shorter - head && old[old.length - 1 - tail] === young[young.length - 1 - tail]) tail++;
  return {
    line: head + 1,
    removed: old.slice(head, old.length - tail),
    added: young.slice(head, young.length - tail),
  };
}
