// Runs git asynchronously, without hooks, monitors, prompts or editors. Every git command of worktrees goes through here.
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../core/model/failure.ts';
import { showText } from '../../text/show.ts';
import { withoutRepoVariables } from '../repo/repo.ts';
import { type Finished, runMeanwhile } from '../system/exec.ts';
import { RefResolver } from './ref-names.ts';

export interface Git {
  /** Returns what git answers, also if it fails. */
  ask(folder: string, words: readonly string[], more?: GitCallOptions): Promise<Finished>;
  /** Returns what git prints. Throws a Failure with git's message if it fails. */
  must(folder: string, words: readonly string[], more?: GitCallOptions): Promise<string>;
  /** The objects that these names refer to, or undefined for a name that does not exist. */
  resolve(folder: string, names: readonly string[]): Promise<readonly (string | undefined)[]>;
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
  readonly env?: Readonly<Record<string, string>>;
  /** For calls to another machine, which may never answer; in milliseconds. */
  readonly timeLimit?: number;
}

export interface GitOptions {
  readonly env: NodeJS.ProcessEnv;
  /** How long to wait for a lock that another git holds, in milliseconds. */
  readonly patience?: number;
}

export function openGit({ env, patience = LOCK_PATIENCE }: GitOptions): Git {
  const plain = { ...withoutRepoVariables(env), ...QUIET };

  const ask: Git['ask'] = async (folder, words, more = {}) => {
    const deadline = performance.now() + patience;
    for (let wait = 20; ; wait = Math.min(wait * 2, 500)) {
      const { input, timeLimit } = more;
      const argv = ['git', '-C', folder, ...SAFE, ...words];
      const answer = await runMeanwhile(argv, { env: { ...plain, ...more.env }, input, timeLimit });
      if (answer.exitCode === 127) throw notInstalled();
      if (answer.exitCode === 0 || !TRANSIENT.test(answer.stderr) || performance.now() > deadline) return answer;
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

  const resolvers = new Map<string, RefResolver>();
  const resolverIn = (folder: string): RefResolver => {
    const resolver =
      resolvers.get(folder) ??
      new RefResolver({
        argv: ['git', '-C', folder, ...SAFE, 'cat-file', '--batch-check=%(objectname)'],
        env: { ...plain, ...NO_LOCKS },
        fallback: (names) => Promise.all(names.map((name) => resolveOne(folder, name))),
      });
    resolvers.set(folder, resolver);
    return resolver;
  };

  return { ask, must, resolve: (folder, names) => resolverIn(folder).resolve(names) };
}

export function gitFailure(folder: string, words: readonly string[], { stderr, exitCode }: Finished): Failure {
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
  const reason = stderr.trim() || `exit code ${exitCode}`;
  return new Failure(
    'failed',
    'git-failed',
    `"git ${showText(words.join(' '))}" in ${showText(folder)} failed: ${reason}`,
  );
}

/**
 * Hooks, monitors and signing programs that someone planted in the repository do not run. Filters and merge drivers do:
 * git-lfs is one, and the files would be different without it. Personal preferences do not apply here.
 */
const SAFE = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'commit.gpgSign=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
  'i18n.commitEncoding=UTF-8',
  'protocol.ext.allow=never',
].flatMap((setting) => ['-c', setting]);

const QUIET = {
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_ASKPASS: 'true',
  SSH_ASKPASS: 'true',
};

/** For commands that only read: they take no lock, so a working agent does not run into one. */
export const NO_LOCKS = { GIT_OPTIONAL_LOCKS: '0' };

const LOCK_PATIENCE = 10_000;
const LOCKED = /Unable to create '([^\n]+\.lock)': File exists/;
/** Another git is creating a worktree at this moment, and has not written its `commondir` file yet. */
const HALF_MADE = /failed to read (\S*worktrees\/[^/\n]+)\/commondir/;
const TRANSIENT = new RegExp(`${LOCKED.source}|${HALF_MADE.source}`);
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
