// A text that is being typed, on as many rows as it takes: all of it can be read before it is sent.
import type { TypedLine } from '../model/line-editor.ts';
import { type Line, span } from '../terminal/styled.ts';
import { startOf, widthOf } from '../terminal/width.ts';
import { TONES } from './theme.ts';

interface TypedRows {
  readonly lines: readonly Line[];
  /** Where the next character goes. */
  readonly cursor: { readonly row: number; readonly column: number };
}

/** Of a text that needs more rows, those around the cursor. */
export function typedRows(
  label: string,
  { text, at }: TypedLine,
  size: { readonly rows: number; readonly columns: number },
): TypedRows {
  const rows = rowsOf(text, label, size.columns);
  const row = Math.max(
    0,
    rows.findLastIndex(({ from }) => from <= at),
  );
  const { from: start, indent } = rows[row] ?? { from: 0, indent: label };
  const column = widthOf(indent) + widthOf(text.slice(start, at));
  const top = Math.max(0, Math.min(row, rows.length - size.rows));
  const lines = rows.map((one): Line => [span(one.indent, TONES.focus), span(text.slice(one.from, one.to))]);
  return { lines: lines.slice(top, top + size.rows), cursor: { row: row - top, column } };
}

interface Row {
  readonly from: number;
  readonly to: number;
  readonly indent: string;
}

/** Broken after a space where there is one. The last column is for the cursor. */
function rowsOf(text: string, label: string, columns: number): readonly Row[] {
  const rows: Row[] = [];
  for (let from = 0; from < text.length || rows.length === 0; ) {
    const indent = rows.length === 0 ? label : '  ';
    // Text from an editor, or made of comments, has paragraphs.
    const [paragraph = ''] = text.slice(from).split('\n', 1);
    const isParagraph = from + paragraph.length < text.length;
    const fitting = startOf(paragraph, Math.max(2, columns - 1 - widthOf(indent)));
    const isLast = fitting.length === paragraph.length;
    const length = isLast ? fitting.length + (isParagraph ? 1 : 0) : fitting.lastIndexOf(' ') + 1 || fitting.length;
    rows.push({ from, to: from + length, indent });
    from += Math.max(1, length);
  }
  return rows;
}
