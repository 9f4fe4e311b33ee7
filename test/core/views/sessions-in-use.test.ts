// Which sessions are listed without asking for all of them.
import { expect, test } from 'vitest';
import type { PlaceId, SessionId } from '../../../src/core/model/ids.ts';
import type { SessionEntry } from '../../../src/core/model/session.ts';
import { EMPTY_WORLD } from '../../../src/core/model/world.ts';
import { sessionsInUse } from '../../../src/core/views/sessions-in-use.ts';
import { NOW, PLAN } from '../../support/world.ts';

const LONG_AGO = new Date(NOW.getTime() - 2 * 24 * 60 * 60_000).toISOString();
const RECENTLY = new Date(NOW.getTime() - 60_000).toISOString();
const EXITED = { life: { kind: 'ended', exitCode: 0, signal: null }, at: LONG_AGO } as const;
const ENTRY: SessionEntry = {
  ...{ id: 's7' as SessionId, place: 's7' as PlaceId, title: 'work', role: 'unknown', program: 'claude', flags: [] },
  ...{ env: [], branch: 'cadre/adhoc/work-s7', from: 'b0', wanted: 'running', since: LONG_AGO, up: LONG_AGO },
};

test.each<readonly [string, Partial<SessionEntry>, boolean]>([
  ['one of a person that runs, for however long', {}, true],
  ['one of a person that was stopped recently', { wanted: 'stopped', since: RECENTLY }, true],
  ['one of a person that was stopped days ago', { wanted: 'stopped' }, false],
  ['one of a person that ended days ago', { ended: EXITED }, false],
  ['one of a person that failed days ago', { failure: 'no program' }, false],
  ['one that is paused, for however long', { wanted: 'paused' }, true],
  ['one that another has replaced', { followedBy: 's9' as SessionId }, false],
  ['an agent of a plan that should be running', { plan: PLAN, ended: EXITED }, true],
  ['an agent of a plan that was stopped a moment ago', { plan: PLAN, wanted: 'stopped', since: RECENTLY }, false],
])('%s: %#', (_what, change, isListed) => {
  const world = { ...EMPTY_WORLD, sessions: new Map([[ENTRY.id, { ...ENTRY, ...change }]]) };
  expect(sessionsInUse(world, NOW)).toHaveLength(isListed ? 1 : 0);
});
