// How long no engine was awake, as people say it.
import { expect, test } from 'vitest';
import { gapWords } from '../../../../src/surfaces/cli/text/gap-words.ts';

const MINUTE = 60_000;

test.each([
  [MINUTE, 'no engine was awake for 1 min; that time does not count'],
  [8 * 60 * MINUTE, 'no engine was awake for 8 h; that time does not count'],
  [(8 * 60 + 5) * MINUTE, 'no engine was awake for 8 h 5 min; that time does not count'],
  [(2 * 1440 + 180 + 7) * MINUTE, 'no engine was awake for 2 d 3 h; that time does not count'],
  [(2 * 1440 + 7) * MINUTE, 'no engine was awake for 2 d; that time does not count'],
  [-7 * 60 * MINUTE, 'the clock was set back by 7 h; deadlines move with it'],
])('%d ms', (gap, words) => {
  expect(gapWords({ event: 'clock_gap', gap } as never)).toBe(words);
});
