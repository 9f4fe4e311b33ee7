// What went wrong in a rehearsal: the tasks whose setup command or tests failed. The folder of a rehearsal is removed, so
// no sentence about it may point into it.
import type { JournalRecord } from '../../model/record.ts';
import type { TaskEntry } from '../../model/world.ts';

export interface FailedStep {
  /** The address of the task. */
  readonly task: string;
  readonly step: 'setup' | 'tests';
}

export function failedSteps(tasks: readonly TaskEntry[], records: readonly JournalRecord[]): readonly FailedStep[] {
  return tasks.flatMap(({ id, address, state, run }): readonly FailedStep[] => {
    if (state === 'done' || run === undefined) return [];
    if (run.failed != null) return [{ task: address, step: 'setup' }];
    return haveTestsFailed(id, records) ? [{ task: address, step: 'tests' }] : [];
  });
}

function haveTestsFailed(task: string, records: readonly JournalRecord[]): boolean {
  return records.some(({ moves }) =>
    moves.some(
      (move) => move.machine === 'coder' && move.task === task && move.from === 'TESTING' && move.to === 'FIXING',
    ),
  );
}

/** Without the part of a sentence that names a file of the folder. */
export function withoutFolder(text: string, folder: string): string {
  return text
    .split(/(?<=[.:]) (?=Its output)/)
    .filter((part) => !(part.startsWith('Its output') && part.includes(folder)))
    .join(' ');
}

/** The last lines of what a command printed. */
export function lastLines(text: string, count: number): readonly string[] {
  return text.trimEnd().split('\n').slice(-count);
}
