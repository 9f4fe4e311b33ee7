// A table in markdown.

/** Nothing where there are no rows. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const lines = [header, header.map(() => '---'), ...rows].map((row) => `| ${row.map(escapeCell).join(' | ')} |`);
  return `${lines.join('\n')}\n`;
}

function escapeCell(cell: string): string {
  return cell.replaceAll('|', '\\|');
}
