// Whether a branch is checked out somewhere: moving it behind the back of a checkout makes that look changed.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GitRepo } from './git.ts';
import { type Registration, registrations } from './git-worktrees.ts';

export interface BranchCheckout {
  readonly path: string;
  /** A rebase of the branch is under way there, which will want to find it where it was. */
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
    const head = readIfThere(join(folder, kind, 'head-name'))?.trim();
    if (head !== undefined) return head;
  }
  return undefined;
}

function gitFolderIn(path: string): string {
  const [, elsewhere] = /^gitdir: (.+)\n$/s.exec(readIfThere(join(path, '.git')) ?? '') ?? [];
  return elsewhere ?? join(path, '.git');
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
