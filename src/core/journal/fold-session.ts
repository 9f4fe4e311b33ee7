// How records change what is known of sessions.

import type { SessionId } from '../model/ids.ts';
import type { JournalRecord } from '../model/record.ts';
import type { SessionEntry } from '../model/session.ts';

type Sessions = Map<SessionId, SessionEntry>;

/** One session follows another in its place; the one before it is not wanted any more. */
export function beginSession(sessions: Sessions, record: Extract<JournalRecord, { event: 'session_begun' }>): void {
  const { begun, at } = record;
  for (const entry of sessions.values())
    if (entry.place === begun.place && entry.followedBy === undefined)
      sessions.set(entry.id, { ...entry, wanted: 'stopped', followedBy: begun.id });
  sessions.set(begun.id, { ...begun, wanted: 'running', since: at });
  forgetOldest(sessions);
}

/** Of those that are over, so many are kept for looking back. */
const REMEMBERED_SESSIONS = 200;

function forgetOldest(sessions: Sessions): void {
  if (sessions.size <= REMEMBERED_SESSIONS) return;
  const over = [...sessions.values()].filter((entry) => entry.followedBy !== undefined || entry.wanted === 'stopped');
  for (const entry of over.slice(0, Math.max(0, over.length - REMEMBERED_SESSIONS))) sessions.delete(entry.id);
}

export function changeSession(sessions: Sessions, id: SessionId, part: Partial<SessionEntry>): void {
  const entry = sessions.get(id);
  if (entry !== undefined) sessions.set(id, { ...entry, ...part });
}

/** What a record asks to be stopped is not wanted any more, whatever the record is about. */
export function stopSessions(sessions: Sessions, { effects, at }: JournalRecord): void {
  for (const effect of effects ?? [])
    if (effect.do === 'stop-session') changeSession(sessions, effect.session, { wanted: 'stopped', since: at });
}

export function newsOf({ news, at }: Extract<JournalRecord, { event: 'session_news' }>): Partial<SessionEntry> {
  switch (news.kind) {
    case 'up':
      return { up: at, since: at };
    case 'failed':
      return { failure: news.why, since: at };
    case 'ended':
      return { ended: { life: news.life, at }, since: at };
    case 'sent':
      return { lastSent: { at, problem: news.problem } };
  }
}
