// The last records, of all or about a plan, read from the end of the journal, so that a long journal need not be parsed for a few lines.
import type { JournalRecord } from '../../core/model/record.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { PlanFile } from '../../plan/name.ts';
import { readWhole } from '../system/files.ts';
import { decodeRecords } from './record-text.ts';
import { BEGINNING, type Segments } from './segments.ts';

export interface Wanted {
  /** Every record that is wanted mentions the plan; a segment that does not mention it is not parsed. */
  readonly plan?: PlanFile;
  readonly isWanted: (record: JournalRecord) => boolean;
  readonly count: number;
}

export function lastRecords(
  disk: Disk,
  journal: Segments,
  { plan, isWanted, count }: Wanted,
): readonly JournalRecord[] {
  const name = plan === undefined ? '' : JSON.stringify(plan);
  const segments = journal.numbers();
  let found: readonly JournalRecord[] = [];
  for (const segment of segments.toReversed()) {
    if (found.length >= count) break;
    const bytes = readWhole(disk, journal.path(segment));
    if (bytes?.includes(name) === false) continue;
    const read = bytes === undefined ? undefined : decodeRecords(bytes, segment);
    const isWhole = read?.kind === 'whole' || (read?.kind === 'torn' && segment === segments.at(-1));
    // Only a reading of all of it finds the words for what is wrong.
    if (!isWhole) return journal.read(BEGINNING).records.filter(isWanted).slice(-count);
    found = [...read.records.filter(isWanted), ...found];
  }
  return found.slice(-count);
}
