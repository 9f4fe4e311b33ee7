// How records change what is known about sessions.

import type { SessionId } from '../model/ids.ts';
import type { JournalRecord } from '../model/record.ts';
import { lastDelivery, type SessionEntry } from '../model/session.ts';

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
    ({ followedBy, wanted, interrupted }) => followedBy !== undefined || (wanted === 'stopped' && !interrupted),
  );
  for (const entry of finished.slice(0, Math.max(0, finished.length - REMEMBERED_SESSIONS))) sessions.delete(entry.id);
}

export function recordNews(sessions: Sessions, record: Extract<JournalRecord, { event: 'session_news' }>): void {
  const entry = sessions.get(record.about);
  if (entry !== undefined) sessions.set(entry.id, { ...entry, ...changeFrom(entry, record) });
}

export function changeSession(sessions: Sessions, id: SessionId, part: Partial<SessionEntry>): void {
  const entry = sessions.get(id);
  if (entry !== undefined) sessions.set(id, { ...entry, ...part });
}

/** Any record may stop sessions, through its effects. One that was interrupted then has nothing to continue. */
export function stopSessions(sessions: Sessions, { effects, at }: JournalRecord): void {
  for (const effect of effects ?? []) {
    const { interrupted: _over, ...entry } = (effect.do === 'stop-session' && sessions.get(effect.session)) || {};
    if ('id' in entry) sessions.set(entry.id, { ...entry, wanted: 'stopped', since: at });
  }
}

/** What a session's news changes in its entry. */
function changeFrom(
  entry: SessionEntry,
  { news, at }: Extract<JournalRecord, { event: 'session_news' }>,
): Partial<SessionEntry> {
  switch (news.kind) {
    case 'up':
      return {
        up: at,
        since: at,
        ...(news.told === undefined ? {} : { told: news.told }),
        ...(news.wall === undefined ? {} : { wall: news.wall }),
      };
    case 'failed':
      return { failure: news.why, since: at };
    case 'ended':
      return { ended: { life: news.life, at }, since: at };
    case 'sent': {
      const delivered = news.problem === null ? undefined : lastDelivery(entry);
      return { lastSent: { at, problem: news.problem, ...(delivered === undefined ? {} : { delivered }) } };
    }
  }
}
