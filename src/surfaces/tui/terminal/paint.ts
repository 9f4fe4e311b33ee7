// Frames as bytes for a terminal: only the lines that changed, in the colours that the terminal has.
import type { Colour, Line, Style } from './styled.ts';
import { isAscii, widthOf } from './width.ts';

export type Depth = 'none' | '16' | '256' | 'true';

/** The colours of a terminal, from its environment. */
export function depthOf(env: Readonly<Record<string, string | undefined>>): Depth {
  const { NO_COLOR = '', COLORTERM = '', TERM = '' } = env;
  if (NO_COLOR !== '' || TERM === 'dumb') return 'none';
  if (/truecolor|24bit/i.test(COLORTERM)) return 'true';
  return /256/.test(TERM) ? '256' : '16';
}

/** A terminal whose locale is not UTF-8 shows other characters as several wrong ones. */
export function isAsciiOnly(env: Readonly<Record<string, string | undefined>>): boolean {
  const locale = [env.LC_ALL, env.LC_CTYPE, env.LANG].find((value) => value !== undefined && value !== '');
  return locale !== undefined && !/utf-?8/i.test(locale);
}

/** The same line, as wide, in ASCII. */
export function asciiLine(spans: Line): Line {
  return spans.map(({ text, style }) => ({ text: isAscii(text) ? text : [...text].map(asciiOf).join(''), style }));
}

function asciiOf(char: string): string {
  return isAscii(char) ? char : (ASCII[char] ?? '?'.repeat(widthOf(char)));
}

const ASCII: { readonly [char: string]: string } = {
  ...Object.fromEntries([...'┌┐└┘├┤'].map((corner) => [corner, '+'])),
  '─': '-',
  '│': '|',
  '▌': '=',
  '…': '~',
};

/** `before`: the painted lines that the terminal shows; undefined where it is not known. */
export function repaint(before: readonly string[] | undefined, after: readonly string[]): string {
  const isNew = before === undefined || before.length !== after.length;
  const changed = after.flatMap((text, row) => (isNew || before[row] !== text ? [`\x1b[${row + 1};1H${text}`] : []));
  if (changed.length === 0) return '';
  return `${SYNCHRONIZED}${isNew ? '\x1b[0m\x1b[2J' : ''}${changed.join('')}${SHOWN}`;
}

/** The terminal shows everything between these at once. */
const [SYNCHRONIZED, SHOWN] = ['\x1b[?2026h', '\x1b[?2026l'];

export function paintLine(spans: Line, depth: Depth): string {
  let [painted, column, isCertain] = ['', 1, true];
  for (const { text, style } of spans) {
    if (text === '') continue;
    // Terminals disagree about the width of some characters, so the column is said again after them.
    painted += `${isCertain ? '' : `\x1b[${column}G`}${styleCode(style, depth)}${text}`;
    column += widthOf(text);
    isCertain = isAscii(text);
  }
  return `${painted}\x1b[0m\x1b[K`;
}

function styleCode({ colour, background, bold, dim, underline, inverse }: Style, depth: Depth): string {
  const codes = [
    '0',
    ...(bold ? ['1'] : []),
    ...(dim ? ['2'] : []),
    ...(underline ? ['4'] : []),
    ...(inverse ? ['7'] : []),
    ...colourCodes(colour, depth, 30),
    ...colourCodes(background, depth, 40),
  ];
  return `\x1b[${codes.join(';')}m`;
}

/** `base`: 30 for the text, 40 for the background. */
function colourCodes(colour: Colour | undefined, depth: Depth, base: 30 | 40): readonly string[] {
  if (colour === undefined || depth === 'none') return [];
  if (typeof colour === 'number') return indexedCodes(colour, depth, base);
  const { red, green, blue } = colour;
  if (depth === 'true') return [`${base + 8}`, '2', `${red}`, `${green}`, `${blue}`];
  return indexedCodes(cubeIndex(red, green, blue), depth, base);
}

function indexedCodes(index: number, depth: Depth, base: 30 | 40): readonly string[] {
  const near = depth === '16' && index > 15 ? nearestOf16(index) : index;
  if (near < 8) return [`${base + near}`];
  if (near < 16) return [`${base + 60 + near - 8}`];
  return [`${base + 8}`, '5', `${near}`];
}

/** The nearest colour of the 6x6x6 cube. */
function cubeIndex(red: number, green: number, blue: number): number {
  const step = (value: number): number => Math.round((Math.min(255, Math.max(0, value)) / 255) * 5);
  return 16 + 36 * step(red) + 6 * step(green) + step(blue);
}

function nearestOf16(index: number): number {
  if (index >= 232) return index < 238 ? 0 : index < 244 ? 8 : index < 250 ? 7 : 15;
  const [red, green, blue] = [36, 6, 1].map((size) => Math.floor((index - 16) / size) % 6) as [number, number, number];
  const bits = (red > 2 ? 1 : 0) + (green > 2 ? 2 : 0) + (blue > 2 ? 4 : 0);
  return Math.max(red, green, blue) > 4 ? bits + 8 : bits;
}
