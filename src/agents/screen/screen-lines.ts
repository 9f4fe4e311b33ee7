// A screen as lines, without the frames that programs draw around them.

export interface ScreenLine {
  readonly text: string;
  readonly isBlank: boolean;
  /** Only a drawn line, such as the edge of a box. Such a line is also blank. */
  readonly isRule: boolean;
}

/** How many lines to read. Everything above them is conversation. */
const BOTTOM = 60;

/** Made of box-drawing and block characters; dashes in a text do not count. */
const RULE = /^\s*[\u2500-\u259f\u254c]{3}[\u2500-\u259f\s]*$/;

const DASHED = /^\s*╌{3}[╌\s]*$/;

export function linesOf(screen: string): readonly ScreenLine[] {
  return withoutSidePane(screen.trimEnd().split(/\r?\n/).slice(-BOTTOM)).map(lineOf);
}

function lineOf(raw: string): ScreenLine {
  const inside = withoutFrame(raw);
  // A dashed line, or the edge of a box inside a box, does not separate sections.
  const isInner = DASHED.test(raw) || (inside !== raw.trimEnd() && RULE.test(inside));
  const isRule = RULE.test(raw) && !isInner;
  const text = isRule || isInner ? '' : withoutFrame(inside).trimEnd();
  return { text, isBlank: text === '', isRule };
}

/** In a wide terminal a program may show a side pane to the right of a vertical line. */
function withoutSidePane(rows: readonly string[]): readonly string[] {
  const counts = new Map<number, number>();
  for (const row of rows)
    for (let at = row.indexOf('│', FIRST_COLUMN); at !== -1; at = row.indexOf('│', at + 1))
      counts.set(at, (counts.get(at) ?? 0) + 1);
  const edge = [...counts].find(([, count]) => count >= FEWEST_ROWS && count > rows.length / 2)?.[0];
  return edge === undefined ? rows : rows.map((row) => (row[edge] === '│' ? row.slice(0, edge) : row));
}

/** A vertical line further left, or in fewer rows, is part of the conversation. */
const FIRST_COLUMN = 40;
const FEWEST_ROWS = 10;

function withoutFrame(raw: string): string {
  const inside = raw.replace(/^ {0,2}[│┃] ?/, '').trimEnd();
  return /[│┃]$/.test(inside) ? inside.slice(0, -1).trimEnd() : inside;
}

/** The last non-blank lines above `at`, oldest first. */
export function nonBlankAbove(lines: readonly ScreenLine[], at: number, most: number): readonly string[] {
  const above = lines.slice(0, at).filter((line) => !line.isBlank);
  return above.slice(-most).map((line) => line.text);
}

/** The paragraph directly above `at`. */
export function paragraphAbove(lines: readonly ScreenLine[], at: number): readonly string[] {
  let end = at;
  while (end > 0 && lines[end - 1]?.isBlank) end--;
  let start = end;
  while (start > 0 && lines[start - 1]?.isBlank === false) start--;
  return lines.slice(start, end).map((line) => line.text);
}
