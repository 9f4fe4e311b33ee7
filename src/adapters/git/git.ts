// Runs git asynchronously, with nothing in it that somebody planted: the folders that cadre knows, its own common folder,
// and no hooks, monitors, prompts or editors. Every git command on worktrees and branches goes through here.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../core/model/failure.ts';
import { showText } from '../../text/show.ts';
import { gitEnvironment, SAFE } from '../repo/git-environment.ts';
import { type Finished, runMeanwhile } from '../system/exec.ts';
import { commonFolder } from './common-folder.ts';
import { damagedRefIn, removeDamagedRef } from './damaged-refs.ts';
import { removeDeadRefLock } from './dead-locks.ts';
import { gitFolderFor } from './git-folders.ts';
import { RefResolver } from './ref-names.ts';
import { type LinkOptions, worktreeLinks } from './worktree-links.ts';

export interface Git {
  /** Returns what git answers, also if it fails. */
  ask(folder: string, words: readonly string[], more?: GitCallOptions): Promise<Finished>;
  /** Returns what git prints. Throws a Failure with git's message if it fails. */
  must(folder: string, words: readonly string[], more?: GitCallOptions): Promise<string>;
  /** The objects that these names refer to, or undefined for a name that does not exist. */
  resolve(folder: string, names: readonly string[]): Promise<readonly (string | undefined)[]>;
  /** The environment in which any git works on this checkout: for programs that start git themselves. */
  environment(folder: string): Promise<Readonly<Record<string, string | undefined>>>;
}

/** A repository, and the git that works on it. */
export interface GitRepo {
  readonly git: Git;
  /** The main checkout. */
  readonly root: string;
  /** Git's common folder. */
  readonly gitFolder: string;
}

export interface GitCallOptions {
  readonly input?: string;
  /** A file that is git's standard input. */
  readonly inputFile?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** After so many milliseconds git is killed, with everything that it started. */
  readonly timeLimit?: number;
}

export interface GitOptions extends LinkOptions {
  readonly env: NodeJS.ProcessEnv;
  /** The main checkout. */
  readonly root: string;
  /** Cadre's own common folder of the repository. */
  readonly ownGit: string;
  /** How long to wait for a lock that another git holds, in milliseconds. */
  readonly patience?: number;
}

export function openGit({ env, patience = LOCK_PATIENCE, ...places }: GitOptions): Git {
  const plain = gitEnvironment(env);
  const links = worktreeLinks(places);
  const common = commonFolder({ gitFolder: places.gitFolder, folder: places.ownGit, env });
  // An agent can tell git that "A" and "a" are one file: it would not see the second. Our worktrees are on the disk of our folder.
  const ofDisk = (): readonly string[] => [`core.ignoreCase=${isOneName(places.ownGit)}`];

  const environment = async (folder: string, words: readonly string[] = []) => ({
    ...plain,
    GIT_DIR: gitFolderFor(places, links, folder),
    GIT_COMMON_DIR: isAboutRegistrations(words) ? places.gitFolder : (await common.ready()).path,
    GIT_WORK_TREE: folder,
  });
  /** Filters of the repository's own configuration that the person's does not define. */
  const missingFilters = async (folder: string): Promise<readonly string[]> => {
    const { filters } = await common.ready();
    if (filters.length === 0) return [];
    const words = ['config', '--null', '--name-only', '--get-regexp', '^filter\\..*\\.(clean|smudge|process)$'];
    const known = await runMeanwhile(['git', '-C', folder, ...words], { env: await environment(folder) });
    return filters.filter((name) => !known.stdout.split('\0').some((key) => key.startsWith(`filter.${name}.`)));
  };
  const command = async (folder: string, words: readonly string[]): Promise<readonly string[]> => {
    const missing = words[0] !== undefined && WRITES_FILES.has(words[0]) ? await missingFilters(folder) : [];
    const failing = missing.flatMap((name) => ['smudge=false', 'required=true'].map((end) => `filter.${name}.${end}`));
    const settings = [...(links.isOurs(folder) ? ofDisk() : []), ...failing];
    return ['git', '-C', folder, ...SAFE, ...settings.flatMap((setting) => ['-c', setting]), ...words];
  };

  const once: Git['ask'] = async (folder, words, { input, inputFile, timeLimit = LONGEST_CALL, env: added } = {}) => {
    const surroundings = { ...(await environment(folder, words)), ...added };
    return runMeanwhile(await command(folder, words), { env: surroundings, input, inputFile, timeLimit });
  };

  const ask: Git['ask'] = async (folder, words, more) => {
    const deadline = performance.now() + patience;
    const removed = new Set<string>();
    for (let wait = 20; ; wait = Math.min(wait * 2, 500)) {
      const answer = await once(folder, words, more);
      if (answer.exitCode === 127) throw notInstalled();
      // It has answered nothing, so this must not count as a "no".
      if (answer.signal !== undefined) throw gitFailure(folder, words, answer);
      if (answer.exitCode === 0) return answer;
      const damaged = damagedRefIn(answer.stderr);
      if (
        damaged !== undefined &&
        !removed.has(damaged) &&
        (await removeDamagedRef({ ...places, ask: once }, damaged))
      ) {
        removed.add(damaged);
        continue;
      }
      if (!TRANSIENT.test(answer.stderr)) return answer;
      const [, lock = ''] = LOCKED.exec(answer.stderr) ?? [];
      if (performance.now() > deadline && !removeDeadRefLock(lock, patience)) return answer;
      await pause(wait);
    }
  };

  const must: Git['must'] = async (folder, words, more) => {
    const answer = await ask(folder, words, more);
    if (answer.exitCode === 0) return answer.stdout;
    throw gitFailure(folder, words, answer);
  };

  const resolveOne = async (folder: string, name: string): Promise<string | undefined> => {
    const words = ['rev-parse', '--verify', '--quiet', '--end-of-options', name];
    const answer = await ask(folder, words, { env: NO_LOCKS });
    if (answer.exitCode > 1) throw gitFailure(folder, words, answer);
    return answer.exitCode === 0 ? answer.stdout.trim() : undefined;
  };

  const resolvers = new Map<string, Promise<RefResolver>>();
  const openResolver = async (folder: string): Promise<RefResolver> =>
    new RefResolver({
      argv: await command(folder, ['cat-file', '--batch-check=%(objectname)']),
      env: { ...(await environment(folder)), ...NO_LOCKS },
      fallback: (names) => Promise.all(names.map((name) => resolveOne(folder, name))),
    });
  const resolve: Git['resolve'] = async (folder, names) => {
    const resolver = resolvers.get(folder) ?? openResolver(folder);
    resolvers.set(folder, resolver);
    resolver.catch(() => resolvers.delete(folder));
    return (await resolver).resolve(names);
  };

  return { ask, must, resolve, environment };
}

export function gitFailure(folder: string, words: readonly string[], { stderr, exitCode, signal }: Finished): Failure {
  const [, lock] = LOCKED.exec(stderr) ?? [];
  if (lock !== undefined)
    return new Failure(
      'person',
      'git-locked',
      `${showText(lock)} exists: another git is running, or a killed one left it behind. If no git is running, remove the file, then try again.`,
    );
  const [, branch] = NAME_CONFLICT.exec(stderr) ?? [];
  if (branch !== undefined)
    return new Failure(
      'person',
      'branch-in-the-way',
      `The branch "${branch}" exists, so git cannot create a branch above or below that name. Rename it ("git branch -m ${branch} <other>"), then try again.`,
    );
  const [, tree] = HALF_MADE.exec(stderr) ?? [];
  if (tree !== undefined)
    return new Failure(
      'person',
      'half-made-worktree',
      `A killed git left the worktree ${showText(tree)} in ${showText(folder)} unfinished, and other git commands fail because of it. If no git is running, remove that folder, then try again.`,
    );
  const [, file, filter] = WITHOUT_FILTER.exec(stderr) ?? [];
  if (file !== undefined && filter !== undefined)
    return new Failure(
      'person',
      'local-filter',
      `${showText(file)} needs the filter "${showText(filter)}", which is in the repository's own configuration. cadre does not run programs from there, because an agent can write it. Move the filter to your global configuration ("git config --global"; for git-lfs, "git lfs install"), then try again.`,
    );
  const reason = stderr.trim() || (signal === undefined ? `exit code ${exitCode}` : `it was killed by ${signal}`);
  return new Failure(
    'failed',
    'git-failed',
    `"git ${showText(words.join(' '))}" in ${showText(folder)} failed: ${reason}`,
  );
}

/**
 * Git derives the paths of worktrees from its common folder, so listing and adding them needs that of the repository. With
 * `SAFE`, neither starts a program: hooks are off, and `add` is called without a checkout.
 */
function isAboutRegistrations([command, what]: readonly string[]): boolean {
  return command === 'worktree' && (what === 'list' || what === 'add');
}

/**
 * With these, a file whose filter is only in the repository's own configuration is an error: without its filter, a file
 * of git-lfs or git-crypt would not be what its project needs.
 */
const WRITES_FILES: ReadonlySet<string> = new Set([
  'checkout',
  'checkout-index',
  'merge',
  'read-tree',
  'reset',
  'switch',
]);

/** Whether the disk takes names for the same that differ only in case. */
function isOneName(ownGit: string): boolean {
  return existsSync(join(ownGit, 'CONFIG'));
}

/** For commands that only read: they take no lock, so a working agent does not run into one. */
export const NO_LOCKS = { GIT_OPTIONAL_LOCKS: '0' };

const LOCK_PATIENCE = 10_000;

/** Longer than any checkout takes: a git that a filter, a monitor or a network disk keeps waiting must not stop the engine. */
const LONGEST_CALL = 1_800_000;
const LOCKED = /Unable to create '([^\n]+\.lock)': File exists/;
/** Another git is creating a worktree at this moment, and has not written its `commondir` file yet. */
const HALF_MADE = /failed to read (\S*worktrees\/[^/\n]+)\/commondir/;
const TRANSIENT = new RegExp(`${LOCKED.source}|${HALF_MADE.source}`);
const WITHOUT_FILTER = /fatal: ([^\n]+): (?:smudge|clean) filter '?([^\n]+?)'? failed/;
const NAME_CONFLICT = /'refs\/heads\/([^'\n]+)' exists; cannot create/;

function notInstalled(): Failure {
  return new Failure('environment', 'no-git', 'git is not installed. Install it, then try again.');
}

/** Commits as cadre if git does not know the person's name: better than losing the work. */
export async function commitWith(
  git: Git,
  folder: string,
  words: readonly string[],
  more?: GitCallOptions,
): Promise<string> {
  const answer = await git.ask(folder, words, more);
  if (answer.exitCode === 0) return answer.stdout;
  const identity = await git.ask(folder, ['var', 'GIT_COMMITTER_IDENT']);
  if (identity.exitCode === 0) throw gitFailure(folder, words, answer);
  return git.must(folder, ['-c', 'user.name=cadre', '-c', 'user.email=cadre@localhost', ...words], more);
}

/** The commits that these refs point to, without the refs that do not exist. */
export async function resolveRefs(
  git: Git,
  root: string,
  refs: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const commits = await git.resolve(root, refs);
  return new Map(refs.flatMap((ref, index) => (commits[index] === undefined ? [] : [[ref, commits[index]]])));
}

export async function treesOf(git: Git, root: string, commits: readonly string[]): Promise<readonly string[]> {
  const trees = await git.resolve(
    root,
    commits.map((commit) => `${commit}^{tree}`),
  );
  return trees.map((tree, index) => {
    if (tree !== undefined) return tree;
    throw new Failure('failed', 'git-failed', `The commit ${commits[index]} no longer exists in ${showText(root)}.`);
  });
}
