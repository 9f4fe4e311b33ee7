// Where signals arrive, as a port.
import type { Signal, UnreadableSignal } from '../model/event.ts';
import type { FileFacts } from './disk.ts';

/** Signals that agents dropped: messages in the boxes of sessions, and sentinels in `docs/plans/.signals`. */
export interface Inbox {
  /** The signals that can be taken now, oldest first, apart from those in these folders. */
  scan(limit: number, without?: ReadonlySet<string>): InboxScan;
  /** Removes a signal whose event is stored. One whose body changed after it was read stays. */
  remove(signal: FoundSignal): void;
  /** How many files are waiting to be taken. */
  waiting(): number;
  /** Everything whose change may mean a new signal. Creates the folders that should always exist. */
  watchedPaths(): readonly string[];
}

export interface FoundSignal {
  readonly event:
    | { readonly kind: 'signal'; readonly signal: Signal }
    | { readonly kind: 'unreadable-signal'; readonly signal: UnreadableSignal };
  readonly facts: FileFacts;
}

export interface InboxScan {
  readonly signals: readonly FoundSignal[];
  /** Milliseconds until a sentinel that is being written may be complete; undefined if there is none. */
  readonly lookAgainIn: number | undefined;
  readonly hasMore: boolean;
}
