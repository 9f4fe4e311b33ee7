// Every mutant of the search still has its place in the source, and a model that shows it.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MODELS } from './models.ts';
import { MUTANTS } from './mutants.ts';

test.each(MUTANTS)(
  'the piece that "$name" replaces is in the source exactly once',
  ({ file, find, replace, model }) => {
    expect(readFileSync(file, 'utf8').split(find)).toHaveLength(2);
    expect(replace).not.toBe(find);
    expect(MODELS.map(({ name }) => name)).toContain(model);
  },
);
