// The list of when a signal is refused has every reason that the code gives.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { RULE_REFUSALS } from '../../../src/core/model/refusal.ts';
import { WHEN_REFUSED } from '../../../src/core/views/refused-signal.ts';

/** Where signals are read and decided; commands about the quarantine are not signals. */
const FILES = [
  ...readdirSync('src/core/rules/signal')
    .filter((name) => name !== 'quarantine.ts')
    .map((name) => `src/core/rules/signal/${name}`),
  ...['verdict', 'verify', 'answer'].map((name) => `src/core/rules/run/${name}.ts`),
  'src/core/rules/plan/review.ts',
  'src/adapters/signals/read-signal.ts',
  'src/adapters/system/signal-file.ts',
];

test('every code with which a signal is refused is explained', () => {
  const codes = FILES.flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    return RULE_REFUSALS.filter((code) => text.includes(`'${code}'`));
  });
  expect(new Set(codes).size).toBeGreaterThan(15);
  expect(codes.filter((code) => !Object.hasOwn(WHEN_REFUSED, code))).toEqual([]);
});
