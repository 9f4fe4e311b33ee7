// What an agent needs to commit in a worktree: the folders that git writes to, and an author.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutRepoVariables } from '../repo/repo.ts';
import { run } from '../system/exec.ts';

/**
 * The folders outside the worktree that a commit is written to. Not all of git's folder: anyone who uses git in the main
 * checkout runs its hooks and its configuration.
 */
export function foldersForCommits(gitFolder: string, worktree: string): readonly string[] {
  const [, own] = /^gitdir: (.+)\n?$/.exec(readFileSync(join(worktree, '.git'), 'utf8')) ?? [];
  const shared = ['objects', 'refs', 'logs'].map((name) => join(gitFolder, name));
  return [...shared.filter((folder) => existsSync(folder)), ...(own === undefined ? [] : [own])];
}

/** Null if git does not know who the author is. */
export function authorIn(worktree: string, env: NodeJS.ProcessEnv): { name: string; email: string } | null {
  const argv = ['git', '-C', worktree, '-c', 'user.useConfigOnly=true', 'var', 'GIT_AUTHOR_IDENT'];
  const { stdout } = run(argv, { env: { ...withoutRepoVariables(env), LC_ALL: 'C' } });
  const [, name, email] = /^(.*) <(.*)> \d+ \S+\n?$/.exec(stdout) ?? [];
  return name === undefined || email === undefined ? null : { name, email };
}
