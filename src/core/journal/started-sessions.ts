// The sessions that people started, from the records of the journal: the world forgets all but the newest.
import type { PlaceId } from '../model/ids.ts';
import type { JournalRecord } from '../model/record.ts';

export interface StartedSession {
  readonly branch: string;
  /** The commit that its branch started from. */
  readonly from: string;
  /** When the last session of the place was started. */
  readonly at: string;
}

/** By place: sessions follow each other there. */
export function startedSessions(records: Iterable<JournalRecord>): ReadonlyMap<PlaceId, StartedSession> {
  const started = new Map<PlaceId, StartedSession>();
  for (const record of records) {
    if (record.event !== 'session_begun') continue;
    const { place, branch, from, attempt, reviews } = record.begun;
    if (attempt === undefined && reviews === undefined) started.set(place, { branch, from, at: record.at });
  }
  return started;
}
