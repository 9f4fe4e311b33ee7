// The signals that agents dropped, on disk.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { SignalFile } from '../../core/model/event.ts';
import { explained } from '../../core/model/failure.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Disk, FileFacts } from '../../core/ports/disk.ts';
import type { FoundSignal, Inbox, InboxScan } from '../../core/ports/inbox.ts';
import type { Repo } from '../repo/repo.ts';
import { ensureFolder, removeIfThere } from '../system/files.ts';
import { readMessage, readSentinel, type SignalReader } from './read-signal.ts';
import { sessionKeys } from './session-keys.ts';
import { oldestCandidates, signalSources, sourcePaths, visibleNames } from './sources.ts';

const NONE: ReadonlySet<string> = new Set();

/** A sentinel with a body is taken once it has not changed for this long, in milliseconds. */
const SETTLE_TIME = 200;

export function signalInbox(
  disk: Disk,
  repo: Repo,
  clock: Clock,
  planExists = (plan: string): boolean => isPlanFile(repo.plans, plan),
): Inbox {
  const unchanged = new Map<string, { readonly facts: FileFacts; readonly since: number }>();
  const isStill = (path: string, facts: FileFacts): boolean => {
    const before = unchanged.get(path);
    const same = before !== undefined && before.facts.size === facts.size && before.facts.modified === facts.modified;
    if (!same) unchanged.set(path, { facts, since: clock.elapsed() });
    return same && clock.elapsed() - before.since >= SETTLE_TIME;
  };
  const reader: SignalReader = { disk, planExists, keys: sessionKeys(disk, repo.sessions), isStill };

  const scan = (limit: number, without: ReadonlySet<string>): InboxScan => {
    const sources = signalSources(disk, repo).filter(({ folder }) => !without.has(folder));
    const { candidates, hasMore } = oldestCandidates(disk, sources, limit);
    const signals: FoundSignal[] = [];
    /** Plans about which an older sentinel is still being written: later signals about them wait for it. */
    const unfinished = new Set<string>();
    for (const candidate of candidates) {
      const { session } = candidate.source;
      const found = session === undefined ? readSentinel(reader, candidate) : readMessage(reader, candidate, session);
      if (found === undefined) continue;
      if ('unfinished' in found) unfinished.add(found.unfinished);
      else if (found.event.kind !== 'signal' || !unfinished.has(found.event.signal.plan)) signals.push(found);
    }
    if (unfinished.size === 0) unchanged.clear();
    return { signals, hasMore, lookAgainIn: unfinished.size > 0 ? SETTLE_TIME : undefined };
  };

  return {
    scan: (limit, without = NONE) => explained('look for signals in', repo.signals, () => scan(limit, without)),
    remove(signal) {
      const { file } = signal.event.signal;
      explained('remove the signal', file.path, () => {
        const now = disk.facts(toPath(file));
        if (now !== undefined && isUnchanged(signal, now)) removeIfThere(disk, toPath(file));
      });
    },
    waiting: () =>
      explained('look for signals in', repo.signals, () =>
        signalSources(disk, repo).reduce((sum, { folder }) => sum + visibleNames(disk, folder).length, 0),
      ),
    watchedPaths: () =>
      explained('create', repo.signals, () => {
        ensureFolder(disk, repo.signals);
        ensureFolder(disk, repo.inbox, 0o700);
        return sourcePaths(disk, repo);
      }),
  };
}

/** Somebody may have written a new body, or a new file, after the old one was read. */
function isUnchanged({ event, facts }: FoundSignal, now: FileFacts): boolean {
  if (now.inode !== facts.inode || now.born !== facts.born) return false;
  const hasBody = event.kind === 'signal' && event.signal.body !== '';
  return !hasBody || (now.modified === facts.modified && now.size === facts.size);
}

export function toPath(file: SignalFile): string | Buffer {
  return file.bytes === undefined ? file.path : Buffer.from(file.bytes, 'base64');
}

/** Only a regular file is a plan: opening anything else might block. */
export function isPlanFile(plans: string, plan: string): boolean {
  if (plan.includes('/') || plan.includes('\0')) return false;
  return lstatSync(join(plans, plan), { throwIfNoEntry: false })?.isFile() ?? false;
}
