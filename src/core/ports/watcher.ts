// Changes in folders, as a port.

/** Calls back with what changed, usually within milliseconds. It may miss something, so its users also rescan. */
export interface Watcher {
  /**
   * The paths to watch from now on: a folder for everything in it, anything else for its own appearance and change.
   * Returns whether all of them were watched already, so that no change can have been missed up to now.
   */
  follow(paths: readonly string[]): boolean;
  close(): void;
}
