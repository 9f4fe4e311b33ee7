// How records change what is known about sessions.

import type { SessionId } from '../model/ids.ts';
import type { JournalRecord } from '../model/record.ts';
import type { SessionEntry } from '../model/session.ts';

type Sessions = Map<SessionId, SessionEntry>;

/** A session takes over its place; the one that had it should stop. */
export function addSession(sessions: Sessions, record: Extract<JournalRecord, { event: 'session_begun' }>): void {
  const { begun: started, at } = record;
  for (const entry of sessions.values())
    if (entry.place === started.place && entry.followedBy === undefined)
      sessions.set(entry.id, { ...entry, wanted: 'stopped', followedBy: started.id });
  sessions.set(started.id, { ...started, wanted: 'running', since: at });
  forgetOldest(sessions);
}

/** How many finished sessions are kept for reference. */
const REMEMBERED_SESSIONS = 200;

function forgetOldest(sessions: Sessions): void {
  if (sessions.size <= REMEMBERED_SESSIONS) return;
  const finished = [...sessions.values()].filter(
    (entry) => entry.followedBy !== undefined || entry.wanted === 'stopped',
  );
  for (const entry of finished.slice(0, Math.max(0, finished.length - REMEMBERED_SESSIONS))) sessions.delete(entry.id);
}

export function changeSession(sessions: Sessions, id: SessionId, part: Partial<SessionEntry>): void {
  const entry = sessions.get(id);
  if (entry !== undefined) sessions.set(id, { ...entry, ...part });
}

/** Any record may stop sessions, through its effects. */
export function stopSessions(sessions: Sessions, { effects, at }: JournalRecord): void {
  for (const effect of effects ?? [])
    if (effect.do === 'stop-session') changeSession(sessions, effect.session, { wanted: 'stopped', since: at });
}

/** What a session's news changes in its entry. */
export function changeFrom({ news, at }: Extract<JournalRecord, { event: 'session_news' }>): Partial<SessionEntry> {
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
