// How each run ended, from the records of the journal: the world forgets a run that was reverted or replaced.
import type { Commit } from '../model/commit.ts';
import type { By } from '../model/event.ts';
import type { JournalRecord } from '../model/record.ts';

export interface RunEnding {
  readonly at: string;
  /** The record that ended it: `merged`, `revert`, `mark_done`, `launch` of its successor, or `start_over`. */
  readonly event: JournalRecord['event'];
  readonly by: By['who'];
  /** The commit of the run that was merged; null if none was. */
  readonly merged: Commit | null;
}

/** By the branch of the run. A run ends in the record that asks for its work to be kept. */
export function runEndings(records: Iterable<JournalRecord>): ReadonlyMap<string, RunEnding> {
  const pinned = new Map<string, Commit | null>();
  const endings = new Map<string, RunEnding>();
  for (const { at, by, event, changes = [], effects = [] } of records) {
    for (const effect of effects)
      if (effect.do === 'keep') {
        const merged = event === 'merged' ? (pinned.get(`${effect.plan}#${effect.task}`) ?? null) : null;
        endings.set(effect.branch, { at, event, by, merged });
      }
    for (const change of changes)
      if (change.of === 'run' && change.change?.pinned !== undefined)
        pinned.set(`${change.plan}#${change.task}`, change.change.pinned);
  }
  return endings;
}

/** A sentence. */
export function endingReason({ event, by }: Pick<RunEnding, 'event' | 'by'>): string {
  switch (event) {
    case 'merged':
      return 'It was merged.';
    case 'revert':
      return by === 'user' ? 'A person reverted the task.' : 'Its first agent did not start.';
    case 'mark_done':
      return 'A person marked the task done.';
    case 'launch':
      return 'The task was launched again.';
    case 'start_over':
      return 'The plan was started over.';
    default:
      return 'The run ended.';
  }
}
