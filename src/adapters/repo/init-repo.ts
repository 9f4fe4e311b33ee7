// First use in a repository: creates cadre's folders, and adds its files to git's private ignore list, so that `git status`
// does not show them.
import { appendFileSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { diskFailure, Failure, systemCode } from '../../core/model/failure.ts';
import type { Disk } from '../../core/ports/disk.ts';
import { ensureFolder, readWhole } from '../system/files.ts';
import type { Repo } from './repo.ts';

export const IGNORED_PATHS = [
  'docs/plans/.signals/',
  'docs/plans/.plan-state.lock',
  'docs/plans/.plan-state.json.tmp',
] as const;

export function initRepo(disk: Disk, repo: Repo): void {
  makeStateFolders(disk, repo);
  refuseNetworkFolder(repo.state);
  try {
    ensureFolder(disk, repo.plans);
    ignoreHere(disk, repo.gitFolder, IGNORED_PATHS);
  } catch (error) {
    // A read-only repository still has its journal. Writing plan-state.json will report what is wrong.
    if (systemCode(error) === undefined) throw error;
  }
}

/** Only for the owner: they hold what agents say to cadre. */
export function makeStateFolders(disk: Disk, repo: Repo): void {
  try {
    for (const folder of [repo.state, repo.journal, repo.inbox, repo.quarantine]) ensureFolder(disk, folder, 0o700);
  } catch (error) {
    const failure = diskFailure(error, 'prepare', repo.state);
    // The parent exists, so this is a file system that makes no folders, such as /proc.
    if (failure.code !== 'ENOENT') throw failure;
    const message = `Could not create ${repo.home}. Set CADRE_HOME to a folder that you can write to.`;
    throw new Failure('environment', failure.code, message, { cause: error });
  }
}

/** Adds entries to the ignore list that only this clone has. */
export function ignoreHere(disk: Disk, gitFolder: string, entries: readonly string[]): void {
  const missing = missingEntries(disk, gitFolder, entries);
  if (missing.length === 0) return;
  const path = join(gitFolder, 'info', 'exclude');
  const present = readWhole(disk, path)?.toString('utf8') ?? '';
  ensureFolder(disk, dirname(path));
  const gap = present === '' || present.endsWith('\n') ? '' : '\n';
  appendFileSync(path, `${gap}${missing.join('\n')}\n`);
}

export function missingEntries(disk: Disk, gitFolder: string, entries: readonly string[]): readonly string[] {
  const present = readWhole(disk, join(gitFolder, 'info', 'exclude'))?.toString('utf8') ?? '';
  const lines = new Set(present.split(/\r?\n/));
  return entries.filter((entry) => !lines.has(entry));
}

/** Network file systems by their statfs(2) type. A flock there may exclude nobody. */
export const NETWORK_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9p'],
  [0x65735546, 'FUSE (sshfs and others)'],
  [0x00c36400, 'Ceph'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x5346414f, 'AFS'],
  [0x786f4256, 'a VirtualBox shared folder'],
  [0xbacbacbc, 'a VMware shared folder'],
]);

/** The name of the network file system that a folder is on; undefined if it is local. */
export function networkFileSystem(
  folder: string,
  typeOf = (path: string) => statfsSync(path).type,
): string | undefined {
  // The number is signed on some systems.
  return process.platform === 'linux' ? NETWORK_FILE_SYSTEMS.get(typeOf(folder) >>> 0) : undefined;
}

export function refuseNetworkFolder(folder: string, typeOf?: (path: string) => number): void {
  const network = networkFileSystem(folder, typeOf);
  if (network === undefined) return;
  throw new Failure(
    'environment',
    'network-file-system',
    `${folder} is on ${network}, where a lock on one machine is not seen on another. Set CADRE_HOME to a folder on a local disk.`,
  );
}
