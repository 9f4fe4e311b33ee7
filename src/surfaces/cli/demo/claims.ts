// What has to have happened in a demo, looked up in the journal and in the repository. One that does not hold is a failed demo.
import type { JournalRecord, RunMove } from '../../../core/model/record.ts';
import type { World } from '../../../core/model/world.ts';
import type { RunEvent } from '../../../machines/run.ts';
import { FAILING_TEST, REVIEW } from './counting.ts';
import { CONTESTED } from './more-measures.ts';
import { PLAN } from './plan.ts';

export interface Outcome {
  readonly records: readonly JournalRecord[];
  readonly world: World;
  /** What the terminal of the agent that oversteps showed. */
  readonly screen: string;
  /** The subjects of the commits that the plan's branch has beyond the first, oldest first. */
  readonly commits: readonly string[];
  /** The tests, run on the plan's branch. */
  readonly tests: { readonly exitCode: number; readonly text: string };
}

export interface Claim {
  readonly claim: string;
  readonly holds: (outcome: Outcome) => boolean;
}

export const CLAIMS: readonly Claim[] = [
  {
    claim: 'Task 1 did not pass the verification, was fixed with its output in hand, and passed.',
    holds: (outcome) =>
      went(outcome, '1', [...BUILT, 'tests_fail', 'fix_done', 'tests_pass', ...MERGED]) &&
      causeOf(outcome, '1', 'tests_fail').includes(FAILING_TEST),
  },
  {
    claim: 'Task 2 got changes from its reviewer, was fixed, verified and reviewed again.',
    holds: (outcome) =>
      went(outcome, '2', [...BUILT, 'tests_pass', 'changes', 'fix_done', 'tests_pass', ...MERGED]) &&
      causeOf(outcome, '2', 'changes') === REVIEW,
  },
  {
    claim: 'Tasks 3, 4 and 5 were built side by side.',
    holds: (outcome) => {
      const begun = Math.max(...SIDE_BY_SIDE.map((task) => whenOf(outcome, task, 'receive_task')));
      return SIDE_BY_SIDE.every((task) => begun < whenOf(outcome, task, 'merged'));
    },
  },
  {
    claim: `Of tasks 3 and 4, the one that came second conflicted in ${CONTESTED}, was resolved, verified and reviewed again.`,
    holds: (outcome) => {
      const second = secondOf(outcome);
      const first = second === '3' ? '4' : '3';
      return (
        went(outcome, first, [...BUILT, 'tests_pass', ...MERGED]) &&
        went(outcome, second, [
          ...BUILT,
          'tests_pass',
          'approve',
          'merge_conflict',
          'fix_done',
          'tests_pass',
          ...MERGED,
        ]) &&
        causeOf(outcome, second, 'merge_conflict') === CONTESTED
      );
    },
  },
  {
    claim:
      'The implementer of task 5 could not approve its own work, neither by a command nor by a signal nor by a file.',
    holds: (outcome) =>
      went(outcome, '5', [...BUILT, 'tests_pass', ...MERGED]) &&
      ['"approve" is a person', '"review-approved" is not for '].every((said) => outcome.screen.includes(said)) &&
      hasOverstepped(outcome),
  },
  {
    claim: 'The plan is done, with one commit for each task on its branch.',
    holds: ({ world, commits }) => {
      const entry = world.plans.get(PLAN);
      const names = entry?.tasks.map((task) => task.name) ?? [];
      return entry?.status === 'done' && [...commits].sort().join() === [...names].sort().join();
    },
  },
  {
    claim: 'The tests pass on the plan branch.',
    holds: ({ tests }) => tests.exitCode === 0 && /^(?:#|ℹ) pass [1-9]/m.test(tests.text),
  },
];

const SIDE_BY_SIDE = ['3', '4', '5'] as const;

const BUILT: readonly RunEvent[] = ['receive_task', 'workspace_ready', 'submit_plan', 'approve', 'code_complete'];
const MERGED: readonly RunEvent[] = ['approve', 'merged'];

/** Whether the task went this way and no other. */
function went(outcome: Outcome, task: string, way: readonly RunEvent[]): boolean {
  return (
    movesOf(outcome, task)
      .map(({ move }) => move.event)
      .join() === way.join()
  );
}

function movesOf({ records }: Pick<Outcome, 'records'>, task: string) {
  return records.flatMap((record) => record.moves.flatMap((move) => (isOf(move, task) ? [{ record, move }] : [])));
}

function isOf(move: JournalRecord['moves'][number], task: string): move is RunMove {
  return move.machine === 'coder' && move.plan === PLAN && move.task === task;
}

function causeOf(outcome: Outcome, task: string, event: RunEvent): string {
  const found = movesOf(outcome, task).find(({ move }) => move.event === event);
  return found !== undefined && 'cause' in found.record ? (found.record.cause ?? '') : '';
}

/** The number of the record; infinite where there is none. */
function whenOf(outcome: Outcome, task: string, event: RunEvent): number {
  return movesOf(outcome, task).find(({ move }) => move.event === event)?.record.seq ?? Number.POSITIVE_INFINITY;
}

function secondOf(outcome: Outcome): '3' | '4' {
  return whenOf(outcome, '3', 'merged') > whenOf(outcome, '4', 'merged') ? '3' : '4';
}

/** What the implementer of task 5 tries, as it is kept aside. */
const OVERSTEPS = ['cadre approve: user-only', 'review-approved: role', 'review-approved: role'];

/** Whether everything that an agent tried and had no right to is kept aside. */
export function hasOverstepped({ records }: Pick<Outcome, 'records'>): boolean {
  return (
    refusalsIn({ records })
      .map(({ name, code }) => `${name}: ${code}`)
      .join() === OVERSTEPS.join()
  );
}

function refusalsIn({ records }: Pick<Outcome, 'records'>) {
  return records.flatMap((record) => (record.event === 'signal_refused' ? [record.refused] : []));
}
