// How far apart two words are: the least number of letters to insert, remove, replace or swap with the next one.

/** A typing mistake takes one of these steps; a longer word may have two mistakes. */
export function isMisspelt(word: string, meant: string): boolean {
  const most = meant.length > 6 ? 2 : 1;
  if (word === meant || Math.abs(word.length - meant.length) > most) return false;
  return distanceBetween(word, meant) <= most;
}

function distanceBetween(one: string, other: string): number {
  let twoBack: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const steps = [
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
      ];
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        steps.push((twoBack[column - 2] ?? 0) + 1);
      current.push(Math.min(...steps));
    }
    twoBack = previous;
    previous = current;
  }
  return previous[other.length] ?? 0;
}
