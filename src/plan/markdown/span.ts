// The content of a block: which parts of which lines belong to it, without indentation and the markers of lists and quotes.
import { HASH } from './block-markers.ts';
import { isSpace, type MarkdownLine } from './line.ts';

/** A part of one line; in a fence, one or more whole lines. */
export interface TextSpan {
  /** The number of its first line, from 1. */
  readonly line: number;
  /** Offsets in the text. The line end is not part of the span. */
  readonly from: number;
  readonly to: number;
  /** Spaces to put before it, where list or quote markers used up only a part of a tab. */
  readonly padding: number;
}

/** A span of a fence that is still open. */
export interface OpenSpan extends TextSpan {
  to: number;
}

export function textOf(text: string, spans: readonly TextSpan[]): string {
  return spans
    .map(({ from, to, padding }) => ' '.repeat(padding) + text.slice(from, to).replace(/\r\n?/g, '\n'))
    .join('\n');
}

/** Whether a line starts as every label does. Most do not, so that nothing else need be read of them. */
export function startsBold(text: string, { from }: TextSpan): boolean {
  return text.startsWith('**', from) || text.startsWith('__', from);
}

/** One line of a paragraph. */
export function paragraphSpan(line: MarkdownLine): TextSpan {
  return spanOf(line, line.content, line.backOverSpace(line.content, line.stop));
}

/** The text of a heading, without its hashes at either end. */
export function headingSpan(line: MarkdownLine, afterHashes: number): TextSpan {
  const from = line.skipSpace(afterHashes);
  const to = line.backOverSpace(from, line.stop);
  let beforeClosing = to;
  while (beforeClosing > from && line.charAt(beforeClosing - 1) === HASH) beforeClosing--;
  if (beforeClosing === from) return spanOf(line, from, from);
  const isClosed = isSpace(line.charAt(beforeClosing - 1));
  return spanOf(line, from, isClosed ? line.backOverSpace(from, beforeClosing) : to);
}

/** Extends the last span if it can: with one object per line, the garbage collector would copy a long fence repeatedly. */
export function addCodeLine(spans: OpenSpan[], line: MarkdownLine): void {
  const last = spans.at(-1);
  const isWholeLine = line.position === line.start && line.padding === 0;
  if (last !== undefined && isWholeLine) last.to = line.stop;
  else spans.push({ line: line.number, from: line.position, to: line.stop, padding: line.padding });
}

function spanOf(line: MarkdownLine, from: number, to: number): TextSpan {
  return { line: line.number, from, to, padding: 0 };
}
