// Files, as a port: one system call per method.

export interface FileFacts {
  readonly kind: 'file' | 'folder' | 'link' | 'fifo' | 'socket' | 'device';
  readonly inode: bigint;
  readonly size: number;
  readonly modified: bigint;
  readonly changed: bigint;
  /** When it was created; on file systems that do not record that, when it was last changed. */
  readonly born: bigint;
  readonly links: number;
  readonly owner: number;
  readonly mode: number;
}

/** Names read from a folder are bytes, because a name need not be UTF-8. */
export type Path = string | Buffer;

/**
 * Synchronous, one system call per method, so that nothing else in this process happens between two calls.
 * Errors are Node's, with their `code`. A write is durable only after `sync`; a name, after `syncFolder`.
 */
export interface Disk {
  /** Undefined if nothing exists there. Does not follow a symbolic link. */
  facts(path: Path): FileFacts | undefined;
  factsOf(file: number): FileFacts;
  list(folder: string): readonly Buffer[];
  /** The same as text, much quicker. A name that is not UTF-8 is then not the file's. */
  names(folder: string): readonly string[];
  /** Creates one folder; its parent must exist. Does nothing if the folder exists. */
  makeFolder(folder: string, mode: number): void;
  /**
   * `read` never blocks; `append` creates the file; `write` creates or empties it; `overwrite` creates it, or writes over its
   * bytes from the start. No mode follows a symbolic link.
   */
  open(path: Path, mode: 'read' | 'append' | 'write' | 'overwrite'): number;
  close(file: number): void;
  /** At most `length` bytes from `offset`; fewer only at the end of the file. */
  read(file: number, offset: number, length: number): Buffer;
  /** Returns how many bytes were written, which may be fewer than requested. */
  write(file: number, bytes: Uint8Array): number;
  truncate(file: number, size: number): void;
  sync(file: number): void;
  syncFolder(folder: string): void;
  rename(from: Path, to: Path): void;
  remove(path: Path): void;
}
