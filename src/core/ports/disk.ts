// Files, as a port: one system call a method.

export interface FileFacts {
  readonly kind: 'file' | 'folder' | 'link' | 'fifo' | 'socket' | 'device';
  readonly inode: bigint;
  readonly size: number;
  readonly modified: bigint;
  readonly changed: bigint;
  /** When it was made; where the file system does not tell, when it was last changed. */
  readonly born: bigint;
  readonly links: number;
  readonly owner: number;
  readonly mode: number;
}

/** Names from a folder are bytes: a name need not be UTF-8. */
export type Path = string | Buffer;

/**
 * Files, one system call a method, synchronous, so that nothing happens between two of them.
 * Errors are Node's own, with their `code`. What is written is durable only after `sync` (and, for names, `syncFolder`).
 */
export interface Disk {
  facts(path: Path): FileFacts | undefined;
  factsOf(file: number): FileFacts;
  list(folder: string): readonly Buffer[];
  /** One folder, whose parent must be there. Does nothing when the folder is there. */
  makeFolder(folder: string, mode: number): void;
  /**
   * `read` follows no link and never blocks; `append` creates; `write` creates or empties; `overwrite` creates, and writes
   * from the start over what is there.
   */
  open(path: Path, mode: 'read' | 'append' | 'write' | 'overwrite'): number;
  close(file: number): void;
  /** At most `length` bytes from `offset`; fewer only at the end of the file. */
  read(file: number, offset: number, length: number): Buffer;
  /** Returns how many bytes were written, which may be fewer than given. */
  write(file: number, bytes: Uint8Array): number;
  truncate(file: number, size: number): void;
  sync(file: number): void;
  syncFolder(folder: string): void;
  rename(from: Path, to: Path): void;
  remove(path: Path): void;
}
