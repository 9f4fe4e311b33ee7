// Follows the journal: what is there, then what is added, as it is added.
import { Failure } from '../../core/model/failure.ts';
import type { JournalRecord } from '../../core/model/record.ts';
import { type JournalStore, type Position, START } from '../../core/ports/journal.ts';
import type { Watcher } from '../../core/ports/watcher.ts';

const RESCAN_EVERY = 1_000;

export async function* followJournal(
  journal: JournalStore,
  folder: string,
  watch: (changed: () => void) => Watcher,
  after: number,
  stop: AbortSignal,
): AsyncGenerator<JournalRecord> {
  let wake = (): void => undefined;
  const watcher = watch(() => wake());
  stop.addEventListener('abort', () => wake(), { once: true });
  try {
    let position: Position = START;
    while (true) {
      watcher.follow([folder]);
      const reading = journal.read(position);
      position = reading.position;
      for (const record of reading.records) if (record.seq > after) yield record;
      if (stop.aborted) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, RESCAN_EVERY);
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
    watcher.close();
  }
}
