// The examples for the prompt are documents that reader and schema accept, and have every key.
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { planningDocument, roundDocument } from '../../src/app/schemas/planning.ts';
import { filePlanConsistency } from '../../src/workshop/heuristics.ts';
import { PLANNING_OUTLINE, PLANNING_RULES, ROUND_OUTLINE, ROUND_RULES } from '../../src/workshop/outlines.ts';
import { readPlanningDocument } from '../../src/workshop/planning-document.ts';
import { readRoundDocument } from '../../src/workshop/round-document.ts';
import { FILE_INTENTS, TASK_KINDS } from '../../src/workshop/structured-plan.ts';
import { planningDocumentWith } from '../support/planning-documents.ts';

describe('the example of', () => {
  test('a round document is read, by reader and schema', () => {
    expect(readRoundDocument(ROUND_OUTLINE)).toMatchObject({ ok: true });
    expect(roundDocument.safeParse(JSON.parse(ROUND_OUTLINE))).toMatchObject({ success: true });
  });

  test('a planning document is read, by reader and schema', () => {
    expect(readPlanningDocument(PLANNING_OUTLINE)).toMatchObject({ ok: true });
    expect(planningDocument.safeParse(JSON.parse(PLANNING_OUTLINE))).toMatchObject({ success: true });
  });

  test('a planning document fits a repository', () => {
    expect(filePlanConsistency(planningDocumentWith(), new Set(['src/notes.ts']))).toMatchObject({ holds: true });
  });

  test.each([
    ['a round document', ROUND_OUTLINE, roundDocument],
    ['a planning document', PLANNING_OUTLINE, planningDocument],
  ])('%s has every key of the schema', (_, outline, schema) => {
    const keys = keysOf(z.toJSONSchema(schema));
    expect(keys.length).toBeGreaterThan(10);
    for (const key of keys) expect(outline).toContain(`"${key}": `);
  });

  test('each document is small enough for a prompt', () => {
    expect(ROUND_OUTLINE.length + ROUND_RULES.join('\n').length).toBeLessThan(2_500);
    expect(PLANNING_OUTLINE.length + PLANNING_RULES.join('\n').length).toBeLessThan(6_000);
  });
});

test('the rules name every kind of task and every intent', () => {
  for (const word of [...TASK_KINDS, ...FILE_INTENTS]) expect(PLANNING_RULES.join('\n')).toContain(`"${word}"`);
  for (const word of FILE_INTENTS) expect(ROUND_RULES.join('\n')).toContain(`"${word}"`);
});

/** The names of all properties, at any depth. */
function keysOf(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'properties' in schema ? Object.keys(Object(schema.properties)) : [];
  return [...new Set([...own, ...Object.values(schema).flatMap(keysOf)])];
}
