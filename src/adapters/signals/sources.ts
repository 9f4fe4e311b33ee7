// The folders in which signals appear: a box for each session, and `docs/plans/.signals` of the checkout and every worktree.
import { dirname, join, relative, resolve, sep } from 'node:path';
import { systemCode } from '../../core/model/failure.ts';
import { type PlaceId, placeId } from '../../core/model/ids.ts';
import { ADHOC, parseRunName } from '../../core/model/run-name.ts';
import type { Disk, FileFacts } from '../../core/ports/disk.ts';
import { isSessionName } from '../../signals/message.ts';
import type { Repo } from '../repo/repo.ts';
import { readWhole } from '../system/files.ts';

export interface SignalSource {
  readonly folder: string;
  /** The session whose box this is; undefined for a folder of sentinels. */
  readonly session?: string;
  /** The task of the run whose worktree this is in, if cadre created the worktree. */
  readonly task?: string;
  /** The place of the session that a person started, in whose worktree this is. */
  readonly place?: PlaceId;
}

/** A file in a source that may be a signal. */
export interface SignalCandidate {
  readonly source: SignalSource;
  readonly name: Buffer;
  readonly facts: FileFacts;
}

/** How many names of a folder are checked in one scan, as a multiple of its share of the limit. */
const LOOK_AHEAD = 4;

/** The sources that exist. */
export function signalSources(disk: Disk, repo: Repo): readonly SignalSource[] {
  const { roots } = linkedWorktrees(disk, repo);
  return possibleSources(disk, repo, roots).filter((source) => disk.facts(source.folder)?.kind === 'folder');
}

/** Everything whose change may add a source or a signal. */
export function sourcePaths(disk: Disk, repo: Repo): readonly string[] {
  const { folder, roots, unfinished } = linkedWorktrees(disk, repo);
  const sources = possibleSources(disk, repo, roots);
  return [repo.inbox, folder, ...unfinished, ...sources.map((source) => source.folder)];
}

/** The oldest files of every source. Each source has an equal share, so that a flood in one leaves room for the others. */
export function oldestCandidates(
  disk: Disk,
  sources: readonly SignalSource[],
  limit: number,
): { readonly candidates: readonly SignalCandidate[]; readonly hasMore: boolean } {
  const listings = sources
    .map((source) => ({ source, names: visibleNames(disk, source.folder) }))
    .filter((listing) => listing.names.length > 0);
  const share = Math.max(1, Math.floor(limit / Math.max(1, listings.length)));
  const candidates = listings.flatMap((listing) =>
    listing.names
      .slice(0, share * LOOK_AHEAD)
      .flatMap((name) => {
        const facts = disk.facts(candidatePath({ source: listing.source, name }));
        return facts === undefined ? [] : [{ source: listing.source, name, facts }];
      })
      .sort(oldestFirst)
      .slice(0, share),
  );
  return { candidates: candidates.sort(oldestFirst), hasMore: listings.some(({ names }) => names.length > share) };
}

/** Bytes, because a name need not be UTF-8. */
export function candidatePath({ source, name }: Pick<SignalCandidate, 'source' | 'name'>): Buffer {
  return Buffer.concat([Buffer.from(source.folder + sep), name]);
}

export function visibleNames(disk: Disk, folder: string): readonly Buffer[] {
  return list(disk, folder).filter((name) => name[0] !== DOT);
}

const DOT = 0x2e;

/** Includes folders that do not exist yet. */
function possibleSources(disk: Disk, repo: Repo, worktrees: readonly string[]): readonly SignalSource[] {
  const boxes = names(disk, repo.inbox)
    .filter(isSessionName)
    .map((session) => ({ folder: join(repo.inbox, session, 'new'), session }));
  const signals = relative(repo.root, repo.signals);
  const inWorktrees = worktrees.map((root) => ({ folder: join(root, signals), ...ownerOf(repo, root) }));
  return [{ folder: repo.signals }, ...inWorktrees, ...boxes];
}

interface LinkedWorktrees {
  /** Where git keeps a folder for each of them. */
  readonly folder: string;
  readonly roots: readonly string[];
  /** The files that will name the roots of worktrees that git is still adding. */
  readonly unfinished: readonly string[];
}

/** `gitdir` in the folder that git keeps for a worktree points to the worktree's `.git` file. */
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

/** A worktree that cadre created belongs to the run, or to the session, in its name. */
function ownerOf(repo: Repo, root: string): Pick<SignalSource, 'task' | 'place'> {
  if (!root.startsWith(repo.worktrees + sep)) return {};
  const [folder, name = ''] = relative(repo.worktrees, root).split(sep);
  const place = folder === ADHOC ? placeId(name) : undefined;
  if (place !== undefined) return { place };
  const task = parseRunName(name)?.task;
  return task === undefined ? {} : { task };
}

function oldestFirst(one: SignalCandidate, other: SignalCandidate): number {
  if (one.facts.modified !== other.facts.modified) return one.facts.modified < other.facts.modified ? -1 : 1;
  return Buffer.compare(one.name, other.name);
}

function names(disk: Disk, folder: string): readonly string[] {
  return list(disk, folder).map((name) => name.toString('utf8'));
}

/** Agents create and remove folders while we look. One that is gone or not readable holds no signals. */
function list(disk: Disk, folder: string): readonly Buffer[] {
  try {
    return disk.list(folder);
  } catch (error) {
    if (UNLISTABLE.includes(systemCode(error) ?? '')) return [];
    throw error;
  }
}

const UNLISTABLE = ['ENOENT', 'ENOTDIR', 'EACCES'];
