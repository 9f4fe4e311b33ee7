// Names of sentinel files: encoding and decoding are inverse, unambiguous, and safe for arbitrary bytes.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findPlan, type PlanFile, planFile } from '../../src/plan/name.ts';
import { decodeMessage, encodeMessage, messageId } from '../../src/signals/message.ts';
import { ROLES, SIGNALS } from '../../src/signals/registry.ts';
import { decodeSentinel, encodeSentinel, SENTINEL_WORDS } from '../../src/signals/sentinel.ts';
import { showName } from '../../src/text/show.ts';

const SENTINELS = SIGNALS.filter((signal) => signal.sentinel);

/** Names that are easily confused: they start with the words of signals and contain Unicode. */
const planNames = fc
  .array(
    fc.constantFrom(...SENTINEL_WORDS, 'finished', 'w1-t2', 'x', 'é', '計画', '-', '.', '_', '2026', '__proto__'),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .map((parts) => `${parts.join('-')}.md`)
  .filter((name) => planFile(name) !== undefined)
  .map((name) => name as PlanFile);

test('decoding an encoded sentinel gives back the signal and the plan', () => {
  fc.assert(
    fc.property(fc.constantFrom(...SENTINELS), planNames, (signal, plan) => {
      expect(decodeSentinel(encodeSentinel(signal, plan))).toEqual({ kind: 'signal', signal, plan });
    }),
    { numRuns: 20_000 },
  );
});

test('no two pairs of signal and plan share a name', () => {
  fc.assert(
    fc.property(fc.constantFrom(...SENTINELS), planNames, fc.constantFrom(...SENTINELS), planNames, (a, p, b, q) => {
      expect(encodeSentinel(a, p) === encodeSentinel(b, q)).toBe(a === b && p === q);
    }),
    { numRuns: 20_000 },
  );
});

test('no word of a sentinel starts with another word and a dash', () => {
  for (const word of SENTINEL_WORDS)
    for (const other of SENTINEL_WORDS) expect(word !== other && word.startsWith(`${other}-`)).toBe(false);
});

test('every name decodes to a signal of a valid plan or to a message', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc
      .tuple(fc.constantFrom(...SENTINEL_WORDS), fc.string({ unit: 'binary' }))
      .map(([word, rest]) => `${word}-${rest}`),
  );
  fc.assert(
    fc.property(anything, (name) => {
      const decoded = decodeSentinel(name);
      if (decoded.kind === 'unreadable') expect(decoded.why).toMatch(/^[^\p{C}\p{Zl}\p{Zp}]+\.$/u);
      else expect(decoded.plan).toMatch(/^[^/\\\s]+\.md$/);
    }),
    { numRuns: 20_000 },
  );
});

test.each(['cancel', 'reopen', 'start-over'])('%s-x.md is recognised as a decision of a person', (word) => {
  expect(decodeSentinel(`${word}-x.md`)).toEqual({ kind: 'user-only', event: word.replace('-', '_'), plan: 'x.md' });
});

test.each(['question-x.md', 'fix-finished-x.md'])(
  '%s is refused with a message that says how to send it instead',
  (name) => {
    expect(decodeSentinel(name)).toMatchObject({
      kind: 'unreadable',
      why: expect.stringContaining('from its session'),
    });
  },
);

describe('a plan name', () => {
  test.each([
    '../x.md',
    '/x.md',
    'a/b.md',
    'x.MD',
    '.md',
    '.x.md',
    '-x.md',
    'a..b.md',
    'x.lock.md',
    'a b.md',
    'a\nb.md',
    'a\u202eb.md',
    `${'x'.repeat(198)}.md`,
    'a\\b.md',
    '%2e%2e.md',
    '',
  ])('%j is refused', (name) => {
    expect(planFile(name)).toBeUndefined();
  });

  test.each([
    'x.md',
    '2026-11-15-search.md',
    'planner-finished-x.md',
    'été.md',
    '計画.md',
    'a.b_c+d.md',
    'constructor.md',
  ])('%s is allowed', (name) => {
    expect(planFile(name)).toBe(name);
  });
});

test('a plan is found by its name, its name without the extension, a path, or a unique prefix', () => {
  const plans = ['search.md', 'search-ui.md', 'other.md'] as PlanFile[];
  expect(findPlan('search', plans)).toEqual({ kind: 'found', plan: 'search.md' });
  expect(findPlan('search.md', plans)).toEqual({ kind: 'found', plan: 'search.md' });
  expect(findPlan('docs/plans/other.md', plans)).toEqual({ kind: 'found', plan: 'other.md' });
  expect(findPlan('search-', plans)).toEqual({ kind: 'found', plan: 'search-ui.md' });
  expect(findPlan('sea', plans)).toEqual({ kind: 'several', plans: ['search-ui.md', 'search.md'] });
  expect(findPlan('', plans)).toEqual({ kind: 'none' });
  expect(findPlan('nope', plans)).toEqual({ kind: 'none' });
});

test('text made safe to print contains nothing that a terminal interprets', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(showName(text)).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
    }),
  );
});

test('a message is decoded as it was encoded, for its own session only', () => {
  const messages = fc.record({
    v: fc.constant(1 as const),
    name: fc.string(),
    plan: fc.string(),
    task: fc.string(),
    session: fc.constant('s1'),
    role: fc.constantFrom(...ROLES),
    entered: fc.nat(),
    body: fc.string({ unit: 'binary' }),
  });
  fc.assert(
    fc.property(messages, (message) => {
      expect(decodeMessage(encodeMessage(message), 's1')).toEqual(message);
      expect(decodeMessage(encodeMessage(message), 's2')).toHaveProperty('why');
    }),
  );
});

test('decoding a message never throws', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void decodeMessage(text, 's1')));
});

test('a message that is sent twice about one state has one id, and another state gives another id', () => {
  const message = {
    v: 1,
    name: 'question',
    plan: 'x.md',
    session: 's',
    role: 'implementer',
    entered: 4,
    body: '',
  } as const;
  expect(messageId({ ...message, body: 'other words' })).toBe(messageId(message));
  expect(messageId({ ...message, entered: 9 })).not.toBe(messageId(message));
});
