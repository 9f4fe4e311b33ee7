// Whole files: read in one go, replaced atomically and durably, never edited in place.
import { basename, dirname, join } from 'node:path';
import { systemCode } from '../../core/model/failure.ts';
import type { Disk, Path } from '../../core/ports/disk.ts';

/** The file's bytes; undefined if the file does not exist. */
export function readWhole(disk: Disk, path: string): Buffer | undefined {
  try {
    const file = disk.open(path, 'read');
    try {
      return disk.read(file, 0, disk.factsOf(file).size);
    } finally {
      disk.close(file);
    }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Replaces a file so that at any moment, even after a power failure, either the old or the new one exists. The temporary
 * file has a fixed name, so a crash leaves at most one behind; the caller holds a lock that excludes other writers.
 */
export function replaceFile(disk: Disk, path: string, bytes: Uint8Array): void {
  const folder = dirname(path);
  const temporary = temporaryFor(path);
  try {
    writeDurably(disk, temporary, bytes);
    disk.rename(temporary, path);
  } catch (error) {
    removeIfThere(disk, temporary);
    throw error;
  }
  disk.syncFolder(folder);
}

/** The same for a file that can be rebuilt: without a sync, because losing it in a power failure does no harm. */
export function replaceDerived(disk: Disk, path: string, bytes: Uint8Array): void {
  const temporary = temporaryFor(path);
  try {
    const file = disk.open(temporary, 'write');
    try {
      writeAll(disk, file, bytes);
    } finally {
      disk.close(file);
    }
    disk.rename(temporary, path);
  } catch (error) {
    removeIfThere(disk, temporary);
    throw error;
  }
}

export function writeDurably(disk: Disk, path: string, bytes: Uint8Array): void {
  const file = disk.open(path, 'write');
  try {
    writeAll(disk, file, bytes);
    disk.sync(file);
  } finally {
    disk.close(file);
  }
}

export function temporaryFor(path: string): string {
  return join(dirname(path), `.${basename(path)}.tmp`);
}

/** The first of `<wanted>-1`, `<wanted>-2`, ... that does not exist, so that nothing kept earlier is overwritten. */
export function freeName(disk: Disk, wanted: string): string {
  for (let number = 1; ; number++) {
    const name = `${wanted}-${number}`;
    if (disk.facts(name) === undefined) return name;
  }
}

export function removeIfThere(disk: Disk, path: Path): void {
  try {
    disk.remove(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

/** A write may take fewer bytes than requested; the next one then reports why. Several that take none are an error. */
export function writeAll(disk: Disk, file: number, bytes: Uint8Array): void {
  let stalls = 0;
  for (let rest = bytes; rest.length > 0; ) {
    const written = disk.write(file, rest);
    stalls = written === 0 ? stalls + 1 : 0;
    if (stalls > 3) throw Object.assign(new Error('The disk accepts no bytes.'), { code: 'ENOSPC' });
    rest = rest.subarray(written);
  }
}

/**
 * Makes the names of a folder's entries durable, and those of the folders above: a process that was killed may have created
 * one of them without syncing it.
 */
export function syncUpwards(disk: Disk, folder: string, levels: number): void {
  disk.syncFolder(folder);
  if (levels > 0 && dirname(folder) !== folder) syncUpwards(disk, dirname(folder), levels - 1);
}

/** Creates a folder and its parents, durably. */
export function ensureFolder(disk: Disk, folder: string, mode = 0o777): void {
  if (disk.facts(folder) !== undefined) return;
  ensureFolder(disk, dirname(folder), mode);
  disk.makeFolder(folder, mode);
  disk.syncFolder(dirname(folder));
}
