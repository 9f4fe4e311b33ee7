// Locks between processes, as a port.

export interface LockHolder {
  readonly pid: number;
  readonly command: string;
}

export interface HeldLock {
  /** Whether the lock's path still leads to the file that is locked. A lock on a deleted file excludes nobody. */
  stillOurs(): boolean;
  release(): void;
}

/** Exclusive locks that the kernel releases when their holder dies. No lock, no write: nothing here means "continue without it". */
export interface Locks {
  /** Waits up to `patience` milliseconds, then fails and names the holder. */
  take(path: string, patience: number): Promise<HeldLock>;
  /** Takes the lock if it is free; undefined if another process, or another part of this one, holds it. */
  tryTake(path: string): Promise<HeldLock | undefined>;
  /** The cadre process that holds the lock now. Does not take it. */
  holder(path: string): LockHolder | undefined;
  /** Whether nobody holds the lock because its last holder died before it released it. */
  wasAbandoned(path: string): boolean;
}
