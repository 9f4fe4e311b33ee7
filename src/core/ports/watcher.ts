// Changes in folders, as a port.

/** Calls back when something changes in the folders. It may miss a change, so its users also rescan from time to time. */
export interface Watcher {
  /** Watches these folders from now on, and no others. A folder that does not exist is ignored. */
  follow(folders: readonly string[]): void;
  close(): void;
}
