// The prompts of the architect: to answer a question of the implementer, and to decide how a run that took long goes on.

import type { Assignment, Quote } from './assignment.ts';
import { joinParts, neverTouchPart, planPart, taskPart, worktreePart } from './parts.ts';
import { quoted } from './quoting.ts';
import { signalPart, type TurnSignals } from './signalling.ts';

export const TASK_PLAN_REVIEW_SIGNALS: TurnSignals = {
  role: 'architect',
  signals: ['review-approved', 'review-changes'],
};
export const ANSWER_SIGNALS: TurnSignals = { role: 'architect', signals: ['answer'] };

export function answerQuestion(assignment: Assignment, question: Quote): string {
  return joinParts([
    'You are the architect of a plan. The implementer of one of its tasks cannot go on without an answer.',
    planPart(assignment),
    taskPart(assignment),
    worktreePart(assignment),
    `## The question\n\n${quoted(question)}`,
    '## What to do\n\nRead what you need to. Decide, and answer so that the implementer can go on without asking again.',
    signalPart(ANSWER_SIGNALS, assignment.plan, assignment.cadre),
    neverTouchPart(assignment, 'none'),
  ]);
}

/** `plan` is how the implementer means to do the task. */
export function reviewTaskPlan(assignment: Assignment, plan: Quote): string {
  return joinParts([
    'You are the architect of a plan. The implementer of one of its tasks says how it will be done, and waits for your word.',
    planPart(assignment),
    taskPart(assignment),
    worktreePart(assignment),
    `## How it is to be done\n\n${quoted(plan)}`,
    '## What to ask\n\n- Will the task be done by this, all of it, and nothing besides?\n- Does it fit the code that is there?\n- Will it be seen to work?\n\nAsk for changes only where it would go wrong, and say what would be right.',
    signalPart(TASK_PLAN_REVIEW_SIGNALS, assignment.plan, assignment.cadre),
    neverTouchPart(assignment, 'none'),
  ]);
}

/** The words that the first line of an answer to a check-in begins with, and what each makes happen. */
const DECISIONS = [
  '- CONTINUE: the work goes on as it is',
  '- PIVOT: the work goes on in another way; say in which',
  '- ESCALATE: what is there is reviewed, although it is not verified',
  '- ABANDON: the run ends, and a person decides about the task',
].join('\n');

export function checkIn(assignment: Assignment, report: Quote): string {
  return joinParts([
    'You are the architect of a plan. The work on one of its tasks has used up the turns that it was given, and you decide how it goes on.',
    planPart(assignment),
    taskPart(assignment),
    worktreePart(assignment),
    `## How it went\n\n${quoted(report)}`,
    `## What to decide\n\nLook at what is in the worktree. Your answer has one of these words on its first line, and your reason below:\n\n${DECISIONS}`,
    signalPart(ANSWER_SIGNALS, assignment.plan, assignment.cadre),
    neverTouchPart(assignment, 'none'),
  ]);
}
