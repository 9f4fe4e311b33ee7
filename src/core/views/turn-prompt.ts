// What an agent is told at the beginning of its turn, made from what the world knows of its run or its plan.
import { answerQuestion, checkIn, reviewTaskPlan } from '../../agents/prompts/architect.ts';
import type { Assignment, Quote } from '../../agents/prompts/assignment.ts';
import { fix, implement, planTask, verifyByAgent } from '../../agents/prompts/implementer.ts';
import { reviewPlan, reviewQuality, reviewSpec } from '../../agents/prompts/reviewers.ts';
import type { RunEntry, TurnWork } from '../model/run.ts';
import type { PlanEntry } from '../model/world.ts';

/** Keeps a text whole in a file of the run, so that a prompt can be short; returns where. */
export type Keep = (name: string, text: string) => string;

export interface Turn {
  readonly turn: TurnWork;
  readonly work: Assignment;
  readonly plan: PlanEntry;
  /** Nothing where it is about the plan as a whole. */
  readonly run: RunEntry | undefined;
  /** What the project says to an agent that verifies. */
  readonly verifyPrompt: string;
}

export function turnPrompt({ turn, work, run, plan, verifyPrompt }: Turn, keep: Keep): string {
  if (turn === 'review-all')
    return reviewPlan(work, work.base, saidBy('the last review of the plan', plan.feedback?.text, 'review', keep));
  if (run === undefined) throw new Error(`${work.plan} has no run for an agent that is to ${turn}.`);
  const said = saidBy(run.said?.by ?? '', run.said?.text, 'said', keep);
  const commit = run.pinned ?? run.head ?? run.base ?? '';
  switch (turn) {
    case 'plan':
      return planTask(work, said);
    case 'build':
      return implement(work, said);
    case 'fix':
      return fix(work, run.fixing?.reason ?? 'code_review_changes', wrong(run, keep), said);
    case 'verify':
      return verifyByAgent(work, commit, verifyPrompt);
    case 'review-plan':
      return reviewTaskPlan(work, must(saidBy('the implementer', run.plan ?? work.task?.text, 'plan', keep)));
    case 'answer':
      return answerQuestion(work, must(saidBy('the implementer', run.question?.text, 'question', keep)));
    case 'check-in':
      return checkIn(work, must(saidBy('cadre', run.question?.text, 'check-in', keep)));
    case 'review-spec':
      return reviewSpec(work, commit, lastReview(run, keep));
    case 'review-quality':
      return reviewQuality(work, commit, lastReview(run, keep));
  }
}

/** Where something has to be fixed although nobody has said what, that is said. */
function wrong(run: RunEntry, keep: Keep): Quote {
  const text = run.fixing?.text.trim() || 'Nothing more is known about it.';
  return must(saidBy(WHO_SAYS[run.fixing?.reason ?? 'code_review_changes'], text, 'to-fix', keep));
}

const WHO_SAYS = {
  test_failure: 'the verification',
  verify_infrastructure: 'cadre, about the verification',
  code_review_changes: 'a reviewer',
  merge_conflict: 'git, about files that conflict',
  merge_failure: 'cadre, about the merge',
} as const;

/** A reviewer looks whether what was asked for has been done; a failed test is of no use to it. */
function lastReview(run: RunEntry, keep: Keep): Quote | null {
  return run.fixing?.reason === 'code_review_changes'
    ? saidBy('a reviewer, about an earlier commit', run.fixing.text, 'review', keep)
    : null;
}

function saidBy(by: string, text: string | undefined, name: string, keep: Keep): Quote | null {
  return text === undefined || text.trim() === '' ? null : { by, text, path: keep(name, text) };
}

function must(said: Quote | null): Quote {
  return said ?? { by: 'cadre', text: 'Nothing was said.', path: '' };
}

/** Quote to an agent that is alive and owes something. On one line: some programs press Enter at every end of a line. */
export function nudgeText(turn: TurnWork): string {
  return `cadre has not heard from you yet. ${NUDGES[turn]} If you cannot continue without an answer, ask with the signal "question", as your first instructions say.`;
}

const NUDGES: Readonly<Record<TurnWork, string>> = {
  plan: 'Write down how you will do the task, and say it with the signal "plan-submitted".',
  build:
    'Go on with the task. When all of it is done and committed, and nothing is left uncommitted, say "implement-finished".',
  fix: 'Go on with what has to be fixed. When it is committed, and nothing is left uncommitted, say "fix-finished".',
  verify: 'Run the verification, and say "verify-passed" or "verify-issues".',
  'review-plan': 'Say "review-approved" or "review-changes" about the plan for the task.',
  answer: 'Answer the question with the signal "answer".',
  'check-in': 'Decide how the run continues, with the signal "answer".',
  'review-spec': 'Say "review-approved" or "review-changes".',
  'review-quality': 'Say "review-approved" or "review-changes".',
  'review-all': 'Say "review-approved" or "review-changes".',
};
