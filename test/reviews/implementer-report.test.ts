// What an implementer reports: strict where it would be misread, lenient where it is clear what is meant.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { implementerReport } from '../../src/app/schemas/views.ts';
import {
  type ImplementerReport,
  isUnfinished,
  readImplementerReport,
  reportText,
} from '../../src/reviews/implementer-report.ts';

const WHOLE: ImplementerReport = {
  status: 'done-with-concerns',
  summary: 'Phrases are read in one pass.',
  commands: [{ run: 'npm test', result: '12 passed' }],
  files: ['src/query.ts'],
  left_out: ['no escapes'],
  concerns: ['quotes in quotes'],
};

function read(text: string): ImplementerReport {
  const found = readImplementerReport(text);
  if (found?.ok !== true) throw new Error(JSON.stringify(found));
  return found.document;
}

describe('a report in JSON', () => {
  test('is read as it is, also in a fence or after a sentence', () => {
    for (const text of [
      JSON.stringify(WHOLE),
      `\`\`\`json\n${JSON.stringify(WHOLE, null, 2)}\n\`\`\`\n`,
      `Here is my report:\n\n${JSON.stringify(WHOLE)}`,
    ])
      expect(read(text)).toEqual(WHOLE);
  });

  test.each([
    ['DONE', 'done'],
    ['done_with_concerns', 'done-with-concerns'],
    ['NEEDS CONTEXT', 'needs-context'],
    ['Blocked', 'blocked'],
  ])('may write its status as %s', (written, status) => {
    expect(read(JSON.stringify({ status: written, summary: 'x' })).status).toBe(status);
  });

  test('may have other names for its keys, single texts for lists, and commands without results', () => {
    expect(
      read('{"status":"done","summary":"x","filesChanged":"a.ts","leftOut":["b"],"tests":["npm test"],"concerns":""}'),
    ).toEqual({
      status: 'done',
      summary: 'x',
      files: ['a.ts'],
      left_out: ['b'],
      commands: [{ run: 'npm test', result: 'not reported' }],
    });
  });

  test.each([
    ['{"status":"perhaps","summary":"x"}', 'status: found "perhaps"; expected one of "done"'],
    ['{"status":"done"}', 'summary: missing'],
    ['{"status":"done","summary":"x","commands":[{"run":"a"}]}', 'commands[0].result: missing'],
    ['{"status":"done","summary":"x","extra":1}', 'extra: unknown key'],
    ['{"status":"done", "summary":"x"', 'not JSON'],
  ])('that is invalid is answered with what is wrong: %s', (text, violation) => {
    const found = readImplementerReport(text);
    expect(found).toMatchObject({ ok: false });
    expect(found?.ok === false && found.violations.join('\n')).toContain(violation);
  });
});

describe('a report in plain text', () => {
  test('is a summary', () => {
    expect(read('I read phrases in one pass.\n')).toEqual({ status: 'done', summary: 'I read phrases in one pass.' });
  });

  test.each(['BLOCKED: the server is gone.', 'Status: needs-context\n\nWhich server?', '**Blocked**\nNo key.'])(
    'that starts with a status has it: %s',
    (text) => {
      expect(isUnfinished(read(text))).toBe(true);
    },
  );

  test('that only mentions a status is done', () => {
    expect(read('The blocked port is free again.').status).toBe('done');
  });
});

test('nothing is not a report', () => {
  expect(readImplementerReport(' \n')).toBeUndefined();
});

test('any text is a report or has violations, and its text can be shown', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.constant(JSON.stringify(WHOLE))), (text) => {
      const found = readImplementerReport(text);
      if (found === undefined) return;
      if (found.ok) expect(implementerReport.safeParse(found.document).success).toBe(true);
      else expect(found.violations.length).toBeGreaterThan(0);
    }),
    { numRuns: 2_000 },
  );
});

test('is shown with everything that it says', () => {
  expect(reportText(WHOLE)).toBe(
    'Status: done-with-concerns\nPhrases are read in one pass.\n\nCommands:\n- npm test: 12 passed\n\nFiles:\n- src/query.ts\n\nLeft out:\n- no escapes\n\nConcerns:\n- quotes in quotes',
  );
});
