// The prompt of the planner in a workshop: one document per round, from the first questions to the structured plan.
import type { WorkshopState } from '../../machines/workshop.ts';
import { oneLine } from '../../text/one-line.ts';
import { quoteForShell } from '../../text/shell.ts';
import { DOCUMENT_FILE } from '../../workshop/document-file.ts';
import { HEURISTICS } from '../../workshop/heuristics.ts';
import { PLANNING_OUTLINE, PLANNING_RULES, ROUND_OUTLINE, ROUND_RULES } from '../../workshop/outlines.ts';
import type { Assignment, KeptText, Quote } from './assignment.ts';
import { keptSection, neverTouchSection, openingOf } from './parts.ts';
import { bullets, fixedSection, type MaybeSection, type Prompt, promptOf } from './prompt.ts';
import { fenced, fencedInPart, instructionBlock } from './quoting.ts';
import { signalSection, type TurnSignals } from './signalling.ts';

export const WORKSHOP_SIGNALS: TurnSignals = { role: 'planner', signals: ['round-finished'] };

/** The states in which the planner is asked for a document. */
export type AskingState = Exclude<WorkshopState, 'draft' | 'review_ready'>;

export interface WorkshopTurn {
  readonly state: AskingState;
  readonly round: number;
  readonly brief: KeptText;
  /** What the repository contains, in a few lines. */
  readonly repository: string;
  /** What the last round proposed; null in the first one. */
  readonly proposals: KeptText | null;
  /** Everything that was said so far. */
  readonly transcript: KeptText;
  /** The answers of the person, question by question; null where there are none. */
  readonly answers: KeptText | null;
  /** Why the person had the planning redone; null where that never happened. */
  readonly feedback: Quote | null;
  /** The plan of the version before; null where there is none. */
  readonly before: KeptText | null;
  /** What is wrong with the last document, if it was invalid. */
  readonly violations: readonly string[];
}

export function planInWorkshop(assignment: Assignment, turn: WorkshopTurn): Prompt {
  const { state, round, brief, repository, proposals, transcript, answers, feedback, before } = turn;
  return promptOf(openingOf(ROLE, assignment), [
    fixedSection('The brief', `What the person asks for:\n\n${fencedInPart(brief, BRIEF_ROOM)}`),
    fixedSection(
      'The repository',
      `You are in a worktree of it, \`${oneLine(assignment.worktree)}\`, at \`${oneLine(assignment.base)}\`. Read the code that the brief is about before you propose anything. Nothing that you change here is kept.\n\n${repository}`,
    ),
    feedback === null
      ? undefined
      : fixedSection(
          'Why the planning is redone',
          instructionBlock('The person who runs this plan says what has to change.', feedback, FEEDBACK_ROOM),
        ),
    keptSection('The plan before', 'The plan that was sent back:', before, BEFORE_ROOM),
    keptSection('Answers', 'What the person answered. These are decisions:', answers, ANSWERS_ROOM),
    keptSection(
      'The proposals so far',
      'What the round before this one proposed. Start from them:',
      proposals,
      PROPOSALS_ROOM,
    ),
    keptSection('What was said so far', 'The whole transcript, one JSON object per line:', transcript, TRANSCRIPT_ROOM),
    fixedSection(`Round ${round}: ${state}`, JOBS[state]),
    fixedSection('How cadre decides what comes next', HEURISTICS_PART),
    state === 'formalizing' ? PLAN_SECTION : ROUND_SECTION,
    violationsSection(turn),
    signalSection(WORKSHOP_SIGNALS, assignment.plan, assignment.cadre, handInPart(assignment)),
    neverTouchSection(assignment, 'document'),
  ]);
}

const ROLE =
  'You are the planner. You work out a plan in rounds, together with the person who asked for it. Other agents build it later, one task at a time, each in its own worktree. They read a brief with their own task, the goal, the constraints and the interfaces, and not the other tasks; so each task has to say everything that its implementer needs.';

function handInPart(assignment: Assignment): string {
  return `Write the document to \`${DOCUMENT_FILE}\`, then hand it in with \`${handIn(assignment)}\`. If the command says that the document is invalid, repair what it lists and run it again.`;
}

const BRIEF_ROOM = 20_000;
const FEEDBACK_ROOM = 4_000;
const BEFORE_ROOM = 8_000;
const ANSWERS_ROOM = 8_000;
const PROPOSALS_ROOM = 24_000;
const TRANSCRIPT_ROOM = 24_000;

function handIn({ cadre }: Assignment): string {
  return quoteForShell([...cadre, 'signal', 'round-finished', '--body-file', DOCUMENT_FILE]);
}

const JOBS: { readonly [state in AskingState]: string } = {
  clarifying: [
    '1. Read the code that the brief is about.',
    '2. Find out what the brief leaves open. What the code or a sensible default answers is not a question: write it down as an assumption.',
    '3. Ask the rest: one decision per question, with the answers you would suggest, the best one first. Mark a question as blocking only if no good plan is possible without its answer.',
    '4. Propose what you already know: tasks, assumptions, risks, acceptance criteria, files.',
  ].join('\n'),
  workshop: [
    '1. Take in the answers and the feedback.',
    '2. Improve the proposals: split tasks that do not fit into one session, name the files of each task, say which task needs which, and how somebody sees that the whole works.',
    '3. Look for what is missing: errors, limits, migration, tests, documentation. Remove what the brief does not ask for.',
    '4. Hand in all proposals again, not only the changed ones. If nothing is left to improve, hand in the same proposals with "ready": true.',
  ].join('\n'),
  formalizing: [
    '1. Write the structured plan from what was worked out. Do not add anything that was not discussed.',
    '2. Give every task what its implementer needs to know: why it exists, which files, which steps, the test that shows that it works, and what not to do. Write the test first in the steps.',
    '3. Tasks of a parallel milestone must not change the same files.',
    '4. Check the file plan against the repository: "create" only what does not exist, "update" only what exists or what an earlier task creates.',
  ].join('\n'),
};

const HEURISTICS_PART = [
  'cadre computes these from your documents, and the rounds follow from them:',
  '',
  ...Object.entries(HEURISTICS).map(([name, { meaning, leads }]) => `- \`${name}\`: ${meaning} ${leads}`),
].join('\n');

const ROUND_SECTION = fixedSection(
  'The document of this round',
  `One JSON object with exactly these keys, as in this example:\n\n${fenced(ROUND_OUTLINE)}\n\n${bullets(ROUND_RULES)}`,
);

const PLAN_SECTION = fixedSection(
  'The structured plan',
  `One JSON object with exactly these keys, as in this example. cadre makes the plan file from it:\n\n${fenced(PLANNING_OUTLINE)}\n\n${bullets(PLANNING_RULES)}`,
);

function violationsSection({ violations }: WorkshopTurn): MaybeSection {
  if (violations.length === 0) return undefined;
  return fixedSection('Your last document was invalid', `Repair exactly this:\n\n${bullets(violations.map(oneLine))}`);
}
