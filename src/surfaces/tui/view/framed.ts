// A pane with its frame: a title at the top left, another at the top right, and sections below each other.
import { cut, fitted, type Line, lineWidth, type Style, span } from '../terminal/styled.ts';
import { TONES } from './theme.ts';

export interface FramedSection {
  readonly title: string;
  readonly right?: string;
  readonly lines: readonly Line[];
  /** How many rows it takes; the last one without takes what is left. */
  readonly rows?: number;
}

/** Exactly so many rows and columns, the frame included. */
export function framed(
  sections: readonly FramedSection[],
  size: { readonly rows: number; readonly columns: number },
  isFocused: boolean,
): readonly Line[] {
  const style = isFocused ? TONES.focus : TONES.frame;
  const inside = size.columns - 2;
  const fixed = sections.reduce((sum, one) => sum + (one.rows ?? 0), 0);
  const open = sections.filter(({ rows }) => rows === undefined);
  let room = size.rows - 1 - sections.length - fixed;
  const lines = sections.flatMap((section, index) => {
    const isLastOpen = section === open.at(-1);
    const rows = section.rows ?? (isLastOpen ? room : Math.min(room, Math.max(1, section.lines.length)));
    if (section.rows === undefined) room -= rows;
    const [left, right] = index === 0 ? ['┌', '┐'] : ['├', '┤'];
    const body = Array.from({ length: Math.max(0, rows) }, (_none, at) => section.lines[at] ?? []);
    return [
      titleLine(section, size.columns, [left, right], { style, isStrong: index === 0 && isFocused }),
      ...body.map((one): Line => [span('│', style), ...fitted(one, inside), span('│', style)]),
    ];
  });
  return [...lines, [span(`└${'─'.repeat(Math.max(0, inside))}┘`, style)]];
}

function titleLine(
  { title, right = '' }: FramedSection,
  columns: number,
  [start, end]: readonly [string, string] | readonly string[],
  { style, isStrong }: { readonly style: Style; readonly isStrong: boolean },
): Line {
  const name = cut([span(title, isStrong ? TONES.focus : {})], Math.max(0, columns - 4));
  const room = columns - 3 - lineWidth(name);
  const other = room > right.length + 1 ? right : '';
  const dashes = '─'.repeat(Math.max(0, room - other.length - (other === '' ? 0 : 1)));
  return [
    span(`${start ?? ''}─`, style),
    ...name,
    span(dashes, style),
    ...(other === '' ? [] : [span(other), span('─', style)]),
    span(end ?? '', style),
  ];
}
