// Points a problem at its line and column.

import type { TextSpan } from './markdown/span.ts';
import type { Problem } from './plan.ts';

export type ProblemPlace = Pick<TextSpan, 'line' | 'from'>;

export function firstLine(block: { readonly line: number; readonly start: number }): ProblemPlace {
  return { line: block.line, from: block.start };
}

export function problemAt(text: string, place: ProblemPlace, what: Omit<Problem, 'line' | 'column'>): Problem {
  return { line: place.line, column: columnOf(text, place.from), ...what };
}

/** Scans back to the start of the line, so the cost depends only on the length of the line. */
function columnOf(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && text[start - 1] !== '\n' && text[start - 1] !== '\r') start--;
  return offset - start + 1;
}
