// The pure parts of drawing on a terminal: widths, cutting, painting, keys, and what is let through of an agent's screen.

import { describe, expect, test } from 'vitest';
import { agentScreen } from '../../../src/surfaces/tui/terminal/agent-screen.ts';
import { decode, decodeRest } from '../../../src/surfaces/tui/terminal/input.ts';
import { asciiLine, depthOf, isAsciiOnly, paintLine, repaint } from '../../../src/surfaces/tui/terminal/paint.ts';
import {
  cut,
  fitted,
  line,
  lineText,
  lineWidth,
  span,
  spread,
  wrapped,
} from '../../../src/surfaces/tui/terminal/styled.ts';
import { endOf, startOf, widthOf } from '../../../src/surfaces/tui/terminal/width.ts';
import { typedRows } from '../../../src/surfaces/tui/view/typed-rows.ts';
import { fc, test as property } from './properties.ts';

describe('widths', () => {
  test.each([
    ['abc', 3],
    ['日本語', 6],
    ['e\u0301', 1],
    ['ｆｕｌｌ', 8],
    ['🙂', 2],
    ['한글', 4],
    ['└ ok', 4],
  ])('%s takes %i columns', (text, columns) => {
    expect(widthOf(text)).toBe(columns);
  });

  test('a wide character is never cut in half', () => {
    expect([startOf('日本', 3), endOf('日本', 3)]).toEqual(['日', '本']);
    expect(lineText(cut(line('日本語'), 4))).toBe('日…');
  });

  test('a mark does not lose its letter', () => {
    expect(endOf('ae\u0301', 1)).toBe('e\u0301');
    expect(startOf('e\u0301a', 1)).toBe('e\u0301');
  });
});

describe('lines', () => {
  test('are cut or padded to exactly the columns', () => {
    property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, columns) => {
      expect(lineWidth(fitted(line(text), columns))).toBe(columns);
      expect(lineWidth(spread(line(text), line('end'), columns))).toBe(columns);
    });
  });

  test('hold nothing that acts on a terminal', () => {
    expect(span('a\x1b[2Jb\u202ec\u200bd\x07\r\ne').text).toBe('a[2Jbcd e');
  });

  test('wrap between words, and inside words that are too long', () => {
    expect(wrapped('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrapped('abcdefgh ij', 4)).toEqual(['abcd', 'efgh', 'ij']);
    expect(wrapped('a b\n  c', 10)).toEqual(['a b', '  c']);
  });

  test('wrap without losing a character', () => {
    property(fc.string(), fc.integer({ min: 1, max: 30 }), (text, columns) => {
      const lines = wrapped(text, columns);
      expect(lines.join('').replaceAll(' ', '')).toBe(span(text).text.replaceAll(' ', ''));
      for (const one of lines) expect(widthOf(one)).toBeLessThanOrEqual(Math.max(columns, 1));
    });
  });
});

test('a typed text is shown as a whole, with the cursor where the next character goes', () => {
  property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 12, max: 40 }), fc.nat(200), (any, columns, place) => {
    const { text } = span(any);
    const at = [...text].slice(0, place).join('').length;
    const { lines, cursor } = typedRows(' you> ', { text, at }, { columns, rows: 200 });
    expect(lines.map((one, row) => lineText(one).slice(row === 0 ? 6 : 2)).join('')).toBe(text);
    for (const one of lines) expect(lineWidth(one)).toBeLessThan(columns);
    expect([cursor.column < columns, lines[cursor.row] !== undefined]).toEqual([true, true]);
    expect(typedRows('you> ', { text, at }, { columns, rows: 2 }).lines.length).toBeLessThanOrEqual(2);
  });
});

describe('painting', () => {
  test('sends only the lines that changed, as one update', () => {
    expect(repaint(['a', 'b'], ['a', 'c'])).toBe('\x1b[?2026h\x1b[2;1Hc\x1b[?2026l');
    expect(repaint(['a', 'b'], ['a', 'b'])).toBe('');
  });

  test('starts from an empty screen where the size changed or the screen is unknown', () => {
    expect(repaint(undefined, ['a'])).toContain('\x1b[2J\x1b[1;1Ha');
    expect(repaint(['a', 'b'], ['a'])).toContain('\x1b[2J\x1b[1;1Ha');
  });

  test('uses the colours that the terminal has', () => {
    const orange = [span('x', { colour: { red: 255, green: 128, blue: 0 } })];
    expect(paintLine(orange, 'true')).toContain('38;2;255;128;0m');
    expect(paintLine(orange, '256')).toContain('38;5;214m');
    expect(paintLine(orange, '16')).toMatch(/\x1b\[0;9[0-7]mx/);
    expect(paintLine(orange, 'none')).toContain('\x1b[0mx');
  });

  test('says the column again after characters about whose width terminals disagree', () => {
    expect(paintLine([span('🙂'), span('|')], 'none')).toContain('\x1b[3G');
  });

  test.each([
    [{ NO_COLOR: '1', COLORTERM: 'truecolor' }, 'none'],
    [{ TERM: 'dumb' }, 'none'],
    [{ COLORTERM: 'truecolor', TERM: 'xterm' }, 'true'],
    [{ TERM: 'tmux-256color' }, '256'],
    [{ TERM: 'linux' }, '16'],
  ])('%j has %s colours', (env, depth) => {
    expect(depthOf(env)).toBe(depth);
  });
});

describe('a terminal without UTF-8', () => {
  test.each([
    [{ LANG: 'C' }, true],
    [{ LANG: 'en_US.UTF-8', LC_ALL: 'POSIX' }, true],
    [{ LANG: 'C', LC_CTYPE: 'C.utf8' }, false],
    [{}, false],
  ])('%j: %s', (env, isOnly) => {
    expect(isAsciiOnly(env)).toBe(isOnly);
  });

  test('gets lines in ASCII that are as wide', () => {
    property(fc.string({ unit: 'grapheme' }), (text) => {
      const plain = asciiLine(line(text));
      expect(lineText(plain)).toMatch(/^[\x20-\x7e]*$/);
      expect(lineWidth(plain)).toBe(lineWidth(line(text)));
    });
    expect(lineText(asciiLine(line('▌├─日e\u0301…│')))).toBe('=+-??e~|');
  });
});

describe('keys', () => {
  test.each([
    ['j', ['j']],
    ['\x1b[A\x1bOB', ['up', 'down']],
    ['\r\t\x7f ', ['enter', 'tab', 'backspace', 'space']],
    ['\x04\x15', ['ctrl-d', 'ctrl-u']],
    ['\x1b[5~\x1b[6~\x1b[Z', ['page-up', 'page-down', 'shift-tab']],
    ['\x1bx', ['escape', 'x']],
    ['\x1b\x1b:w', ['escape', 'escape', ':', 'w']],
    ['\x1b[1;5C', ['ctrl-right']],
    ['é日🙂', ['é', '日', '🙂']],
    ['\x1b[999;1X', []],
  ])('%j are %j', (text, names) => {
    expect(decode(text).inputs).toEqual(names.map((name) => ({ kind: 'key', name })));
  });

  test('pasted text is no key, also where it comes in pieces', () => {
    const first = decode('a\x1b[200~q\x1b');
    expect(first.inputs).toEqual([{ kind: 'key', name: 'a' }]);
    expect(decode(`${first.rest}D\r\x1b[201~b`).inputs).toEqual([
      { kind: 'paste', text: 'q\x1bD\r' },
      { kind: 'key', name: 'b' },
    ]);
  });

  test('clicks and the wheel have their place', () => {
    expect(decode('\x1b[<0;3;2M\x1b[<0;3;2m\x1b[<65;1;1M').inputs).toEqual([
      { kind: 'click', row: 1, column: 2 },
      { kind: 'wheel', row: 0, column: 0, by: 1 },
    ]);
  });

  test('an escape alone is a key once nothing follows', () => {
    expect(decode('\x1b')).toEqual({ inputs: [], rest: '\x1b' });
    expect(decodeRest('\x1b')).toEqual([{ kind: 'key', name: 'escape' }]);
  });

  test('any bytes are decoded without an exception, in any pieces, to the same keys', () => {
    const bytes = fc.string({
      unit: fc.constantFrom('\x1b', '[', 'O', '<', '0', ';', 'A', 'M', '~', '2', '1', 'q', '\r'),
    });
    property(bytes, fc.nat(20), (text, at) => {
      const first = decode(text.slice(0, at));
      const second = decode(first.rest + text.slice(at));
      expect([...first.inputs, ...second.inputs]).toEqual(decode(text).inputs);
    });
  });
});

describe("an agent's screen", () => {
  test('keeps text, colours and attributes', () => {
    expect(agentScreen('a\x1b[1;31mb\x1b[38;5;208mc\x1b[0md\x1b[38;2;1;2;3me')).toEqual([
      [
        { text: 'a', style: {} },
        { text: 'b', style: { bold: true, colour: 1 } },
        { text: 'c', style: { bold: true, colour: 208 } },
        { text: 'd', style: {} },
        { text: 'e', style: { colour: { red: 1, green: 2, blue: 3 } } },
      ],
    ]);
  });

  test.each([
    ['a title', '\x1b]0;owned\x07text'],
    ['the clipboard', '\x1b]52;c;b3duZWQ=\x1b\\text'],
    ['cursor movement and clearing', '\x1b[2J\x1b[Htext\x1b[10A'],
    ['the alternate screen', '\x1b[?1049ltext'],
    ['a question to the terminal', '\x1b[c\x1b[6ntext\x1bP$q"p\x1b\\'],
    ['eight-bit sequences', '\x9b2Jtext'],
    ['a sequence that does not end', 'text\x1b]0;owned'],
  ])('does not let %s through', (_what, screen) => {
    expect(agentScreen(screen).map(lineText)).toEqual(['text']);
  });

  test('becomes only text and SGR, whatever the agent prints', () => {
    const pieces = fc.constantFrom(
      '\x1b[',
      '\x1b]',
      '\x1bP',
      '\x9b',
      '\x07',
      '\x1b\\',
      '31',
      ';',
      'm',
      'H',
      '0',
      '?',
      '1049h',
      'x',
      '日',
      '\u202e',
      '\0',
      '\n',
      '38;2;',
      '52;c;',
    );
    property(fc.oneof(fc.string({ unit: pieces }), fc.string({ unit: 'binary' })), (screen) => {
      for (const shown of agentScreen(screen)) {
        const painted = paintLine(shown, 'true').replace(/\x1b\[[0-9;]*m|\x1b\[\d+G|\x1b\[K/g, '');
        expect(painted).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
      }
    });
  });

  test('200,000 random strings of bytes become only text and SGR', () => {
    const random = generator(2026);
    const pieces = [
      '\x1b[',
      '\x1b]',
      '\x1bP',
      '\x1b_',
      '\x9b',
      '\x9d',
      '\x07',
      '\x1b\\',
      ';',
      'm',
      'H',
      '?1049h',
      '52;c;',
      '38;2;',
    ];
    const acting = /[\p{Cc}\p{Cf}\p{Cs}]/u;
    const strings = Array.from({ length: 200_000 }, () =>
      Array.from({ length: Math.floor(random() * 12) }, () =>
        random() < 0.5
          ? pieces[Math.floor(random() * pieces.length)]
          : String.fromCharCode(Math.floor(random() * (random() < 0.8 ? 256 : 0xffff))),
      ).join(''),
    );
    const through = strings.filter((text) =>
      agentScreen(text).some((line) =>
        acting.test(paintLine(line, 'true').replace(/\x1b\[[0-9;]*m|\x1b\[\d+G|\x1b\[K/g, '')),
      ),
    );
    expect(through).toEqual([]);
  });
});

/** A small generator of numbers from 0 to 1, the same for the same seed. */
function generator(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
