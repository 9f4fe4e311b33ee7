// Aligns columns. Widths are in characters; wide ones, as in Chinese, count as one.

/** Written for tables of thousands of rows: no cell is looked at more often than necessary. */
export function columns(rows: readonly (readonly string[])[]): readonly string[] {
  // In code points; only text with surrogates has to be taken apart for that.
  const isPlain = !rows.some((row) => /[\ud800-\udfff]/.test(row.join('')));
  const widthOf = (cell: string): number => (isPlain ? cell.length : [...cell].length);
  const widths: number[] = [];
  for (const row of rows)
    for (let index = 0; index < row.length; index++) {
      const width = widthOf(row[index] ?? '');
      if (width > (widths[index] ?? -1)) widths[index] = width;
    }
  return rows.map((row) => {
    let line = '';
    for (let index = 0; index < row.length; index++) {
      const cell = row[index] ?? '';
      // The cells of a column are mostly of one width.
      const missing = (widths[index] ?? 0) - widthOf(cell);
      line += index === 0 ? cell : `  ${cell}`;
      if (missing > 0) line += ' '.repeat(missing);
    }
    return line.trimEnd();
  });
}
