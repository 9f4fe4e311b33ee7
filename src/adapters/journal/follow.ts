// Follows the journal: the records that are there, then each new one as it is appended.

import { Failure } from '../../core/model/failure.ts';
import type { JournalRecord } from '../../core/model/record.ts';
import type { Watcher } from '../../core/ports/watcher.ts';
import type { Position, Segments } from './segments.ts';

/** A missed notification is made up for after this many milliseconds; sooner where the folder cannot be watched. */
const RESCAN_EVERY = 10_000;
const RESCAN_UNWATCHED_EVERY = 1_000;

interface Following {
  readonly segments: Segments;
  readonly watch: (changed: () => void) => Watcher;
  readonly after: Position;
  readonly stop: AbortSignal;
}

export async function* followRecords({ segments, watch, after, stop }: Following): AsyncGenerator<JournalRecord> {
  let wake = (): void => undefined;
  const watcher = watch(() => wake());
  const stopped = (): void => wake();
  stop.addEventListener('abort', stopped);
  try {
    let position = after;
    while (true) {
      const isWatched = watcher.follow([segments.folder]);
      const reading = segments.read(position);
      position = reading.position;
      yield* reading.records;
      if (stop.aborted) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, isWatched ? RESCAN_EVERY : RESCAN_UNWATCHED_EVERY);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  } catch (error) {
    if (error instanceof Failure && stop.aborted) return;
    throw error;
  } finally {
    stop.removeEventListener('abort', stopped);
    watcher.close();
  }
}
