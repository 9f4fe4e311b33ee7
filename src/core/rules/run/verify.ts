// The step into TESTING, its results, and the escalation past it: each pins the commit that everything after is about.
import { type Decision, refused } from '../../model/decision.ts';
import type { FixCause, RunEntry, WorktreeFacts } from '../../model/run.ts';
import { giveUp } from './end.ts';
import { nameOf, type RunContext, type RunStep, recordStep, runEffectFields } from './step.ts';

/** The implementer, the engine or a person says that the work is committed. */
export function finishWork(context: RunContext, worktree: WorktreeFacts | undefined): Decision {
  const no = whyNotFinished(context, worktree);
  if (no !== undefined || worktree === undefined) return no ?? notLooked(context);
  const { head } = worktree;
  return recordStep(context, {
    moves: [context.run.state === 'FIXING' ? 'fix_done' : 'code_complete'],
    change: { pinned: head, head },
    ...(context.world.policy.verification === 'engine' ? issueVerify(context, head) : {}),
  });
}

/** Nothing is begun while cadre is frozen; the thaw catches up. */
function issueVerify(context: RunContext, pin: string): Pick<RunStep, 'issue'> {
  return context.world.frozen ? {} : { issue: { do: 'verify', ...runEffectFields(context), pin } };
}

/** TESTING in which nothing was begun yet. */
export function startVerify(context: RunContext): Decision {
  const { pinned } = context.run;
  if (pinned === null) throw new Error(`${nameOf(context)} is in TESTING without a commit.`);
  return recordStep(context, {
    moves: [],
    name: 'verify_begun',
    issue: { do: 'verify', ...runEffectFields(context), pin: pinned },
  });
}

export function testsPass(context: RunContext, more: Partial<RunStep> = {}): Decision {
  return recordStep(context, { ...more, moves: ['tests_pass'], change: { unverified: false } });
}

export function testsFail(context: RunContext, reason: FixCause, text: string, more: Partial<RunStep> = {}): Decision {
  return recordStep(context, {
    ...more,
    moves: ['tests_fail'],
    cause: text,
    change: { fixing: { reason, text } },
  });
}

/** A check-in's answer: what is there is reviewed, although it has not passed. */
export function escalate(context: RunContext, worktree: WorktreeFacts | undefined, text: string): Decision {
  const no = whyNotFinished(context, worktree);
  if (no !== undefined || worktree === undefined) return no ?? notLooked(context);
  const { head } = worktree;
  return recordStep(context, {
    moves: ['escalate'],
    cause: text,
    change: { pinned: head, head, unverified: true, said: null },
  });
}

/** Without a merge the commit goes back to the implementer; with no attempt left, the run ends. */
export function backFromMerge(
  context: RunContext,
  reason: FixCause,
  text: string,
  more: Partial<RunStep> = {},
): Decision {
  const { counts } = context.run;
  const change: Partial<RunEntry> = { fixing: { reason, text } };
  if (context.by.who !== 'user' && counts.mergeAttempts >= context.world.policy.budgets.mergeAttempts) {
    const why = reason === 'merge_conflict' ? `it conflicts in ${text.split('\n').join(', ')}.` : text;
    return giveUp(context, `It could not be merged, and no attempt is left: ${why}`, { ...more, change });
  }
  return recordStep(context, { ...more, moves: ['merge_conflict'], cause: text, change });
}

export function notLooked(context: Pick<RunContext, 'entry' | 'task'>): Decision {
  return refused(
    'not-looked',
    `The worktree of ${nameOf(context)} could not be read, so nothing was changed. Try again.`,
  );
}

/** What of the worktree stands against taking its commit for the work. */
function whyNotFinished(context: RunContext, worktree: WorktreeFacts | undefined): Decision | undefined {
  const name = nameOf(context);
  if (worktree === undefined) return notLooked(context);
  if (!worktree.clean)
    return refused('unclean', `The worktree of ${name} has uncommitted changes. Commit them, then try again.`);
  if (worktree.commits === 0)
    return refused(
      'no-commit',
      `The branch of ${name} has no commits yet, so there is nothing to verify. Commit the work first.`,
    );
  return undefined;
}
