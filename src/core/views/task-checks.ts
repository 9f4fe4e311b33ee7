// What the verifications and reviews of a task came to, from its records.
import { type Author, authorIn } from '../../signals/author.ts';
import type { JournalRecord } from '../model/record.ts';

export interface TaskCheck {
  readonly at: string;
  /** The run. */
  readonly attempt: number;
  readonly of: 'verification' | 'plan review' | 'review' | 'spec review' | 'merge';
  readonly passed: boolean;
  readonly by: Author;
  /** What failed or has to change: the end of a test's output, a review, a list of files. */
  readonly text: string;
}

export function taskChecks(records: readonly JournalRecord[]): readonly TaskCheck[] {
  return records.flatMap((record) => {
    const made = checkIn(record);
    if (made === undefined || !('attempt' in record)) return [];
    const text = 'cause' in record ? (record.cause ?? '') : '';
    return [{ at: record.at, attempt: record.attempt, ...made, by: authorIn(record), text }];
  });
}

/** Whether the record says how a check of the task ended. */
export function isCheck(record: JournalRecord): boolean {
  return checkIn(record) !== undefined;
}

function checkIn({ event, moves }: JournalRecord): Pick<TaskCheck, 'of' | 'passed'> | undefined {
  const from = moves.find(({ machine }) => machine === 'coder')?.from;
  switch (event) {
    case 'tests_pass':
      return { of: 'verification', passed: true };
    case 'tests_fail':
      return { of: 'verification', passed: false };
    case 'stage_passed':
      return { of: 'spec review', passed: true };
    case 'approve':
      return { of: from === 'PLAN_REVIEW' ? 'plan review' : 'review', passed: true };
    case 'changes':
      return { of: from === 'PLAN_REVIEW' ? 'plan review' : 'review', passed: false };
    case 'merged':
      return { of: 'merge', passed: true };
    case 'merge_conflict':
      return { of: 'merge', passed: false };
    default:
      return undefined;
  }
}
