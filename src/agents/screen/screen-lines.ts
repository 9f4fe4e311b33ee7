// A screen as lines, with the frames that programs draw around them taken off.

export interface ScreenLine {
  readonly text: string;
  readonly isBlank: boolean;
  /** Nothing but a drawn line, such as the edge of a box. It is blank as well. */
  readonly isRule: boolean;
}

/** The rest of a screen is conversation. */
const BOTTOM = 60;

/** Drawn with the characters for boxes and blocks; a few dashes in a text are no line. */
const RULE = /^\s*[\u2500-\u259f\u254c]{3}[\u2500-\u259f\s]*$/;

const DASHED = /^\s*╌{3}[╌\s]*$/;

export function linesOf(screen: string): readonly ScreenLine[] {
  return withoutSidePane(screen.trimEnd().split(/\r?\n/).slice(-BOTTOM)).map(lineOf);
}

function lineOf(raw: string): ScreenLine {
  const inside = withoutFrame(raw);
  // A dashed line, and the edge of a box inside of a box, divide what belongs together.
  const isInner = DASHED.test(raw) || (inside !== raw.trimEnd() && RULE.test(inside));
  const isRule = RULE.test(raw) && !isInner;
  const text = isRule || isInner ? '' : withoutFrame(inside).trimEnd();
  return { text, isBlank: text === '', isRule };
}

/** In a wide terminal a program may show something else beside the conversation, behind a line from top to bottom. */
function withoutSidePane(rows: readonly string[]): readonly string[] {
  const counts = new Map<number, number>();
  for (const row of rows)
    for (let at = row.indexOf('│', FIRST_COLUMN); at !== -1; at = row.indexOf('│', at + 1))
      counts.set(at, (counts.get(at) ?? 0) + 1);
  const edge = [...counts].find(([, count]) => count >= FEWEST_ROWS && count > rows.length / 2)?.[0];
  return edge === undefined ? rows : rows.map((row) => (row[edge] === '│' ? row.slice(0, edge) : row));
}

/** What is narrower or shorter than this is something in the conversation. */
const FIRST_COLUMN = 40;
const FEWEST_ROWS = 10;

function withoutFrame(raw: string): string {
  const inside = raw.replace(/^ {0,2}[│┃] ?/, '').trimEnd();
  return /[│┃]$/.test(inside) ? inside.slice(0, -1).trimEnd() : inside;
}

/** The lines above a place, without blank ones, oldest first. */
export function nonBlankAbove(lines: readonly ScreenLine[], at: number, most: number): readonly string[] {
  const above = lines.slice(0, at).filter((line) => !line.isBlank);
  return above.slice(-most).map((line) => line.text);
}

/** The lines right above a place, up to the first blank one before them. */
export function paragraphAbove(lines: readonly ScreenLine[], at: number): readonly string[] {
  let end = at;
  while (end > 0 && lines[end - 1]?.isBlank) end--;
  let start = end;
  while (start > 0 && lines[start - 1]?.isBlank === false) start--;
  return lines.slice(start, end).map((line) => line.text);
}
