// What a planner hands in at the end of a round: what it understood, what it asks, what it proposes.
import { parse } from '../plan/parse.ts';
import { showName } from '../text/show.ts';
import { canonicalFile, singleSpaced, trimmed } from './canonical.ts';
import { checkPath, checkUnique } from './planning-checks.ts';
import { aLine, anId, aPath, aTitle, LIMITS, someLines } from './planning-shape.ts';
import { type Read, readDocument } from './reading.ts';
import { flagShape, listOf, nameShape, objectOf, type Shape, textShape, wordShape } from './shape.ts';
import { FILE_INTENTS, type FileIntent } from './structured-plan.ts';

export interface RoundDocument {
  /** What the planner understood, decided or changed in this round, in prose. */
  readonly summary: string;
  readonly questions: readonly AskedQuestion[];
  readonly proposals: Proposals;
  /** The planner's own claim that the plan is stable enough. */
  readonly ready: boolean;
}

export interface AskedQuestion {
  /** Unique in the document: `[a-z0-9-]{1,32}`. */
  readonly id: string;
  readonly text: string;
  /** Whether the plan cannot be written without the answer. */
  readonly blocking: boolean;
  readonly why: string;
  readonly suggestions: readonly string[];
}

export interface Proposals {
  readonly tasks: readonly ProposedTask[];
  readonly assumptions: readonly string[];
  readonly risks: readonly string[];
  readonly acceptance_criteria: readonly string[];
  readonly files: readonly ProposedFile[];
}

export interface ProposedTask {
  readonly id: string;
  readonly title: string;
  readonly subtasks: readonly string[];
  readonly depends: readonly string[];
}

interface ProposedFile {
  readonly path: string;
  readonly intent: FileIntent;
  /** The id of a proposed task. */
  readonly task: string;
}

export function readRoundDocument(text: string): Read<RoundDocument> {
  return readDocument(text, ROUND_SHAPE, canonicalRound, checkRound);
}

/** The ids of questions, with which they are answered. */
export const QUESTION_ID = /^[a-z0-9-]{1,32}$/;

export const MOST_QUESTIONS = 20;
export const MOST_SUGGESTIONS = 10;

export const ROUND_SHAPE: Shape<RoundDocument> = objectOf<RoundDocument>(
  {
    summary: textShape(LIMITS.text),
    questions: listOf(
      objectOf<AskedQuestion>({
        id: nameShape(QUESTION_ID, 'an id of at most 32 small letters, digits and "-", such as "which-database"'),
        text: aLine,
        blocking: flagShape(),
        why: aLine,
        suggestions: listOf(aLine, 0, MOST_SUGGESTIONS),
      }),
      0,
      MOST_QUESTIONS,
    ),
    proposals: objectOf<Proposals>(
      {
        tasks: listOf(
          objectOf<ProposedTask>({
            id: anId,
            title: aTitle,
            subtasks: someLines,
            depends: listOf(anId, 0, LIMITS.tasks),
          }),
          0,
          LIMITS.tasks,
        ),
        assumptions: someLines,
        risks: someLines,
        acceptance_criteria: listOf(aLine, 0, LIMITS.criteria),
        files: listOf(
          objectOf<ProposedFile>({ path: aPath, intent: wordShape(FILE_INTENTS), task: anId }),
          0,
          LIMITS.files,
        ),
      },
      whyNotProposed,
    ),
    ready: flagShape(),
  },
  whyNotInRound,
);

/** Parts of a planning document that a planner might hand in too early. */
const STRUCTURED: ReadonlySet<string> = new Set([
  'plan',
  'plan.md',
  'plan.files.json',
  'planning.ai.json',
  'planning',
  'work',
  'milestones',
  'phases',
  'file_plan',
  'goals',
  'scope',
  'context',
  'architecture',
  'tech_stack',
  'test_plan',
]);

const PROPOSED: ReadonlySet<string> = new Set(['tasks', 'assumptions', 'risks', 'acceptance_criteria', 'files']);

const TOO_EARLY = 'the structured plan comes later, when the workshop is formalizing and asks for it; expected only';

function whyNotInRound(key: string): string | undefined {
  if (PROPOSED.has(key)) return `this belongs in "proposals"; expected "proposals.${key}"`;
  return STRUCTURED.has(key) ? `${TOO_EARLY} "summary", "questions", "proposals" and "ready"` : undefined;
}

function whyNotProposed(key: string): string | undefined {
  return STRUCTURED.has(key)
    ? `${TOO_EARLY} "tasks", "assumptions", "risks", "acceptance_criteria" and "files"`
    : undefined;
}

function checkRound({ summary, questions, proposals }: RoundDocument): readonly string[] {
  return [
    ...checkUnique('questions', questions),
    ...checkUnique('proposals.tasks', proposals.tasks),
    ...proposals.files.flatMap(({ path }, index) => checkPath(`proposals.files[${index}].path`, path)),
    ...checkSummary(summary),
  ];
}

function checkSummary(summary: string): readonly string[] {
  const task = parse(summary)
    .plan.phases.flatMap((phase) => phase.tasks)
    .at(0);
  if (task === undefined) return [];
  const heading = showName(task.rawText.split(/[\r\n]/, 1)[0] ?? '');
  return [`summary: "${heading}" is the task of a plan file; ${TOO_EARLY} prose, without headings of tasks`];
}

function canonicalRound({ summary, questions, proposals, ready }: RoundDocument): RoundDocument {
  return {
    summary: trimmed(summary),
    questions: questions.map(({ id, text, blocking, why, suggestions }) => ({
      id,
      text: singleSpaced(text),
      blocking,
      why: singleSpaced(why),
      suggestions: suggestions.map(singleSpaced),
    })),
    proposals: {
      tasks: proposals.tasks.map(({ id, title, subtasks, depends }) => ({
        id,
        title: singleSpaced(title),
        subtasks: subtasks.map(singleSpaced),
        depends: [...new Set(depends)],
      })),
      assumptions: proposals.assumptions.map(singleSpaced),
      risks: proposals.risks.map(singleSpaced),
      acceptance_criteria: proposals.acceptance_criteria.map(singleSpaced),
      files: proposals.files.map(canonicalFile),
    },
    ready,
  };
}
