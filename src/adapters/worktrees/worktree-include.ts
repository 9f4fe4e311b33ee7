// Files that git ignores and a worktree still needs, such as `.env`: those that the main checkout's .worktreeinclude names.
import {
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { systemCode } from '../../core/model/failure.ts';
import { showText } from '../../text/show.ts';
import { type Git, NO_LOCKS } from '../git/git.ts';
import type { Reached } from '../system/failpoints.ts';

export interface IncludeOptions {
  readonly git: Git;
  /** The main checkout. */
  readonly root: string;
  readonly into: string;
  /** A file on the disk of the worktree, where a copy stands until it is whole. */
  readonly temporary: string;
  readonly reached: Reached;
}

/** Copies what is named and not there yet. Returns a sentence for each file that was named and cannot be copied. */
export async function copyIncluded(copying: IncludeOptions): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const file of await included(copying)) {
    const why = copyOne(copying, file);
    if (why !== undefined) notes.push(`"${showText(file)}" was not copied from the main checkout: ${why}`);
    copying.reached('set-up.copying');
  }
  return notes;
}

/** Untracked files that fit a pattern there, as long as git ignores them: what it does not is about to be committed. */
async function included({ git, root }: IncludeOptions): Promise<readonly string[]> {
  const list = join(root, '.worktreeinclude');
  if (!lstatSync(list, { throwIfNoEntry: false })?.isFile()) return [];
  const fitting = await git.must(root, ['ls-files', '-z', '--others', '--ignored', `--exclude-from=${list}`], {
    env: NO_LOCKS,
  });
  // A name with a "/" at its end is a repository inside, which is nobody's file.
  const files = fitting.split('\0').filter((file) => file !== '' && !file.endsWith('/'));
  if (files.length === 0) return [];
  const ignored = await git.ask(root, ['check-ignore', '-z', '--stdin'], { input: `${files.join('\0')}\0` });
  return ignored.stdout.split('\0').filter((file) => file !== '');
}

function copyOne(copying: IncludeOptions, file: string): string | undefined {
  const { root, into, temporary } = copying;
  const [from, to] = [join(root, file), join(into, file)];
  try {
    const folder = folderFor(into, file);
    if (folder === undefined) return 'a link of the worktree is in its way.';
    if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) return undefined;
    const facts = lstatSync(from);
    if (facts.isSymbolicLink()) return copyLink(root, from, to);
    if (!facts.isFile()) return 'it is not a file.';
    mkdirSync(dirname(temporary), { recursive: true, mode: 0o700 });
    rmSync(temporary, { force: true });
    // Cheap where the file system shares what is the same.
    copyFileSync(from, temporary, constants.COPYFILE_FICLONE);
    renameSync(temporary, to);
    return undefined;
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return `${code}.`;
  }
}

/** The folder of the file in the worktree, made one step at a time, so that no link leads out of it. */
function folderFor(into: string, file: string): string | undefined {
  let folder = into;
  for (const step of dirname(file).split('/')) {
    if (step === '.') continue;
    folder = join(folder, step);
    const facts = lstatSync(folder, { throwIfNoEntry: false });
    if (facts === undefined) mkdirSync(folder);
    else if (!facts.isDirectory()) return undefined;
  }
  return folder;
}

/** A link is made again as it is, if it means the same there: it must lead to something inside the checkout. */
function copyLink(root: string, from: string, to: string): string | undefined {
  const target = readlinkSync(from);
  const leadsOut = 'it is a link that leads out of the repository.';
  if (isAbsolute(target) || !isInside(root, resolve(dirname(from), target))) return leadsOut;
  if (existsSync(from) && !isInside(realpathSync(root), realpathSync(from))) return leadsOut;
  symlinkSync(target, to);
  return undefined;
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}
