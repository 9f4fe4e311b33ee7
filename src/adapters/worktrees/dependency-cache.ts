// Dependencies that one worktree has installed, kept for the next one with the same lock file. A copy, not a link: what an
// agent changes in its folder must not reach another worktree.
import {
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { dependencyFolder } from '../../core/files/dependency-folder.ts';
import { systemCode } from '../../core/model/failure.ts';
import { sha256 } from '../system/sha256.ts';
import { projectFiles } from './project-files.ts';

export interface CachedDependencies {
  /** The same for worktrees in which the command would install the same. */
  readonly key: string;
  /** The folder in the worktree, and its copy. */
  readonly folder: string;
  readonly kept: string;
}

/** What the setup command would install in this worktree; undefined where that cannot be known. */
export function dependenciesIn(
  worktree: string,
  setup: readonly string[],
  home: string,
): CachedDependencies | undefined {
  const files = projectFiles(worktree);
  const found = dependencyFolder(setup, files);
  if (found === undefined) return undefined;
  const contents = found.inputs.map((name) => [name, sha256(readFileSync(join(worktree, name)))]);
  const key = sha256(JSON.stringify([setup, process.version, process.platform, process.arch, contents])).slice(0, 32);
  return { key, folder: join(worktree, found.folder), kept: join(home, 'dependencies', key) };
}

/** Copies what is kept into the worktree. False where nothing is kept, or it cannot be copied. */
export async function bringDependencies({ folder, kept }: CachedDependencies): Promise<boolean> {
  if (!existsSync(kept)) return false;
  try {
    rmSync(folder, { recursive: true, force: true });
    await cp(kept, folder, COPYING);
    utimesSync(kept, new Date(), new Date());
    return true;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    rmSync(folder, { recursive: true, force: true });
    return false;
  }
}

/** With copy-on-write where the file system has it. */
const COPYING = { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE } as const;

/** Keeps what the setup command has installed. Where that fails, the next worktree installs again. */
export async function keepDependencies({ folder, kept }: CachedDependencies): Promise<void> {
  if (existsSync(kept) || !existsSync(folder)) return;
  const unfinished = `${kept}.${process.pid}.tmp`;
  try {
    mkdirSync(join(kept, '..'), { recursive: true, mode: 0o700 });
    await cp(folder, unfinished, COPYING);
    renameSync(unfinished, kept);
    removeOldest(join(kept, '..'));
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** How many sets of dependencies are kept on this machine. */
const MOST = 6;

function removeOldest(all: string): void {
  const byAge = readdirSync(all)
    .map((name) => ({
      path: join(all, name),
      used: statSync(join(all, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }))
    .toSorted((one, other) => other.used - one.used);
  for (const { path } of byAge.slice(MOST)) rmSync(path, { recursive: true, force: true });
}
