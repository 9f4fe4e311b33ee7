// Files of a worktree that no commit holds, put into the run's folder before the worktree goes, and put back from there.
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCode } from '../../core/model/failure.ts';
import type { Tree } from '../../core/model/run-name.ts';
import { showText } from '../../text/show.ts';

export interface SavedFilesOptions {
  readonly root: string;
  pathOf(tree: Tree): string;
  folderOf(tree: Tree): string;
}

export interface SavedFiles {
  /** Where each file is now. */
  readonly files: readonly string[];
  /** There is more than can be put aside, so nothing was. */
  readonly tooMuch: string | undefined;
}

/** GitCallOptions than this is no handful of settings and notes, and a person should look at it. */
const MOST_FILES = 2_000;
const MOST_BYTES = 100 * 1024 * 1024;

/** What compilers leave beside their sources, and make again. */
const MADE_AGAIN = /\.(?:o|obj|a|so|dylib|dll|d|lo|la|pyc|pyo|class|gcda|gcno|tsbuildinfo|beam|hi)$/;

/**
 * `ignored`: files that git does not see. A folder that is ignored as a whole is taken for what programs fill and can fill
 * again (node_modules, target, dist): it stays where it is, and goes with the worktree. So does what compilers make, and
 * what the main checkout has byte for byte. `undone`: everything that is named.
 */
export function saveFiles(
  places: SavedFilesOptions,
  tree: Tree,
  why: 'ignored' | 'undone',
  named: readonly string[],
): SavedFiles {
  const path = places.pathOf(tree);
  const files = why === 'undone' ? named : named.filter((file) => isPrecious(places.root, path, file));
  if (files.length === 0) return { files: [], tooMuch: undefined };
  const tooMuch = why === 'ignored' ? howMuchTooMuch(path, files) : undefined;
  if (tooMuch !== undefined) return { files: [], tooMuch };
  const folder = nextFolder(join(places.folderOf(tree), why));
  const moved = files.map((file) => {
    const to = join(folder, file);
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    move(join(path, file), to);
    return to;
  });
  return { files: moved, tooMuch: undefined };
}

function isPrecious(root: string, path: string, file: string): boolean {
  if (file.endsWith('/') || MADE_AGAIN.test(file)) return false;
  return !isSameFile(join(root, file), join(path, file));
}

function isSameFile(one: string, other: string): boolean {
  const facts = [one, other].map((file) => lstatSync(file, { throwIfNoEntry: false }));
  if (!facts.every((its) => its?.isFile()) || facts[0]?.size !== facts[1]?.size) return false;
  return readFileSync(one).equals(readFileSync(other));
}

function howMuchTooMuch(path: string, files: readonly string[]): string | undefined {
  const bytes = files.reduce(
    (sum, file) => sum + (lstatSync(join(path, file), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  if (files.length <= MOST_FILES && bytes <= MOST_BYTES) return undefined;
  const some = files.slice(0, 3).map(showText).join(', ');
  return `it has ${files.length} ignored files (${some}, ...) of ${Math.ceil(bytes / 1024 / 1024)} MB that only it has. Look through them, then remove it with "git worktree remove --force".`;
}

function nextFolder(folder: string): string {
  const taken = existsSync(folder) ? readdirSync(folder).map(Number) : [];
  return join(folder, `${Math.max(0, ...taken) + 1}`);
}

function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (systemCode(error) !== 'EXDEV') throw error;
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    rmSync(from, { recursive: true });
  }
}

/** Copies back what was put aside when the worktree was given back; what is there already is not touched. */
export function restoreFiles(places: SavedFilesOptions, tree: Tree): void {
  const folder = join(places.folderOf(tree), 'ignored');
  const numbers = existsSync(folder)
    ? readdirSync(folder)
        .map(Number)
        .toSorted((one, other) => other - one)
    : [];
  for (const number of numbers)
    cpSync(join(folder, `${number}`), places.pathOf(tree), { recursive: true, force: false, verbatimSymlinks: true });
}
