// How a run ends early: a person reverts the task or marks it done, or a limit is reached.
import type { RunEvent, RunState } from '../../../machines/run.ts';
import { accepted, type Decision, record } from '../../model/decision.ts';
import { numbered, type UnnumberedEffect } from '../../model/effect.ts';
import { sameMachine } from '../../model/ids.ts';
import { type Finding, openFindings } from '../../model/review/finding.ts';
import type { RecordChange } from '../../model/run.ts';
import { type RunContext, type RunStep, recordStep, runEffectFields, taskMove } from './step.ts';

/**
 * The run is removed in its present state, without a transition. Its work is kept in git, and so is its worktree if somebody
 * may want to look at it.
 */
export function endRun(context: RunContext, event: 'revert' | 'mark_done', notStarted?: string): Decision {
  const { world, now, by, entry, task } = context;
  const at = now.toISOString();
  const change = {
    ...(event === 'mark_done' ? { markedDone: { at } } : {}),
    ...(notStarted === undefined ? {} : { notStarted }),
  };
  const marked: readonly RecordChange[] =
    Object.keys(change).length === 0 ? [] : [{ of: 'task', plan: entry.plan, task: task.id, change }];
  const isOver = event === 'revert' && by.who === 'user';
  return accepted(
    record(
      context,
      { event, plan: entry.plan, task: task.id },
      {
        moves: [taskMove(context, event)],
        changes: [
          { of: 'run', plan: entry.plan, task: task.id, change: null },
          ...marked,
          ...(event === 'mark_done' ? closedByMark(context) : []),
        ],
        effects: numbered(world.seq + 1, cleanupEffects(context, isOver ? 'remove' : 'leave')),
      },
    ),
  );
}

/** What is open in a task that a person marks done is overruled, and the review of the plan sees it. */
function closedByMark({ entry, task }: RunContext): readonly RecordChange[] {
  const findings = openFindings(task).map(({ claimed: _claimed, ...finding }): Finding => {
    const why = { decidedBy: 'person', because: 'A person marked the task done.' } as const;
    return { ...finding, ...why, state: 'overruled', listed: true };
  });
  return findings.length === 0 ? [] : [{ of: 'findings', plan: entry.plan, task: task.id, findings }];
}

/** The effects that clean up after a run: first its session, which may still be writing. */
export function cleanupEffects(
  context: Pick<RunContext, 'entry' | 'task' | 'run'>,
  worktree: 'remove' | 'leave',
): UnnumberedEffect[] {
  const { session } = context.run;
  return [
    ...(session === null ? [] : [{ do: 'stop-session' as const, session: session.id, ...sameMachine(context.run) }]),
    { do: 'keep', ...runEffectFields(context), worktree },
  ];
}

/** How a run that has to end leaves each state: by edges of its machine, where necessary by two in one record. */
const WAYS_TO_ERROR: { readonly [state in RunState]: readonly RunEvent[] | null } = {
  WAITING: null,
  SETUP: ['setup_failed'],
  PLANNING: ['ask', 'unrecoverable'],
  PLAN_REVIEW: ['unrecoverable'],
  CODING: ['unrecoverable'],
  TESTING: ['tests_fail', 'unrecoverable'],
  FIXING: ['unrecoverable'],
  CODE_REVIEW: ['unrecoverable'],
  AWAIT_MERGE: ['merge_conflict', 'unrecoverable'],
  QUESTION: ['unrecoverable'],
  DONE: null,
  ERROR: null,
};

/** A limit is reached. `cause` says which. */
export function endInError(context: RunContext, cause: string, more: Partial<RunStep> = {}): Decision {
  const moves = WAYS_TO_ERROR[context.run.state];
  if (moves === null) throw new Error(`A run that is ${context.run.state} has no way to end in an error.`);
  return recordStep(context, {
    ...more,
    moves,
    name: 'unrecoverable',
    cause,
    change: { ...more.change, usedUp: cause },
  });
}
