// Finds the checkout of a branch. If only the ref moved, the checkout would look as if its files had been changed.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GitRepo } from './git.ts';
import { type Registration, registrations } from './git-worktrees.ts';

export interface BranchCheckout {
  readonly path: string;
  /** A rebase of the branch is in progress there, and it fails if the branch moves. */
  readonly isRebasing: boolean;
}

export async function checkoutOf(repo: GitRepo, branch: string): Promise<BranchCheckout | undefined> {
  const all = (await registrations(repo)).filter(({ path }) => existsSync(path));
  const holder = all.find((one) => one.branch === branch);
  if (holder !== undefined) return { path: holder.path, isRebasing: false };
  const rebasing = all.find((one) => one.branch === undefined && rebasedIn(one) === `refs/heads/${branch}`);
  return rebasing === undefined ? undefined : { path: rebasing.path, isRebasing: true };
}

function rebasedIn({ path }: Registration): string | undefined {
  const folder = gitFolderIn(path);
  for (const kind of ['rebase-merge', 'rebase-apply']) {
    const head = readIfExists(join(folder, kind, 'head-name'))?.trim();
    if (head !== undefined) return head;
  }
  return undefined;
}

function gitFolderIn(path: string): string {
  const [, elsewhere] = /^gitdir: (.+)\n$/s.exec(readIfExists(join(path, '.git')) ?? '') ?? [];
  return elsewhere ?? join(path, '.git');
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
