// Worktrees as git has them registered: finds, creates, repairs and unregisters them.
import { existsSync, lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure } from '../../core/model/failure.ts';
import { showText } from '../../text/show.ts';
import type { Finished } from '../system/exec.ts';
import { endEverything } from '../system/stopping.ts';
import { type GitRepo, gitFailure, NO_LOCKS, resolveRefs } from './git.ts';
import { realPath } from './real-path.ts';
import type { WorktreeLinks } from './worktree-links.ts';

export interface Registration {
  /** The real path, even if the folder no longer exists. */
  readonly path: string;
  readonly branch: string | undefined;
  /** The reason for its lock, which may be empty; undefined if it is not locked. */
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

/** A repository whose worktrees cadre knows. */
export type LinkedRepo = GitRepo & { readonly links: WorktreeLinks };

/** In the environment of a git that creates a worktree, so that one that outlived its cadre can be found and ended. */
const CREATING = 'CADRE_MAKES_TREE';

export type EnsureOutcome = 'created' | 'existing' | 'other-branch';

/**
 * Creates the worktree, for each of the eight combinations of folder, registration and branch. An existing one is left as
 * it is, even if it has another branch checked out.
 */
export async function ensureWorktree(repo: LinkedRepo, wanted: WantedWorktree): Promise<EnsureOutcome> {
  const { path, branch } = wanted;
  if (!existsSync(path) && (await createdAtOnce(repo, wanted))) return 'created';
  const known = await registrationOf(repo, path);
  if (known !== undefined && isHalfMade(known)) {
    await discardHalfMade(repo, known);
    return create(repo, wanted);
  }
  if (known !== undefined && repo.links.folderOf(path) !== undefined)
    return known.branch === branch ? 'existing' : 'other-branch';
  removeEmptyFolder(path);
  // Registered but missing: someone removed the folder by hand. The commits are on the branch.
  if (known !== undefined) await unregister(repo, known);
  return create(repo, wanted);
}

/** The usual case, in which nothing exists yet, without asking git what is registered. */
async function createdAtOnce(repo: LinkedRepo, wanted: WantedWorktree): Promise<boolean> {
  const answer = await add(repo, wanted);
  if (answer.exitCode !== 0 && !/is a missing but .*(?:registered|locked)/.test(answer.stderr))
    throw gitFailure(repo.root, ['worktree', 'add', wanted.path], answer);
  return answer.exitCode === 0;
}

async function create(repo: LinkedRepo, wanted: WantedWorktree): Promise<EnsureOutcome> {
  const answer = await add(repo, wanted);
  if (answer.exitCode !== 0) throw gitFailure(repo.root, ['worktree', 'add', wanted.path], answer);
  return 'created';
}

/**
 * Git registers the worktree and keeps it locked, as half-made, until its files are checked out: git would do that with the
 * repository's own configuration.
 */
async function add(repo: LinkedRepo, { path, branch, commit }: WantedWorktree): Promise<Finished> {
  const { git, root, links } = repo;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  if (branch !== undefined) await ensureBranch(repo, branch, commit);
  const what = branch === undefined ? ['--detach', path, commit] : [path, branch];
  const env = { [CREATING]: realPath(path) };
  links.forget(path);
  const registered = await git.ask(root, ['worktree', 'add', ...HALF_MADE, ...what], { env });
  if (registered.exitCode !== 0) return registered;
  links.remember(path);
  await git.must(path, ['reset', '--quiet', '--hard'], { env });
  rmSync(join(links.folderOf(path) ?? path, 'locked'), { force: true });
  return registered;
}

const HALF_MADE = ['--quiet', '--no-checkout', '--lock', '--reason', 'initializing'];

async function ensureBranch({ git, root }: GitRepo, branch: string, commit: string): Promise<void> {
  const ref = `refs/heads/${branch}`;
  if (!(await resolveRefs(git, root, [ref])).has(ref))
    await git.must(root, ['update-ref', '--no-deref', ref, commit, '']);
}

/** Git locks a worktree while it creates it. A leftover lock is from a killed git, and no agent has worked there yet. */
export function isHalfMade({ locked }: Registration): boolean {
  return locked?.startsWith('initializing') ?? false;
}

/** Removes what a killed `git worktree add` left. If only its cadre was killed, the git may still be running: end it first. */
export async function discardHalfMade(repo: LinkedRepo, known: Registration): Promise<void> {
  const { git, root, links } = repo;
  const { path } = known;
  await endEverything({ leader: undefined, entry: `${CREATING}=${path}` });
  if (links.folderOf(path) === undefined) {
    removeEmptyFolder(path);
    return unregister(repo, known);
  }
  const answer = await git.ask(root, ['worktree', 'remove', '--force', '--force', path]);
  if (answer.exitCode !== 0 && (await registrationOf(repo, path)) !== undefined)
    throw gitFailure(root, ['worktree', 'remove', path], answer);
}

/** Removes this registration only: `git worktree prune` would also remove those on disks that are not mounted now. */
export async function unregister({ git, root }: GitRepo, known: Registration): Promise<void> {
  if (known.locked !== undefined && !isHalfMade(known))
    throw new Failure(
      'person',
      'locked-worktree',
      `The worktree ${showText(known.path)} is missing, and someone locked it${known.locked === '' ? '' : ` (${showText(known.locked)})`}. Bring it back, or run "git worktree unlock", then try again.`,
    );
  await git.must(root, ['worktree', 'remove', '--force', '--force', known.path]);
}

/** Removes an empty folder, or one with only an empty `.git`, which git would refuse to fill. Throws for any other. */
function removeEmptyFolder(path: string): void {
  if (hasContent(path)) throw folderInTheWay(path);
  rmSync(join(path, '.git'), { force: true });
  if (existsSync(path)) rmdirSync(path);
}

function hasContent(path: string): boolean {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return false;
  return !facts.isDirectory() || readdirSync(path).some((name) => !isEmptyLink(path, name));
}

/** The `.git` file of a worktree before git has written the path of the repository to it. */
function isEmptyLink(path: string, name: string): boolean {
  const facts = lstatSync(join(path, name));
  return name === '.git' && facts.isFile() && facts.size === 0;
}

function folderInTheWay(path: string): Failure {
  return new Failure(
    'person',
    'folder-in-the-way',
    `${showText(path)} is not a worktree of this repository, and it is not empty. Nothing was changed. Move its contents away, then try again.`,
  );
}

/** Operations that git can be in the middle of, by the file that exists until they are finished. */
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
