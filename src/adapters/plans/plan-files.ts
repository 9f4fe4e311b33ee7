// The files in docs/plans: which plans there are, what they contain, and which have changed.
import { systemCode } from '../../core/model/failure.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Disk, FileFacts } from '../../core/ports/disk.ts';
import type { PlanFiles, PlanReading, PlanToRead } from '../../core/ports/plan-files.ts';
import { type PlanFile, planFile } from '../../plan/name.ts';
import { outlineOf } from '../../plan/outline.ts';
import { isUsable, parse } from '../../plan/parse.ts';
import type { Problem } from '../../plan/plan.ts';
import { signatureOf as factsSignature, isOlderThan } from '../system/file-signature.ts';
import { readWhole } from '../system/files.ts';
import { sha256 } from '../system/sha256.ts';
import { decodeText, KINDS } from '../system/signal-file.ts';
import { type KeptIn, type KeptReadings, NO_READINGS, openReadings } from './kept-readings.ts';

/** A file that has not changed for this long, in milliseconds, is probably complete. */
const SETTLE_TIME = 200;

/** The same for a file that has lost tasks: some programs take their time between emptying a file and filling it. */
const SETTLE_TIME_OF_LOSS = 2_000;

/** From this many files on, what was read is kept. */
const WORTH_KEEPING = 20;

/** People read plans; a larger file is a mistake. */
const LARGEST_PLAN_BYTES = 16 * 1024 * 1024;

export function planFiles(disk: Disk, folder: string, clock: Clock, keptIn?: KeptIn): PlanFiles {
  /** The signature of each plan's file when it was last handled. */
  const handled = new Map<PlanFile, string>();
  /** Since when each changed file has had its present signature. */
  const unchanged = new Map<PlanFile, { readonly signature: string; readonly since: number }>();

  // A plan's name has no folder in it, and join() takes longer than looking at the file.
  const pathOf = (plan: PlanFile): string => `${folder}/${plan}`;

  /** For how long the file has been as it is; 0 if it has just changed. */
  const stillFor = (plan: PlanFile, signature: string): number => {
    const now = clock.elapsed();
    const before = unchanged.get(plan);
    if (before?.signature !== signature) unchanged.set(plan, { signature, since: now });
    return before?.signature === signature ? now - before.since : 0;
  };

  const signatureOf = (plan: PlanFile): string => signatureFrom(factsOf(disk, pathOf(plan)));

  const read: PlanFiles['read'] = (plan, known) => {
    const facts = factsOf(disk, pathOf(plan));
    const reading =
      readIfPossible(disk, pathOf(plan), known) ?? unusable('It cannot be read at the moment. Try again.');
    const isFresh = facts !== undefined && !isOlderThan(facts, SETTLE_TIME_OF_LOSS, clock.now());
    return reading.kind === 'read' && isFresh ? { ...reading, fresh: true } : reading;
  };

  const readUnlessKept = ({ plan, file: known }: PlanToRead, facts: FileFacts | undefined, kept: KeptReadings) => {
    if (facts === undefined) return read(plan, known);
    const found = kept.find(plan, facts, known);
    if (found !== undefined) return found;
    const reading = read(plan, known);
    kept.keep(plan, facts, known, reading);
    return reading;
  };

  /** `see` is called with each plan in the folder. */
  const listed = (see: (plan: PlanFile, facts: FileFacts) => void = () => undefined): readonly PlanFile[] => {
    const found: { readonly plan: PlanFile; readonly modified: number }[] = [];
    for (const name of namesIn(disk, folder)) {
      const plan = planFile(name);
      const facts = plan === undefined ? undefined : factsOf(disk, pathOf(plan));
      if (plan === undefined || facts?.kind !== 'file') continue;
      see(plan, facts);
      found.push({ plan, modified: Number(facts.modified) });
    }
    found.sort((one, other) => other.modified - one.modified);
    return found.map(({ plan }) => plan);
  };

  const keptFor = (count: number): KeptReadings =>
    keptIn !== undefined && count >= WORTH_KEEPING ? openReadings(disk, keptIn, clock.now()) : NO_READINGS;

  return {
    folder,
    list: () => listed(),
    read,
    readAll(plans) {
      const all = [...plans];
      const kept = keptFor(all.length);
      const readings = new Map(
        all.map((one) => [one.plan, readUnlessKept(one, factsOf(disk, pathOf(one.plan)), kept)]),
      );
      kept.save();
      return readings;
    },
    survey(plans) {
      const wanted = new Map([...plans].map((one) => [one.plan, one]));
      const kept = keptFor(wanted.size);
      const readings = new Map<PlanFile, PlanReading>();
      const newestFirst = listed((plan, facts) => {
        const one = wanted.get(plan);
        if (one !== undefined) readings.set(plan, readUnlessKept(one, facts, kept));
      });
      kept.save();
      for (const { plan, file } of wanted.values()) if (!readings.has(plan)) readings.set(plan, read(plan, file));
      return { readings, newestFirst };
    },
    changed(plans, isLoss = () => false) {
      const readings: { plan: PlanFile; reading: PlanReading }[] = [];
      let lookAgainIn: number | undefined;
      const wait = (time: number): void => {
        lookAgainIn = Math.min(lookAgainIn ?? time, time);
      };
      for (const plan of plans) {
        const signature = signatureOf(plan);
        if (handled.get(plan) === signature) continue;
        const still = stillFor(plan, signature);
        const reading = still < SETTLE_TIME ? undefined : readIfPossible(disk, pathOf(plan));
        // A file that changed while it was read is read again later.
        if (reading === undefined || signatureOf(plan) !== signature) wait(SETTLE_TIME);
        else if (still < SETTLE_TIME_OF_LOSS && isLoss(plan, reading)) wait(SETTLE_TIME_OF_LOSS - still);
        else readings.push({ plan, reading });
      }
      return { readings, lookAgainIn };
    },
    markHandled(plan) {
      const last = unchanged.get(plan);
      if (last !== undefined) handled.set(plan, last.signature);
      unchanged.delete(plan);
    },
  };
}

/** Undefined if the system is short of resources. */
function readIfPossible(disk: Disk, path: string, known?: string): PlanReading | undefined {
  try {
    return readPlan(disk, path, known);
  } catch (error) {
    if (!TRANSIENT.includes(systemCode(error) ?? '')) throw error;
    return undefined;
  }
}

/** Reads any file as a plan. */
export function readPlan(disk: Disk, path: string, known?: string): PlanReading {
  const bytes = readPlanBytes(disk, path);
  if (bytes === undefined) return { kind: 'missing' };
  if (typeof bytes === 'string') return unusable(bytes);
  // The digest is of the text. Its bytes have the same one, unless they start with a byte order mark.
  if (known !== undefined && digest(bytes) === known) return { kind: 'known' };
  const text = decodeText(bytes);
  if (text === undefined) return unusable('It is not UTF-8 text, or contains NUL bytes.');
  if (known !== undefined && digest(text) === known) return { kind: 'known' };
  const { plan, problems } = parse(text, path);
  if (!isUsable(problems)) return { kind: 'unusable', problems };
  return { kind: 'read', outline: outlineOf(plan, text, digest), problems };
}

/** The file's text, also that of a plan with errors; undefined where it cannot be read as text. */
export function planText(disk: Disk, path: string): string | undefined {
  const bytes = readPlanBytes(disk, path);
  return bytes === undefined || typeof bytes === 'string' ? undefined : decodeText(bytes);
}

/** The file's bytes, undefined if it is missing, or a sentence that says why it cannot be read. */
function readPlanBytes(disk: Disk, path: string): Buffer | string | undefined {
  try {
    const facts = disk.facts(path);
    if (facts === undefined) return undefined;
    if (facts.kind !== 'file') return `It is ${KINDS[facts.kind]}, not a file.`;
    if (facts.size > LARGEST_PLAN_BYTES) return `It is larger than ${LARGEST_PLAN_BYTES} bytes.`;
    return readWhole(disk, path);
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined || TRANSIENT.includes(code)) throw error;
    return code === 'ENOENT' ? undefined : `It cannot be read (${code}).`;
  }
}

/** Errors that pass and say nothing about the file. */
const TRANSIENT: readonly string[] = ['EMFILE', 'ENFILE', 'EIO', 'EINTR', 'EAGAIN', 'ENOMEM'];

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

function signatureFrom(facts: FileFacts | undefined): string {
  return facts === undefined ? 'missing' : factsSignature(facts);
}

function namesIn(disk: Disk, folder: string): readonly string[] {
  try {
    return disk.names(folder);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return [];
  }
}
