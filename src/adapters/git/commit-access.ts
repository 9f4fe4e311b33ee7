// What an agent needs to commit in a worktree: the folders that git writes to, and an author.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { gitEnvironment, repositoryVariables, SAFE } from '../repo/git-environment.ts';
import { run } from '../system/exec.ts';
import { type LinkOptions, worktreeLinks } from './worktree-links.ts';

export interface CommitAccess {
  /**
   * The folders outside the worktree that a commit is written to. Not all of git's folder: anyone who uses git in the main
   * checkout runs its hooks and its configuration.
   */
  folders(worktree: string): readonly string[];
  /** Null if git does not know who the author is. */
  author(): { readonly name: string; readonly email: string } | null;
}

export interface CommitAccessOptions extends LinkOptions {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
}

export function commitAccess(options: CommitAccessOptions): CommitAccess {
  const { root, gitFolder, env } = options;
  const links = worktreeLinks(options);
  return {
    folders(worktree) {
      const shared = ['objects', 'refs', 'logs'].map((name) => join(gitFolder, name));
      // From what cadre knows: the worktree's own files could name any folder.
      const own = links.folderOf(worktree);
      return [...shared.filter((folder) => existsSync(folder)), ...(own === undefined ? [] : [own])];
    },
    author() {
      const words = ['-c', 'user.useConfigOnly=true', 'var', 'GIT_AUTHOR_IDENT'];
      const surroundings = { cwd: root, env: { ...gitEnvironment(env), ...repositoryVariables(options) } };
      const { stdout } = run(['git', ...SAFE, ...words], surroundings);
      const [, name, email] = /^(.*) <(.*)> \d+ \S+\n?$/.exec(stdout) ?? [];
      return name === undefined || email === undefined ? null : { name, email };
    },
  };
}
