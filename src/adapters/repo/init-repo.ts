// First use in a repository: cadre's folders, and git's private ignore list, so that nothing shows up in `git status`.
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

export function prepare(disk: Disk, repo: Repo): void {
  makeStateFolders(disk, repo);
  refuseNetworkFolder(repo.state);
  try {
    ensureFolder(disk, repo.plans);
    ignoreOwnFiles(disk, repo);
  } catch (error) {
    // A repository that cannot be written to still has its journal; writing plan-state.json then says what is wrong.
    if (systemCode(error) === undefined) throw error;
  }
}

/** Nobody else's eyes: what agents say to cadre stands in there. */
export function makeStateFolders(disk: Disk, repo: Repo): void {
  try {
    for (const folder of [repo.state, repo.journal, repo.inbox, repo.quarantine]) ensureFolder(disk, folder, 0o700);
  } catch (error) {
    throw diskFailure(error, 'prepare', repo.state);
  }
}

function ignoreOwnFiles(disk: Disk, repo: Repo): void {
  const path = join(repo.gitFolder, 'info', 'exclude');
  const present = readWhole(disk, path)?.toString('utf8') ?? '';
  const lines = new Set(present.split(/\r?\n/));
  const missing = IGNORED_PATHS.filter((entry) => !lines.has(entry));
  if (missing.length === 0) return;
  ensureFolder(disk, dirname(path));
  const gap = present === '' || present.endsWith('\n') ? '' : '\n';
  appendFileSync(path, `${gap}${missing.join('\n')}\n`);
}

/** File systems of other machines, by the number that statfs(2) gives them: flock there may exclude nobody. */
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

/** The name of the network file system on which a folder lies, or nothing if it is a local one. */
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
