// Text cut to a length that fits a column.
import { showText } from './show.ts';

/** Safe to print, and at most `most` characters long: a long cell would push everything else off the screen. */
export function shortened(text: string, most = LONGEST_CELL): string {
  const shown = showText(text);
  return shown.length > most ? `${shown.slice(0, most - 1)}…` : shown;
}

const LONGEST_CELL = 60;
