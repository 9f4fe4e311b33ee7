// Whether reading a text takes time linear in its length.
import { expect } from 'vitest';

export const SHORT = 100_000;
export const LONG = 1_000_000;
export const TIMES = LONG / SHORT;
/**
 * Ten times the length takes ten to twelve times as long because of caches and garbage collection; the rest, up to twenty,
 * allows for noise on a busy machine. Quadratic time would be a hundred times as long.
 */
const ALLOWANCE = 20 / TIMES;
/** Shorter times are not compared: a single garbage collection would decide. */
const LEAST_MILLISECONDS = 100;
export const MOST_ROUNDS = 8;
/** More than noise can explain. */
const HOPELESS = 3;

/** A text of this length. */
export type Kind = (length: number) => string;
export type Read = (text: string) => unknown;

export function expectLinearTime(read: Read, kind: Kind): void {
  const [short, middle, long] = [kind(SHORT), kind(4 * SHORT), kind(LONG)];
  let [bestOfShort, bestOfLong] = [timeOfAll(read, short, TIMES), Number.POSITIVE_INFINITY];
  const allowed = (): number => ALLOWANCE * Math.max(bestOfShort, LEAST_MILLISECONDS);
  // If four tenths of the length are far too slow, the full length would take minutes or all memory.
  if (timeOf(read, middle) > HOPELESS * allowed()) expect(timeOf(read, middle)).toBeLessThanOrEqual(allowed());
  // Noise only makes a round slower, so the best round counts, and one good round is enough.
  for (let round = 0; round < MOST_ROUNDS; round++) {
    bestOfLong = Math.min(bestOfLong, timeOf(read, long));
    if (bestOfLong <= allowed() || bestOfLong > HOPELESS * allowed()) break;
    bestOfShort = Math.min(bestOfShort, timeOfAll(read, short, TIMES));
  }
  expect(bestOfLong, `${TIMES} times ${SHORT} take ${bestOfShort} ms`).toBeLessThanOrEqual(allowed());
}

export function timeOf(read: Read, text: string): number {
  const start = processorTime();
  read(text);
  return processorTime() - start;
}

/** Keeps every result until the end, so that as much memory is in use as for one long text. */
export function timeOfAll(read: Read, text: string, times: number): number {
  const start = processorTime();
  const kept = Array.from({ length: times }, () => read(text));
  return kept.length === times ? processorTime() - start : Number.NaN;
}

/** In milliseconds. Other processes do not count. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

export function repeated(first: string, rest: string): Kind {
  return (length) => (first + rest.repeat(Math.ceil(length / rest.length))).slice(0, length);
}

export function counted(line: (number: number) => string): Kind {
  return (length) => {
    const lines: string[] = [];
    for (let number = 1, total = 0; total < length; number++) total += lines[lines.push(line(number)) - 1]?.length ?? 1;
    return lines.join('');
  };
}
