// The prompts of the architect: answer the implementer's question, review its proposal, decide how a long run continues.
import type { Assignment, Quote } from './assignment.ts';
import { decisionParts, joinParts, neverTouchPart, planPart, taskPart, worktreePart } from './parts.ts';
import { quoteBlock, roomBeside } from './quoting.ts';
import { signalPart, type TurnSignals } from './signalling.ts';

export const TASK_PLAN_REVIEW_SIGNALS: TurnSignals = {
  role: 'architect',
  signals: ['review-approved', 'review-changes', 'answer'],
};
export const ANSWER_SIGNALS: TurnSignals = { role: 'architect', signals: ['answer'] };

export function answerQuestion(assignment: Assignment, question: Quote): string {
  return joinParts([
    'You are the architect of a plan. The implementer of one of its tasks cannot continue without an answer.',
    planPart(assignment),
    taskPart(assignment),
    worktreePart(assignment),
    `## The question\n\n${quoteBlock(question, roomFor(assignment))}`,
    '## What to do\n\nRead what you need, decide, and give an answer that lets the implementer continue without asking again.',
    signalPart(ANSWER_SIGNALS, assignment.plan, assignment.cadre),
    neverTouchPart(assignment, 'none'),
  ]);
}

/** `proposal` is how the implementer wants to do the task. */
export function reviewTaskPlan(assignment: Assignment, proposal: Quote): string {
  return joinParts([
    'You are the architect of a plan. The implementer of one of its tasks proposes how to do it, and waits for your decision.',
    planPart(assignment),
    taskPart(assignment),
    worktreePart(assignment),
    `## The proposal\n\n${quoteBlock(proposal, roomFor(assignment))}`,
    `## What to check\n\n${PROPOSAL_CHECKS}\n\nRequest changes only where the proposal would go wrong, and say what would be right.`,
    signalPart(TASK_PLAN_REVIEW_SIGNALS, assignment.plan, assignment.cadre),
    neverTouchPart(assignment, 'none'),
  ]);
}

const PROPOSAL_CHECKS = [
  '- Does it cover the whole task, and nothing else?',
  '- Does it fit the existing code?',
  '- Does it say how to tell that the result works?',
].join('\n');

/** The words an answer to a check-in may have on its first line, and what each of them causes. */
const DECISIONS = [
  '- CONTINUE: work continues as before',
  '- PIVOT: work continues, but differently; say how',
  '- ESCALATE: the current work is reviewed, although it is not verified',
  '- ABANDON: the run ends, and a person decides what happens to the task',
].join('\n');

export function checkIn(assignment: Assignment, report: Quote): string {
  return joinParts([
    'You are the architect of a plan. The run of one of its tasks has used up its turns, and you decide how it continues.',
    planPart(assignment),
    taskPart(assignment),
    worktreePart(assignment),
    `## What has happened so far\n\n${quoteBlock(report, roomFor(assignment))}`,
    `## What to decide\n\nRead what is in the worktree. Put one of these words on the first line of your answer, and your reason below it:\n\n${DECISIONS}`,
    signalPart(ANSWER_SIGNALS, assignment.plan, assignment.cadre),
    neverTouchPart(assignment, 'none'),
  ]);
}

function roomFor(assignment: Assignment): number {
  return roomBeside([planPart(assignment), ...decisionParts(assignment)]);
}
