// Takes the review of a run: records its findings, and decides whether the run continues, goes back, or waits.
import type { ReviewStage } from '../../../machines/task-of-run.ts';
import { type ReviewWord, readReview } from '../../../reviews/read-review.ts';
import type { ReviewDocument } from '../../../reviews/review-document.ts';
import { changedFindings } from '../../journal/fold-findings.ts';
import { BY_ENGINE, type Decision, refused } from '../../model/decision.ts';
import type { UnnumberedEffect } from '../../model/effect.ts';
import { blockersOfStage, type Finding, isContradiction } from '../../model/review/finding.ts';
import type { RunEntry, WorktreeFacts } from '../../model/run.ts';
import { hasMoved } from '../../model/run-status.ts';
import { findingsText, judged, type Occasion, reportedFindings, verdictProblems } from './findings.ts';
import { nameOf, type RunContext, type RunStep, recordStep } from './step.ts';
import { anotherRound, toFix } from './to-fix.ts';
import { passStage, sendBackTo } from './verdict.ts';

/** The review of one stage, as its reviewer handed it in. */
export function takeReview(context: RunContext, word: ReviewWord, body: string, worktree: WorktreeFacts): Decision {
  const { run, task } = context;
  const stage = stageOf(run);
  const read = readReview(body, word);
  if (!read.ok)
    return refused('bad-review', `The review of ${nameOf(context)} could not be read: ${read.violations.join('; ')}.`);
  const { document } = read;
  const problems = verdictProblems(task, stage, document);
  if (problems.length > 0)
    return refused('no-verdict', `The review of ${nameOf(context)} is incomplete: ${problems.join('; ')}.`);
  const isAgain = run.looked?.[stage] !== undefined;
  const found = reportedFindings(occasionOf(context), stage, document, isAgain ? worktree.since : undefined);
  if (run.pinned !== null && hasMoved(run, worktree.head))
    return sendBackTo(context, run.pinned, worktree, { asked: word === 'changes' ? body : '', findings: found });
  const facts = { pinned: run.pinned, ...(worktree.changed === undefined ? {} : { changed: worktree.changed }) };
  const changed = [...judged(task, stage, document, facts), ...found];
  return afterReview(context, changed, {
    text: textOf(document, body),
    change: { looked: { ...run.looked, [stage]: run.pinned } as RunEntry['looked'] & object },
    effects: graveOutside(context, found),
  });
}

interface Reviewed {
  /** What the implementer reads where one text says it all. */
  readonly text?: string | undefined;
  readonly change?: Partial<RunEntry>;
  readonly effects?: readonly UnnumberedEffect[];
}

/** What follows from the findings as they are now: the first row that fits. */
export function afterReview(context: RunContext, changed: readonly Finding[], reviewed: Reviewed): Decision {
  const { run, task, world, now } = context;
  const { change = {}, effects = [] } = reviewed;
  const stage = stageOf(run);
  const after = { findings: changedFindings(task.findings, changed) };
  const blockers = blockersOfStage(stage, after);
  // The reviewer has done its part, so its session belongs to what was before.
  const entered = { entered: world.seq + 1, since: now.toISOString() };
  const waits: RunStep = {
    moves: [],
    name: 'review_taken',
    change: { ...change, ...entered },
    findings: changed,
    effects,
  };
  if (blockers.some(isContradiction)) return recordStep(context, waits);
  const toChange = blockers.filter(({ claimed }) => claimed === undefined || claimed !== run.pinned);
  if (toChange.length > 0) {
    const rounds = run.rounds?.[stage] ?? 0;
    if (rounds >= (world.policy.budgets.reviewRounds ?? MOST_ROUNDS)) return recordStep(context, waits);
    const text = reviewed.text ?? findingsText(blockers);
    const reviewer = { who: 'agent', role: `${stage}-reviewer` } as const;
    const { change: fixing } = toFix({ ...context, by: reviewer }, 'code_review_changes', text);
    const asked = fixing?.asked == null ? {} : { asked: { ...fixing.asked, asFindings: true as const } };
    const counted = { rounds: { ...run.rounds, [stage]: rounds + 1 }, ...anotherRound(run) };
    return recordStep(context, {
      moves: ['changes'],
      cause: text,
      change: { ...fixing, ...asked, ...change, ...counted },
      findings: changed,
      effects,
    });
  }
  if (blockers.length > 0) return recordStep(context, waits);
  return passStage(context, { change, findings: changed, effects });
}

/** For policies that older versions recorded. */
const MOST_ROUNDS = 5;

/** The engine passes a stage that has looked at the commit, or at one with the same files, where nothing blocks. */
export function passWithoutReview(context: RunContext): Decision {
  return passStage({ ...context, by: BY_ENGINE }, {});
}

export function stageOf({ stage }: Pick<RunEntry, 'stage'>): ReviewStage {
  return stage ?? 'spec';
}

export function occasionOf({ task, run, world, now }: RunContext): Occasion {
  return { of: task, commit: run.pinned ?? run.head, seq: world.seq + 1, at: now.toISOString() };
}

/** A review in prose is passed on as it is. */
function textOf({ findings = [], verdicts = [] }: ReviewDocument, body: string): string | undefined {
  const [only] = findings;
  const isProse = findings.length === 1 && verdicts.length === 0 && only?.problem === body.trim();
  return isProse ? body : undefined;
}

/** Nobody looks at a deferred finding before the whole plan is reviewed, so a person learns of a critical one at once. */
function graveOutside(context: RunContext, found: readonly Finding[]): readonly UnnumberedEffect[] {
  const grave = found.filter(({ severity, state }) => severity === 'critical' && state === 'deferred');
  if (grave.length === 0) return [];
  const text = `${nameOf(context)}: a review found a critical problem outside of its scope; it is kept for the review of the plan.\n${findingsText(grave)}`;
  return [{ do: 'tell', text }];
}
