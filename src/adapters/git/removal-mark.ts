// Marks a worktree while it is removed, so that a removal killed halfway is not mistaken for someone's deletions.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { GitRepo } from './git.ts';
import { realPath } from './real-path.ts';

/** A file in git's folder for the worktree, from when everything in the worktree is kept elsewhere until it is removed. */
const MARK = 'cadre-removing';

export function markRemoval(own: string): void {
  writeFileSync(join(own, MARK), '');
}

export function unmarkRemoval(own: string): void {
  rmSync(join(own, MARK), { force: true });
}

/** Git's folder for a worktree whose removal was cut off, even if the worktree's `.git` file is already gone. */
export function interruptedRemoval(gitFolder: string, path: string): string | undefined {
  const all = join(gitFolder, 'worktrees');
  const link = join(realPath(path), '.git');
  const folders = existsSync(all) ? readdirSync(all).map((name) => join(all, name)) : [];
  return folders.find(
    (own) => existsSync(join(own, MARK)) && resolve(own, readFileSync(join(own, 'gitdir'), 'utf8').trim()) === link,
  );
}

/** Restores the files that were removed before the removal was cut off. The worktree's index has all of them. */
export async function undoRemoval({ git, gitFolder }: GitRepo, path: string): Promise<void> {
  const own = interruptedRemoval(gitFolder, path);
  if (own === undefined || !existsSync(path)) return;
  if (!existsSync(join(path, '.git'))) writeFileSync(join(path, '.git'), `gitdir: ${own}\n`);
  const deleted = await git.must(path, ['ls-files', '-z', '--deleted']);
  await git.must(path, ['checkout-index', '--quiet', '-z', '--stdin'], { input: deleted });
  unmarkRemoval(own);
}
