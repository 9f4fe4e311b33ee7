// How a line of markdown opens, continues or closes a block: markers of quotes and lists, fences, rules.
import { isSpace, type MarkdownLine } from './line.ts';

/** A line indented further than this is indented code, or continues a paragraph. */
export const WIDEST_INDENT = 3;

export const HASH = 35;
export const DASH = 45;
export const STAR = 42;
export const OPENING_ANGLE = 60;
export const EQUALS = 61;
export const CLOSING_ANGLE = 62;
export const UNDERSCORE = 95;
export const BACKTICK = 96;
export const TILDE = 126;

const CLOSING_PARENTHESIS = 41;
const PLUS = 43;
const DOT = 46;

export function passQuoteMarker(line: MarkdownLine): void {
  line.pass(1);
  if (line.indent > 0) line.skip(1);
}

/** Zero if there is no list marker. */
export function listMarkerWidth(line: MarkdownLine): number {
  const { first, content } = line;
  const isBullet = first === DASH || first === STAR || first === PLUS;
  const width = isBullet ? 1 : numberWidth(line);
  return line.isSpaceOrEnd(content + width) ? width : 0;
}

function numberWidth(line: MarkdownLine): number {
  let digits = 0;
  while (digits < 10 && isDigit(line.charAt(line.content + digits))) digits++;
  const delimiter = line.charAt(line.content + digits);
  const isNumber = digits > 0 && digits < 10 && (delimiter === DOT || delimiter === CLOSING_PARENTHESIS);
  return isNumber ? digits + 1 : 0;
}

function isDigit(char: number): boolean {
  return char >= 48 && char <= 57;
}

/** Inside a paragraph, only an item with text starts a list, and only with number 1: "2019." may end a sentence. */
export function mayInterruptParagraph(line: MarkdownLine, width: number): boolean {
  const number = line.slice(line.content, line.content + width - 1);
  return (number === '' || Number(number) === 1) && !line.isBlankFrom(line.content + width);
}

/** Moves to the content of the item; returns how far later lines must be indented to belong to it. */
export function passListMarker(line: MarkdownLine, width: number): number {
  const end = line.indent + width;
  line.pass(width);
  // If the item starts with indented code, only one column separates the marker from it.
  const gap = line.isBlank || line.indent > WIDEST_INDENT + 1 ? 1 : line.indent;
  line.skip(Math.min(gap, line.indent));
  return end + gap;
}

export interface FenceOpening {
  readonly marker: number;
  readonly length: number;
  readonly indent: number;
  readonly info: string;
}

export function fenceOpening(line: MarkdownLine): FenceOpening | undefined {
  const after = line.endOfRun(line.content);
  const length = after - line.content;
  if (length < 3) return undefined;
  const info = line.slice(line.skipSpace(after), line.backOverSpace(after, line.stop));
  if (line.first === BACKTICK && info.includes('`')) return undefined;
  return { marker: line.first, length, indent: line.indent, info };
}

export function closesFence(fence: FenceOpening, line: MarkdownLine): boolean {
  if (line.first !== fence.marker || line.indent > WIDEST_INDENT) return false;
  const after = line.endOfRun(line.content);
  return after - line.content >= fence.length && line.isBlankFrom(after);
}

export function isRule(line: MarkdownLine): boolean {
  const marker = line.first;
  let count = 0;
  for (let position = line.content; position < line.stop; position++) {
    const char = line.charAt(position);
    if (char === marker) count++;
    else if (!isSpace(char)) return false;
  }
  return count >= 3;
}
