// plan-readings.json: what was read from each plan file, and the facts the file had then. It saves reading files that have
// not changed, and may be lost.

import { systemCode } from '../../core/model/failure.ts';
import type { Disk, FileFacts } from '../../core/ports/disk.ts';
import type { PlanReading } from '../../core/ports/plan-files.ts';
import type { PlanFile } from '../../plan/name.ts';
import type { Outline } from '../../plan/outline.ts';
import { checkedText, withChecksum } from '../system/checked-text.ts';
import { hasSettled, isStillAt, numbersOf, type Signature } from '../system/file-signature.ts';
import { readWhole, replaceDerived } from '../system/files.ts';

/** For each plan, what its file was read as; `known` is the digest of the text that its tasks were read from last. */
export interface KeptReadings {
  /** The reading, if the file has had the same facts ever since. */
  find(plan: PlanFile, facts: FileFacts, known: string | undefined): PlanReading | undefined;
  keep(plan: PlanFile, facts: FileFacts, known: string | undefined, reading: PlanReading): void;
  /** Writes what is to be kept; a failure costs time and nothing else. */
  save(): void;
}

/** Keeps nothing: a few files are read as quickly as what is kept of them. */
export const NO_READINGS: KeptReadings = { find: () => undefined, keep: () => {}, save: () => {} };

export interface KeptIn {
  readonly path: string;
  /** The version of cadre: another one may read the same file differently. */
  readonly version: string;
}

/** `of`: the digest of a text that the journal knows, or the outline of one that it does not know yet. */
interface Kept {
  readonly at: Signature;
  readonly of: string | Outline;
}

export function openReadings(disk: Disk, place: KeptIn, now: Date): KeptReadings {
  const before = load(disk, place);
  /** Only of plans that were asked for, so that those that are gone are forgotten. */
  const kept = new Map<PlanFile, Kept>();
  let isChanged = false;
  return {
    find(plan, facts, known) {
      const found = before[plan];
      if (found === undefined || !isStillAt(found.at, facts)) return undefined;
      const { at, of } = found;
      if (typeof of === 'string') {
        kept.set(plan, found);
        return of === known ? KNOWN : undefined;
      }
      // An outline that the journal knows by now need not be kept.
      const isKnown = known !== undefined && of.file === known;
      if (isKnown) isChanged = true;
      kept.set(plan, isKnown ? { at, of: known } : found);
      return isKnown ? KNOWN : { kind: 'read', outline: of, problems: [] };
    },
    keep(plan, facts, known, reading) {
      const of = asKept(reading, known);
      if (of === undefined || !hasSettled(facts, now)) return;
      kept.set(plan, { at: numbersOf(facts), of });
      isChanged = true;
    },
    save() {
      if (isChanged) write(disk, place, kept);
    },
  };
}

const KNOWN: PlanReading = { kind: 'known' };

/** Texts of tasks go into the journal when the engine reads the file; nobody else needs them. */
function asKept(reading: PlanReading, known: string | undefined): Kept['of'] | undefined {
  if (reading.kind === 'known') return known;
  if (reading.kind !== 'read') return undefined;
  const { tasks, ...outline } = reading.outline;
  return { ...outline, tasks: tasks.map((task) => ({ ...task, text: '' })) };
}

function write(disk: Disk, { path, version }: KeptIn, kept: ReadonlyMap<PlanFile, Kept>): void {
  const json = JSON.stringify({ version, files: Object.fromEntries(kept) });
  try {
    replaceDerived(disk, path, withChecksum(json));
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
  }
}

/** Two processes may write it at the same time, so what does not match its checksum is ignored. */
function load(disk: Disk, { path, version }: KeptIn): Readonly<Record<string, Kept>> {
  const bytes = readIfPossible(disk, path);
  const json = bytes === undefined ? undefined : checkedText(bytes);
  if (json === undefined) return {};
  const read: { version: string; files: Record<string, Kept> } = JSON.parse(json);
  return read.version === version ? read.files : {};
}

function readIfPossible(disk: Disk, path: string): Buffer | undefined {
  try {
    return readWhole(disk, path);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
