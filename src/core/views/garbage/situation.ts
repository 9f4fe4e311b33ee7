// What is asked when looking for garbage, and how it is answered.

import type { RunEnding } from '../../journal/run-endings.ts';
import type { StartedSession } from '../../journal/started-sessions.ts';
import type { PlaceId, SessionId } from '../../model/ids.ts';
import type { Tree } from '../../model/run-name.ts';
import type { SessionEntry } from '../../model/session.ts';
import type { World } from '../../model/world.ts';
import type { Leftovers, Target } from '../../ports/cleanup.ts';

export interface GarbageSituation {
  readonly world: World;
  /** By branch. */
  readonly endings: ReadonlyMap<string, RunEnding>;
  readonly started: ReadonlyMap<PlaceId, StartedSession>;
  readonly left: Leftovers;
  readonly now: Date;
  /** What has not been needed for less than this stays, in milliseconds. */
  readonly olderThan: number;
  /** Work that is nowhere else goes as well. */
  readonly unmerged: boolean;
}

export const GARBAGE_KINDS = [
  'worktrees',
  'branches',
  'pins',
  'files',
  'output',
  'sessions',
  'signals',
  'ports',
] as const;

export type GarbageKind = (typeof GARBAGE_KINDS)[number];

export interface Garbage {
  readonly kind: GarbageKind;
  /** A branch, the id of something kept, or a path below cadre's folder for the repository. */
  readonly id: string;
  /** Since when it has not been needed. */
  readonly at: string | null;
  readonly why: string;
  readonly remove: Target | ByCommand;
}

/** Removed by what a person could command as well: it is recorded, and the engine does it. */
export type ByCommand =
  /** Its worktree goes. */
  | { readonly kind: 'pause-session'; readonly session: SessionId; readonly tree: Tree }
  | { readonly kind: 'drop-refused'; readonly id: string };

export interface FoundOnDisk {
  readonly garbage: readonly Garbage[];
  /** Old, but work that is nowhere else. */
  readonly heldBack: readonly Garbage[];
}

export interface Candidate {
  readonly item: Garbage;
  /** It is work that is nowhere else. */
  readonly isOnly: boolean;
}

export function isOld({ now, olderThan }: GarbageSituation, at: string | null): boolean {
  return at !== null && now.getTime() - Date.parse(at) >= olderThan;
}

/** Its program runs, or is about to. */
export function isUp({ wanted, ended, failure, followedBy }: SessionEntry): boolean {
  return wanted === 'running' && ended === undefined && failure === undefined && followedBy === undefined;
}
