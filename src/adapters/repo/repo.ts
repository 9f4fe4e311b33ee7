// Where everything is: the main checkout, found from anywhere inside it or its worktrees, and cadre's folders for it.
import { existsSync, lstatSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { Failure } from '../../core/model/failure.ts';
import { type Finished, run } from '../system/exec.ts';
import { sha256 } from '../system/sha256.ts';
import { gitEnvironment, type MainCheckout, repositoryVariables, SAFE } from './git-environment.ts';
import { gitCannotRead } from './unreadable.ts';

export interface Repo {
  /** The main checkout, as a real path. */
  readonly root: string;
  /** Git's common folder, usually `.git`. */
  readonly gitFolder: string;
  readonly plans: string;
  readonly planState: string;
  readonly planStateLock: string;
  readonly signals: string;
  /** `~/.cadre`, or CADRE_HOME. */
  readonly home: string;
  /** cadre's own folder for this repository. */
  readonly state: string;
  readonly journal: string;
  readonly journalLock: string;
  readonly engineLock: string;
  readonly engineBeat: string;
  /** Held while work is restored or cleaned up. */
  readonly cleanupLock: string;
  readonly checkpoint: string;
  /** What a person was notified of; may be lost. */
  readonly announced: string;
  /** What was read from the plan files; may be lost. */
  readonly planReadings: string;
  readonly planStateNote: string;
  /** Which plan-state.json was found to be cadre's own; may be lost. */
  readonly planStateSeen: string;
  readonly inbox: string;
  readonly quarantine: string;
  readonly worktrees: string;
  /** A folder for each session, kept by its host. */
  readonly sessions: string;
  /** What agent programs report through their hooks. */
  readonly reports: string;
  /** The common folder that cadre's own git uses. */
  readonly ownGit: string;
  /** A folder for each run: the output of its commands, and files that git ignores and cadre kept. */
  readonly runs: string;
}

export function findRepo(cwd: string, env: NodeJS.ProcessEnv): Repo {
  const { root, gitFolder } = plainCheckout(cwd, env) ?? askGit(cwd, env);
  const home = homeFolder(env);
  const state = join(home, 'repos', repoName(root));
  const plans = join(root, 'docs', 'plans');
  return {
    root,
    gitFolder,
    plans,
    planState: join(plans, 'plan-state.json'),
    planStateLock: join(plans, '.plan-state.lock'),
    signals: join(plans, '.signals'),
    home,
    state,
    journal: join(state, 'journal'),
    journalLock: join(state, 'journal.lock'),
    engineLock: join(state, 'engine.lock'),
    engineBeat: join(state, 'engine.beat'),
    cleanupLock: join(state, 'cleanup.lock'),
    checkpoint: join(state, 'checkpoint.json'),
    announced: join(state, 'announced.json'),
    planReadings: join(state, 'plan-readings.json'),
    planStateNote: join(state, 'plan-state.written'),
    planStateSeen: join(state, 'plan-state.seen'),
    inbox: join(state, 'inbox'),
    quarantine: join(state, 'quarantine'),
    worktrees: join(state, 'worktrees'),
    sessions: join(state, 'sessions'),
    reports: join(state, 'reports'),
    ownGit: join(state, 'git'),
    runs: join(state, 'runs'),
  };
}

export function homeFolder(env: NodeJS.ProcessEnv): string {
  const chosen = env.CADRE_HOME;
  if (chosen === undefined || chosen === '') return join(homedir(), '.cadre');
  if (!isAbsolute(chosen))
    throw new Failure('usage', 'bad-home', `CADRE_HOME is "${chosen}", which is not an absolute path.`);
  return chosen;
}

/** The hash distinguishes repositories of the same name. */
export function repoName(root: string): string {
  const hash = sha256(root).slice(0, 12);
  return `${basename(root).replace(/[^\w.-]/g, '_')}-${hash}`;
}

/**
 * The common case without starting git, which would take as long as the rest of the command: the nearest `.git` above is
 * an ordinary folder that belongs to this user. In every other case git decides.
 */
function plainCheckout(cwd: string, env: NodeJS.ProcessEnv): MainCheckout | undefined {
  if (env.GIT_CEILING_DIRECTORIES !== undefined) return undefined;
  for (let folder = cwd; ; folder = dirname(folder)) {
    const gitFolder = join(folder, '.git');
    const stats = lstatSync(gitFolder, { throwIfNoEntry: false });
    if (stats?.isFile()) return stats.uid === process.geteuid?.() ? linkedCheckout(gitFolder) : undefined;
    if (stats !== undefined)
      return isPlain(folder, gitFolder, stats) ? realPaths({ root: folder, gitFolder }) : undefined;
    const insideGit = existsSync(join(folder, 'HEAD')) && existsSync(join(folder, 'objects'));
    if (insideGit || folder === dirname(folder)) return undefined;
  }
}

/** A linked worktree of such a repository: its `.git` file names a folder there that points back to it. */
function linkedCheckout(file: string): MainCheckout | undefined {
  try {
    const [, own = ''] = /^gitdir: (.+)\n$/.exec(readFileSync(file, 'utf8')) ?? [];
    const folder = resolve(dirname(file), own);
    const back = readFileSync(join(folder, 'gitdir'), 'utf8').trim();
    if (own === '' || realpathSync(resolve(folder, back)) !== realpathSync(file)) return undefined;
    const gitFolder = resolve(folder, readFileSync(join(folder, 'commondir'), 'utf8').trim());
    const root = dirname(gitFolder);
    if (basename(gitFolder) !== '.git' || !isPlain(root, gitFolder, lstatSync(gitFolder))) return undefined;
    return realPaths({ root, gitFolder });
  } catch {
    return undefined;
  }
}

function isPlain(folder: string, gitFolder: string, stats: Stats): boolean {
  const ours = process.geteuid?.();
  if (!stats.isDirectory() || stats.uid !== ours || statSync(folder).uid !== ours) return false;
  if (!existsSync(join(gitFolder, 'HEAD')) || existsSync(join(gitFolder, 'commondir'))) return false;
  try {
    const config = readFileSync(join(gitFolder, 'config'), 'utf8');
    const bare = /^\s*bare\s*=\s*(\S*)/im.exec(config);
    return (bare === null || bare[1] === 'false') && !/^\s*worktree|^\s*\[include/im.test(config);
  } catch {
    return false;
  }
}

function realPaths({ root, gitFolder }: MainCheckout): MainCheckout {
  return { root: realpathSync.native(root), gitFolder: realpathSync.native(gitFolder) };
}

function askGit(cwd: string, env: NodeJS.ProcessEnv): MainCheckout {
  const words = ['rev-parse', '--path-format=absolute', '--git-common-dir', '--git-dir', '--is-bare-repository'];
  const answer = git(words, cwd, env);
  if (answer.exitCode === 127)
    throw new Failure('environment', 'no-git', 'git is not installed. Install it, then try again.');
  if (answer.exitCode !== 0) throw notARepo(cwd, answer.stderr);
  const [common = '', gitDir = '', bare = ''] = answer.stdout.split('\n');
  const root = bare === 'true' ? undefined : mainCheckoutOf(cwd, env, common, gitDir);
  if (root === undefined)
    throw new Failure(
      'usage',
      'bare-repo',
      `${common} is a bare repository: it has no main checkout for plans. Clone it, then run cadre in the clone.`,
    );
  return realPaths({ root, gitFolder: common });
}

function mainCheckoutOf(cwd: string, env: NodeJS.ProcessEnv, common: string, gitDir: string): string | undefined {
  if (common === gitDir) return line(git(['rev-parse', '--show-toplevel'], cwd, env)) ?? dirname(common);
  const configured = (name: string): string | undefined => line(git(['--git-dir', common, 'config', name], cwd, env));
  if (configured('core.bare') === 'true') return undefined;
  // The git folder of a submodule names its main checkout in its configuration.
  const elsewhere = configured('core.worktree');
  if (elsewhere !== undefined) return resolve(common, elsewhere);
  return basename(common) === '.git' ? dirname(common) : undefined;
}

/** The output without its line end. Not trimmed, because the name of a folder may end in spaces. */
function line({ stdout }: Finished): string | undefined {
  return stdout === '' ? undefined : stdout.replace(/\n$/, '');
}

function git(words: readonly string[], cwd: string, env: NodeJS.ProcessEnv, where = {}): Finished {
  if (!existsSync(cwd)) throw new Failure('usage', 'no-folder', `${cwd} no longer exists. Change to another folder.`);
  return run(['git', ...SAFE, ...words], { cwd, env: { ...gitEnvironment(env), ...where } });
}

function notARepo(cwd: string, stderr: string): Failure {
  if (stderr.includes('dubious ownership'))
    return new Failure(
      'environment',
      'foreign-repo',
      `git does not trust ${cwd}, because another user owns it. If you trust it, run "git config --global --add safe.directory ${cwd}".`,
    );
  if (!stderr.includes('not a git repository')) return gitCannotRead(cwd, stderr);
  return new Failure(
    'usage',
    'no-repo',
    `${cwd} is not inside a git repository. Change to one, or create one with "git init".`,
  );
}

/** The commit that the main checkout has checked out. */
export function headCommit({ root, gitFolder }: MainCheckout, env: NodeJS.ProcessEnv): string {
  const where = repositoryVariables({ root, gitFolder });
  const answer = git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], root, env, where);
  if (answer.exitCode === 0) return answer.stdout.trim();
  if (answer.exitCode !== 1) throw gitCannotRead(root, answer.stderr);
  throw new Failure(
    'usage',
    'no-commit',
    `${root} has no commit yet, so no branch can start from it. Commit something first.`,
  );
}
