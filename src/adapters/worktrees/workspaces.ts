// Worktrees of sessions, made and given back with plain git. What someone has in one is never deleted.
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Failure } from '../../core/model/failure.ts';
import type { PlaceId } from '../../core/model/ids.ts';
import type { Workspaces } from '../../core/ports/workspaces.ts';
import { aboutNoRepo } from '../repo/repo.ts';
import { type Finished, run } from '../system/exec.ts';

export interface WorkspacePlaces {
  /** The main checkout. */
  readonly root: string;
  /** Where worktrees are made. */
  readonly worktrees: string;
  readonly env: NodeJS.ProcessEnv;
}

export function workspaces({ root, worktrees, env }: WorkspacePlaces): Workspaces {
  const pathOf = (place: PlaceId): string => join(worktrees, 'adhoc', place);
  const git = (folder: string, ...words: readonly string[]): Finished =>
    run(['git', '-C', folder, ...SAFE, ...words], { env: { ...aboutNoRepo(env), LC_ALL: 'C' } });
  const mustGit = (folder: string, ...words: readonly string[]): string => {
    const answer = git(folder, ...words);
    if (answer.exitCode === 0) return answer.stdout;
    throw new Failure(
      'failed',
      'git-failed',
      `"git ${words.join(' ')}" in ${folder} failed: ${answer.stderr.trim() || `exit code ${answer.exitCode}`}`,
    );
  };

  /** The branch that a worktree of this repository has checked out; nothing where it is detached. */
  const registered = (path: string): { readonly branch: string | undefined } | undefined => {
    const entries = mustGit(root, 'worktree', 'list', '--porcelain', '-z').split('\0\0');
    const lines = entries.map((entry) => entry.split('\0')).find((entry) => entry.includes(`worktree ${path}`));
    const branch = lines?.find((line) => line.startsWith('branch '))?.slice('branch refs/heads/'.length);
    return lines === undefined ? undefined : { branch };
  };

  const hasBranch = (branch: string): boolean =>
    git(root, 'show-ref', '--verify', '--quiet', `refs/heads/${branch}`).exitCode === 0;

  /** Its registration alone is taken away; `prune` would also forget worktrees that are only away for now. */
  const forget = (path: string): void => void mustGit(root, 'worktree', 'remove', '--force', path);

  /** Git marks a worktree that it is making. A mark that is left is from a making that was cut off, before any agent. */
  const finishMaking = (path: string): void => {
    const folder = mustGit(path, 'rev-parse', '--absolute-git-dir').trim();
    const mark = join(folder, 'locked');
    if (!existsSync(mark) || !readFileSync(mark, 'utf8').startsWith('initializing')) return;
    rmSync(join(folder, 'index.lock'), { force: true });
    mustGit(path, 'reset', '--quiet', '--hard');
    rmSync(mark);
  };

  return {
    find: (place) => (existsSync(pathOf(place)) ? pathOf(place) : undefined),
    ensure(place, branch, from) {
      const path = pathOf(place);
      const known = registered(realPath(path));
      if (known !== undefined && existsSync(join(path, '.git'))) {
        finishMaking(path);
        if (known.branch !== branch) mustGit(path, 'switch', '--quiet', branch);
        return path;
      }
      if (isInTheWay(path)) throw inTheWay(path);
      if (existsSync(path)) rmdirSync(path);
      // Registered but gone: someone removed the folder by hand. What was committed is on the branch.
      if (known !== undefined) forget(realPath(path));
      if (hasBranch(branch)) mustGit(root, 'worktree', 'add', '--quiet', path, branch);
      else mustGit(root, 'worktree', 'add', '--quiet', '-b', branch, path, from);
      return path;
    },
    release(place, branch, message) {
      const path = pathOf(place);
      const known = registered(realPath(path));
      if (known === undefined) return;
      if (!existsSync(join(path, '.git'))) return forget(realPath(path));
      const isOurs = known.branch === branch;
      mustGit(path, 'add', '--all');
      if (mustGit(path, 'status', '--porcelain').trim() !== '') {
        const who = author(git(path, 'var', 'GIT_COMMITTER_IDENT'));
        mustGit(path, ...who, 'commit', '--quiet', '--no-verify', '-m', message);
      }
      // An agent that has gone elsewhere has its work there, and git does not keep everything that may lie in a folder.
      const isKept =
        !isOurs || mustGit(path, 'status', '--porcelain', '--ignored').trim() !== '' || hasRepoInside(path);
      if (!isKept) mustGit(root, 'worktree', 'remove', path);
      else if (isOurs) mustGit(path, 'switch', '--quiet', '--detach');
    },
  };
}

/**
 * What a commit in a worktree is written to, outside of it. Not all of git's folder: its hooks and its configuration are
 * run by whoever uses git in the main checkout.
 */
export function commitsGoTo(gitFolder: string, worktree: string): readonly string[] {
  const [, own] = /^gitdir: (.+)\n?$/.exec(readFileSync(join(worktree, '.git'), 'utf8')) ?? [];
  const shared = ['objects', 'refs', 'logs'].map((name) => join(gitFolder, name));
  return [...shared.filter((folder) => existsSync(folder)), ...(own === undefined ? [] : [own])];
}

/** Nothing where git would have to guess. */
export function whoCommits(worktree: string, env: NodeJS.ProcessEnv): { name: string; email: string } | null {
  const argv = ['git', '-C', worktree, '-c', 'user.useConfigOnly=true', 'var', 'GIT_AUTHOR_IDENT'];
  const { stdout } = run(argv, { env: { ...aboutNoRepo(env), LC_ALL: 'C' } });
  const [, name, email] = /^(.*) <(.*)> \d+ \S+\n?$/.exec(stdout) ?? [];
  return name === undefined || email === undefined ? null : { name, email };
}

/** A folder that git would fill is no obstacle; anything else is someone's. */
function isInTheWay(path: string): boolean {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return false;
  return !facts.isDirectory() || readdirSync(path).length > 0;
}

/** Of a repository inside, git keeps only which commit it stands at. */
function hasRepoInside(path: string): boolean {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.some((entry) => entry.name === '.git' && entry.parentPath !== path);
}

/** No hook, monitor or signing program that was planted in the repository runs. Filters do: git-lfs is one. */
const SAFE = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'commit.gpgSign=false'];

/** Where nobody has told git who they are, cadre commits in its own name rather than lose the work. */
function author(identity: Finished): readonly string[] {
  return identity.exitCode === 0 ? [] : ['-c', 'user.name=cadre', '-c', 'user.email=cadre@localhost'];
}

/** Git lists worktrees by their real paths, also one that is not there any more. */
function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(realPath(dirname(path)), basename(path));
}

function inTheWay(path: string): Failure {
  return new Failure(
    'person',
    'folder-in-the-way',
    `${path} is not a worktree of this repository, but there is something in it. Look at it and move it away; nothing was touched.`,
  );
}
