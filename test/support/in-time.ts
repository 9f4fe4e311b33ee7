// Limits in time, for a machine that does other things as well.

const MOST_ATTEMPTS = 5;

/**
 * The shortest time that an attempt took, in milliseconds. Other processes only make an attempt slower, so there is no other
 * after one that is quick enough.
 */
export async function shortestTime(limit: number, attempt: (number: number) => Promise<number>): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let number = 1; number <= MOST_ATTEMPTS && shortest >= limit; number++)
    shortest = Math.min(shortest, await attempt(number));
  return shortest;
}

/** In milliseconds. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
