// What must have happened in a demo, checked in the journal and in the repository. If one claim fails, the demo fails.
import type { JournalRecord, RunMove } from '../../../core/model/record.ts';
import type { SessionFields } from '../../../core/model/session.ts';
import type { World } from '../../../core/model/world.ts';
import type { RunEvent } from '../../../machines/run.ts';
import { FAILING_TEST, FINDING } from './counting.ts';
import { EXPERIENCED } from './files.ts';
import { CONTESTED } from './more-measures.ts';
import { PLAN } from './plan.ts';

export interface DemoOutcome {
  readonly records: readonly JournalRecord[];
  readonly world: World;
  /** What the terminal of the agent that oversteps showed. */
  readonly screen: string;
  /** The subjects of the commits on the plan branch, without the first one, oldest first. */
  readonly commits: readonly string[];
  /** The tests, run on the plan branch. */
  readonly tests: { readonly exitCode: number; readonly text: string };
}

export interface DemoClaim<Of = DemoOutcome> {
  readonly claim: string;
  readonly holds: (outcome: Of) => boolean;
}

/** How the tasks were built. */
const STEPS: readonly DemoClaim[] = [
  {
    claim: 'Task 1 failed its tests, was fixed with their output in the prompt, and passed.',
    holds: (outcome) =>
      went(outcome, '1', [...BUILT, 'tests_fail', 'fix_done', 'tests_pass', ...MERGED]) &&
      causeOf(outcome, '1', 'tests_fail').includes(FAILING_TEST),
  },
  {
    claim: 'Task 2 was sent back by its reviewer, fixed, and tested and reviewed again.',
    holds: (outcome) =>
      went(outcome, '2', [...BUILT, 'tests_pass', 'changes', 'fix_done', 'tests_pass', ...MERGED]) &&
      causeOf(outcome, '2', 'changes') === FINDING,
  },
  {
    claim: 'Tasks 3, 4 and 5 were built in parallel.',
    holds: (outcome) => {
      const lastStart = Math.max(...IN_PARALLEL.map((task) => whenOf(outcome, task, 'receive_task')));
      return IN_PARALLEL.every((task) => lastStart < whenOf(outcome, task, 'merged'));
    },
  },
  {
    claim: `The second of tasks 3 and 4 conflicted in ${CONTESTED}, was resolved, and tested and reviewed again.`,
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
];

const OVERSTEPPING: readonly DemoClaim[] = [
  {
    claim: 'The implementer of task 5 could not approve its own work: not by a command, a signal or a file.',
    holds: (outcome) =>
      went(outcome, '5', [...BUILT, 'tests_pass', ...MERGED]) &&
      ['"approve" is a person', '"review-approved" is not a signal that '].every((reason) =>
        outcome.screen.includes(reason),
      ) &&
      hasOverstepped(outcome),
  },
];

/** What was built. */
const RESULT: readonly DemoClaim[] = [
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

/** What the reviews of task 2 led to. */
const REVIEWED: readonly DemoClaim[] = [
  {
    claim:
      'Finding f1 of task 2 was closed by a review of the fix alone; f2 is minor and waited for the review of the plan.',
    holds: ({ world }) =>
      world.plans
        .get(PLAN)
        ?.tasks.find(({ address }) => address === '2')
        ?.findings?.map(({ id, state }) => `${id} ${state}`)
        .join() === 'f1 addressed,f2 deferred',
  },
  {
    claim: `Another agent, with the profile "${EXPERIENCED}", got task 2 after the first round.`,
    holds: ({ records }) => records.some((record) => record.event === 'session_begun' && isExperienced(record.begun)),
  },
];

export const CLAIMS: readonly DemoClaim[] = [...STEPS, ...OVERSTEPPING, ...RESULT, ...REVIEWED];

/** What also holds where agents are killed: one that oversteps and is started again oversteps again. */
export const CLAIMS_IN_CHAOS: readonly DemoClaim[] = [...STEPS, ...RESULT, ...REVIEWED];

function isExperienced({ task, role, profile, escalated }: SessionFields): boolean {
  return task === '2' && role === 'implementer' && profile === EXPERIENCED && escalated === true;
}

const IN_PARALLEL = ['3', '4', '5'] as const;

const BUILT: readonly RunEvent[] = ['receive_task', 'workspace_ready', 'submit_plan', 'approve', 'code_complete'];
const MERGED: readonly RunEvent[] = ['approve', 'merged'];

/** Whether exactly these events happened to the task. */
function went(outcome: DemoOutcome, task: string, events: readonly RunEvent[]): boolean {
  return (
    movesOf(outcome, task)
      .map(({ move }) => move.event)
      .join() === events.join()
  );
}

function movesOf({ records }: Pick<DemoOutcome, 'records'>, task: string) {
  return records.flatMap((record) => record.moves.flatMap((move) => (isOf(move, task) ? [{ record, move }] : [])));
}

function isOf(move: JournalRecord['moves'][number], task: string): move is RunMove {
  return move.machine === 'coder' && move.plan === PLAN && move.task === task;
}

function causeOf(outcome: DemoOutcome, task: string, event: RunEvent): string {
  const found = movesOf(outcome, task).find(({ move }) => move.event === event);
  return found !== undefined && 'cause' in found.record ? (found.record.cause ?? '') : '';
}

/** The number of the record; infinite where there is none. */
function whenOf(outcome: DemoOutcome, task: string, event: RunEvent): number {
  return movesOf(outcome, task).find(({ move }) => move.event === event)?.record.seq ?? Number.POSITIVE_INFINITY;
}

function secondOf(outcome: DemoOutcome): '3' | '4' {
  return whenOf(outcome, '3', 'merged') > whenOf(outcome, '4', 'merged') ? '3' : '4';
}

/** What the implementer of task 5 tries, as the quarantine keeps it. */
const OVERSTEPS = ['cadre approve: user-only', 'review-approved: role', 'review-approved: as-file'];

/** Whether every forbidden attempt is in quarantine. */
export function hasOverstepped({ records }: Pick<DemoOutcome, 'records'>): boolean {
  return (
    refusalsIn({ records })
      .map(({ name, code }) => `${name}: ${code}`)
      .join() === OVERSTEPS.join()
  );
}

/** Whether an agent has tried the last of its ways, the file. After it, the agent waits for the person. */
export function isLastOverstep(record: JournalRecord): boolean {
  return record.event === 'signal_refused' && record.refused.code === 'as-file';
}

function refusalsIn({ records }: Pick<DemoOutcome, 'records'>) {
  return records.flatMap((record) => (record.event === 'signal_refused' ? [record.refused] : []));
}
