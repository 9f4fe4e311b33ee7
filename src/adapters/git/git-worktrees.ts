// Worktrees as git has them registered: found, made whatever is there already, and forgotten.
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Failure } from '../../core/model/failure.ts';
import { showText } from '../../text/show.ts';
import type { Finished } from '../system/exec.ts';
import { endEverything } from '../system/stopping.ts';
import { type GitRepo, gitFailure, NO_LOCKS, resolveRefs } from './git.ts';

export interface Registration {
  /** The real path, also where it is not there any more. */
  readonly path: string;
  readonly branch: string | undefined;
  /** Why it is locked; an empty text where no reason was given. */
  readonly locked: string | undefined;
}

export async function registrations({ git, root }: GitRepo): Promise<readonly Registration[]> {
  const text = await git.must(root, ['worktree', 'list', '--porcelain', '-z'], { env: NO_LOCKS });
  return text
    .split('\0\0')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const lines = entry.split('\0');
      const after = (start: string): string | undefined =>
        lines.find((line) => line === start.trimEnd() || line.startsWith(start))?.slice(start.length);
      return {
        path: after('worktree ') ?? '',
        branch: after('branch refs/heads/'),
        locked: after('locked '),
      };
    });
}

/** The registration of the worktree at this path, if git has one. */
export async function registrationOf(repo: GitRepo, path: string): Promise<Registration | undefined> {
  const real = realPath(path);
  return (await registrations(repo)).find((one) => one.path === real);
}

export interface WantedWorktree {
  readonly path: string;
  /** Created at the commit if it does not exist. Undefined for a detached worktree. */
  readonly branch: string | undefined;
  readonly commit: string;
}

/** In the environment of the git that makes a worktree, by which one that has outlived its cadre is found. */
const MAKING = 'CADRE_MAKES_TREE';

export type EnsureOutcome = 'created' | 'existing' | 'other-branch';

/**
 * The worktree, for each of the eight combinations of folder, registration and branch. `there`: it was, and is left as it is;
 * `elsewhere`: it was, but has something else checked out.
 */
export async function ensureWorktree(repo: GitRepo, wanted: WantedWorktree): Promise<EnsureOutcome> {
  const { path, branch } = wanted;
  if (!existsSync(path) && (await madeAtOnce(repo, wanted))) return 'created';
  const known = await registrationOf(repo, path);
  if (known !== undefined && isHalfMade(known)) {
    await discardHalfMade(repo, known);
    return make(repo, wanted);
  }
  if (known !== undefined && gitFolderOf(path, repo.gitFolder) !== undefined)
    return known.branch === branch ? 'existing' : 'other-branch';
  clearWay(path);
  // Registered but gone: someone removed the folder by hand. What was committed is on the branch.
  if (known !== undefined) await unregister(repo, known);
  return make(repo, wanted);
}

/** The usual case, in which there is nothing yet, without asking what is registered. */
async function madeAtOnce(repo: GitRepo, wanted: WantedWorktree): Promise<boolean> {
  const answer = await add(repo, wanted);
  if (answer.exitCode !== 0 && !/is a missing but .*(?:registered|locked)/.test(answer.stderr))
    throw gitFailure(repo.root, ['worktree', 'add', wanted.path], answer);
  return answer.exitCode === 0;
}

async function make(repo: GitRepo, wanted: WantedWorktree): Promise<EnsureOutcome> {
  const answer = await add(repo, wanted);
  if (answer.exitCode !== 0) throw gitFailure(repo.root, ['worktree', 'add', wanted.path], answer);
  return 'created';
}

async function add(repo: GitRepo, { path, branch, commit }: WantedWorktree): Promise<Finished> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (branch !== undefined) await ensureBranch(repo, branch, commit);
  const what = branch === undefined ? ['--detach', path, commit] : [path, branch];
  return repo.git.ask(repo.root, ['worktree', 'add', '--quiet', ...what], { env: { [MAKING]: realPath(path) } });
}

async function ensureBranch({ git, root }: GitRepo, branch: string, commit: string): Promise<void> {
  const ref = `refs/heads/${branch}`;
  if (!(await resolveRefs(git, root, [ref])).has(ref)) await git.must(root, ['update-ref', ref, commit, '']);
}

/** Git locks a worktree while it makes it. A lock that is left over is from a git that was killed, before any agent came. */
export function isHalfMade({ locked }: Registration): boolean {
  return locked?.startsWith('initializing') ?? false;
}

/** Removes what a killed `git worktree add` left. Its cadre may be dead and the git still running, so that is ended first. */
export async function discardHalfMade(repo: GitRepo, known: Registration): Promise<void> {
  const { git, root, gitFolder } = repo;
  const { path } = known;
  await endEverything({ leader: undefined, entry: `${MAKING}=${path}` });
  if (gitFolderOf(path, gitFolder) === undefined) {
    clearWay(path);
    return unregister(repo, known);
  }
  const answer = await git.ask(root, ['worktree', 'remove', '--force', '--force', path]);
  if (answer.exitCode !== 0 && (await registrationOf(repo, path)) !== undefined)
    throw gitFailure(root, ['worktree', 'remove', path], answer);
}

/** Its registration alone is taken away; `prune` would also unregister worktrees that are only away for now. */
export async function unregister({ git, root }: GitRepo, known: Registration): Promise<void> {
  if (known.locked !== undefined && !isHalfMade(known))
    throw new Failure(
      'person',
      'locked-worktree',
      `The worktree ${showText(known.path)} is gone, but someone has locked it${known.locked === '' ? '' : ` (${showText(known.locked)})`}. Bring it back, or let go of it with "git worktree unlock", then try again.`,
    );
  await git.must(root, ['worktree', 'remove', '--force', '--force', known.path]);
}

/** The folder in which git keeps what is this worktree's own, such as its index; nothing where it is no worktree of ours. */
export function gitFolderOf(path: string, gitFolder: string): string | undefined {
  try {
    const [, to] = /^gitdir: (.+)\n?$/s.exec(readFileSync(join(path, '.git'), 'utf8')) ?? [];
    if (to === undefined) return undefined;
    const folder = realpathSync(resolve(path, to.replace(/\n$/, '')));
    return dirname(folder) === join(realpathSync(gitFolder), 'worktrees') ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Removes the empty folder, or the one with only an empty `.git`, that git would not accept. Everything else is someone's. */
function clearWay(path: string): void {
  if (isInTheWay(path)) throw inTheWay(path);
  rmSync(join(path, '.git'), { force: true });
  if (existsSync(path)) rmdirSync(path);
}

/** A folder that git would fill is no obstacle, nor one that it has just begun to; anything else is someone's. */
function isInTheWay(path: string): boolean {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return false;
  return !facts.isDirectory() || readdirSync(path).some((name) => !isBegun(path, name));
}

/** The file by which a worktree knows its repository, before git has written anything into it. */
function isBegun(path: string, name: string): boolean {
  const facts = lstatSync(join(path, name));
  return name === '.git' && facts.isFile() && facts.size === 0;
}

/** Git lists worktrees by their real paths, also one that is not there any more. */
export function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(realPath(dirname(path)), basename(path));
}

function inTheWay(path: string): Failure {
  return new Failure(
    'person',
    'folder-in-the-way',
    `${showText(path)} is not a worktree of this repository, but there is something in it. Look at it and move it away; nothing was touched.`,
  );
}

/** What git is in the middle of in a worktree, by the file that it leaves there until it is through. */
const UNFINISHED: readonly (readonly [string, string])[] = [
  ['rebase-merge', 'a rebase'],
  ['rebase-apply', 'a rebase'],
  ['MERGE_HEAD', 'a merge'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick'],
  ['REVERT_HEAD', 'a revert'],
  ['BISECT_START', 'a bisect'],
];

export function unfinishedOperation(folder: string): string | undefined {
  return UNFINISHED.find(([file]) => existsSync(join(folder, file)))?.[1];
}
