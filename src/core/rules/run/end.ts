// How a run is taken from its task, or given up: by a person, or because what it may cost is used up.
import type { RunEvent, RunState } from '../../../machines/run.ts';
import { accepted, type Decision, record } from '../../model/decision.ts';
import { numbered, type UnnumberedEffect } from '../../model/effect.ts';
import { sameMachine } from '../../model/ids.ts';
import type { RecordChange } from '../../model/run.ts';
import { type RunContext, type RunStep, recordStep, runEffectFields, taskMove } from './step.ts';

/**
 * The run ends where it stands, which is no transition: it takes no event any more. What it has made is kept in git, and its
 * worktree too where somebody may want to look at it.
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
        changes: [{ of: 'run', plan: entry.plan, task: task.id, change: null }, ...marked],
        effects: numbered(world.seq + 1, cleanupEffects(context, isOver ? 'remove' : 'leave')),
      },
    ),
  );
}

/** What is to be done when a run is taken away: its session first, which may still write. */
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

/** How a run that must not go on leaves each state: by edges of its machine, where need be by two in one record. */
const GIVING_UP: { readonly [state in RunState]: readonly RunEvent[] | null } = {
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

/** Something that it may cost is used up. `cause` says what. */
export function giveUp(context: RunContext, cause: string, more: Partial<RunStep> = {}): Decision {
  const moves = GIVING_UP[context.run.state];
  if (moves === null) throw new Error(`A run that is ${context.run.state} cannot be given up.`);
  return recordStep(context, {
    ...more,
    moves,
    name: 'unrecoverable',
    cause,
    change: { ...more.change, usedUp: cause },
  });
}
