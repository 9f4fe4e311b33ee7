// Moves files that no commit holds from a worktree to the run's folder before the worktree is removed, and copies them back.
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
  /** Where each file was moved to. */
  readonly files: readonly string[];
  /** Why nothing was moved: there is too much. */
  readonly tooMuch: string | undefined;
}

/** More than this is not a handful of settings and notes, and a person should look through it. */
const MAX_FILES = 2_000;
const MAX_BYTES = 100 * 1024 * 1024;

/** What compilers write next to their sources. */
const COMPILED = /\.(?:o|obj|a|so|dylib|dll|d|lo|la|pyc|pyo|class|gcda|gcno|tsbuildinfo|beam|hi)$/;

/**
 * `ignored`: ignored files, except those that can be rebuilt. A folder that is ignored as a whole (node_modules, target,
 * dist) stays in the worktree and is removed with it; so are compiled files, and files that are identical in the main
 * checkout. `undone`: all files given.
 */
export function saveFiles(
  options: SavedFilesOptions,
  tree: Tree,
  kind: 'ignored' | 'undone',
  named: readonly string[],
): SavedFiles {
  const path = options.pathOf(tree);
  const files = kind === 'undone' ? named : named.filter((file) => isPrecious(options.root, path, file));
  if (files.length === 0) return { files: [], tooMuch: undefined };
  const tooMuch = kind === 'ignored' ? whyTooMuch(path, files) : undefined;
  if (tooMuch !== undefined) return { files: [], tooMuch };
  const folder = nextFolder(join(options.folderOf(tree), kind));
  const moved = files.map((file) => {
    const to = join(folder, file);
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    move(join(path, file), to);
    return to;
  });
  return { files: moved, tooMuch: undefined };
}

function isPrecious(root: string, path: string, file: string): boolean {
  if (file.endsWith('/') || COMPILED.test(file)) return false;
  return !isSameFile(join(root, file), join(path, file));
}

function isSameFile(one: string, other: string): boolean {
  const facts = [one, other].map((file) => lstatSync(file, { throwIfNoEntry: false }));
  if (!facts.every((its) => its?.isFile()) || facts[0]?.size !== facts[1]?.size) return false;
  return readFileSync(one).equals(readFileSync(other));
}

function whyTooMuch(path: string, files: readonly string[]): string | undefined {
  const bytes = files.reduce(
    (sum, file) => sum + (lstatSync(join(path, file), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  if (files.length <= MAX_FILES && bytes <= MAX_BYTES) return undefined;
  const some = files.slice(0, 3).map(showText).join(', ');
  return `it has ${files.length} ignored files (${some}, ...; ${Math.ceil(bytes / 1024 / 1024)} MB) that exist nowhere else. Look through them, then run "git worktree remove --force".`;
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

/** Copies back the ignored files that were moved when the worktree was removed. Existing files are not overwritten. */
export function restoreFiles(options: SavedFilesOptions, tree: Tree): void {
  const folder = join(options.folderOf(tree), 'ignored');
  const numbers = existsSync(folder)
    ? readdirSync(folder)
        .map(Number)
        .toSorted((one, other) => other - one)
    : [];
  for (const number of numbers)
    cpSync(join(folder, `${number}`), options.pathOf(tree), { recursive: true, force: false, verbatimSymlinks: true });
}
