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

export function linesOf(screen: string): readonly ScreenLine[] {
  return screen.trimEnd().split(/\r?\n/).slice(-BOTTOM).map(lineOf);
}

function lineOf(raw: string): ScreenLine {
  const isRule = RULE.test(raw);
  const text = isRule ? '' : withoutFrame(raw).trimEnd();
  return { text, isBlank: text === '', isRule };
}

function withoutFrame(raw: string): string {
  return raw.replace(/^ ?[│┃] ?/, '').replace(/\s*[│┃]\s*$/, '');
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
