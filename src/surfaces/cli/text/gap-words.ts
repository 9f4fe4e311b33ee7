// A gap in which no engine was awake, in words.
import type { JournalRecord } from '../../../core/model/record.ts';

export function gapWords({ gap }: Extract<JournalRecord, { event: 'clock_gap' }>): string {
  return gap < 0
    ? `the clock was set back by ${lengthWords(-gap)}; deadlines move with it`
    : `no engine was awake for ${lengthWords(gap)}; that time does not count`;
}

const MINUTE = 60_000;

/** "8 h 5 min", "2 d 3 h", "4 min": the two largest parts. */
function lengthWords(milliseconds: number): string {
  const minutes = Math.round(milliseconds / MINUTE);
  const parts = [
    [Math.floor(minutes / 1440), 'd'],
    [Math.floor(minutes / 60) % 24, 'h'],
    [minutes % 60, 'min'],
  ] as const;
  const first = parts.findIndex(([count]) => count > 0);
  return parts
    .slice(first === -1 ? 2 : first, first === -1 ? 3 : first + 2)
    .filter(([count], index) => count > 0 || index === 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}
