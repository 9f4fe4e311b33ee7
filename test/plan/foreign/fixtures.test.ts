// Task files of other tools in many shapes, each with the plan that it becomes.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DIALECT_NAMES } from '../../../src/plan/foreign/dialect.ts';
import { DIALECTS, dialectOf } from '../../../src/plan/foreign/dialects.ts';
import { foreignFile } from '../../../src/plan/foreign/entries.ts';
import { importPlan } from '../../../src/plan/foreign/import-plan.ts';
import { parse } from '../../../src/plan/parse.ts';

const FOLDER = 'test/fixtures/foreign';

const fixtures = DIALECT_NAMES.flatMap((dialect) =>
  readdirSync(`${FOLDER}/${dialect}`)
    .filter((name) => /\.(?:md|json)$/.test(name))
    .map((name) => ({ dialect, path: `${FOLDER}/${dialect}/${name}` })),
);

test('there are files of every dialect', () => {
  expect(new Set(fixtures.map(({ dialect }) => dialect))).toEqual(new Set(DIALECT_NAMES));
});

describe.each(fixtures)('$path', ({ dialect, path }) => {
  const text = readFileSync(path, 'utf8');
  const companions = DIALECTS[dialect].companions.slice(0, 2).map((name) => `docs/${name}`);
  const made = importPlan({ text, path: 'docs/a/tasks.md', all: false, companions });

  test('is recognized', () => {
    expect(dialectOf(foreignFile(text))).toBe(dialect);
  });

  test('becomes the plan beside it', () => {
    if (made.kind === 'refused') throw new Error(made.why);
    const found = [...made.remarks, '-'.repeat(80), made.text].join('\n');
    const golden = path.replace(/\.\w+$/, '.golden.txt');
    if (process.env.UPDATE_GOLDEN) writeFileSync(golden, found);
    expect(found).toBe(readFileSync(golden, 'utf8'));
  });

  test('becomes a plan without errors and warnings', () => {
    if (made.kind === 'refused') throw new Error(made.why);
    expect(parse(made.text).problems).toEqual([]);
  });
});
