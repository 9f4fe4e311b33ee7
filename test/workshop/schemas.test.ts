// The schemas describe the same documents as the readers, which cannot use them: what is right and wrong is the same for both.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { planningDocument, roundDocument } from '../../src/app/schemas/planning.ts';
import { PLANNING_SHAPE } from '../../src/workshop/planning-shape.ts';
import { readStructure } from '../../src/workshop/reading.ts';
import { ROUND_SHAPE } from '../../src/workshop/round-document.ts';
import type { Shape } from '../../src/workshop/shape.ts';
import { planningDocuments, roundDocuments } from '../support/planning-documents.ts';

describe('reader and schema agree on the structure of', { timeout: 300_000 }, () => {
  const cases: readonly Case[] = [
    { name: 'planning documents', documents: planningDocuments, shape: PLANNING_SHAPE, schema: planningDocument },
    { name: 'round documents', documents: roundDocuments, shape: ROUND_SHAPE, schema: roundDocument },
  ];

  test.each(cases)('$name', ({ documents, shape, schema }) => {
    fc.assert(
      fc.property(documents, (document) => {
        expect(readStructure(document, shape)).toMatchObject({ ok: true });
        expect(schema.safeParse(document).error?.issues).toBeUndefined();
      }),
      { numRuns: 2_000 },
    );
  });

  test.each(cases)('$name with mistakes in them', ({ documents, shape, schema }) => {
    let refused = 0;
    fc.assert(
      fc.property(documents, fc.array(mistakes, { minLength: 1, maxLength: 3 }), (document, all) => {
        const broken = all.reduce(withMistake, JSON.parse(JSON.stringify(document)));
        const read = readStructure(broken, shape);
        expect(read.ok).toBe(schema.safeParse(broken).success);
        if (!read.ok) expect(read.violations.length).toBeGreaterThan(0);
        refused += read.ok ? 0 : 1;
      }),
      { numRuns: 2_000 },
    );
    expect(refused).toBeGreaterThan(1_000);
  });
});

interface Case {
  readonly name: string;
  readonly documents: fc.Arbitrary<unknown>;
  readonly shape: Shape<unknown>;
  readonly schema: z.ZodType;
}

interface Mistake {
  /** Which of the places in the document, counted through. */
  readonly place: number;
  readonly kind: 'replace' | 'remove' | 'add' | 'repeat';
  readonly value: unknown;
}

const VALUES = [
  ...[
    null,
    true,
    false,
    0,
    1.5,
    -1,
    '',
    ' ',
    '\n',
    'x',
    'a b',
    'A',
    '-',
    '0',
    [],
    {},
    [null],
    [[]],
    ['x'],
    { id: 'x' },
  ],
  ...[
    'x'.repeat(161),
    'x'.repeat(1_001),
    'x'.repeat(20_001),
    '\u0000',
    'a\u001b[31m',
    '\u2028',
    '\ud800',
    'a\ud83d',
    '🚧',
    '\t',
  ],
  ...[
    'feature',
    'create',
    'update',
    'Feature',
    'creates',
    '../x',
    'a'.repeat(65),
    'a'.repeat(64),
    'a_b.c',
    'ü',
    '\ufeff',
  ],
];

const mistakes: fc.Arbitrary<Mistake> = fc.record({
  place: fc.nat({ max: 100_000 }),
  kind: fc.constantFrom('replace' as const, 'remove' as const, 'add' as const, 'repeat' as const),
  value: fc.oneof(fc.constantFrom(...VALUES), fc.jsonValue({ maxDepth: 1 })),
});

/** Changes the document at one place: a value, a key, or the length of a list. */
function withMistake(document: unknown, { place, kind, value: shared }: Mistake): unknown {
  const value = structuredClone(shared);
  const holders = [...holdersIn(document)];
  const holder = holders[place % Math.max(1, holders.length)];
  if (holder === undefined) return value;
  if (Array.isArray(holder)) {
    const at = place % (holder.length + 1);
    // Not in a list that is repeated already, since the document would grow with every one.
    if (kind === 'repeat' && holders.length < 1_000)
      holder.push(...Array.from({ length: 201 }, () => holder[0] ?? value));
    else holder.splice(at, kind === 'add' ? 0 : 1, ...(kind === 'remove' ? [] : [value]));
    return document;
  }
  const keys = Object.keys(holder);
  const key = keys[place % Math.max(1, keys.length)] ?? 'x';
  if (kind === 'remove') Reflect.deleteProperty(holder, key);
  else Reflect.set(holder, kind === 'add' ? `${key}s` : key, value);
  return document;
}

function* holdersIn(value: unknown): Generator<object> {
  if (typeof value !== 'object' || value === null) return;
  yield value;
  for (const below of Object.values(value)) yield* holdersIn(below);
}
