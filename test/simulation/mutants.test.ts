// A mutant whose piece of the source is missing breaks nothing and shows nothing.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MUTANTS } from './mutants.ts';
import { SCRIPTS } from './scripts.ts';

test.each(MUTANTS)('the piece for "$name" is in the source exactly once', ({ file, find, replace, story, suite }) => {
  expect(readFileSync(file, 'utf8').split(find)).toHaveLength(2);
  expect(replace).not.toBe(find);
  if (suite !== undefined) expect(existsSync(suite.test)).toBe(true);
  if (story !== undefined) expect(SCRIPTS.map(({ name }) => name)).toContain(story);
});
