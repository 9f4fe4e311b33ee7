// Locks between processes, as a port.

export interface LockHolder {
  readonly pid: number;
  readonly command: string;
}

export interface HeldLock {
  /** Whether the file under this lock's name is still the one that is locked. */
  stillOurs(): boolean;
  release(): void;
}

/** flock(2). No lock, no write: there is no answer that means "go on without". */
export interface Locks {
  /** Waits up to `patience` milliseconds, then fails with a sentence that names the holder. */
  take(path: string, patience: number): Promise<HeldLock>;
  /** The lock at once, or nothing when someone else has it. */
  tryTake(path: string): Promise<HeldLock | undefined>;
  /** Which process of cadre's holds it now, looking only. */
  holder(path: string): LockHolder | undefined;
}
