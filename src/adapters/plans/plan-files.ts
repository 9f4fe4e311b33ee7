// docs/plans: which plans lie there, what stands in them, and which have changed.
import { systemCode } from '../../core/model/failure.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Disk, FileFacts } from '../../core/ports/disk.ts';
import type { PlanFiles, PlanReading } from '../../core/ports/plan-files.ts';
import { type PlanFile, planFile } from '../../plan/name.ts';
import { outlineOf } from '../../plan/outline.ts';
import { isUsable, parse } from '../../plan/parse.ts';
import type { Problem } from '../../plan/plan.ts';
import { signatureOf } from '../system/file-signature.ts';
import { readWhole } from '../system/files.ts';
import { sha256 } from '../system/sha256.ts';
import { decodeText, KINDS } from '../system/signal-file.ts';
import { type KeptIn, type KeptReadings, NO_READINGS, openReadings } from './kept-readings.ts';

/** A file that has not changed for so long is not being written, as far as one can tell. */
const STILL_FOR = 200;

/** From so many files on, what was read is kept. */
const WORTH_KEEPING = 20;

/** Plans are texts that people read; what is larger was put there by mistake. */
const LARGEST_PLAN_BYTES = 16 * 1024 * 1024;

export function planFiles(disk: Disk, folder: string, clock: Clock, keptIn?: KeptIn): PlanFiles {
  /** For each plan what its file was when it was dealt with, and since when it has been as it is. */
  const dealtWith = new Map<PlanFile, string>();
  const resting = new Map<PlanFile, { readonly facts: string; readonly since: number }>();

  // A plan's name has no folder in it, and join() takes longer than the look at the file.
  const pathOf = (plan: PlanFile): string => `${folder}/${plan}`;

  const hasComeToRest = (plan: PlanFile, facts: string): boolean => {
    const now = clock.elapsed();
    const before = resting.get(plan);
    if (before?.facts !== facts) resting.set(plan, { facts, since: now });
    return before?.facts === facts && now - before.since >= STILL_FOR;
  };

  const signatureNow = (plan: PlanFile): string => signature(factsOf(disk, pathOf(plan)));

  const read: PlanFiles['read'] = (plan, known) =>
    readIfPossible(disk, pathOf(plan), known) ?? unusable('It cannot be read at the moment. Try again.');

  const readUnlessKept = (plan: PlanFile, known: string | undefined, kept: KeptReadings): PlanReading => {
    const facts = factsOf(disk, pathOf(plan));
    if (facts === undefined) return read(plan, known);
    const found = kept.find(plan, facts, known);
    if (found !== undefined) return found;
    const reading = read(plan, known);
    kept.keep(plan, facts, known, reading);
    return reading;
  };

  return {
    folder,
    list() {
      const found = namesIn(disk, folder).flatMap((name) => {
        const plan = planFile(name);
        const facts = plan === undefined ? undefined : factsOf(disk, pathOf(plan));
        return plan === undefined || facts?.kind !== 'file' ? [] : [{ plan, modified: facts.modified }];
      });
      found.sort((one, other) => (one.modified === other.modified ? 0 : one.modified > other.modified ? -1 : 1));
      return found.map(({ plan }) => plan);
    },
    read,
    readAll(plans) {
      const all = [...plans];
      const isWorthIt = keptIn !== undefined && all.length >= WORTH_KEEPING;
      const kept = isWorthIt ? openReadings(disk, keptIn, clock.now()) : NO_READINGS;
      const readings = new Map(all.map(({ plan, file }) => [plan, readUnlessKept(plan, file, kept)]));
      kept.save();
      return readings;
    },
    changed(plans) {
      const readings: { plan: PlanFile; reading: PlanReading }[] = [];
      let growing = false;
      for (const plan of plans) {
        const now = signatureNow(plan);
        if (dealtWith.get(plan) === now) continue;
        const reading = hasComeToRest(plan, now) ? readIfPossible(disk, pathOf(plan)) : undefined;
        // What changed while it was read is read again when it has come to rest.
        if (reading !== undefined && signatureNow(plan) === now) readings.push({ plan, reading });
        else growing = true;
      }
      return { readings, lookAgainIn: growing ? STILL_FOR : undefined };
    },
    taken(plan) {
      const rested = resting.get(plan);
      if (rested !== undefined) dealtWith.set(plan, rested.facts);
      resting.delete(plan);
    },
  };
}

/** Nothing where the system has no room for it just now. */
function readIfPossible(disk: Disk, path: string, known?: string): PlanReading | undefined {
  try {
    return readPlan(disk, path, known);
  } catch (error) {
    if (!PASSING.includes(systemCode(error) ?? '')) throw error;
    return undefined;
  }
}

/** Any file as a plan, wherever it lies. */
export function readPlan(disk: Disk, path: string, known?: string): PlanReading {
  const bytes = readPlanBytes(disk, path);
  if (bytes === undefined) return { kind: 'missing' };
  if (typeof bytes === 'string') return unusable(bytes);
  // Nearly always: what stands for the text stands for its bytes too, unless they begin with a byte order mark.
  if (known !== undefined && digest(bytes) === known) return { kind: 'known' };
  const text = decodeText(bytes);
  if (text === undefined) return unusable('It is not text in UTF-8, or holds NUL bytes.');
  if (known !== undefined && digest(text) === known) return { kind: 'known' };
  const { plan, problems } = parse(text, path);
  if (!isUsable(problems)) return { kind: 'unusable', problems };
  return { kind: 'read', outline: outlineOf(plan, text, digest), problems };
}

/** The file's bytes, nothing where there is none, or the sentence that says why it cannot be read. */
function readPlanBytes(disk: Disk, path: string): Buffer | string | undefined {
  try {
    const facts = disk.facts(path);
    if (facts === undefined) return undefined;
    if (facts.kind !== 'file') return `It is ${KINDS[facts.kind]}, not a file.`;
    if (facts.size > LARGEST_PLAN_BYTES) return `It is larger than ${LARGEST_PLAN_BYTES} bytes.`;
    return readWhole(disk, path);
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined || PASSING.includes(code)) throw error;
    return code === 'ENOENT' ? undefined : `It cannot be read (${code}).`;
  }
}

/** What may be over in a moment says nothing about the file. */
const PASSING: readonly string[] = ['EMFILE', 'ENFILE', 'EIO', 'EINTR', 'EAGAIN', 'ENOMEM'];

function unusable(message: string): PlanReading {
  const problem: Problem = { line: 1, column: 1, severity: 'error', code: 'unreadable', message };
  return { kind: 'unusable', problems: [problem] };
}

function digest(text: string | Buffer): string {
  return sha256(text).slice(0, 32);
}

function factsOf(disk: Disk, path: string): FileFacts | undefined {
  try {
    return disk.facts(path);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

function signature(facts: FileFacts | undefined): string {
  return facts === undefined ? 'missing' : signatureOf(facts);
}

function namesIn(disk: Disk, folder: string): readonly string[] {
  try {
    return disk.list(folder).map((name) => name.toString('utf8'));
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return [];
  }
}
