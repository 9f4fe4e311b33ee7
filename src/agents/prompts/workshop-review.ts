// The prompt of the architect that reviews the plan of a workshop, before anything is built from it.
import { oneLine } from '../../text/one-line.ts';
import type { Assignment, KeptText } from './assignment.ts';
import { joinParts, neverTouchPart, planPart } from './parts.ts';
import { fencedInPart } from './quoting.ts';
import { signalPart, type TurnSignals } from './signalling.ts';

export const WORKSHOP_REVIEW_SIGNALS: TurnSignals = {
  role: 'architect',
  signals: ['review-approved', 'review-changes'],
};

export interface WorkshopPlan {
  readonly brief: KeptText;
  /** The answers of the person, question by question; null where there are none. */
  readonly answers: KeptText | null;
  /** Why the person had the planning redone; null where that never happened. */
  readonly feedback: KeptText | null;
  /** The plan as it would be published. */
  readonly written: KeptText;
}

export function reviewWorkshopPlan(
  assignment: Assignment,
  { brief, answers, feedback, written }: WorkshopPlan,
): string {
  return joinParts([
    'You are the architect. A planner has worked out a plan with the person who asked for it, and you review it before anything is built. Other agents build it later, one task at a time, each in its own worktree. They read their task and nothing else.',
    planPart(assignment),
    `## The brief\n\nWhat the person asks for:\n\n${fencedInPart(brief, BRIEF_ROOM)}`,
    answers === null
      ? ''
      : `## Answers\n\nWhat the person answered to the planner's questions. These are decisions:\n\n${fencedInPart(answers, ANSWERS_ROOM)}`,
    feedback === null
      ? ''
      : `## Why the planning was redone\n\nWhat the person said about earlier plans:\n\n${fencedInPart(feedback, FEEDBACK_ROOM)}`,
    `## The plan to review\n\n${fencedInPart(written, PLAN_ROOM)}`,
    `## What a good plan is\n\nYou are in a worktree of the repository, at \`${oneLine(assignment.base)}\`. Compare the plan with the code.\n\n${A_GOOD_PLAN}`,
    '## What to decide\n\nApprove the plan if it can be built as it is; cadre then publishes it. Ask for changes only where building it would go wrong, and say for each what is wrong, in which task, and what would be right. The person reads that and decides. Matters of taste are not a reason.',
    signalPart(WORKSHOP_REVIEW_SIGNALS, assignment.plan, assignment.cadre),
    neverTouchPart(assignment, 'none'),
  ]);
}

const BRIEF_ROOM = 20_000;
const ANSWERS_ROOM = 8_000;
const FEEDBACK_ROOM = 4_000;
const PLAN_ROOM = 40_000;

const A_GOOD_PLAN = [
  '- It does what the brief and the answers ask for, all of it, and nothing else.',
  '- It fits the code: the files, functions and conventions that it relies on exist, and it reuses what is there.',
  '- Each task fits into one session, and says why it exists, which files it changes, in which steps, and what not to do.',
  '- Each task has a test that fails before it and passes after it.',
  '- A task that needs another one says so, and tasks that may be built at the same time do not change the same files.',
  '- After each task the project still builds and its tests pass.',
  '- Errors, limits, migration and documentation are dealt with, or left out on purpose and with a reason.',
  '- Its acceptance criteria can be checked by somebody who has not read the discussion.',
].join('\n');
