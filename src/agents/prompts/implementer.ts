// The prompts of the implementer: to plan a task, to build it, and to fix what was found wrong with it.
import { oneLine } from '../../text/one-line.ts';
import type { Assignment, Quote } from './assignment.ts';
import { joinParts, neverTouchPart, planPart, taskPart, worktreePart } from './parts.ts';
import { fenced, quoted } from './quoting.ts';
import { signalPart, type TurnSignals } from './signalling.ts';

export const PLAN_TASK_SIGNALS: TurnSignals = { role: 'implementer', signals: ['plan-submitted', 'question'] };
export const IMPLEMENT_SIGNALS: TurnSignals = { role: 'implementer', signals: ['implement-finished', 'question'] };
export const VERIFY_SIGNALS: TurnSignals = { role: 'implementer', signals: ['verify-passed', 'verify-issues'] };
export const FIX_SIGNALS: TurnSignals = { role: 'implementer', signals: ['fix-finished', 'question'] };

/** Before the task's plan is approved. `feedback` is what was wrong with the last one, or the answer to a question. */
export function planTask(assignment: Assignment, feedback: Quote | null): string {
  return joinParts([
    'You are the implementer of one task of a plan. First you say how you will do it; somebody looks at that before you begin.',
    planPart(assignment),
    taskPart(assignment),
    worktreePart(assignment),
    '## What to do\n\nRead the code that the task is about. Write down which files you will change, how, and how you will see that it works. Change no file yet.',
    feedback === null ? '' : `## What was said about it before\n\n${quoted(feedback)}`,
    signalPart(PLAN_TASK_SIGNALS, assignment.plan, assignment.cadre),
    neverTouchPart(assignment, 'none'),
  ]);
}

/** `answer` is the answer to a question, if one was asked. */
export function implement(assignment: Assignment, answer: Quote | null): string {
  return joinParts([
    'You are the implementer of one task of a plan. Others will verify and review what you commit.',
    planPart(assignment),
    taskPart(assignment),
    worktreePart(assignment),
    `## What to do\n\n${DOING}`,
    answer === null ? '' : `## The answer to what you asked\n\n${quoted(answer)}`,
    signalPart(IMPLEMENT_SIGNALS, assignment.plan, assignment.cadre),
    neverTouchPart(assignment, 'code'),
  ]);
}

const DOING = [
  '1. Do this task, all of it, and nothing besides. There may be work on it in the worktree already: go on from there.',
  '2. Write the tests that the task asks for, and run what it is verified with.',
  '3. Commit everything with `git add` and `git commit`; what is not committed does not count.',
  '4. Say that you are finished. If you cannot go on without an answer, ask; do not guess.',
].join('\n');

/** Where the project has the agent verify its work. */
export function verifyByAgent(assignment: Assignment, commit: string, how: string): string {
  return joinParts([
    'You are the implementer of one task of a plan. Your work is committed; now you verify it.',
    planPart(assignment),
    taskPart(assignment),
    `${worktreePart(assignment)}\n- To be verified: commit \`${oneLine(commit)}\``,
    `## What to do\n\nThe project says how its work is verified:\n\n${fenced(how)}\n\nDo that, change nothing, and say what came of it.`,
    signalPart(VERIFY_SIGNALS, assignment.plan, assignment.cadre),
    neverTouchPart(assignment, 'none'),
  ]);
}

/** Why the work has to be fixed, and what is to be done about it, given the branch that it is to be merged into. */
const REASONS = {
  test_failure: () =>
    'The verification failed. Find the cause and mend it; do not loosen or take out tests to make it pass.',
  verify_infrastructure: () =>
    'The verification could not be run to its end. If the cause lies in the worktree, mend it; if it does not, ask.',
  code_review_changes: () =>
    'A reviewer asked for changes. Make them, or ask where you think that one of them is wrong.',
  merge_conflict: (base: string) =>
    `Your branch cannot be merged into \`${base}\`, which has moved on. If the worktree does not show the conflicts yet, merge \`${base}\` into your branch. Resolve them in the files named below so that both sides do what they were meant to.`,
  merge_failure: (base: string) =>
    `Your branch could not be merged into \`${base}\`, or what came of it did not pass the verification. If \`${base}\` has moved on, merge it into your branch, and mend what does not fit together.`,
} as const satisfies Readonly<Record<string, (base: string) => string>>;

type FixReason = keyof typeof REASONS;

/** `answer` is the answer to a question, if one was asked. */
export function fix(assignment: Assignment, reason: FixReason, wrong: Quote, answer: Quote | null = null): string {
  return joinParts([
    'You are the implementer of one task of a plan, and something about your work has to be fixed.',
    planPart(assignment),
    `## What is wrong\n\n${REASONS[reason](oneLine(assignment.into))}\n\n${quoted(wrong)}`,
    answer === null ? '' : `## The answer to what you asked\n\n${quoted(answer)}`,
    taskPart(assignment),
    worktreePart(assignment),
    '## What to do\n\nFix what is wrong and nothing besides, run what it is verified with, and commit everything.',
    signalPart(FIX_SIGNALS, assignment.plan, assignment.cadre),
    neverTouchPart(assignment, 'code'),
  ]);
}
