// The common folder that cadre's git uses in place of the repository's: the same objects, refs and ignore rules, but with a
// configuration, attributes and hooks that no agent can plant. Git has no option to ignore those of a repository.
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure, systemCode } from '../../core/model/failure.ts';
import { showText } from '../../text/show.ts';
import { gitEnvironment, SAFE } from '../repo/git-environment.ts';
import { gitCannotRead } from '../repo/unreadable.ts';
import { type Finished, runMeanwhile } from '../system/exec.ts';
import { harmlessSettings, settingLines } from './harmless-settings.ts';

export interface CommonFolder {
  /** Brings the folder up to date. */
  ready(): Promise<ReadyFolder>;
}

export interface ReadyFolder {
  readonly path: string;
  /** Filters of the repository's own configuration, which do not run. */
  readonly filters: readonly string[];
}

export interface CommonFolderOptions {
  /** Git's common folder of the repository. */
  readonly gitFolder: string;
  /** Where to put ours. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

export function commonFolder(options: CommonFolderOptions): CommonFolder {
  let known: { readonly signature: string; readonly ready: Promise<ReadyFolder> } | undefined;
  return {
    ready() {
      const signature = signatureOf(options);
      if (known?.signature === signature) return known.ready;
      const ready = bringUpToDate(options, signature);
      // A failure is not remembered.
      ready.catch(() => {
        known = undefined;
      });
      known = { signature, ready };
      return ready;
    },
  };
}

/** Differs after every change of a file from which something is taken over. */
function signatureOf({ gitFolder }: CommonFolderOptions): string {
  const facts = ['config', 'shallow'].map((name) => statSync(join(gitFolder, name), { throwIfNoEntry: false }));
  const parts = facts.map((its) => (its === undefined ? '-' : `${its.ino} ${its.size} ${its.mtimeMs} ${its.ctimeMs}`));
  return [FORMAT, ...parts].join(' ');
}

/** Goes up when another version of cadre would write other files. */
const FORMAT = 1;

async function bringUpToDate(options: CommonFolderOptions, signature: string): Promise<ReadyFolder> {
  const { folder } = options;
  const before = writtenFor(folder);
  if (before?.signature === signature) return { path: folder, filters: before.filters };
  linkToRepository(options);
  const listed = await ask(options, ['config', '--file', join(options.gitFolder, 'config'), '--no-includes', ...LIST]);
  if (listed.exitCode !== 0) throw unreadable(options, listed);
  const { text, filters } = harmlessSettings(listed.stdout);
  const storage = settingLines('lfs.storage', join(options.gitFolder, 'lfs'));
  // Text in a file that looks like an expanded "$Id$" would not count as a change.
  replace(join(folder, 'info', 'attributes'), '* -ident\n');
  replace(join(folder, 'config'), `${storage}${text}`);
  await writeShallow(options);
  // The last file, so that it vouches for the others.
  replace(join(folder, WRITTEN), JSON.stringify({ signature, filters }));
  return { path: folder, filters };
}

const LIST = ['--null', '--list'];

const WRITTEN = 'written.json';

function writtenFor(folder: string): { readonly signature: string; readonly filters: readonly string[] } | undefined {
  try {
    const { signature, filters } = Object(JSON.parse(readFileSync(join(folder, WRITTEN), 'utf8')));
    return typeof signature === 'string' && Array.isArray(filters) ? { signature, filters } : undefined;
  } catch {
    return undefined;
  }
}

/** What git reads and writes there belongs to the repository. The last exists only with another format of refs. */
const LINKED = ['HEAD', 'objects', 'refs', 'packed-refs', 'logs', 'worktrees', 'info/exclude', 'reftable'] as const;

function linkToRepository({ gitFolder, folder }: CommonFolderOptions): void {
  mkdirSync(join(folder, 'info'), { recursive: true, mode: 0o700 });
  // Git does not create a folder that a link points to.
  mkdirSync(join(gitFolder, 'logs'), { recursive: true });
  for (const name of LINKED) {
    if (name === 'reftable' && !existsSync(join(gitFolder, name))) continue;
    link(join(gitFolder, name), join(folder, name));
  }
}

function link(target: string, path: string): void {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts?.isSymbolicLink() && readlinkSync(path) === target) return;
  rmSync(path, { recursive: true, force: true });
  try {
    symlinkSync(target, path);
  } catch (error) {
    // Another process was faster.
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

/**
 * A shallow clone ends where parents are missing. A commit whose parents exist is listed there to make history look other
 * than it is, so it is left out.
 */
async function writeShallow(options: CommonFolderOptions): Promise<void> {
  const [from, to] = [join(options.gitFolder, 'shallow'), join(options.folder, 'shallow')];
  rmSync(to, { force: true });
  if (!existsSync(from)) return;
  const commits = readFileSync(from, 'utf8')
    .split('\n')
    .filter((line) => /^[0-9a-f]{40,64}$/.test(line));
  const input = commits.map((commit) => `${commit}^1\n`).join('');
  const answer = await ask(options, ['cat-file', '--batch-check=%(objectname)'], input);
  const parents = answer.stdout.split('\n');
  const cut = commits.filter((_commit, index) => parents[index]?.endsWith(' missing'));
  if (cut.length > 0) replace(to, `${cut.join('\n')}\n`);
}

function ask({ gitFolder, folder, env }: CommonFolderOptions, words: readonly string[], input?: string) {
  const own = { GIT_DIR: gitFolder, GIT_COMMON_DIR: folder };
  return runMeanwhile(['git', ...SAFE, ...words], { env: { ...gitEnvironment(env), ...own }, input });
}

/** Other processes see the old text or the new one. */
function replace(path: string, text: string): void {
  const temporary = join(dirname(path), `.${process.pid}.tmp`);
  writeFileSync(temporary, text, { mode: 0o600 });
  renameSync(temporary, path);
}

function unreadable({ gitFolder }: CommonFolderOptions, { exitCode, stderr, signal }: Finished): Failure {
  if (signal !== undefined)
    return new Failure('failed', 'git-failed', `The git that reads ${showText(gitFolder)} was killed by ${signal}.`);
  if (exitCode === 127)
    return new Failure('environment', 'no-git', 'git is not installed. Install it, then try again.');
  return gitCannotRead(join(gitFolder, 'config'), stderr);
}
