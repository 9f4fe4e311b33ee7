// What gc takes for garbage. Nothing of a run that is not over goes, and no work that is nowhere else.
import { describe, expect, test } from 'vitest';
import type { RunEnding } from '../../../src/core/journal/run-endings.ts';
import type { StartedSession } from '../../../src/core/journal/started-sessions.ts';
import type { PlaceId, SessionId } from '../../../src/core/model/ids.ts';
import type { SessionEntry } from '../../../src/core/model/session.ts';
import { EMPTY_WORLD, type World } from '../../../src/core/model/world.ts';
import type { LeftBranch, Leftovers } from '../../../src/core/ports/cleanup.ts';
import type { KeptCommit, KeptFiles } from '../../../src/core/ports/kept.ts';
import { garbageIn } from '../../../src/core/views/garbage/garbage.ts';
import type { FoundOnDisk, Garbage } from '../../../src/core/views/garbage/situation.ts';
import { act, at, going, settled } from '../../support/runs.ts';
import { move, NOW } from '../../support/world.ts';

const DAY = 86_400_000;
const daysAgo = (days: number): string => new Date(NOW.getTime() - days * DAY).toISOString();
const LONG_AGO = daysAgo(60);

const NOTHING: Leftovers = {
  ...{ trees: [], branches: [], kept: [], outputs: [], sessions: [], boxes: [], refused: [], ports: [] },
};
const TREE = { plan: 'x', part: 't1-a1', path: '/worktrees/x/t1-a1' };
const BRANCH: LeftBranch = {
  ...{ plan: 'x', part: 't1-a1', branch: 'cadre/x/t1-a1', commit: 'c1', isElsewhere: false },
};
const OUTPUT = { plan: 'x', part: 't1-a1', folder: '/runs/x/t1-a1' };
const RANGE = { from: 'b0', to: 'c1', merged: false };
const PIN: KeptCommit = {
  ...{ kind: 'commit', id: 'x/t1-a1/1', plan: 'x', part: 't1-a1', at: LONG_AGO, why: null, files: 1 },
  ...{ ref: 'refs/cadre/keep/x/t1-a1/1', commit: 'c1', isUncommitted: false, isElsewhere: false, range: RANGE },
};
const FILES: KeptFiles = {
  ...{ kind: 'files', id: 'x/t1-a1/ignored-1', plan: 'x', part: 't1-a1', at: LONG_AGO, why: null, files: 1 },
  folder: '/runs/x/t1-a1/ignored/1',
};
const OF_RUN: Leftovers = {
  ...NOTHING,
  trees: [TREE],
  branches: [BRANCH],
  kept: [PIN, FILES],
  outputs: [OUTPUT],
};

const REVERTED: RunEnding = { at: LONG_AGO, event: 'revert', by: 'user', merged: null };
const MERGED: RunEnding = { at: LONG_AGO, event: 'merged', by: 'engine', merged: 'c1' };

interface More {
  readonly ending?: RunEnding;
  readonly left?: Leftovers;
  readonly unmerged?: boolean;
  readonly days?: number;
  readonly started?: readonly (readonly [string, StartedSession])[];
}

function look(
  world: World,
  { ending, left = OF_RUN, unmerged = false, days = 30, started = [] }: More = {},
): FoundOnDisk {
  return garbageIn({
    world,
    endings: new Map(ending === undefined ? [] : [['cadre/x/t1-a1', ending]]),
    started: new Map(started.map(([place, one]) => [place as PlaceId, one])),
    left,
    now: NOW,
    olderThan: days * DAY,
    unmerged,
  });
}

const shown = (all: readonly Garbage[]): readonly string[] => all.map(({ kind, id }) => `${kind} ${id}`);

/** The engine has done everything that was decided. */
function done(world: World): World {
  const acks = [...world.outbox.keys()].map((effect) => ({ kind: 'effect-done' as const, effect }));
  return settled(world, ...acks);
}

const OVER = done(settled(going(), act('revert')));

describe('a run', () => {
  test('that was reverted long ago leaves its pins and moved files, and nothing else', () => {
    const { garbage, heldBack } = look(OVER, { ending: REVERTED });
    expect(shown(garbage)).toEqual(['worktrees worktrees/x/t1-a1', 'branches cadre/x/t1-a1', 'output runs/x/t1-a1']);
    expect(shown(heldBack)).toEqual(['pins x/t1-a1/1', 'files x/t1-a1/ignored-1']);
    expect(garbage[1]?.remove).toMatchObject({ pinFor: { plan: 'x.md', name: 't1-a1' } });
  });

  test('that was merged long ago leaves its moved files only', () => {
    const { garbage, heldBack } = look(done(at('DONE')), { ending: MERGED });
    expect(shown(garbage)).toContain('pins x/t1-a1/1');
    expect(garbage[1]?.remove).toMatchObject({ kind: 'branch', pinFor: null });
    expect(shown(heldBack)).toEqual(['files x/t1-a1/ignored-1']);
  });

  test('that was merged leaves a pin of anything but the merged commit', () => {
    const other = { ...PIN, commit: 'c2' };
    const left = { ...OF_RUN, kept: [other], branches: [{ ...BRANCH, commit: 'c2' }] };
    const { garbage, heldBack } = look(done(at('DONE')), { ending: MERGED, left });
    expect(shown(heldBack)).toEqual(['pins x/t1-a1/1']);
    expect(garbage.find(({ kind }) => kind === 'branches')?.remove).toMatchObject({ pinFor: { name: 't1-a1' } });
  });

  test('leaves no pin whose commit a branch or tag has', () => {
    const left = { ...OF_RUN, kept: [{ ...PIN, isElsewhere: true }] };
    expect(shown(look(OVER, { ending: REVERTED, left }).garbage)).toContain('pins x/t1-a1/1');
  });

  test('leaves nothing at all if a person says so, and nothing is pinned again', () => {
    const { garbage, heldBack } = look(OVER, { ending: REVERTED, unmerged: true });
    expect([garbage.length, heldBack]).toEqual([5, []]);
    expect(garbage[1]?.remove).toMatchObject({ kind: 'branch', pinFor: null });
  });

  test.each<readonly [string, World, More]>([
    ['is not over', at('CODING'), {}],
    ['waits for a person in an error', at('ERROR'), {}],
    ['is suspended, because its plan was cancelled', settled(at('CODING'), move('cancel')), {}],
    // An ending of another journal must not count against the world.
    ['is not over, whatever the ending says', at('CODING'), { ending: REVERTED }],
    ['is over, but the engine has yet to clean up', settled(going(), act('revert')), { ending: REVERTED }],
    ['ended recently', OVER, { ending: { ...REVERTED, at: daysAgo(29) } }],
    ['is of a plan that the journal does not know', EMPTY_WORLD, {}],
  ])('keeps everything while it %s', (_why, world, more) => {
    expect(look(world, { unmerged: true, ...more })).toEqual({ garbage: [], heldBack: [] });
  });

  test('keeps what was pinned recently, also if it ended long ago', () => {
    const left = { ...NOTHING, kept: [{ ...PIN, at: daysAgo(1) }] };
    expect(look(OVER, { ending: MERGED, left, unmerged: true }).garbage).toEqual([]);
  });

  test('keeps a pin whose objects git has lost, for somebody who has a backup', () => {
    const left = { ...NOTHING, kept: [{ ...PIN, range: undefined }] };
    expect(look(OVER, { ending: REVERTED, left, unmerged: true }).garbage).toEqual([]);
  });

  test('can go at once', () => {
    expect(look(OVER, { ending: { ...REVERTED, at: NOW.toISOString() }, days: 0 }).garbage).toHaveLength(3);
  });
});

describe('folders that look like cadre’s', () => {
  test.each(['mine', 't1', 't9-a9', 'T1-A1', '..', 't1-a1-restored-1', 'plan'])('"%s" stays', (part) => {
    const left: Leftovers = {
      ...NOTHING,
      trees: [{ ...TREE, part }],
      branches: [{ ...BRANCH, part, branch: `cadre/x/${part}` }],
      outputs: [{ ...OUTPUT, part }],
    };
    expect(look(OVER, { ending: REVERTED, left, unmerged: true })).toEqual({ garbage: [], heldBack: [] });
  });
});

describe('a plan', () => {
  const REVIEW: Leftovers = {
    ...NOTHING,
    trees: [
      { ...TREE, part: 'review' },
      { ...TREE, part: 'merged' },
    ],
  };
  const cancelled = settled(at('CODING'), move('cancel'));

  test('that was cancelled leaves no worktree of its review', () => {
    expect(look(done(cancelled), { left: REVIEW, days: 0 }).garbage).toHaveLength(2);
    expect(look(done(cancelled), { left: REVIEW }).garbage).toEqual([]);
  });

  test('that is built keeps them', () => {
    expect(look(at('CODING'), { left: REVIEW, days: 0 }).garbage).toEqual([]);
  });

  test('keeps its old branch, and what others put on it, unless a person says otherwise', () => {
    const kept = [
      { ...PIN, id: 'x/plan/1', part: 'plan' },
      { ...PIN, id: 'x/foreign/1', part: 'foreign' },
    ];
    expect(look(OVER, { left: { ...NOTHING, kept } }).heldBack).toHaveLength(2);
    expect(look(OVER, { left: { ...NOTHING, kept }, unmerged: true }).garbage).toHaveLength(2);
    const elsewhere = kept.map((one) => ({ ...one, isElsewhere: true }));
    expect(look(OVER, { left: { ...NOTHING, kept: elsewhere } }).garbage).toHaveLength(2);
  });
});

describe('a session of a person', () => {
  const ID = 's7' as SessionId;
  const STARTED: StartedSession = { branch: 'cadre/adhoc/work-s7', from: 'b0', at: LONG_AGO };
  const LEFT: Leftovers = {
    ...NOTHING,
    trees: [{ plan: 'adhoc', part: 's7', path: '/worktrees/adhoc/s7' }],
    sessions: [{ session: ID, isStopped: true, at: LONG_AGO }],
    boxes: [{ session: 's7', waiting: 0, at: LONG_AGO }],
  };
  const ENTRY: SessionEntry = {
    ...{ id: ID, place: 's7' as PlaceId, title: 'work', role: 'unknown', program: 'claude', flags: [], env: [] },
    ...{ branch: STARTED.branch, from: 'b0', wanted: 'stopped', since: LONG_AGO, up: LONG_AGO },
  };
  const withSession = (entry: SessionEntry): World => ({ ...EMPTY_WORLD, sessions: new Map([[entry.id, entry]]) });
  const started = [['s7', STARTED]] as const;

  test('that was stopped long ago is paused, so that its work is on its branch; its files go', () => {
    const { garbage } = look(withSession(ENTRY), { left: LEFT, started });
    expect(garbage.map(({ remove }) => remove.kind)).toEqual(['pause-session', 'session', 'box']);
  });

  test('that the world has forgotten is pinned', () => {
    const { garbage } = look(EMPTY_WORLD, { left: LEFT, started });
    expect(garbage.map(({ remove }) => remove.kind)).toEqual(['worktree', 'session', 'box']);
  });

  test.each<readonly [string, Partial<SessionEntry>]>([
    ['runs', { wanted: 'running' }],
    ['was stopped recently', { since: daysAgo(2) }],
  ])('keeps everything while it %s', (_why, change) => {
    const left = { ...LEFT, boxes: [] };
    expect(look(withSession({ ...ENTRY, ...change }), { left, started }).garbage).toEqual([]);
  });

  test('keeps its files until every process has ended, and its box while a message is in it', () => {
    const left: Leftovers = {
      ...NOTHING,
      sessions: [{ session: ID, isStopped: false, at: LONG_AGO }],
      boxes: [
        { session: 's7', waiting: 1, at: LONG_AGO },
        { session: 'outside', waiting: 0, at: LONG_AGO },
      ],
    };
    expect(look(withSession(ENTRY), { left, started }).garbage).toEqual([]);
  });

  test('keeps its branch unless another branch has the commits, or there are none', () => {
    const branch = { ...BRANCH, plan: 'adhoc', part: 'work-s7', branch: STARTED.branch };
    const kinds = (left: LeftBranch): readonly string[] =>
      shown(look(withSession(ENTRY), { left: { ...NOTHING, branches: [left] }, started, unmerged: true }).garbage);
    expect(kinds(branch)).toEqual([]);
    expect(kinds({ ...branch, isElsewhere: true })).toEqual(['branches cadre/adhoc/work-s7']);
    expect(kinds({ ...branch, commit: 'b0' })).toEqual(['branches cadre/adhoc/work-s7']);
    expect(kinds({ ...branch, branch: 'cadre/adhoc/mine', isElsewhere: true })).toEqual([]);
  });
});

test('refused signals go when they are old, through the journal where it knows them; ports go with their worktrees', () => {
  const known = { id: 'q1', at: LONG_AGO, why: 'Not for you.' };
  const world = {
    ...EMPTY_WORLD,
    refused: new Map([
      ['q1', known as never],
      ['q2', { ...known, id: 'q2', at: daysAgo(1) } as never],
    ]),
  };
  const refused = ['q1', 'q2', 'q3'].map((id) => ({ id, at: LONG_AGO }));
  const { garbage } = look(world, { left: { ...NOTHING, refused, ports: ['/worktrees/x/t1-a1'] } });
  expect(garbage.map(({ id, remove }) => [id, remove.kind])).toEqual([
    ['q1', 'drop-refused'],
    ['q3', 'refused'],
    ['/worktrees/x/t1-a1', 'port'],
  ]);
});
