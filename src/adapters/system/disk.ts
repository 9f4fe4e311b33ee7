// The real file system, one system call per method.
import {
  type BigIntStats,
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { systemCode } from '../../core/model/failure.ts';
import type { Disk, FileFacts, Path } from '../../core/ports/disk.ts';

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR, O_TRUNC } = constants;

const FLAGS = {
  read: O_RDONLY | O_NOFOLLOW | O_NONBLOCK,
  append: O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW,
  write: O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW,
  overwrite: O_RDWR | O_CREAT | O_NOFOLLOW,
} as const;

export const disk: Disk = {
  facts(path) {
    try {
      return factsFrom(lstatSync(path, { bigint: true }));
    } catch (error) {
      // Nothing can exist below a file, just as below a missing folder.
      if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined;
      throw error;
    }
  },
  factsOf: (file) => factsFrom(fstatSync(file, { bigint: true })),
  list: (folder) => readdirSync(folder, { encoding: 'buffer' }),
  names: (folder) => readdirSync(folder),
  makeFolder,
  open: (path, mode) => openSync(path, FLAGS[mode], 0o666),
  close: closeSync,
  read,
  write: (file, bytes) => writeSync(file, bytes),
  truncate: ftruncateSync,
  sync: fdatasyncSync,
  syncFolder,
  rename: (from: Path, to: Path) => renameSync(from, to),
  remove: (path: Path) => unlinkSync(path),
};

function makeFolder(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST' || !lstatSync(folder).isDirectory()) throw error;
  }
}

function read(file: number, offset: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(file, buffer, filled, length - filled, offset + filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}

function syncFolder(folder: string): void {
  const file = openSync(folder, O_RDONLY);
  try {
    fsyncSync(file);
  } catch (error) {
    // Some file systems cannot sync a folder; then nothing more can be done.
    if (systemCode(error) !== 'EINVAL') throw error;
  } finally {
    closeSync(file);
  }
}

function factsFrom(stats: BigIntStats): FileFacts {
  return {
    kind: kindOf(stats),
    inode: stats.ino,
    size: Number(stats.size),
    modified: stats.mtimeNs,
    changed: stats.ctimeNs,
    born: stats.birthtimeNs > 0n ? stats.birthtimeNs : stats.ctimeNs,
    links: Number(stats.nlink),
    owner: Number(stats.uid),
    mode: Number(stats.mode) & 0o7777,
  };
}

function kindOf(stats: BigIntStats): FileFacts['kind'] {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'folder';
  if (stats.isSymbolicLink()) return 'link';
  if (stats.isFIFO()) return 'fifo';
  if (stats.isSocket()) return 'socket';
  return 'device';
}
