// Whose word a file is that was dropped in a worktree: that of the session that is there now.
import { describe, expect, test } from 'vitest';
import type { Signal } from '../../../../src/core/model/event.ts';
import type { SessionEntry } from '../../../../src/core/model/session.ts';
import type { World } from '../../../../src/core/model/world.ts';
import { speakingSession } from '../../../../src/core/rules/signal/run-signal.ts';
import { at, runIn } from '../../../support/runs.ts';
import { sessionIn, signal } from '../../../support/world.ts';

const CODING = at('CODING');
const SESSION = sessionIn(CODING, runIn(CODING).session?.id ?? '');
const LATER = '2030-01-01T00:00:00.000Z';

const dropped = (place: SessionEntry['place']): Signal => ({
  ...signal({ name: 'implement-finished', place }).signal,
  made: LATER,
});

/** The world with these sessions, in this order. */
function having(...sessions: readonly Partial<SessionEntry>[]): World {
  const entries = sessions.map((part) => ({ ...SESSION, ...part }));
  return { ...CODING, sessions: new Map(entries.map((entry) => [entry.id, entry])) };
}

const PREDECESSOR = { id: 's900' as SessionEntry['id'], followedBy: SESSION.id };
const STOPPED = { id: 's901' as SessionEntry['id'], wanted: 'stopped' } as const;
const ELSEWHERE = { id: 's902' as SessionEntry['id'], place: 'r99' as SessionEntry['place'] };

describe('a file in a worktree is the word', () => {
  test('of the session that is there', () => {
    expect(speakingSession(having({}), dropped(SESSION.place))).toMatchObject({ id: SESSION.id });
  });

  test.each([
    ['the one that it follows', PREDECESSOR],
    ['one that was stopped', STOPPED],
    ['one in another worktree', ELSEWHERE],
  ])('and not of %s', (_who, other) => {
    expect(speakingSession(having(other, {}), dropped(SESSION.place))).toMatchObject({ id: SESSION.id });
    expect(speakingSession(having(other), dropped(SESSION.place))).toMatchObject({
      kind: 'refused',
      code: 'not-holder',
    });
  });
});
