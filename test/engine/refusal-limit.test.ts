// How many refused signals of one source are recorded one by one.
import { expect, test } from 'vitest';
import { RefusalLimit } from '../../src/engine/refusal-limit.ts';

function taken(limit: RefusalLimit, source: string, count: number, at: number): number {
  return Array.from({ length: count }, () => limit.takes(source, at)).filter(Boolean).length;
}

test('a source may be refused 50 times at once, and then 60 times a minute', () => {
  const limit = new RefusalLimit();
  expect(taken(limit, 'a', 1_000, 0)).toBe(50);
  expect(taken(limit, 'a', 1_000, 5_000)).toBe(5);
  expect(taken(limit, 'a', 1_000, 5_500)).toBe(0);
  expect(taken(limit, 'a', 1_000, 6_000)).toBe(1);
  expect(taken(limit, 'a', 1_000, 3_600_000)).toBe(50);
});

test('sources do not share their limits', () => {
  const limit = new RefusalLimit();
  expect(taken(limit, 'a', 1_000, 0)).toBe(50);
  expect(taken(limit, 'b', 1_000, 0)).toBe(50);
});
