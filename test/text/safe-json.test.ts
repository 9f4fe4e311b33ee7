// JSON for a terminal: nothing in it acts on the terminal, and it parses to the same value.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { safeJson } from '../../src/text/safe-json.ts';

describe('JSON for a terminal', () => {
  test.each([
    ['a C1 control character', '\u009b31m', '"\\u009b31m"'],
    ['a delete character', 'a\u007fb', '"a\\u007fb"'],
    ['a change of direction', 'a\u202eb\u2066', '"a\\u202eb\\u2066"'],
    ['separators of lines and paragraphs', '\u2028\u2029', '"\\u2028\\u2029"'],
    ['zero-width characters', '\u200b\u200d\ufeff\u00ad', '"\\u200b\\u200d\\ufeff\\u00ad"'],
    ['invisible characters that take two units', '\u{e0041}', '"\\udb40\\udc41"'],
  ])('escapes %s', (_what, text, json) => {
    expect(safeJson(text)).toBe(json);
  });

  test.each(['plain "words" \\ /', 'żółw 漢字 العربية e\u0301 🐢', ''])('writes %j as it is', (text) => {
    expect(safeJson({ text })).toBe(JSON.stringify({ text }));
  });

  test('parses to the same value, whatever the texts and keys are', () => {
    const anything = fc.dictionary(fc.string({ unit: 'binary' }), fc.array(fc.string({ unit: 'binary' })));
    fc.assert(
      fc.property(anything, (value) => {
        const json = safeJson(value);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(json).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      }),
    );
  });
});
