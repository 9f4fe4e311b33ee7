// The prompt of an agent at the start of its turn, made from what the world knows of its run or its plan.
import { answerQuestionPrompt, checkIn, reviewTaskPlan, ruleOnFindings } from '../../../agents/prompts/architect.ts';
import type { Assignment, Quote } from '../../../agents/prompts/assignment.ts';
import type { Heard, QuotedReply } from '../../../agents/prompts/heard.ts';
import { type FixRequest, fix, implement, planTask, verifyByAgent } from '../../../agents/prompts/implementer.ts';
import type { Prompt } from '../../../agents/prompts/prompt.ts';
import {
  type PlanToReview,
  type ReviewPackage,
  reviewPlan,
  reviewQuality,
  reviewSpec,
  type WorkToReview,
} from '../../../agents/prompts/reviewers.ts';
import { reportText } from '../../../reviews/implementer-report.ts';
import { type Author, asAuthor } from '../../../signals/author.ts';
import type { RunEntry, TurnWork } from '../../model/run.ts';
import type { PlanEntry, TaskEntry } from '../../model/world.ts';
import { findingsToCheck, listText, rulingText } from '../findings.ts';
import { assignmentOf, type Keep, type PromptSubject } from './assignment.ts';
import { promptWords } from './prompt-words.ts';

export interface Turn extends PromptSubject {
  readonly turn: TurnWork;
  /** The work of another agent is continued, because the rounds of review did not lead to the end. */
  readonly escalated?: boolean;
  /** What the project says to an agent that verifies. */
  readonly verifyPrompt: string;
  /** For a reviewer: the commits, files and changes under review. */
  readonly package?: PackageTexts;
}

export interface PackageTexts {
  readonly whole: string;
  /** The part since the commit that was reviewed last; null where nothing was. */
  readonly since: string | null;
}

export function turnPrompt(turn: Turn, keep: Keep): Prompt {
  const assignment = assignmentOf(turn, keep);
  if (turn.turn === 'review-all') return reviewPlan(assignment, planToReview(turn, keep));
  const run = turn.task?.run;
  if (run === undefined) throw new Error(`${turn.plan.plan} has no run for an agent that is to ${turn.turn}.`);
  return runPrompt(turn, assignment, run, keep);
}

function runPrompt(turn: Turn, work: Assignment, run: RunEntry, keep: Keep): Prompt {
  switch (turn.turn) {
    case 'plan':
      return planTask(work, heardIn(turn, run, keep));
    case 'build':
      return implement(work, heardIn(turn, run, keep));
    case 'fix':
      return fix(work, { ...fixRequest(run, keep), ...triedIn(turn, run, keep) }, heardIn(turn, run, keep));
    case 'verify':
      return verifyByAgent(work, commitOf(run), turn.verifyPrompt);
    case 'review-plan':
      return reviewTaskPlan(work, must(saidBy('the implementer', run.plan ?? work.brief?.task.text, 'plan', keep)));
    case 'answer':
      return answerQuestionPrompt(work, must(saidBy('the implementer', run.question?.text, 'question', keep)));
    case 'check-in':
      return checkIn(work, must(saidBy('cadre', run.question?.text, 'check-in', keep)));
    case 'rule':
      return ruleOnFindings(
        work,
        must(saidBy('cadre', turn.task === undefined ? '' : rulingText(turn.task, run), 'findings', keep)),
      );
    case 'review-spec':
      return reviewSpec(work, toReview(turn, run, keep));
    case 'review-quality':
      return reviewQuality(work, toReview(turn, run, keep));
    case 'review-all':
    case 'workshop':
    case 'review-workshop':
      throw new Error(
        `An agent that is to ${turn.turn} works on the whole of ${turn.plan.plan}, not on one of its tasks.`,
      );
  }
}

function commitOf({ pinned, head, base }: RunEntry): string {
  return pinned ?? head ?? base ?? '';
}

/** The text of the plan may be missing in the worktree of the reviewer: it need not be committed. */
function planToReview(turn: Turn, keep: Keep): PlanToReview {
  const { plan, texts, planText, site } = turn;
  const text = planText ?? plan.tasks.flatMap(({ id, stale }) => (stale ? [] : [texts.get(id) ?? ''])).join('\n');
  return {
    commit: site.base,
    package: packageOf(turn, keep),
    isVerified: site.verify === null ? null : true,
    findings: findingsToCheck(plan, 'plan'),
    left: saidBy('cadre', listText(plan), 'left', keep),
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
function replyTo({ said, entered, state }: RunEntry, keep: Keep): QuotedReply | null {
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

/** For the agent that gets the work after several rounds. */
function triedIn({ escalated }: Turn, { rounds, report }: RunEntry, keep: Keep): Pick<FixRequest, 'tried'> {
  if (!escalated) return {};
  const said = report == null ? undefined : reportText(report);
  const most = Math.max(rounds?.spec ?? 0, rounds?.quality ?? 0);
  return { tried: { rounds: most, report: saidBy('the implementer', said, 'last-report', keep) } };
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

function toReview(turn: Turn, run: RunEntry, keep: Keep): WorkToReview {
  return {
    commit: commitOf(run),
    package: packageOf(turn, keep),
    isVerified: isVerified(turn, run),
    report: saidBy('the implementer', run.report == null ? undefined : reportText(run.report), 'report', keep),
    lastReview: isFirstLook(run) ? null : lastReview(run, keep),
    findings: turn.task === undefined ? [] : findingsToCheck(turn.task, run.stage ?? 'spec'),
  };
}

/** A stage that has not looked at any commit yet looks at everything, whatever another one asked for. */
function isFirstLook({ looked, stage }: RunEntry): boolean {
  return looked !== undefined && looked[stage ?? 'spec'] === undefined;
}

/** Nothing is known of how older runs were verified; they were. */
function isVerified({ site }: Turn, { unverified, verified }: RunEntry): boolean | null {
  if (unverified) return false;
  const command = verified === undefined ? site.verify : verified.command;
  return command === null ? null : true;
}

function packageOf({ package: texts }: Turn, keep: Keep): ReviewPackage | null {
  if (texts === undefined) return null;
  const { whole, since } = texts;
  return { whole: keep('package', whole), since: since === null ? null : keep('changes-since', since) };
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
  return said ?? { by: 'cadre', text: 'No reason was given.', path: '' };
}

/** Quote to an agent that is alive and owes something. On one line: some programs press Enter at every end of a line. */
export function nudgeText(turn: TurnWork): string {
  return `cadre has not heard from you yet. ${NUDGES[turn]} If you cannot continue without an answer, ask with the signal "question", as your first instructions say.`;
}

const NUDGES: Readonly<Record<TurnWork, string>> = {
  plan: 'Write down how you will do the task, and submit it with the signal "plan-submitted".',
  build:
    'Continue with the task. When all of it is done and committed, and nothing is left uncommitted, send "implement-finished".',
  fix: 'Continue with what has to be fixed. When it is committed, and nothing is left uncommitted, send "fix-finished".',
  verify: 'Run the verification, and send "verify-passed" or "verify-issues".',
  'review-plan': 'Send "review-approved" or "review-changes" about the plan for the task.',
  answer: 'Answer the question with the signal "answer".',
  'check-in': 'Decide how the run continues, with the signal "answer".',
  rule: 'Decide about the open findings, with the signal "answer".',
  'review-spec': 'Send "review-approved" or "review-changes".',
  'review-quality': 'Send "review-approved" or "review-changes".',
  'review-all': 'Send "review-approved" or "review-changes".',
  workshop: 'Hand in the document of this round with the signal "round-finished".',
  'review-workshop': 'Send "review-approved" or "review-changes" about the plan.',
};
