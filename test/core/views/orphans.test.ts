// What counts as orphaned: only what the journal does not know, and what nothing is about to stop.
import { expect, test } from 'vitest';
import type { PlaceId, SessionId } from '../../../src/core/model/ids.ts';
import { EMPTY_WORLD } from '../../../src/core/model/world.ts';
import type { HostedSession } from '../../../src/core/ports/host.ts';
import { orphanedSessions, orphanedTrees } from '../../../src/core/views/orphans.ts';
import { going } from '../../support/runs.ts';
import { NOW, worldWith } from '../../support/world.ts';

const AT = NOW.toISOString();

function tree(plan: string, part: string) {
  return { plan, part, path: `/worktrees/${plan}/${part}` };
}

test('a worktree is orphaned only if the journal knows neither a current nor an ended run of that name', () => {
  const world = going();
  const [plan] = [...world.plans.keys()].map((file) => file.replace(/\.md$/, ''));
  const known = world.plans.values().next().value?.tasks[0]?.run?.branch.split('/').at(-1) ?? '';
  const ending = { at: AT, event: 'revert', by: 'user', merged: null } as const;
  const history = { world, endings: new Map([[`cadre/${plan}/t7-a1`, ending]]), started: new Map() };
  const trees = [known, 't7-a1', 'review', 't9-a1'].map((part) => tree(plan ?? '', part));
  expect(orphanedTrees(history, [...trees, tree('gone', 'review')]).map(({ path }) => path)).toEqual([
    `/worktrees/${plan}/t9-a1`,
    '/worktrees/gone/review',
  ]);
});

test('the worktree of a session is orphaned if no record started it', () => {
  const started = new Map([['s1' as PlaceId, { branch: 'cadre/adhoc/x-s1', from: 'c0', at: AT }]]);
  const history = { world: worldWith('ready'), endings: new Map(), started };
  const found = orphanedTrees(history, [tree('adhoc', 's1'), tree('adhoc', 's2')]);
  expect(found.map(({ path }) => path)).toEqual(['/worktrees/adhoc/s2']);
});

test('a program that has ended is no orphan', () => {
  const hosted = (session: string, life: HostedSession['life']): HostedSession => ({
    ...{ session: session as SessionId, place: session as PlaceId, life, lastOutput: undefined },
  });
  const all = [hosted('s1', { kind: 'running', pid: 7 }), hosted('s2', { kind: 'gone' })];
  expect(orphanedSessions(EMPTY_WORLD, all)).toEqual(['s1']);
});
