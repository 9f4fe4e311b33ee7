// What is no longer needed, and what it takes on disk, as lines for a person.
import type { Cleaned, GarbageView } from '../../../app/actions/action.ts';
import type { DiskUsage, GarbageReport } from '../../../app/reads/garbage.ts';
import { GARBAGE_KINDS } from '../../../core/views/garbage/situation.ts';
import { counted } from '../../../text/counted.ts';
import { showText } from '../../../text/show.ts';
import { columns } from './columns.ts';
import { shortTime } from './record-line.ts';

/** So many of each kind are listed; the rest is counted. */
const MOST_LISTED = 20;

export function garbageLines(report: GarbageReport, older: string): readonly string[] {
  const { items, heldBack, bytesInGit } = report;
  const held =
    heldBack.length === 0
      ? []
      : [`Not included: ${counted(heldBack.length, 'piece')} of work that exists nowhere else (--unmerged).`];
  if (items.length === 0) return [`Nothing older than ${older} can be removed.`, ...held];
  const listed = GARBAGE_KINDS.flatMap((kind) => {
    const all = items.filter((item) => item.kind === kind);
    const more = all.length - MOST_LISTED;
    const rest = more > 0 ? [['', `and ${more} more`, '', '', '']] : [];
    return [...all.slice(0, MOST_LISTED).map(rowOf), ...rest];
  });
  return [
    ...columns([['kind', 'what', 'since', 'size', 'why'], ...listed]),
    '',
    `${counted(items.length, 'thing')}, ${sizeOf(totalOf(items))} on disk${inGit(bytesInGit)}.`,
    ...held,
  ];
}

function rowOf({ kind, id, at, bytes, why }: GarbageView): readonly string[] {
  return [kind, showText(id), at === null ? '-' : shortTime(at), bytes === 0 ? '-' : sizeOf(bytes), showText(why)];
}

function inGit(bytes: number): string {
  return bytes === 0 ? '' : `, and ${sizeOf(bytes)} that git frees at its next collection`;
}

function totalOf(items: readonly { readonly bytes: number }[]): number {
  return items.reduce((sum, { bytes }) => sum + bytes, 0);
}

export function cleanedLines({ removed, stayed }: Cleaned): readonly string[] {
  return [
    `Removed ${counted(removed.length, 'thing')}, ${sizeOf(totalOf(removed))} on disk.`,
    ...stayed.map(({ id, why }) => `${showText(id)} stays: ${showText(why)}`),
  ];
}

export function usageLines(usage: readonly DiskUsage[]): readonly string[] {
  const rows = usage.map(({ kind, count, bytes }) => [kind, `${count}`, bytes === 0 ? '-' : sizeOf(bytes)]);
  return [...columns([['kind', 'count', 'size'], ...rows]), '', `${sizeOf(totalOf(usage))} together.`];
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

export function sizeOf(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 1000 && unit < UNITS.length - 1) [size, unit] = [size / 1000, unit + 1];
  return `${unit === 0 || size >= 10 ? Math.round(size) : size.toFixed(1)} ${UNITS[unit]}`;
}
