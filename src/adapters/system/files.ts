// Whole files: read at once, replaced atomically and durably, never edited in place.
import { basename, dirname, join } from 'node:path';
import { systemCode } from '../../core/model/failure.ts';
import type { Disk, Path } from '../../core/ports/disk.ts';

/** The file's bytes, or nothing when there is no file. */
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
 * Replaces a file so that at any moment, also after a power failure, either the old or the new one is there.
 * The temporary file has a fixed name: whoever calls holds the lock of this file, and a crash leaves at most one behind.
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

/** The same for a file that can be made anew: a power failure may take it, or what was in it, and costs nobody anything. */
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

/** The first of `<wanted>-1`, `<wanted>-2`, ... that is not taken: what is set aside never replaces what was before. */
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

/** A write may take fewer bytes than it was given; the next one then says why. One that never takes any is an error. */
export function writeAll(disk: Disk, file: number, bytes: Uint8Array): void {
  let stalls = 0;
  for (let rest = bytes; rest.length > 0; ) {
    const written = disk.write(file, rest);
    stalls = written === 0 ? stalls + 1 : 0;
    if (stalls > 3) throw Object.assign(new Error('Writes take no bytes.'), { code: 'ENOSPC' });
    rest = rest.subarray(written);
  }
}

/**
 * Makes a folder's name durable, and those of the folders above it: one that is there may have been made a moment ago by a
 * process that was killed before it could sync.
 */
export function syncUpwards(disk: Disk, folder: string, levels: number): void {
  disk.syncFolder(folder);
  if (levels > 0 && dirname(folder) !== folder) syncUpwards(disk, dirname(folder), levels - 1);
}

/** Makes a folder and its parents, durably. */
export function ensureFolder(disk: Disk, folder: string, mode = 0o777): void {
  if (disk.facts(folder) !== undefined) return;
  ensureFolder(disk, dirname(folder), mode);
  disk.makeFolder(folder, mode);
  disk.syncFolder(dirname(folder));
}
