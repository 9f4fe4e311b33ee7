// Styled text: lines of spans, cut and padded to columns. What a span holds is inert: nothing in it acts on a terminal.
import { sanitize } from '../../../text/sanitize.ts';
import { isAscii, startOf, widthOf } from './width.ts';

export type Colour =
  /** One of the 256 colours of a terminal; the first 16 are the person's own. */
  number | { readonly red: number; readonly green: number; readonly blue: number };

export interface Style {
  readonly colour?: Colour;
  readonly background?: Colour;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly underline?: boolean;
  readonly inverse?: boolean;
}

export interface Span {
  readonly text: string;
  readonly style: Style;
}

export type Line = readonly Span[];

export const PLAIN: Style = {};

export function span(text: string, style: Style = PLAIN): Span {
  return { text: inert(text), style };
}

export function line(text: string, style: Style = PLAIN): Line {
  return text === '' ? [] : [span(text, style)];
}

/** Text on one line, without anything that acts on a terminal or is drawn by joining characters. */
export function inert(text: string): string {
  if (isAscii(text)) return text;
  return sanitize(text.replaceAll('\t', '  ')).replaceAll('\n', ' ');
}

export function lineWidth(spans: Line): number {
  return spans.reduce((sum, { text }) => sum + widthOf(text), 0);
}

export function lineText(spans: Line): string {
  return spans.map(({ text }) => text).join('');
}

/** Cut to the columns, with an ellipsis where something is missing. */
export function cut(spans: Line, columns: number): Line {
  if (lineWidth(spans) <= columns) return spans;
  if (columns <= 0) return [];
  const kept: Span[] = [];
  let room = columns - 1;
  for (const { text, style } of spans) {
    const start = startOf(text, room);
    if (start !== '') kept.push({ text: start, style });
    room -= widthOf(start);
    if (start !== text) break;
  }
  return [...kept, { text: CUT, style: kept.at(-1)?.style ?? PLAIN }];
}

const CUT = '…';

/** Exactly this wide. */
export function fitted(spans: Line, columns: number, style: Style = PLAIN): Line {
  const short = cut(spans, columns);
  const missing = columns - lineWidth(short);
  return missing <= 0 ? short : [...short, { text: ' '.repeat(missing), style }];
}

/** `left` and `right` at the two ends; of the two, the left one is cut. */
export function spread(left: Line, right: Line, columns: number, style: Style = PLAIN): Line {
  const end = cut(right, columns);
  const room = columns - lineWidth(end);
  const gap = lineWidth(end) > 0 && room > 1 ? 1 : 0;
  return [...fitted(left, room - gap, style), ...(gap > 0 ? [{ text: ' ', style }] : []), ...end];
}

/** The whole line in this style, on top of what its spans have. */
export function restyled(spans: Line, style: Style): Line {
  return spans.map((one) => ({ text: one.text, style: { ...one.style, ...style } }));
}

/** Words wrapped to the columns; what follows the first line is indented. */
export function wrapped(text: string, columns: number, indent = 0): readonly string[] {
  return text.split('\n').flatMap((part) => wrappedLine(inert(part), columns, indent));
}

function wrappedLine(text: string, columns: number, indent: number): readonly string[] {
  if (widthOf(text) <= columns) return [text];
  const lines: string[] = [];
  const leading = /^ */.exec(text)?.[0] ?? '';
  let now = leading.slice(0, Math.max(0, columns - 1));
  let isEmpty = true;
  const open = (): void => {
    lines.push(now);
    now = ' '.repeat(Math.min(indent, Math.max(0, columns - 1)));
    isEmpty = true;
  };
  for (const word of text.slice(leading.length).split(/ +/)) {
    if (!isEmpty && widthOf(now) + 1 + widthOf(word) > columns) open();
    let rest = word;
    while (widthOf(now) + (isEmpty ? 0 : 1) + widthOf(rest) > columns && columns > widthOf(now)) {
      const start = startOf(rest, Math.max(1, columns - widthOf(now)));
      if (start === '') break;
      now += start;
      rest = rest.slice(start.length);
      open();
    }
    now += isEmpty ? rest : ` ${rest}`;
    isEmpty = false;
  }
  return [...lines, now];
}
