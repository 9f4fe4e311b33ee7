// Changes in folders, as a port.

/** Calls back with what changed in the folders, soon but not surely; the rescan is the truth. */
export interface Watcher {
  /** The folders to watch from now on. */
  follow(folders: readonly string[]): void;
  close(): void;
}
