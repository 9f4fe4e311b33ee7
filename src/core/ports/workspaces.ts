// Worktrees of sessions that a person starts, as a port.
import type { PlaceId } from '../model/ids.ts';

/** Worktrees, one for each place in which sessions follow one another. */
export interface Workspaces {
  /** The worktree of the place, on the branch, made from the commit where there is none. One that is there is left as it is. */
  ensure(place: PlaceId, branch: string, from: string): string;
  /** Commits everything in it to its branch and gives it back; one with files that git does not keep stays. */
  release(place: PlaceId, branch: string, message: string): void;
  /** Where the worktree of the place is, if there is one. */
  find(place: PlaceId): string | undefined;
}
