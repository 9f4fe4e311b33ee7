// What a rehearsal has measured: how long worktrees took to set up, and work to verify.
import type { JournalRecord } from '../../model/record.ts';

export interface TaskTimes {
  /** The id of the task. */
  readonly task: string;
  /** In milliseconds; null where it did not get that far. Set-up includes a verification of the base commit. */
  readonly setup: number | null;
  readonly verify: number | null;
}

export function taskTimes(records: readonly JournalRecord[]): readonly TaskTimes[] {
  const times = new Map<string, TaskTimes>();
  const entered = new Map<string, number>();
  for (const { at, moves } of records)
    for (const move of moves) {
      if (move.machine !== 'coder') continue;
      const { task, from, to } = move;
      const now = Date.parse(at);
      const took = now - (entered.get(`${task} ${from}`) ?? now);
      entered.set(`${task} ${to}`, now);
      const known = times.get(task) ?? { task, setup: null, verify: null };
      times.set(task, {
        task,
        setup: known.setup ?? (from === 'SETUP' ? took : null),
        verify: known.verify ?? (from === 'TESTING' ? took : null),
      });
    }
  return [...times.values()];
}
