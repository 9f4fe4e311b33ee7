// Which folder of git belongs to a checkout, from what cadre knows and git has registered; never from the checkout's files.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Failure, systemCode } from '../../core/model/failure.ts';
import { showText } from '../../text/show.ts';
import { realPath } from './real-path.ts';
import type { WorktreeLinks } from './worktree-links.ts';

export interface Checkouts {
  /** The main checkout. */
  readonly root: string;
  /** Git's common folder. */
  readonly gitFolder: string;
}

/** Throws a Failure if the path is not a checkout of the repository. */
export function gitFolderFor({ root, gitFolder }: Checkouts, links: WorktreeLinks, path: string): string {
  if (path === root) return gitFolder;
  links.mustBeUnchanged(path);
  const folder = links.isOurs(path) ? links.folderOf(path) : registeredFolder(gitFolder, path);
  if (folder !== undefined) return folder;
  throw new Failure('failed', 'no-worktree', `${showText(path)} is not a worktree of this repository.`);
}

/** Git's folder for a worktree that a person has added. */
export function registeredFolder(gitFolder: string, path: string): string | undefined {
  const link = join(realPath(path), '.git');
  return registeredFolders(gitFolder).find((folder) => worktreeOf(folder) === link);
}

function registeredFolders(gitFolder: string): readonly string[] {
  try {
    return readdirSync(join(gitFolder, 'worktrees')).map((name) => join(gitFolder, 'worktrees', name));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** The path of the worktree's `.git`. */
function worktreeOf(folder: string): string | undefined {
  try {
    return resolve(folder, readFileSync(join(folder, 'gitdir'), 'utf8').replace(/\n$/, ''));
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
