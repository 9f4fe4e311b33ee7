// Verdicts: on a task's plan, and on its code by the two reviews. They are for one commit, and from who holds the role.
import { BY_ENGINE, type Decision, refused } from '../../model/decision.ts';
import type { UnnumberedEffect } from '../../model/effect.ts';
import type { WorktreeFacts } from '../../model/run.ts';
import { hasMoved } from '../../model/run-status.ts';
import { nameOf, type RunContext, recordStep, runEffectFields } from './step.ts';
import { notLooked } from './verify.ts';

export type Verdict = 'approve' | 'changes' | 'abandon';

export function giveVerdict(
  context: RunContext,
  verdict: Verdict,
  text: string,
  worktree: WorktreeFacts | undefined,
): Decision {
  switch (context.run.state) {
    case 'PLAN_REVIEW':
      return judgePlan(context, verdict, text);
    case 'CODE_REVIEW':
      return judgeCode(context, verdict, text, worktree);
    case 'QUESTION':
      if (verdict === 'abandon') return recordStep(context, { moves: ['abandon'], cause: text });
      break;
  }
  return refused('state', `${nameOf(context)} is ${context.run.state}; there is nothing to ${VERBS[verdict]}.`);
}

const VERBS: { readonly [verdict in Verdict]: string } = {
  approve: 'approve',
  changes: 'send back',
  abandon: 'abandon',
};

function judgePlan(context: RunContext, verdict: Verdict, text: string): Decision {
  const said = verdict === 'changes' ? { by: whoSays(context), text } : null;
  return recordStep(context, { moves: [verdict], ...(text === '' ? {} : { cause: text }), change: { said } });
}

function judgeCode(context: RunContext, verdict: Verdict, text: string, worktree: WorktreeFacts | undefined): Decision {
  if (verdict === 'abandon') return recordStep(context, { moves: ['abandon'], cause: text });
  if (verdict === 'changes') return sendBack(context, text);
  if (worktree === undefined) return notLooked(context);
  if (hasMoved(context.run, worktree.head)) return sendBack({ ...context, by: BY_ENGINE }, movedOn(context, worktree));
  return context.run.stage === 'quality' ? approveQuality(context) : approveSpec(context);
}

export function sendBack(context: RunContext, text: string, effects: readonly UnnumberedEffect[] = []): Decision {
  return recordStep(context, {
    moves: ['changes'],
    cause: text,
    change: { fixing: { reason: 'code_review_changes', text } },
    effects,
  });
}

function movedOn({ run }: RunContext, { head }: WorktreeFacts): string {
  return `The branch moved on to ${head} after ${run.pinned} was sent to review. Signal again when the new commit is ready to be verified and reviewed.`;
}

/**
 * Somebody has committed while a reviewer was at work there, and nobody can tell who. Such commits are kept aside and taken
 * from the branch: the implementer has back what it had finished, and reviewers write nothing that they then approve.
 */
export function sendBackTo(context: RunContext, pin: string, { head }: WorktreeFacts, asked: string): Decision {
  const undo: UnnumberedEffect = { do: 'undo', ...runEffectFields(context), pin };
  if (asked !== '') return sendBack(context, asked, [undo]);
  const text = `The branch moved on to ${head} while ${pin} was being reviewed. It was reset to ${pin}, and ${head} is kept: take what belongs to the task from it ("git cherry-pick"), and signal again when that is ready to be verified and reviewed.`;
  return sendBack({ ...context, by: BY_ENGINE }, text, [undo]);
}

/** The stage moves, and the task with it; the run stays in review. */
function approveSpec(context: RunContext): Decision {
  const { world, now } = context;
  return recordStep(context, {
    moves: [],
    name: 'stage_passed',
    change: { stage: 'quality', entered: world.seq + 1, since: now.toISOString() },
  });
}

/** The run moves, and the task when the merge is done. Of what is not verified only a person's approval counts. */
function approveQuality(context: RunContext): Decision {
  const { run, by } = context;
  const isCovered = !run.unverified || run.override === run.pinned;
  if (by.who === 'agent' && !isCovered)
    return recordStep(context, { moves: [], name: 'advised', change: { advised: true } });
  return recordStep(context, { moves: ['approve'], change: isCovered ? {} : { override: run.pinned } });
}

export function whoSays({ by, run }: RunContext): string {
  if (by.who === 'user') return 'a person';
  return by.who === 'engine' ? 'the engine' : `the ${run.session?.role ?? by.role}`;
}
