// The last records, of all or about a plan, read from the end of the journal, so that a long journal need not be parsed for a few lines.
import type { JournalRecord } from '../../core/model/record.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { PlanFile } from '../../plan/name.ts';
import { readWhole } from '../system/files.ts';
import { decodeRecords, recordsMentioning } from './record-text.ts';
import { BEGINNING, type Segments } from './segments.ts';

interface Wanted {
  /** Every record that is wanted mentions the plan; a line that does not mention it is not parsed. */
  readonly plan?: PlanFile;
  readonly isWanted: (record: JournalRecord) => boolean;
  readonly count: number;
}

/** A surface asks again and again about one plan: what mentions it is kept until another plan is asked for. */
export function openLastRecords(disk: Disk, journal: Segments): (wanted: Wanted) => readonly JournalRecord[] {
  let [of, kept]: [PlanFile | undefined, Kept] = [undefined, new Map()];
  return (wanted) => {
    if (wanted.plan !== of) [of, kept] = [wanted.plan, new Map()];
    return lastRecords(disk, journal, wanted, kept);
  };
}

/** By segment: how long it was, and its records that mention the plan. */
type Kept = Map<number, { readonly size: number; readonly mentioning: readonly JournalRecord[] }>;

function lastRecords(
  disk: Disk,
  journal: Segments,
  { plan, isWanted, count }: Wanted,
  kept: Kept,
): readonly JournalRecord[] {
  const name = plan === undefined ? '' : JSON.stringify(plan);
  const segments = journal.numbers();
  let found: readonly JournalRecord[] = [];
  for (const segment of segments.toReversed()) {
    if (found.length >= count) break;
    const path = journal.path(segment);
    const known = kept.get(segment);
    // Segments only grow.
    const isKnown = known !== undefined && known.size === disk.facts(path)?.size;
    const bytes = isKnown ? undefined : readWhole(disk, path);
    const mentioning = isKnown ? known.mentioning : mentioningIn(bytes, plan, name);
    if (mentioning !== undefined) {
      if (bytes !== undefined) kept.set(segment, { size: bytes.length, mentioning });
      found = [...mentioning.filter(isWanted), ...found];
      continue;
    }
    const read = bytes === undefined ? undefined : decodeRecords(bytes, segment);
    const isWhole = read?.kind === 'whole' || (read?.kind === 'torn' && segment === segments.at(-1));
    // Only a reading of all of it finds the words for what is wrong.
    if (!isWhole) return journal.read(BEGINNING).records.filter(isWanted).slice(-count);
    found = [...read.records.filter(isWanted), ...found];
  }
  return found.slice(-count);
}

/** Undefined where all of it has to be parsed. */
function mentioningIn(
  bytes: Buffer | undefined,
  plan: PlanFile | undefined,
  name: string,
): readonly JournalRecord[] | undefined {
  if (bytes === undefined || plan === undefined) return undefined;
  return bytes.includes(name) ? recordsMentioning(bytes, name) : [];
}
