// Aligns columns. Widths are in characters; wide ones, as in Chinese, count as one.

export function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows.reduce<readonly number[]>(
    (widest, row) => row.map((cell, index) => Math.max(widest[index] ?? 0, widthOf(cell))),
    [],
  );
  return rows.map((row) =>
    row
      .map((cell, index) => cell + ' '.repeat(gap(widths[index] ?? 0, cell)))
      .join('  ')
      .trimEnd(),
  );
}

function gap(width: number, cell: string): number {
  return Math.max(0, width - widthOf(cell));
}

/** In code points; only text with surrogates has to be taken apart for that. */
function widthOf(cell: string): number {
  return /[\ud800-\udfff]/.test(cell) ? [...cell].length : cell.length;
}
