// Steps that wait for a person because `auto_verify` is off: verification, each review, and the merge.
import { BY_ENGINE, type Decision, refused } from '../../model/decision.ts';
import type { RunEntry, WorktreeFacts } from '../../model/run.ts';
import { hasMoved } from '../../model/run-status.ts';
import { suggest } from '../../model/suggestion.ts';
import { nameOf, type RunContext, recordStep, referenceTo } from './step.ts';
import { demandsIn } from './to-fix.ts';

/** What goes into the record of a step that leads to the next one. A person's own step needs no second word. */
export function waitsNext({ world, by }: RunContext): Pick<RunEntry, 'waitsNext'> {
  return world.policy.autoVerify || by.who === 'user' ? {} : { waitsNext: true };
}

/** The agent has finished, and its commit is not verified yet. Its turn is over, so another one would be counted. */
export function awaitNext(context: RunContext, { head }: WorktreeFacts, reported: Pick<RunEntry, 'report'>): Decision {
  const { world, now } = context;
  const entered = { entered: world.seq + 1, since: now.toISOString() };
  return recordStep(context, {
    moves: [],
    name: 'next_awaited',
    change: { waitsNext: true, head, started: true, ...reported, ...entered },
  });
}

/** Starts the review or the merge that waits. The worktree must still be what was verified. */
export function takeNext(
  context: RunContext,
  worktree: WorktreeFacts | undefined,
  sendBack: (context: RunContext, worktree: WorktreeFacts) => Decision,
): Decision {
  const { run, task } = context;
  if (run.state === 'AWAIT_MERGE' && task.stale)
    return refused(
      'stale',
      `${nameOf(context)} is no longer in the plan file, so it is merged only on purpose.`,
      suggest('merge-anyway', referenceTo(context)),
    );
  if (worktree !== undefined && hasMoved(run, worktree.head)) return sendBack({ ...context, by: BY_ENGINE }, worktree);
  if (worktree?.clean === false)
    return refused('unclean', `The worktree of ${nameOf(context)} has uncommitted changes. Undo or move them first.`);
  return recordStep(context, { moves: [], name: 'next_taken', change: { waitsNext: false } });
}

/** The implementer gets another turn instead of the verification. */
export function backToWork(context: RunContext, text: string): Decision {
  const { world, now } = context;
  return recordStep(context, {
    moves: [],
    name: 'back_to_work',
    cause: text,
    change: { waitsNext: false, entered: world.seq + 1, since: now.toISOString() },
    ...demandsIn(context, text),
  });
}
