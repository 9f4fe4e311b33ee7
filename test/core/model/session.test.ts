// How the sessions of a role are counted: by their starts, and by their turns.
import { expect, test } from 'vitest';
import type { SessionId } from '../../../src/core/model/ids.ts';
import { countOf, type SessionEntry } from '../../../src/core/model/session.ts';

const FIRST = 's1' as SessionId;
const SECOND = 's2' as SessionId;

function session(id: SessionId, more: Partial<SessionEntry> = {}): SessionEntry {
  return { id, role: 'implementer', wanted: 'running', ...more } as SessionEntry;
}

const AT = '2026-01-01T00:00:00.000Z';
const exited = (exitCode: number | null, signal: string | null = null): Partial<SessionEntry> => ({
  ended: { life: { kind: 'ended', exitCode, signal } as NonNullable<SessionEntry['ended']>['life'], at: AT },
});

test.each([
  ['was killed', exited(null, 'SIGKILL'), 1],
  ['exited with an error', exited(1), 1],
  ['is gone', { ended: { life: { kind: 'gone' }, at: AT } } as Partial<SessionEntry>, 1],
  ['never started', { failure: 'no such program' }, 1],
  ['finished its turn', exited(0), 2],
  ['was stopped, because its run moved on', { wanted: 'stopped' } as Partial<SessionEntry>, 2],
])('after a session that %s the next has the right turn', (_, first, turn) => {
  const sessions = [session(FIRST, first), session(SECOND)];
  expect(countOf(sessions, sessions[1] as SessionEntry)).toEqual({ attempt: 2, turn });
});
