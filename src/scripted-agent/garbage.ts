// Output that can confuse a terminal, or a program that reads one.

const ESC = '\x1b';

const TEXTS: readonly string[] = [
  // Control characters, also ones that break a line.
  'nul\0 bell\x07 backspaces\b\b\b tab\t vertical\v form\f shift\x0e out\x0f in delete\x7f',
  'overwritten\rby this',
  // Colours that are reset and colours that are not, and a very long parameter list.
  `${ESC}[1;31;48;5;200mcoloured${ESC}[0m ${ESC}[38;2;1;2;3m${ESC}[${'9;'.repeat(200)}9m`,
  // Cursor movement, clearing, and the alternate screen.
  `${ESC}[999;999H${ESC}[2J${ESC}[H${ESC}[3J${ESC}[5A${ESC}[K${ESC}[?25l${ESC}7${ESC}[1;1r${ESC}8`,
  `${ESC}[?1049hthe other screen${ESC}[?1049l`,
  // Titles, links and the clipboard.
  `${ESC}]0;a title${ESC}\\${ESC}]2;another\x07${ESC}]8;;file:///etc/passwd\x07a link${ESC}]8;;\x07`,
  `${ESC}]52;c;cm0gLXJmIC8K\x07${ESC}]1337;File=inline=1:AAAA\x07${ESC}]4;0;?\x07`,
  // Queries that a terminal answers on the program's input.
  `${ESC}[c${ESC}[>c${ESC}[6n${ESC}[5n${ESC}Z${ESC}P$qm${ESC}\\${ESC}P+q544e${ESC}\\`,
  // Mouse, bracketed paste and keypad modes.
  `${ESC}[?1000h${ESC}[?1006h${ESC}[?2004h${ESC}[>4;2m${ESC}=${ESC}[?1l${ESC}>`,
  // Other string sequences, and truncated sequences.
  `${ESC}_application${ESC}\\${ESC}^private${ESC}\\${ESC}Xstring${ESC}\\${ESC}Ptmux;${ESC}${ESC}]0;x\x07${ESC}\\`,
  `${ESC}]0;cut off${ESC}[12;\x18${ESC}Pcut off\x18\x1a${ESC}\\${ESC}`,
  // Character sets, and eight-bit control characters.
  `${ESC}(0lqqk${ESC}(B${ESC}%@${ESC}%G \x9b31m \x9d0;x\x9c \x90x\x9c`,
  // Deceptive text.
  '\u202eright to left\u202c \u2066isolated\u2069 zero\u200bwidth\u200d \ufeff e\u0301\u0301\u0301 👩‍👩‍👧‍👦 한글 ﷽ \u2028 \u{e0041}\u{10ffff}',
  // The patterns that mean something at the bottom of the screen, where they mean nothing.
  '  [busy]   \n> [idle]\nhe said: [asks] nothing',
  'x'.repeat(5_000),
];

/** Restores the terminal: mouse, character set, cursor and paste mode. */
const RESTORE = `${ESC}[?1000;1006;2004l${ESC}[>4m${ESC}[?25h${ESC}7${ESC}[r${ESC}8${ESC}(B\x0f${ESC}[0m`;

/** Invalid UTF-8: a stray continuation byte, a truncated character, an overlong encoding, half a surrogate pair. */
const INVALID_UTF8 = Uint8Array.of(0x80, 0xbf, 0xc3, 0x28, 0xe2, 0x82, 0x20, 0xc0, 0xaf, 0xed, 0xa0, 0x80, 0xfe, 0xff);

export const GARBAGE: Uint8Array = Buffer.concat([
  Buffer.from(`${TEXTS.join('\n')}\n`),
  INVALID_UTF8,
  Buffer.from(`${RESTORE}\n`),
]);
