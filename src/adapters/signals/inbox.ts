// Looks for signals: messages in the boxes of sessions, and sentinels in the checkout and its worktrees.
import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Signal, SignalFile } from '../../core/model/event.ts';
import { explained, systemCode } from '../../core/model/failure.ts';
import type { RuleRefusal } from '../../core/model/refusal.ts';
import { parseRunName } from '../../core/model/run-name.ts';
import { signalFromMessage } from '../../core/model/signal.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Disk, FileFacts } from '../../core/ports/disk.ts';
import type { Inbox, Scan, Seen } from '../../core/ports/inbox.ts';
import { decodeMessage, isSessionName } from '../../signals/message.ts';
import { type Decoded, decodeSentinel } from '../../signals/sentinel.ts';
import { showName } from '../../text/show.ts';
import type { Repo } from '../repo/repo.ts';
import { ensureFolder, readWhole, removeIfThere } from '../system/files.ts';
import { decodeText, readSafely } from '../system/signal-file.ts';

/** A sentinel with a body is taken when it has not changed for this long. */
export const STILL_FOR = 200;

const NANOSECONDS_A_MILLISECOND = 1_000_000n;

/** How many names of one folder are looked at in one scan, times the share that it may hand in. */
const LOOK_AHEAD = 4;

interface Source {
  readonly folder: string;
  /** The session whose box it is; none for a folder of sentinels. */
  readonly session?: string;
  /** The run in whose worktree it lies, if cadre made the worktree. */
  readonly task?: string;
}

/** A sentinel that is still being written, and the plan it is about. */
interface Growing {
  readonly growing: string;
}

interface Candidate {
  readonly source: Source;
  readonly name: Buffer;
  readonly facts: FileFacts;
}

export function signalInbox(
  disk: Disk,
  repo: Repo,
  clock: Clock,
  exists = (plan: string): boolean => isPlanFile(repo.plans, plan),
): Inbox {
  const resting = new Map<string, { readonly facts: FileFacts; readonly since: number }>();

  const readSentinel = ({ source, name, facts }: Candidate): Seen | Growing | undefined => {
    const file = fileOf(source, name, facts);
    const text = decodeText(name);
    const decoded: Decoded =
      text === undefined
        ? { kind: 'unreadable', why: `"${printable(name)}" is no signal: its name is not valid UTF-8.` }
        : decodeSentinel(text);
    if (decoded.kind === 'unreadable') return unreadable(source, name, facts, 'bad-name', decoded.why);
    const hasBody = decoded.kind === 'signal' && decoded.signal.body === 'required';
    if (hasBody && facts.kind === 'file' && !hasComeToRest(file.path, facts)) return { growing: decoded.plan };
    const read = readSafely(disk, pathOf(source, name), facts);
    if (read.kind === 'gone') return undefined;
    if (read.kind === 'unfit') return unreadable(source, name, facts, read.code, notTaken(name, read.why));
    if (hasBody && !read.still) return { growing: decoded.plan };
    const body = hasBody ? decodeText(read.bytes) : '';
    if (body === undefined)
      return unreadable(source, name, facts, 'not-utf8', notTaken(name, 'its text is not valid UTF-8'));
    const { plan } = decoded;
    const signal: Signal = {
      // Without a body nothing that is written into it matters, not even the second half of `echo done > file`.
      id: sentinelId(pathOf(source, name), facts, body),
      name: decoded.kind === 'signal' ? decoded.signal.name : decoded.event.replaceAll('_', '-'),
      plan,
      by: { who: 'agent', role: 'outside' },
      body,
      file,
      made: new Date(Number(facts.born / NANOSECONDS_A_MILLISECOND)).toISOString(),
      planFileExists: exists(plan),
      ...(source.task === undefined ? {} : { task: source.task }),
    };
    return { event: { kind: 'signal', signal }, facts };
  };

  const hasComeToRest = (path: string, facts: FileFacts): boolean => {
    const before = resting.get(path);
    const same = before !== undefined && before.facts.size === facts.size && before.facts.modified === facts.modified;
    if (!same) resting.set(path, { facts, since: clock.elapsed() });
    return same && clock.elapsed() - before.since >= STILL_FOR;
  };

  const readMessage = ({ source, name, facts }: Candidate, session: string): Seen | undefined => {
    const read = readSafely(disk, pathOf(source, name), facts);
    if (read.kind === 'gone') return undefined;
    if (read.kind === 'unfit') return unreadable(source, name, facts, read.code, notTaken(name, read.why));
    const text = decodeText(read.bytes);
    if (text === undefined)
      return unreadable(source, name, facts, 'not-utf8', notTaken(name, 'its text is not valid UTF-8'));
    const message = decodeMessage(text, session);
    if ('why' in message) return unreadable(source, name, facts, 'unreadable', notTaken(name, message.why));
    const around = { file: fileOf(source, name, facts), planFileExists: exists(message.plan) };
    return { event: { kind: 'signal', signal: signalFromMessage(message, around) }, facts };
  };

  const scan = (limit: number): Scan => {
    const { candidates, more } = candidatesOf(disk, sourcesOf(disk, repo), limit);
    const seen: Seen[] = [];
    /** Plans about which something older is still being written: what was said later waits for it. */
    const growing = new Set<string>();
    for (const candidate of candidates) {
      const { session } = candidate.source;
      const result = session === undefined ? readSentinel(candidate) : readMessage(candidate, session);
      if (result === undefined) continue;
      if ('growing' in result) growing.add(result.growing);
      else if (result.event.kind !== 'signal' || !growing.has(result.event.signal.plan)) seen.push(result);
    }
    if (growing.size === 0) resting.clear();
    return { seen, more, lookAgainIn: growing.size > 0 ? STILL_FOR : undefined };
  };

  return {
    scan: (limit) => explained('look for signals in', repo.signals, () => scan(limit)),
    remove(seen) {
      const path = toPath(seen.event.signal.file);
      explained('remove the signal', seen.event.signal.file.path, () => {
        const now = disk.facts(path);
        if (now !== undefined && isSameSignal(seen, now)) removeIfThere(disk, path);
      });
    },
    waiting: () =>
      explained('look for signals in', repo.signals, () =>
        sourcesOf(disk, repo).reduce((sum, { folder }) => sum + list(disk, folder).filter(isVisible).length, 0),
      ),
    watchedPaths: () =>
      explained('make', repo.signals, () => {
        ensureFolder(disk, repo.signals);
        ensureFolder(disk, repo.inbox, 0o700);
        const linked = linkedWorktrees(disk, repo);
        return [
          repo.inbox,
          linked.folder,
          ...linked.unfinished,
          ...possibleSources(disk, repo, linked.roots).map(({ folder }) => folder),
        ];
      }),
  };
}

/** Someone may have written a new body, or a new file, after the old one was read. */
function isSameSignal({ event, facts }: Seen, now: FileFacts): boolean {
  if (now.inode !== facts.inode || now.born !== facts.born) return false;
  const hasBody = event.kind === 'signal' && event.signal.body !== '';
  return !hasBody || (now.modified === facts.modified && now.size === facts.size);
}

export function toPath(file: SignalFile): string | Buffer {
  return file.bytes === undefined ? file.path : Buffer.from(file.bytes, 'base64');
}

function sourcesOf(disk: Disk, repo: Repo): readonly Source[] {
  const { roots } = linkedWorktrees(disk, repo);
  return possibleSources(disk, repo, roots).filter((source) => disk.facts(source.folder)?.kind === 'folder');
}

/** Also the folders that nobody has made yet. */
function possibleSources(disk: Disk, repo: Repo, worktrees: readonly string[]): readonly Source[] {
  const boxes = names(disk, repo.inbox)
    .filter(isSessionName)
    .map((session) => ({ folder: join(repo.inbox, session, 'new'), session }));
  const signals = relative(repo.root, repo.signals);
  const inWorktrees = worktrees.map((root) => ({ folder: join(root, signals), ...runOf(repo, root) }));
  return [{ folder: repo.signals }, ...inWorktrees, ...boxes];
}

interface LinkedWorktrees {
  /** Where git keeps a folder for each of them. */
  readonly folder: string;
  readonly roots: readonly string[];
  /** The files that will name the roots of those that git is just adding. */
  readonly unfinished: readonly string[];
}

/** `gitdir` in the folder that git keeps for a worktree points at the worktree's `.git` file. */
function linkedWorktrees(disk: Disk, repo: Repo): LinkedWorktrees {
  const folder = join(repo.gitFolder, 'worktrees');
  const roots: string[] = [];
  const unfinished: string[] = [];
  for (const name of names(disk, folder)) {
    const file = join(folder, name, 'gitdir');
    const path = readWhole(disk, file)?.toString('utf8').trim() ?? '';
    // Absolute, or since git 2.48 relative to that folder.
    if (path === '') unfinished.push(file);
    else roots.push(dirname(resolve(folder, name, path)));
  }
  return { folder, roots, unfinished };
}

/** A worktree of cadre's own belongs to the run that it is named after. */
function runOf(repo: Repo, root: string): { task?: string } {
  const [, name = ''] = relative(repo.worktrees, root).split(sep);
  const task = parseRunName(name)?.task;
  return root.startsWith(repo.worktrees + sep) && task !== undefined ? { task } : {};
}

/** The oldest of every source, each with an equal share, so that a flood from one leaves room for the others. */
function candidatesOf(
  disk: Disk,
  sources: readonly Source[],
  limit: number,
): { candidates: Candidate[]; more: boolean } {
  const listings = sources
    .map((source) => ({ source, names: list(disk, source.folder).filter(isVisible) }))
    .filter((listing) => listing.names.length > 0);
  const share = Math.max(1, Math.floor(limit / Math.max(1, listings.length)));
  const candidates = listings.flatMap((listing) =>
    listing.names
      .slice(0, share * LOOK_AHEAD)
      .flatMap((name) => {
        const facts = disk.facts(pathOf(listing.source, name));
        return facts === undefined ? [] : [{ source: listing.source, name, facts }];
      })
      .sort(oldestFirst)
      .slice(0, share),
  );
  return { candidates: candidates.sort(oldestFirst), more: listings.some((listing) => listing.names.length > share) };
}

function oldestFirst(one: Candidate, other: Candidate): number {
  if (one.facts.modified !== other.facts.modified) return one.facts.modified < other.facts.modified ? -1 : 1;
  return Buffer.compare(one.name, other.name);
}

function names(disk: Disk, folder: string): readonly string[] {
  return list(disk, folder).map((name) => name.toString('utf8'));
}

/** Agents make and remove folders while we look; one that is gone or closed to us holds no signals. */
function list(disk: Disk, folder: string): readonly Buffer[] {
  try {
    return disk.list(folder);
  } catch (error) {
    if (UNLISTABLE.includes(systemCode(error) ?? '')) return [];
    throw error;
  }
}

const UNLISTABLE = ['ENOENT', 'ENOTDIR', 'EACCES'];

function unreadable(source: Source, name: Buffer, facts: FileFacts, code: RuleRefusal, why: string): Seen {
  const file = fileOf(source, name, facts);
  const id = sentinelId(pathOf(source, name), facts, '');
  return { event: { kind: 'unreadable-signal', signal: { id, shown: printable(name), file, code, why } }, facts };
}

/** Made once, a file stays the same signal however often it is touched: `touch` itself makes it and then sets its times. */
function sentinelId(path: Buffer, facts: FileFacts, body: string): string {
  const hash = createHash('sha256').update(path).update(`\0${facts.inode}\0${facts.born}\0`).update(body);
  return `sentinel/${hash.digest('hex').slice(0, 32)}`;
}

function pathOf(source: Source, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(source.folder + sep), name]);
}

function fileOf(source: Source, name: Buffer, facts: FileFacts): SignalFile {
  const path = join(source.folder, name.toString('utf8'));
  const raw = pathOf(source, name);
  const exact = Buffer.from(path).equals(raw) ? {} : { bytes: raw.toString('base64') };
  return { path, inode: String(facts.inode), ...exact };
}

/** A file, or a link to one; whatever else has a plan's name is not a plan, and opening it might wait forever. */
export function isPlanFile(plans: string, plan: string): boolean {
  if (plan.includes('/') || plan.includes('\0')) return false;
  return lstatSync(join(plans, plan), { throwIfNoEntry: false })?.isFile() ?? false;
}

function notTaken(name: Buffer, why: string): string {
  return `"${printable(name)}" was not taken: ${why}.`;
}

function printable(name: Buffer): string {
  return showName(name.toString('utf8'));
}

function isVisible(name: Buffer): boolean {
  return name[0] !== DOT;
}

const DOT = 0x2e;
