// The files in docs/plans: which plans there are, what they contain, and which have changed.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { systemCode } from '../../core/model/failure.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Disk, FileFacts } from '../../core/ports/disk.ts';
import type { PlanFiles, PlanReading } from '../../core/ports/plan-files.ts';
import { type PlanFile, planFile } from '../../plan/name.ts';
import { outlineOf } from '../../plan/outline.ts';
import { isUsable, parse } from '../../plan/parse.ts';
import type { Problem } from '../../plan/plan.ts';
import { readWhole } from '../system/files.ts';
import { decodeText, KINDS } from '../system/signal-file.ts';

/** A file that has not changed for this long, in milliseconds, is probably complete. */
const SETTLE_TIME = 200;

/** People read plans; a larger file is a mistake. */
const LARGEST_PLAN_BYTES = 16 * 1024 * 1024;

export function planFiles(disk: Disk, folder: string, clock: Clock): PlanFiles {
  /** The signature of each plan's file when it was last handled. */
  const handled = new Map<PlanFile, string>();
  /** Since when each changed file has had its present signature. */
  const unchanged = new Map<PlanFile, { readonly signature: string; readonly since: number }>();

  const isStill = (plan: PlanFile, signature: string): boolean => {
    const now = clock.elapsed();
    const before = unchanged.get(plan);
    if (before?.signature !== signature) unchanged.set(plan, { signature, since: now });
    return before?.signature === signature && now - before.since >= SETTLE_TIME;
  };

  const signatureOf = (plan: PlanFile): string => signatureFrom(factsOf(disk, join(folder, plan)));

  return {
    folder,
    list() {
      const found = namesIn(disk, folder).flatMap((name) => {
        const plan = planFile(name);
        const facts = plan === undefined ? undefined : factsOf(disk, join(folder, plan));
        return plan === undefined || facts?.kind !== 'file' ? [] : [{ plan, modified: facts.modified }];
      });
      found.sort((one, other) => (one.modified === other.modified ? 0 : one.modified > other.modified ? -1 : 1));
      return found.map(({ plan }) => plan);
    },
    read: (plan, known) =>
      readIfPossible(disk, join(folder, plan), known) ?? unusable('It cannot be read at the moment. Try again.'),
    changed(plans) {
      const readings: { plan: PlanFile; reading: PlanReading }[] = [];
      let isAnyUnfinished = false;
      for (const plan of plans) {
        const signature = signatureOf(plan);
        if (handled.get(plan) === signature) continue;
        const reading = isStill(plan, signature) ? readIfPossible(disk, join(folder, plan)) : undefined;
        // A file that changed while it was read is read again later.
        if (reading !== undefined && signatureOf(plan) === signature) readings.push({ plan, reading });
        else isAnyUnfinished = true;
      }
      return { readings, lookAgainIn: isAnyUnfinished ? SETTLE_TIME : undefined };
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
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

function factsOf(disk: Disk, path: string): FileFacts | undefined {
  try {
    return disk.facts(path);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

/** Differs whenever the file has changed: nobody can set back the time of its last change. */
function signatureFrom(facts: FileFacts | undefined): string {
  return facts === undefined ? 'missing' : `${facts.inode} ${facts.size} ${facts.modified} ${facts.changed}`;
}

function namesIn(disk: Disk, folder: string): readonly string[] {
  try {
    return disk.list(folder).map((name) => name.toString('utf8'));
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return [];
  }
}
