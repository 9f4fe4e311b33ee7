// How records change a run, and how a managed plan starts out.

import type { SessionId } from '../model/ids.ts';
import type { JournalRecord, RunMove } from '../model/record.ts';
import type { PlanWork, RunEntry } from '../model/run.ts';
import { isActive } from '../model/run-status.ts';
import type { SessionEntry } from '../model/session.ts';

export const NO_WORK: PlanWork = {
  going: false,
  generation: 1,
  reviewCycles: 0,
  waiting: null,
  tip: null,
  base: null,
  moving: null,
  incident: null,
  session: null,
  relaunches: 0,
  landed: null,
  lands: false,
};

/** The first change of a run contains all of its fields. */
export function changedRun(run: RunEntry | undefined, change: Partial<RunEntry> | null): RunEntry | undefined {
  return change === null ? undefined : ({ ...run, ...change } as RunEntry);
}

export function movedRun(run: RunEntry, move: RunMove, { at, seq }: JournalRecord): RunEntry {
  return { ...run, state: move.to, since: at, entered: seq };
}

export function tickedRun(
  run: RunEntry,
  planIsWorking: boolean,
  sessions: ReadonlyMap<SessionId, SessionEntry>,
  at: string,
): RunEntry {
  if (run.clock.at === at) return run;
  const passed = planIsWorking && isActive(run, sessions) ? Date.parse(at) - Date.parse(run.clock.at) : 0;
  return { ...run, clock: { spent: run.clock.spent + Math.max(0, passed), at } };
}
