// What is no longer needed, and what stays although it is old. Decided from the journal, never from what is on disk alone.
import { runGarbage } from './of-runs.ts';
import { sessionGarbage } from './of-sessions.ts';
import type { FoundOnDisk, GarbageSituation } from './situation.ts';

/** In the order in which it has to be removed: a branch after the worktree that has it checked out. */
export function garbageIn(situation: GarbageSituation): FoundOnDisk {
  const found = [...runGarbage(situation), ...sessionGarbage(situation)];
  return {
    garbage: found.filter(({ isOnly }) => !isOnly || situation.unmerged).map(({ item }) => item),
    heldBack: found.filter(({ isOnly }) => isOnly && !situation.unmerged).map(({ item }) => item),
  };
}
