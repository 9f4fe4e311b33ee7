// Where signals arrive, as a port.
import type { Signal, UnreadableSignal } from '../model/event.ts';
import type { FileFacts } from './disk.ts';

/** Where signals lie: the boxes of sessions and the folders of sentinels. */
export interface Inbox {
  /** What can be taken now, oldest first, and when to look again for what is still being written. */
  scan(limit: number): Scan;
  /** Removes a signal that was committed. One whose body has changed since it was read stays. */
  remove(seen: Seen): void;
  /** How many files lie there to be taken. */
  waiting(): number;
  /** Everything whose change may mean a new signal. Creates the folders that should always exist. */
  watchedPaths(): readonly string[];
}

export interface Seen {
  readonly event:
    | { readonly kind: 'signal'; readonly signal: Signal }
    | { readonly kind: 'unreadable-signal'; readonly signal: UnreadableSignal };
  readonly facts: FileFacts;
}

export interface Scan {
  readonly seen: readonly Seen[];
  /** Milliseconds until a sentinel with a body may have come to rest; undefined when none is growing. */
  readonly lookAgainIn: number | undefined;
  readonly more: boolean;
}
