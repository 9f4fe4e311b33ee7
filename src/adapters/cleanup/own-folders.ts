// Lists, measures and removes folders that cadre created, and nothing that a link leads to.
import { lstatSync, readdirSync, rmdirSync, rmSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { diskFailure, systemCode } from '../../core/model/failure.ts';
import { showText } from '../../text/show.ts';

/** The names of the folders in a folder; a link to one is not among them. */
export function foldersIn(folder: string): readonly string[] {
  return entriesIn(folder)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

export function entriesOf(folder: string): readonly string[] {
  return entriesIn(folder).map(({ name }) => name);
}

function entriesIn(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return [];
    throw diskFailure(error, 'read', folder);
  }
}

/** When the folder or file was last changed; undefined if it does not exist. */
export function changedAt(path: string): string | undefined {
  return factsOf(path)?.mtime.toISOString();
}

/** The blocks that it takes, in bytes; a file with several names counts once. */
export function bytesBelow(path: string, counted: Set<bigint> = new Set()): number {
  const facts = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  if (facts === undefined || (facts.nlink > 1n && !facts.isDirectory() && counted.has(facts.ino))) return 0;
  counted.add(facts.ino);
  const own = Number(facts.blocks * 512n);
  if (!facts.isDirectory()) return own;
  return entriesOf(path).reduce((sum, name) => sum + bytesBelow(join(path, name), counted), own);
}

/**
 * Why the path below the base must not be removed: something on the way is a link or another user's. `names` come from
 * listings, and are checked again because time has passed.
 */
export function whyNotOwn(base: string, names: readonly string[]): string | undefined {
  for (let count = 1; count <= names.length; count++) {
    const name = names[count - 1] ?? '';
    const path = join(base, ...names.slice(0, count));
    if (name === '' || name === '.' || name === '..' || name.includes('/')) return `"${showText(name)}" is not a name.`;
    const facts = factsOf(path);
    if (facts === undefined) return undefined;
    if (facts.isSymbolicLink()) return `${showText(path)} is a symbolic link.`;
    if (facts.uid !== process.geteuid?.()) return `${showText(path)} belongs to another user.`;
  }
  return undefined;
}

/** Removes the file or folder below the base, or returns why it stays. */
export function removeOwn(base: string, ...names: readonly string[]): string | undefined {
  const why = whyNotOwn(base, names);
  if (why !== undefined) return why;
  const path = join(base, ...names);
  try {
    rmSync(path, { recursive: true, force: true });
    return undefined;
  } catch (error) {
    return diskFailure(error, 'remove', path).message;
  }
}

/** Removes folders from the innermost outwards, as long as they are empty. */
export function removeIfEmpty(base: string, ...names: readonly string[]): void {
  for (let count = names.length; count > 0; count--) {
    try {
      rmdirSync(join(base, ...names.slice(0, count)));
    } catch (error) {
      if (systemCode(error) === 'ENOENT') continue;
      return;
    }
  }
}

function factsOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}
