// What a reviewer says is understood in JSON and in plain lines, goes back where it is not, and is never taken for an approval.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reviewDocument } from '../../src/app/schemas/reviews.ts';
import { readReview } from '../../src/reviews/read-review.ts';
import { isGrave, type ReviewDocument, SEVERITIES, VERDICT_WORDS } from '../../src/reviews/review-document.ts';

const understood = (text: string, word: 'approved' | 'changes'): ReviewDocument => {
  const read = readReview(text, word);
  if (!read.ok) throw new Error(read.violations.join('\n'));
  return read.document;
};
const violations = (text: string, word: 'approved' | 'changes'): readonly string[] => {
  const read = readReview(text, word);
  return read.ok ? [] : read.violations;
};

const FINDING = { severity: 'important', place: 'src/a.ts:12', problem: 'The loop never ends.' } as const;

describe('JSON', () => {
  const document = { findings: [FINDING], verdicts: [{ finding: 'f1', verdict: 'addressed', evidence: 'a.ts:3' }] };

  test.each([
    ['alone', (json: string) => json],
    ['in a fence', (json: string) => `\`\`\`json\n${json}\n\`\`\``],
    ['in a fence without a language, between prose', (json: string) => `I read it.\n\n~~~\n${json}\n~~~\nThat is all.`],
    ['between prose', (json: string) => `Here it is: ${json} Thank you.`],
    ['on several lines', (json: string) => JSON.stringify(JSON.parse(json), null, 2)],
  ])('%s is read', (_where, write) => {
    expect(understood(write(JSON.stringify(document)), 'changes')).toMatchObject(document);
  });

  test('the prose around it is kept as the summary', () => {
    expect(understood(`Nearly.\n${JSON.stringify(document)}`, 'changes').summary).toBe('Nearly.');
  });

  test.each([
    [{ issues: [{ level: 'Major', file: 'src/a.ts', line: 12, description: 'The loop never ends.' }] }],
    [{ findings: [{ Severity: 'IMPORTANT', location: 'src/a.ts#L12', message: 'The loop never ends.', fix: null }] }],
    [[{ severity: 'high', path: '`src/a.ts:12-19`', problem: 'The loop never ends.' }]],
    [{ severity: 'medium', place: 'src/a.ts:12:5', problem: 'The loop never ends.' }],
  ])('other words for the same are understood: %j', (value) => {
    expect(understood(JSON.stringify(value), 'changes').findings).toEqual([FINDING]);
  });

  test('verdicts may be an object', () => {
    expect(understood('{"verdicts": {"F1": "ADDRESSED", "f2": "not fully addressed"}}', 'changes').verdicts).toEqual([
      { finding: 'f1', verdict: 'addressed' },
      { finding: 'f2', verdict: 'not-addressed' },
    ]);
  });

  test.each([
    ['{"findings": [{"severity": "importnat", "problem": "x"}]}', 'findings[0].severity: found "importnat"'],
    ['{"findings": [{"severity": "minor"}]}', 'findings[0].problem: missing'],
    ['{"findings": [{"severity": "minor", "problem": "x", "blame": "y"}]}', 'findings[0].blame: unknown key'],
    ['{"findings": [', 'not JSON'],
    ['{"verdicts": [{"finding": "one", "verdict": "addressed"}]}', 'verdicts[0].finding: "one" is not valid'],
    ['{"verdicts": [{"finding": "f1", "verdict": "attempted"}]}', 'verdicts[0].verdict: found "attempted"'],
    [
      '{"verdicts": [{"finding": "f1", "verdict": "addressed"}, {"finding": "f1", "verdict": "not-addressed"}]}',
      'f1 already has a verdict',
    ],
    ['{"summary": "It is bad."}', 'names none'],
    ['{}', 'names none'],
  ])('%s goes back with what is wrong', (text, expected) => {
    expect(violations(text, 'changes').join('\n')).toContain(expected);
  });
});

describe('plain lines', () => {
  test.each([
    '- [important] src/a.ts:12: The loop never ends.',
    '* [Important] `src/a.ts:12`: The loop never ends.',
    '1. **Major** src/a.ts:12 - The loop never ends.',
    'IMPORTANT: src/a.ts:12: The loop never ends.',
    '- (important) src/a.ts:12: The loop never ends.',
    '[HIGH] src/a.ts:12: The loop never ends.',
  ])('%s is a finding', (line) => {
    expect(understood(line, 'changes').findings).toEqual([FINDING]);
  });

  test('a finding has more lines, with why, fix and the text of the plan that it contradicts', () => {
    const text = `Two things:

- [important] src/a.ts:12: The loop
  never ends.
  why: it hangs
  fix: count down
  contradicts plan: "The loop runs for ever."

- [minor] A name is odd.`;
    expect(understood(text, 'changes').findings).toEqual([
      {
        ...FINDING,
        problem: 'The loop\nnever ends.',
        why: 'it hangs',
        fix: 'count down',
        contradicts_plan: '"The loop runs for ever."',
      },
      { severity: 'minor', problem: 'A name is odd.' },
    ]);
  });

  test.each([
    ['f1: ADDRESSED the loop counts down', 'addressed'],
    ['- f1 - addressed: src/a.ts:3', 'addressed'],
    ['**f1**: ADDRESSED', 'addressed'],
    ['f1: NOT ADDRESSED it still hangs', 'not-addressed'],
    ['f1: not-addressed', 'not-addressed'],
    ['f1: not yet addressed', 'not-addressed'],
    ['F1: unaddressed', 'not-addressed'],
    ['f1: addressed only in part', 'not-addressed'],
    ['f1: addressed? no', 'not-addressed'],
    ['f1: partially addressed', 'not-addressed'],
    ["f1: isn't addressed", 'not-addressed'],
  ])('%s is a verdict', (line, verdict) => {
    const read = understood(`${line}\n- [important] x`, 'changes');
    expect(read.verdicts?.map((one) => [one.finding, one.verdict])).toEqual([['f1', verdict]]);
  });

  test('a verdict in other words goes back', () => {
    expect(violations('f1: looks good to me', 'approved').join()).toContain('no verdict on f1');
    expect(violations('f1: attempted', 'changes').join()).toContain('no verdict on f1');
  });

  test('a text without structure is one important finding, or a remark with an approval', () => {
    expect(understood('The loop\n\nnever ends.', 'changes').findings).toEqual([
      { severity: 'important', problem: 'The loop\n\nnever ends.' },
    ]);
    expect(understood('Well done.', 'approved')).toEqual({ summary: 'Well done.' });
    expect(understood('', 'approved')).toEqual({});
  });

  test('what cannot be verified is kept', () => {
    expect(understood('Fine.\nCannot verify: speed on Windows', 'approved')).toEqual({
      summary: 'Fine.',
      cannot_verify: ['speed on Windows'],
    });
  });

  test('prose beside minor findings that asks for changes is not taken for a remark', () => {
    const text = 'All of it has to be rewritten.\n\n- [minor] A name is odd.';
    expect(violations(text, 'changes').join()).toContain('"All of it has to be rewritten." belongs to no finding');
    expect(understood('Small things:\n- [minor] A name is odd.', 'changes').findings).toHaveLength(1);
  });
});

describe('an approval', () => {
  test.each([
    ['- [important] src/a.ts: it hangs', 'cannot have an important finding'],
    [JSON.stringify({ findings: [{ severity: 'critical', problem: 'x' }] }), 'cannot have a critical finding'],
    ['f1: NOT ADDRESSED', 'cannot leave f1 not addressed'],
    [
      JSON.stringify({ findings: [{ severity: 'minor', problem: 'x', contradicts_plan: 'y' }] }),
      'cannot contradict the plan',
    ],
    ['{"findings": [{"severity": "criticall", "problem": "x"}]}', 'did you mean "critical"'],
  ])('%s is refused', (text, expected) => {
    expect(violations(text, 'approved').join('\n')).toContain(expected);
  });

  test('may have minor findings', () => {
    expect(understood('- nit: a name is odd', 'approved').findings).toEqual([
      { severity: 'minor', problem: 'a name is odd' },
    ]);
  });
});

const prose = fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' });
const aText = fc.string({ minLength: 1, maxLength: 40 }).filter((text) => /\S/.test(text) && !/[\x7f]/.test(text));
const aFinding = fc.record(
  {
    severity: fc.constantFrom(...SEVERITIES),
    place: fc.constantFrom('src/a.ts:12', 'README.md', 'a b/c.ts:1'),
    problem: aText,
    why: aText,
    fix: aText,
    contradicts_plan: aText,
  },
  { requiredKeys: ['severity', 'problem'] },
);
const aDocument = fc.record(
  {
    summary: aText,
    findings: fc.array(aFinding, { maxLength: 4 }),
    verdicts: fc.uniqueArray(
      fc.record({ finding: fc.constantFrom('f1', 'f2', 'f12'), verdict: fc.constantFrom(...VERDICT_WORDS) }),
      { selector: ({ finding }) => finding, maxLength: 3 },
    ),
    cannot_verify: fc.array(aText, { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
/** A document with a piece cut out, doubled or replaced. */
const halfValid = fc
  .tuple(aDocument, fc.nat(), fc.nat({ max: 12 }), fc.constantFrom('', '"', '}', '{', ',', 'null', '\n', 'x'))
  .map(([document, at, length, instead]) => {
    const json = JSON.stringify(document);
    const start = at % (json.length + 1);
    return `${json.slice(0, start)}${instead}${json.slice(start + length)}`;
  });
const hostile = fc.constantFrom(
  '{"__proto__": {"findings": []}, "findings": [{"severity": "critical", "problem": "x"}]}',
  '{"findings": [], "findings": [{"severity": "critical", "problem": "x"}]}',
  `${'['.repeat(5_000)}`,
  '```json\n{"findings": []}\n```\n```json\n{"findings": [{"severity": "critical", "problem": "x"}]}\n```',
  '[critical] \u0000\u001b[31mred',
  'APPROVED\n[important] \ud800',
  'f1: ADDRESSED\nf1: NOT ADDRESSED',
  '{"verdicts": [{"finding": "f1", "verdict": "addressed"}], "approved": true}',
  `- [important] ${'a'.repeat(30_000)}`,
  '- [important]',
);
const plain = fc
  .array(
    fc.oneof(
      prose,
      aFinding.map(({ severity, place, problem }) => `- [${severity}] ${place ?? ''}: ${problem}`),
      fc.constantFrom('f1: ADDRESSED', 'f2: NOT ADDRESSED', '', '  indented', '## Heading', 'Important: x'),
    ),
    { maxLength: 8 },
  )
  .map((lines) => lines.join('\n'));

/** Whether the text says, in any form that a reader would see, that something is critical or important or not addressed. */
const isGraveAtSight = (text: string): boolean =>
  /"severity": ?"(?:critical|important)"|^- \[(?:critical|important)\] \S/m.test(text) || /"not-addressed"/.test(text);

test('2,000 documents, valid, half valid, prose and hostile, are understood or go back, and are never taken for an approval', () => {
  const counts = { understood: 0, back: 0 };
  fc.assert(
    fc.property(
      fc.oneof(
        aDocument.map((one) => JSON.stringify(one)),
        halfValid,
        plain,
        prose,
        hostile,
      ),
      fc.constantFrom('approved' as const, 'changes' as const),
      (text, word) => {
        const read = readReview(text, word);
        if (!read.ok) {
          counts.back++;
          expect(read.violations.length).toBeGreaterThan(0);
          for (const one of read.violations) expect(one.trim()).not.toBe('');
          return;
        }
        counts.understood++;
        const { findings = [], verdicts = [], summary } = read.document;
        const isGraveReview =
          findings.some((one) => isGrave(one) || one.contradicts_plan !== undefined) ||
          verdicts.some(({ verdict }) => verdict === 'not-addressed');
        if (word === 'approved') expect(isGraveReview).toBe(false);
        else expect(isGraveReview || findings.length > 0).toBe(true);
        if (word === 'approved') expect(isGraveAtSight(text)).toBe(false);
        // Nothing that was said is lost: every word that is not syntax is in the document.
        const kept = JSON.stringify(read.document);
        if (
          findings.length + verdicts.length === 0 &&
          text.trim() !== '' &&
          word === 'approved' &&
          !/^\s*[[{]/.test(text)
        )
          expect(summary ?? kept).not.toBe('{}');
      },
    ),
    { numRuns: 2_000, seed: 16 },
  );
  expect(counts.understood).toBeGreaterThan(400);
  expect(counts.back).toBeGreaterThan(400);
});

test('what the schema accepts is understood as it is, and nothing else is accepted in that form', () => {
  fc.assert(
    fc.property(aDocument, (document) => {
      expect(reviewDocument.safeParse(document).success).toBe(true);
      const read = readReview(JSON.stringify(document), 'changes');
      if (!read.ok) return;
      for (const key of ['findings', 'verdicts', 'cannot_verify'] as const)
        expect(read.document[key] ?? []).toEqual(document[key] ?? []);
    }),
    { numRuns: 500, seed: 3 },
  );
});
