// The prompt of the architect that reviews the plan of a workshop, before anything is built from it.
import { oneLine } from '../../text/one-line.ts';
import type { Assignment, KeptText } from './assignment.ts';
import { keptSection, neverTouchSection, openingOf } from './parts.ts';
import { fixedSection, type Prompt, promptOf, section, steps } from './prompt.ts';
import { fencedInPart } from './quoting.ts';
import { signalSection, type TurnSignals } from './signalling.ts';

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
): Prompt {
  return promptOf(openingOf(ROLE, assignment), [
    keptSection('The brief', 'What the person asks for:', brief, BRIEF_ROOM),
    keptSection(
      'Answers',
      "What the person answered to the planner's questions. These are decisions:",
      answers,
      ANSWERS_ROOM,
    ),
    keptSection('Why the planning was redone', 'What the person said about earlier plans:', feedback, FEEDBACK_ROOM),
    fixedSection('The plan to review', fencedInPart(written, PLAN_ROOM)),
    section(
      'Your job',
      steps([
        `Read the brief and the answers, then the plan. You are in a worktree of the repository, at \`${oneLine(assignment.base)}\`: compare the plan with the code.`,
        'Read each task as the agent would who has to build it, and who sees nothing of the other tasks but the interfaces: what would it not know?',
        'Approve the plan if it can be built as it is; cadre then publishes it. Ask for changes only where building it would go wrong, and say for each what is wrong, in which task, and what would be right. The person reads that and decides. Matters of taste are not a reason.',
      ]),
    ),
    section('What a good plan is', A_GOOD_PLAN),
    signalSection(WORKSHOP_REVIEW_SIGNALS, assignment.plan, assignment.cadre),
    neverTouchSection(assignment, 'none'),
  ]);
}

const ROLE =
  'You are the architect. A planner has worked out a plan with the person who asked for it, and you review it before anything is built. Other agents build it later, one task at a time, each in its own worktree.';

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
