// What an agent is told at the beginning of its turn, made from what the world knows of its run or its plan.
import { answerQuestion, checkIn, reviewTaskPlan } from '../../agents/prompts/architect.ts';
import type { Assignment, Quote } from '../../agents/prompts/assignment.ts';
import type { Heard, Reply } from '../../agents/prompts/heard.ts';
import { type FixRequest, fix, implement, planTask, verifyByAgent } from '../../agents/prompts/implementer.ts';
import { type PlanToReview, reviewPlan, reviewQuality, reviewSpec } from '../../agents/prompts/reviewers.ts';
import { type Author, asAuthor } from '../../signals/author.ts';
import type { RunEntry, TurnWork } from '../model/run.ts';
import type { PlanEntry, TaskEntry } from '../model/world.ts';
import { assignmentOf, type Keep, promptWords, type Subject } from './assignment.ts';

export interface Turn extends Subject {
  readonly turn: TurnWork;
  /** What the project says to an agent that verifies. */
  readonly verifyPrompt: string;
}

export function turnPrompt(turn: Turn, keep: Keep): string {
  const assignment = assignmentOf(turn, keep);
  if (turn.turn === 'review-all') return reviewPlan(assignment, planToReview(turn, keep));
  const run = turn.task?.run;
  if (run === undefined) throw new Error(`${turn.plan.plan} has no run for an agent that is to ${turn.turn}.`);
  return runPrompt(turn, assignment, run, keep);
}

function runPrompt(turn: Turn, work: Assignment, run: RunEntry, keep: Keep): string {
  const commit = run.pinned ?? run.head ?? run.base ?? '';
  switch (turn.turn) {
    case 'plan':
      return planTask(work, heardIn(turn, run, keep));
    case 'build':
      return implement(work, heardIn(turn, run, keep));
    case 'fix':
      return fix(work, fixRequest(run, keep), heardIn(turn, run, keep));
    case 'verify':
      return verifyByAgent(work, commit, turn.verifyPrompt);
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
    case 'review-all':
    case 'workshop':
    case 'review-workshop':
      throw new Error(
        `An agent that is to ${turn.turn} works on the whole of ${turn.plan.plan}, not on one of its tasks.`,
      );
  }
}

/** The text of the plan may be missing in the worktree of the reviewer: it need not be committed. */
function planToReview({ plan, texts, planText, site }: Turn, keep: Keep): PlanToReview {
  const text = planText ?? plan.tasks.flatMap(({ id, stale }) => (stale ? [] : [texts.get(id) ?? ''])).join('\n');
  return {
    commit: site.base,
    whole: keep('plan', text),
    tasks: plan.tasks.filter(({ stale }) => !stale).map(taskLine),
    lastReview: planReviewIn(plan, keep),
  };
}

function taskLine({ address, name, state, markedDone }: TaskEntry): string {
  return `Task ${address}, ${name}: ${markedDone === undefined ? state : 'marked done by a person, nothing was merged'}`;
}

/** What the last review of the plan asked for. */
function planReviewIn({ feedback }: PlanEntry, keep: Keep): Quote | null {
  const by = feedback?.by === undefined ? 'the last review of the plan' : promptWords(feedback.by);
  return saidBy(by, feedback?.text, 'review', keep);
}

function heardIn({ plan }: Turn, run: RunEntry, keep: Keep): Heard {
  const isTask = plan.tasks.some((task) => task.feedback !== undefined && task.feedback === plan.feedback?.text);
  return { reply: replyTo(run, keep), planReview: isTask ? null : planReviewIn(plan, keep) };
}

/** What led the run into its present state. Earlier answers are among the decisions about the task. */
function replyTo({ said, entered, state }: RunEntry, keep: Keep): Reply | null {
  if (said === null || (said.seq !== undefined && said.seq !== entered)) return null;
  const quote = saidBy(promptWords(asAuthor(said.by)), said.text, 'said', keep);
  return quote && { ...quote, kind: said.kind ?? (state === 'PLANNING' ? 'proposal' : 'answer') };
}

/** Where something has to be fixed although nobody has said what, that is said. */
function fixRequest(run: RunEntry, keep: Keep): FixRequest {
  const { reason = 'code_review_changes', by, text = '' } = run.fixing ?? {};
  const who = by === undefined ? 'a reviewer' : promptWords(by);
  const wrong = must(saidBy(sourceOf(run), text.trim() || 'Nothing more is known about it.', 'to-fix', keep));
  if (by === 'person') return { reason: 'sent_back', who, wrong };
  return { reason: reason === 'code_review_changes' && by === 'engine' ? 'branch_moved' : reason, who, wrong };
}

/** Who wrote the text about the fix, and about what. */
function sourceOf({ fixing, pinned }: RunEntry): string {
  const by = fixing?.by;
  if (by === 'person') return promptWords(by);
  const about = pinned === null ? '' : ` of commit ${pinned}`;
  switch (fixing?.reason) {
    case 'test_failure':
      return by === 'implementer' ? 'the implementer, about its own verification' : `the verification${about}`;
    case 'verify_infrastructure':
      return `cadre, about the verification${about}`;
    case 'merge_conflict':
      return 'git, about files that conflict';
    case 'merge_failure':
      return 'cadre, about the merge';
    default:
      if (by === undefined) return 'a reviewer';
      return by === 'engine' ? promptWords(by) : aboutCommit(by, pinned);
  }
}

function aboutCommit(by: Author, commit: string | null): string {
  return commit === null ? promptWords(by) : `${promptWords(by)}, about commit ${commit}`;
}

/** A reviewer checks whether what was asked for has been done, also when a failed test came in between. */
function lastReview({ asked, fixing }: RunEntry, keep: Keep): Quote | null {
  if (asked != null) return saidBy(aboutCommit(asked.by, asked.commit), asked.text, 'review', keep);
  // In journals of 0.1.0 only the reason of the last fix is known.
  return fixing?.reason === 'code_review_changes' && fixing.by === undefined
    ? saidBy('a reviewer, about an earlier commit', fixing.text, 'review', keep)
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
  workshop: 'Hand in the document of this round with the signal "round-finished".',
  'review-workshop': 'Say "review-approved" or "review-changes" about the plan.',
};
