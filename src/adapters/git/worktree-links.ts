// Remembers how git linked each worktree of cadre's to the repository, because an agent can change the files of that link.
import { lstatSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { Failure, systemCode } from '../../core/model/failure.ts';
import { showText } from '../../text/show.ts';
import { realPath } from './real-path.ts';

export interface WorktreeLinks {
  /** Whether the path is one at which cadre creates worktrees. */
  isOurs(path: string): boolean;
  /** Git's folder for an unchanged worktree; undefined if the path is not a worktree, or if its link was changed. */
  folderOf(path: string): string | undefined;
  /** What somebody changed in the link, as a sentence. */
  changed(path: string): string | undefined;
  /** Throws a Failure if the link was changed. */
  mustBeUnchanged(path: string): void;
  /** What git wrote when it linked the worktree: its own folder for it, and the text of each file of the link. */
  before(path: string): LinkBefore | undefined;
  isChanged(file: string, text: string): boolean;
  /** How the folders start to which changed files of the link are moved. */
  kept(path: string): string;
  /** To be called right after git has created the worktree, before anything runs in it. */
  remember(path: string): void;
  forget(path: string): void;
}

export interface LinkBefore {
  readonly folder: string;
  readonly files: readonly (readonly [file: string, text: string])[];
}

export interface LinkOptions {
  /** Git's common folder. */
  readonly gitFolder: string;
  /** Contains all worktrees. */
  readonly worktrees: string;
  /** Contains a folder for each run. */
  readonly runs: string;
}

/** The files of a link, with the text that git wrote. */
interface Link {
  /** The name of git's folder for the worktree. */
  readonly name: string;
  /** In the worktree; names git's folder. */
  readonly git: string;
  /** In git's folder; names the common folder. */
  readonly commondir: string;
  /** In git's folder; names the worktree. */
  readonly gitdir: string;
}

export function worktreeLinks({ gitFolder, worktrees, runs }: LinkOptions): WorktreeLinks {
  const nameOf = (path: string): string => relative(realPath(worktrees), realPath(path));
  const isOurs = (path: string): boolean => !nameOf(path).startsWith('..') && !isAbsolute(nameOf(path));
  const fileOf = (path: string): string => join(runs, nameOf(path), 'link.json');
  const folderNamed = (name: string): string => join(realpathSync(gitFolder), 'worktrees', name);

  const remembered = (path: string): Link | undefined => {
    const text = isOurs(path) ? textOf(fileOf(path)) : undefined;
    return text === undefined ? undefined : linkIn(text);
  };
  const remember = (path: string): void => {
    const link = presentLink(path, gitFolder);
    if (link === undefined) return;
    mkdirSync(dirname(fileOf(path)), { recursive: true, mode: 0o700 });
    writeFileSync(fileOf(path), `${JSON.stringify(link)}\n`, { mode: 0o600 });
  };
  const before = (path: string): LinkBefore | undefined => {
    const link = remembered(path);
    if (link === undefined) return undefined;
    const folder = folderNamed(link.name);
    const files = [
      [join(path, '.git'), link.git],
      [join(folder, 'commondir'), link.commondir],
      [join(folder, 'gitdir'), link.gitdir],
    ] as const;
    return { folder, files };
  };
  const isChanged = (file: string, text: string): boolean => textOf(file) !== text;
  const changed = (path: string): string | undefined => {
    const link = before(path);
    // Without the file the worktree counts as removed.
    if (link === undefined || !exists(join(path, '.git'))) return undefined;
    const [file, text] = link.files.find(([one, written]) => isChanged(one, written)) ?? [];
    return file === undefined || text === undefined ? undefined : sentence(file, text);
  };

  return {
    isOurs,
    remember,
    changed,
    before,
    isChanged,
    kept: (path) => join(runs, nameOf(path), 'replaced-link'),
    mustBeUnchanged(path) {
      const why = changed(path);
      if (why !== undefined) throw new Failure('person', 'changed-worktree', `${why} Undo that, then try again.`);
    },
    folderOf(path) {
      const link = remembered(path);
      if (link !== undefined)
        return exists(join(path, '.git')) && changed(path) === undefined ? folderNamed(link.name) : undefined;
      const present = presentLink(path, gitFolder);
      if (present === undefined) return undefined;
      rememberIfPossible(() => remember(path));
      return folderNamed(present.name);
    },
    forget: (path) => rmSync(fileOf(path), { force: true }),
  };
}

/** An agent that signals from its sandbox cannot write cadre's files. */
function rememberIfPossible(remember: () => void): void {
  try {
    remember();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
  }
}

/** How the worktree is linked now; undefined if the files do not agree with each other, or name another repository. */
function presentLink(path: string, gitFolder: string): Link | undefined {
  try {
    const git = textOf(join(path, '.git')) ?? '';
    const [, to] = /^gitdir: (.+?)\n?$/s.exec(git) ?? [];
    if (to === undefined) return undefined;
    const folder = realpathSync(resolve(path, to));
    const [commondir, gitdir] = [textOf(join(folder, 'commondir')), textOf(join(folder, 'gitdir'))];
    if (dirname(folder) !== join(realpathSync(gitFolder), 'worktrees') || commondir === undefined) return undefined;
    const isMutual =
      realpathSync(resolve(folder, commondir.trimEnd())) === realpathSync(gitFolder) &&
      gitdir !== undefined &&
      realpathSync(resolve(folder, gitdir.replace(/\n$/, ''))) === join(realpathSync(path), '.git');
    return isMutual ? { name: basename(folder), git, commondir, gitdir } : undefined;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

function linkIn(text: string): Link | undefined {
  try {
    const { name, git, commondir, gitdir } = Object(JSON.parse(text));
    const isLink = [name, git, commondir, gitdir].every((field) => typeof field === 'string');
    return isLink ? { name, git, commondir, gitdir } : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined if it is not a regular file: git would follow a symbolic link. */
function textOf(file: string): string | undefined {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, 'utf8') : undefined;
}

function exists(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

function sentence(file: string, before: string): string {
  const now = textOf(file);
  const found = now === undefined ? 'it is no longer a file' : `it says "${showText(now.trim())}"`;
  return `${showText(file)} was changed: ${found}, but git wrote "${showText(before.trim())}". cadre runs no git in that worktree.`;
}
