// Text typed into a program, and output of a program: nothing in it acts on a terminal.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPlainLine, lastLines, sanitize } from '../../src/text/sanitize.ts';

describe('text for a program', () => {
  test.each([
    [
      'plain words are kept',
      'Add a "search" box; it\'s 50% done #1 $HOME',
      'Add a "search" box; it\'s 50% done #1 $HOME',
    ],
    ['every script is kept', 'żółw 漢字 العربية e\u0301 🐢', 'żółw 漢字 العربية e\u0301 🐢'],
    ['line ends become one kind', 'a\r\nb\rc\nd\u2028e', 'a\nb\nc\nd\ne'],
    ['tabs are kept', 'a\tb', 'a\tb'],
    ['the end marker of a paste is removed', 'a\u001b[201~b', 'a[201~b'],
    ['control keys are removed', '\u0003\u0004\u001a\b\u007f\0x', 'x'],
    ['C1 control characters are removed', '\u009b31m\u0085\u0090x', '31mx'],
    ['direction marks are removed', 'a\u202eb\u2066c\u200f', 'abc'],
    ['invisible characters are removed', 'a\u200b\u200d\ufeff\u00ad\u{e0041}\u{e0101}\ufe0fb', 'ab'],
    ['lone surrogates are removed', 'a\ud800b\udc00c', 'abc'],
  ])('%s', (_claim, text, clean) => {
    expect(sanitize(text)).toBe(clean);
  });

  test('the result has no control characters, format characters or lone surrogates, and is stable', () => {
    const anything = fc.string({ unit: 'binary', maxLength: 200 });
    fc.assert(
      fc.property(anything, (text) => {
        const clean = sanitize(text);
        expect(clean).not.toMatch(/(?![\n\t])\p{C}/u);
        expect(sanitize(clean)).toBe(clean);
      }),
    );
  });

  test.each(['hello', 'a / b', 'a#b', 'user@example.org', 'C:\\x y', 'x'.repeat(500)])('%j is a plain line', (text) => {
    expect(isPlainLine(text)).toBe(true);
  });

  test.each([
    '/clear',
    ' /clear',
    '!ls',
    '#x',
    '@x',
    'see @x',
    'a\nb',
    'a\tb',
    'a\\',
    'a\\ ',
    '?',
    '&x',
    'ż'.repeat(251),
  ])('%j is not a plain line', (text) => {
    expect(isPlainLine(text)).toBe(false);
  });
});

describe('output of a program', () => {
  test.each([
    ['colours and cursor movements', '\u001b[1;31mred\u001b[0m \u001b[2Kline\u001b[?25l', 'red line'],
    ['titles and links', '\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\b\u001b]8;;\u001b\\', 'ab'],
    ['other escape sequences', '\u001b(B\u001b=\u001bM\u001bPq#0\u001b\\x', 'x'],
    ['overwritten lines', '10 %\r50 %\r100 %\nnext', '100 %\nnext'],
    ['CRLF line ends', 'a\r\nb\r\n', 'a\nb'],
    ['unterminated escape sequences', 'a\u001b]0;title', 'a'],
    ['bells and hidden characters', 'a\u0007\u202eb', 'ab'],
  ])('%s leave the visible text', (_what, output, seen) => {
    expect(lastLines(output, 50)).toBe(seen);
  });

  test('only the last lines are shown', () => {
    expect(lastLines('1\n2\n3\n4\n', 2)).toBe('3\n4');
  });

  test('takes linear time', () => {
    const time = (count: number): number => {
      const text = '\u001b]\u001b[1;'.repeat(count);
      const started = performance.now();
      lastLines(text, 50);
      return performance.now() - started;
    };
    time(1_000);
    expect(time(80_000)).toBeLessThan(Math.max(50, time(10_000)) * 40);
  });
});
