// Copies ignored files that a worktree needs, such as `.env`: those named in the main checkout's .worktreeinclude.
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
  /** Holds a copy until it is complete. On the same disk as the worktree. */
  readonly temporary: string;
  readonly reached: Reached;
}

/** Copies the files that do not exist yet. Returns a sentence for each file that could not be copied. */
export async function copyIncluded(options: IncludeOptions): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const file of await included(options)) {
    const why = copyOne(options, file);
    if (why !== undefined) notes.push(`"${showText(file)}" was not copied from the main checkout: ${why}`);
    options.reached('set-up.copying');
  }
  return notes;
}

/** Untracked files that match a pattern and are ignored by git. Those not ignored are going to be committed. */
async function included({ git, root }: IncludeOptions): Promise<readonly string[]> {
  const list = join(root, '.worktreeinclude');
  if (!lstatSync(list, { throwIfNoEntry: false })?.isFile()) return [];
  const matching = await git.must(root, ['ls-files', '-z', '--others', '--ignored', `--exclude-from=${list}`], {
    env: NO_LOCKS,
  });
  // A trailing "/" means a nested repository.
  const files = matching.split('\0').filter((file) => file !== '' && !file.endsWith('/'));
  if (files.length === 0) return [];
  const ignored = await git.ask(root, ['check-ignore', '-z', '--stdin'], { input: `${files.join('\0')}\0` });
  return ignored.stdout.split('\0').filter((file) => file !== '');
}

function copyOne(options: IncludeOptions, file: string): string | undefined {
  const { root, into, temporary } = options;
  const [from, to] = [join(root, file), join(into, file)];
  try {
    const folder = folderFor(into, file);
    if (folder === undefined) return 'a symbolic link in the worktree is in the way.';
    if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) return undefined;
    const facts = lstatSync(from);
    if (facts.isSymbolicLink()) return copyLink(root, from, to);
    if (!facts.isFile()) return 'it is not a file.';
    mkdirSync(dirname(temporary), { recursive: true, mode: 0o700 });
    rmSync(temporary, { force: true });
    // Copy-on-write if the file system supports it.
    copyFileSync(from, temporary, constants.COPYFILE_FICLONE);
    renameSync(temporary, to);
    return undefined;
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return `${code}.`;
  }
}

/** Creates the file's folder in the worktree one level at a time, so that no symbolic link leads out of it. */
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

/** A symbolic link is copied if it stays inside the checkout, so that it means the same in the worktree. */
function copyLink(root: string, from: string, to: string): string | undefined {
  const target = readlinkSync(from);
  const leadsOut = 'it is a symbolic link that leads out of the repository.';
  if (isAbsolute(target) || !isInside(root, resolve(dirname(from), target))) return leadsOut;
  if (existsSync(from) && !isInside(realpathSync(root), realpathSync(from))) return leadsOut;
  symlinkSync(target, to);
  return undefined;
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}
