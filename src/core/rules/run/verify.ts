// The step into TESTING, its results, and the escalation past it. Each pins the commit that is verified, reviewed and merged.
import type { ImplementerReport } from '../../../reviews/implementer-report.ts';
import { short } from '../../model/commit.ts';
import { type Decision, refused } from '../../model/decision.ts';
import { isBlocking, openFindings } from '../../model/review/finding.ts';
import type { FixCause, RunEntry, WorktreeFacts } from '../../model/run.ts';
import { mayIssue } from '../../model/stops.ts';
import { ask } from './ask.ts';
import { endInError } from './end.ts';
import { findingsText } from './findings.ts';
import { awaitNext, waitsNext } from './manual-step.ts';
import { nameOf, type RunContext, type RunStep, recordStep, runEffectFields } from './step.ts';
import { toFix } from './to-fix.ts';

/** The implementer, the engine or a person says that the work is finished and committed. It is verified, now or on demand. */
export function finishWork(
  context: RunContext,
  worktree: WorktreeFacts | undefined,
  report: ImplementerReport | null = null,
): Decision {
  const no = whyNotFinished(context, worktree);
  if (no !== undefined || worktree === undefined) return no ?? notLooked(context);
  const { head } = worktree;
  const unchanged = stillToChange(context, worktree);
  if (unchanged !== undefined) return nothingChanged(context, head, unchanged);
  const reported = { report: report ?? keptReport(context) };
  if (waitsNext(context).waitsNext) return awaitNext(context, worktree, reported);
  return recordStep(context, {
    moves: [context.run.state === 'FIXING' ? 'fix_done' : 'code_complete'],
    change: { ...finishedAt(context, worktree), ...reported },
    ...(context.world.policy.verification === 'engine' ? issueVerify(context, head) : {}),
  });
}

/** A person who starts the verification has nothing to report, and the report of the agent before still holds. */
function keptReport({ by, run }: RunContext): ImplementerReport | null {
  return by.who === 'user' ? (run.report ?? null) : null;
}

/** What a run is like with this commit as the finished one. A review of a commit with the same files was one of this. */
export function finishedAt({ run }: RunContext, { head, same = [] }: WorktreeFacts): Partial<RunEntry> {
  const looked = Object.entries(run.looked ?? {}).map(([stage, commit]) => [
    stage,
    same.includes(commit) ? head : commit,
  ]);
  return { pinned: head, head, unchanged: 0, ...(looked.length === 0 ? {} : { looked: Object.fromEntries(looked) }) };
}

/** What has to change, and has not, at this commit. Only a person may let that pass. */
function stillToChange({ by, run, task }: RunContext, { head, same = [] }: WorktreeFacts): ToChange | undefined {
  if (by.who === 'user') return undefined;
  const isSame = (commit: string | null): boolean => commit !== null && (commit === head || same.includes(commit));
  const blocking = openFindings(task).filter((finding) => isBlocking(finding) && isSame(finding.commit));
  if (blocking.length > 0) {
    const isPersons = blocking.some(({ demand }) => demand === true);
    return { who: isPersons ? 'A person' : 'The reviewer', text: findingsText(blocking) };
  }
  // A person sent it back without a comment, or the journal is from before there were findings.
  const isAsked = run.state === 'FIXING' && run.fixing?.reason === 'code_review_changes' && run.asked?.commit === head;
  if (!isAsked || run.asked?.asFindings) return undefined;
  return { who: run.asked?.by === 'person' ? 'A person' : 'The reviewer', text: run.asked?.text ?? '' };
}

interface ToChange {
  readonly who: 'A person' | 'The reviewer';
  readonly text: string;
}

/** The first time the implementer gets the reason; the second time somebody decides. */
function nothingChanged(context: RunContext, head: string, { who, text: asked }: ToChange): Decision {
  const { run, entry, task } = context;
  const why = `${who} asked for changes in ${nameOf(context)}, and nothing has changed since ${short(head)}.`;
  if ((run.unchanged ?? 0) === 0)
    return {
      ...refused('unchanged', `${why} Commit the change, or ask why it is needed.`),
      extras: {
        effects: [],
        changes: [{ of: 'run', plan: entry.plan, task: task.id, change: { unchanged: 1 } }],
      },
    };
  const text = `${why} The implementer has said twice that it is finished. What was asked for:\n\n${asked}`;
  return ask(context, text, { unchanged: 0 }, 'unchanged');
}

/** Where nothing may be issued now, the verification starts later, as a reaction. */
export function issueVerify(context: RunContext, pin: string): Pick<RunStep, 'issue'> {
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
  return recordStep(context, {
    moves: ['escalate'],
    cause: text,
    change: { ...finishedAt(context, worktree), unverified: true, said: null, ...waitsNext(context) },
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
    return endInError(context, `It could not be merged, and no attempts are left: ${why}`, step);
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
export function whyNotFinished(context: RunContext, worktree: WorktreeFacts | undefined): Decision | undefined {
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
