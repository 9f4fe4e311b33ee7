// The step into TESTING, its results, and the escalation past it. Each pins the commit that is verified, reviewed and merged.
import { short } from '../../model/commit.ts';
import { type Decision, refused } from '../../model/decision.ts';
import type { FixCause, WorktreeFacts } from '../../model/run.ts';
import { mayIssue } from '../../model/stops.ts';
import { ask } from './ask.ts';
import { endInError } from './end.ts';
import { awaitNext, waitsNext } from './manual-step.ts';
import { nameOf, type RunContext, type RunStep, recordStep, runEffectFields } from './step.ts';
import { toFix } from './to-fix.ts';

/** The implementer, the engine or a person says that the work is finished and committed. It is verified, now or on demand. */
export function finishWork(context: RunContext, worktree: WorktreeFacts | undefined): Decision {
  const no = whyNotFinished(context, worktree);
  if (no !== undefined || worktree === undefined) return no ?? notLooked(context);
  const { head } = worktree;
  if (changesNothing(context, head)) return nothingChanged(context, head);
  if (waitsNext(context).waitsNext) return awaitNext(context, worktree);
  return recordStep(context, {
    moves: [context.run.state === 'FIXING' ? 'fix_done' : 'code_complete'],
    change: { pinned: head, head, unchanged: 0 },
    ...(context.world.policy.verification === 'engine' ? issueVerify(context, head) : {}),
  });
}

/** A fix at the commit that was to be changed is not one. Only a person may let it pass. */
function changesNothing({ by, run }: RunContext, head: string): boolean {
  return (
    by.who !== 'user' &&
    run.state === 'FIXING' &&
    run.fixing?.reason === 'code_review_changes' &&
    run.asked?.commit === head
  );
}

/** The first time the implementer is told; the second time it is asked for it, a person decides. */
function nothingChanged(context: RunContext, head: string): Decision {
  const { run, entry, task } = context;
  const who = run.asked?.by === 'person' ? 'A person' : 'The reviewer';
  const why = `${who} asked for changes in ${nameOf(context)}, and nothing was changed since ${short(head)}.`;
  if ((run.unchanged ?? 0) === 0)
    return {
      ...refused('unchanged', `${why} Commit the change, or ask why it is needed.`),
      extras: {
        effects: [],
        changes: [{ of: 'run', plan: entry.plan, task: task.id, change: { unchanged: 1 } }],
      },
    };
  const text = `${why} The implementer says twice that it is finished. What was asked for:\n\n${run.asked?.text ?? ''}`;
  return ask(context, text, { unchanged: 0 });
}

/** Where nothing may be issued now, the verification starts later, as a reaction. */
function issueVerify(context: RunContext, pin: string): Pick<RunStep, 'issue'> {
  if (!mayIssue(context.world, context.entry)) return {};
  return { issue: { do: 'verify', ...runEffectFields(context), pin } };
}

/** Starts the verification of a run that is already in TESTING. */
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
  return recordStep(context, { ...more, moves: ['tests_pass'], change: { unverified: false, ...waitsNext(context) } });
}

export function testsFail(context: RunContext, reason: FixCause, text: string, more: Partial<RunStep> = {}): Decision {
  return recordStep(context, {
    ...more,
    moves: ['tests_fail'],
    cause: text,
    ...toFix(context, reason, text),
  });
}

/** An answer to a check-in: the commit is reviewed, although it has not passed verification. */
export function escalate(context: RunContext, worktree: WorktreeFacts | undefined, text: string): Decision {
  const no = whyNotFinished(context, worktree);
  if (no !== undefined || worktree === undefined) return no ?? notLooked(context);
  const { head } = worktree;
  return recordStep(context, {
    moves: ['escalate'],
    cause: text,
    change: { pinned: head, head, unverified: true, said: null, ...waitsNext(context) },
  });
}

/** The commit goes back to the implementer; if no merge attempt is left, the run ends. */
export function backFromMerge(
  context: RunContext,
  reason: FixCause,
  text: string,
  more: Partial<RunStep> = {},
): Decision {
  const { counts } = context.run;
  const step = { ...more, ...toFix(context, reason, text) };
  if (context.by.who !== 'user' && counts.mergeAttempts >= context.world.policy.budgets.mergeAttempts) {
    const why = reason === 'merge_conflict' ? `it conflicts in ${text.split('\n').join(', ')}.` : text;
    return endInError(context, `It could not be merged, and no attempt is left: ${why}`, step);
  }
  return recordStep(context, { ...step, moves: ['merge_conflict'], cause: text });
}

export function notLooked(context: Pick<RunContext, 'entry' | 'task'>): Decision {
  return refused(
    'not-looked',
    `The worktree of ${nameOf(context)} could not be read, so nothing was changed. Try again.`,
  );
}

/** Why the work in the worktree does not count as finished. */
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
