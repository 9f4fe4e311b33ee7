// What is left of sessions that are over, of refused signals, and of worktrees that are gone.

import { planFile } from '../../../plan/name.ts';
import { type PlaceId, placeId, sessionId } from '../../model/ids.ts';
import { ADHOC, treeName } from '../../model/run-name.ts';
import type { SessionEntry } from '../../model/session.ts';
import type { LeftBox, LeftBranch, LeftPart, LeftSession } from '../../ports/cleanup.ts';
import { type Candidate, type GarbageSituation, isOld, isUp } from './situation.ts';

export function sessionGarbage(situation: GarbageSituation): readonly Candidate[] {
  const { left } = situation;
  return [
    ...left.trees.flatMap((tree) => worktree(situation, tree)),
    ...left.branches.flatMap((branch) => sessionBranch(situation, branch)),
    ...left.sessions.flatMap((session) => filesOf(situation, session)),
    ...left.boxes.flatMap((box) => inbox(situation, box)),
    ...refused(situation),
    ...left.ports.map(ports),
  ];
}

/** The place of a session that a person started. */
export function placeIn({ started }: GarbageSituation, { plan, part }: LeftPart): PlaceId | undefined {
  const place = plan === ADHOC ? placeId(part) : undefined;
  return place !== undefined && started.has(place) ? place : undefined;
}

/** The newest session of the place; undefined if the world no longer knows one, so that all of them are over. */
function newestIn({ world }: GarbageSituation, place: PlaceId): SessionEntry | undefined {
  return [...world.sessions.values()].findLast((entry) => entry.place === place);
}

/** A known session is paused, which commits what it left to its branch; what is left of any other is pinned. */
function worktree(situation: GarbageSituation, left: LeftPart): readonly Candidate[] {
  const place = placeIn(situation, left);
  if (place === undefined) return [];
  const session = newestIn(situation, place);
  const at = session?.since ?? situation.started.get(place)?.at ?? null;
  if (!isOld(situation, at) || (session !== undefined && (isUp(session) || session.wanted === 'paused'))) return [];
  const item = {
    kind: 'worktrees',
    id: `worktrees/${left.plan}/${left.part}`,
    at,
    why: 'The session is over.',
  } as const;
  const [plan, name] = [planFile(`${ADHOC}.md`), treeName(left.part)];
  if (plan === undefined || name === undefined) return [];
  const tree = { plan, name };
  const remove =
    session === undefined
      ? ({ kind: 'worktree', tree } as const)
      : ({ kind: 'pause-session', session: session.id, tree } as const);
  return [{ item: { ...item, remove }, isOnly: false }];
}

/** Nothing but the branch has a session's commits, so it goes only if it has none, or another branch has them. */
function sessionBranch(situation: GarbageSituation, { branch, commit, isElsewhere }: LeftBranch): readonly Candidate[] {
  const [place, started] = [...situation.started].find(([, one]) => one.branch === branch) ?? [];
  if (place === undefined || started === undefined || !(isElsewhere || commit === started.from)) return [];
  const session = newestIn(situation, place);
  const hasTree = situation.left.trees.some((tree) => placeIn(situation, tree) === place);
  const at = session?.since ?? started.at;
  if (hasTree || (session !== undefined && isUp(session)) || !isOld(situation, at)) return [];
  const remove = { kind: 'branch', branch, commit, pinFor: null } as const;
  return [
    { item: { kind: 'branches', id: branch, at, why: 'Another branch has its commits.', remove }, isOnly: false },
  ];
}

/** Ids of sessions are never used again. */
function filesOf(situation: GarbageSituation, { session, isStopped, at: changed }: LeftSession): readonly Candidate[] {
  const entry = situation.world.sessions.get(session);
  const at = entry?.since ?? changed;
  if (!isStopped || (entry !== undefined && isUp(entry)) || !isOld(situation, at)) return [];
  const item = { kind: 'sessions', id: `sessions/${session}`, at, why: 'The session is over.' } as const;
  return [{ item: { ...item, remove: { kind: 'session', session } }, isOnly: false }];
}

/** A box with a message in it is the engine's. */
function inbox(situation: GarbageSituation, { session, waiting, at }: LeftBox): readonly Candidate[] {
  const id = /^s\d+$/.test(session) ? sessionId(session) : undefined;
  const entry = id === undefined ? undefined : situation.world.sessions.get(id);
  if (id === undefined || waiting > 0 || (entry !== undefined && isUp(entry)) || !isOld(situation, at)) return [];
  const item = { kind: 'signals', id: `inbox/${session}`, at, why: 'The session is over.' } as const;
  return [{ item: { ...item, remove: { kind: 'box', session } }, isOnly: false }];
}

function refused(situation: GarbageSituation): readonly Candidate[] {
  const known = [...situation.world.refused.values()].filter(({ at }) => isOld(situation, at));
  const unknown = situation.left.refused.filter(
    ({ id, at }) => !situation.world.refused.has(id) && isOld(situation, at),
  );
  return [
    ...known.map(({ id, at, why }): Candidate => {
      return { item: { kind: 'signals', id, at, why, remove: { kind: 'drop-refused', id } }, isOnly: false };
    }),
    ...unknown.map(({ id, at }): Candidate => {
      const why = 'The journal no longer has this refused signal.';
      return { item: { kind: 'signals', id, at, why, remove: { kind: 'refused', id } }, isOnly: false };
    }),
  ];
}

function ports(worktree: string): Candidate {
  const why = 'The worktree that had them is gone.';
  return { item: { kind: 'ports', id: worktree, at: null, why, remove: { kind: 'port', worktree } }, isOnly: false };
}
