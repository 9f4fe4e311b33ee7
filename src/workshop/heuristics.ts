// The four heuristics that lead a workshop from round to round, computed from its documents and never only claimed.

import { findCycles } from '../plan/order.ts';
import { parse } from '../plan/parse.ts';
import type { FileAction } from '../plan/plan.ts';
import { showName } from '../text/show.ts';
import { singleSpaced } from './canonical.ts';
import { projectPlan } from './project-plan.ts';
import type { AskedQuestion, Proposals, RoundDocument } from './round-document.ts';
import type { FileIntent, PlannedFile, PlanningDocument } from './structured-plan.ts';
import { placesOf, tasksInOrder } from './task-order.ts';

export type HeuristicName = 'blocking_questions' | 'no_new_info' | 'commitment_readiness' | 'file_plan_consistency';

export interface Heuristic {
  /** One sentence for the planner's prompt. */
  readonly meaning: string;
  /** What cadre does with it. */
  readonly leads: string;
}

export const HEURISTICS: Readonly<Record<HeuristicName, Heuristic>> = {
  blocking_questions: {
    meaning:
      'This counts the questions you marked "blocking" that have no answer yet: without the answer the plan cannot be written.',
    leads: 'While there is one, the workshop stays in clarifying and waits for the person.',
  },
  no_new_info: {
    meaning: 'This holds if your round asks no new question and proposes the same as the round before.',
    leads: 'More rounds would add nothing, so the workshop moves toward formalizing.',
  },
  commitment_readiness: {
    meaning:
      'This holds if you set "ready", no blocking question is open, and your proposals have at least one task, at least one acceptance criterion, and references only to tasks that are proposed.',
    leads: 'The plan is stable enough, so the workshop formalizes it.',
  },
  file_plan_consistency: {
    meaning:
      'This holds if every file that a task updates, deletes or refers to exists or comes from a task before it, no task creates a file that exists, and plan.files.json lists the same files as plan.md.',
    leads: 'Until it holds, the plan is not ready for review, and the planner gets the list of what does not fit.',
  },
};

export function blockingQuestions(open: readonly { readonly blocking: boolean; readonly answered: boolean }[]): number {
  return open.filter(({ blocking, answered }) => blocking && !answered).length;
}

/** The first round is always new. */
export function noNewInfo(before: RoundDocument | null, now: RoundDocument): boolean {
  if (before === null) return false;
  return (
    now.questions.every((question) => before.questions.some((asked) => covers(asked, question))) &&
    comparable(now.proposals) === comparable(before.proposals)
  );
}

/** The same question, under any id. It is new if it has become blocking. */
function covers(asked: AskedQuestion, question: AskedQuestion): boolean {
  return singleSpaced(asked.text) === singleSpaced(question.text) && (asked.blocking || !question.blocking);
}

function comparable({ tasks, assumptions, risks, acceptance_criteria, files }: Proposals): string {
  return JSON.stringify([
    sorted(tasks.map(({ id, title, subtasks, depends }) => [id, singleSpaced(title), texts(subtasks), texts(depends)])),
    texts(assumptions),
    texts(risks),
    texts(acceptance_criteria),
    sorted(files.map(({ path, intent, task }) => [path.trim(), intent, task])),
  ]);
}

function texts(list: readonly string[]): readonly string[] {
  return sorted(list.map(singleSpaced));
}

function sorted(list: readonly unknown[]): readonly string[] {
  return list.map((entry) => JSON.stringify(entry)).sort();
}

export function commitmentReadiness(
  now: RoundDocument,
  openBlocking: number,
): { readonly holds: boolean; readonly missing: readonly string[] } {
  const { proposals, ready } = now;
  const missing = [
    ...(ready ? [] : ['The planner does not say that the plan is ready.']),
    ...(openBlocking === 0 ? [] : [`Blocking questions without an answer: ${openBlocking}.`]),
    ...(proposals.tasks.length === 0 ? ['No task is proposed.'] : []),
    ...(proposals.acceptance_criteria.length === 0 ? ['No acceptance criterion is proposed.'] : []),
    ...unknownReferences(proposals),
    ...cycles(proposals),
  ];
  return { holds: missing.length === 0, missing };
}

function unknownReferences({ tasks, files }: Proposals): readonly string[] {
  const known = new Set(tasks.map(({ id }) => id));
  return [
    ...tasks.flatMap(({ id, depends }) =>
      depends
        .filter((other) => !known.has(other))
        .map((other) => `Task "${id}" depends on "${other}", which is not proposed.`),
    ),
    ...files
      .filter(({ task }) => !known.has(task))
      .map(({ path, task }) => `"${showName(path)}" belongs to task "${task}", which is not proposed.`),
  ];
}

function cycles({ tasks }: Proposals): readonly string[] {
  const graph = tasks.map(({ id, depends }) => ({ address: id, dependsOn: depends }));
  return findCycles({ phases: [{ parallel: true, tasks: graph }] }).map(
    (cycle) => `Tasks wait for each other: ${cycle.join(', ')}.`,
  );
}

/** `existing` are the paths of the repository's files. */
export function filePlanConsistency(
  document: PlanningDocument,
  existing: ReadonlySet<string>,
): { readonly holds: boolean; readonly problems: readonly string[] } {
  const problems = [...presenceProblems(document, existing), ...fileListProblems(document, projectPlan(document))];
  return { holds: problems.length === 0, problems };
}

/** Whether each file exists when its task starts, where it must, and does not exist where it must not. */
function presenceProblems({ work, file_plan }: PlanningDocument, existing: ReadonlySet<string>): readonly string[] {
  const places = placesOf(work);
  const position = new Map(tasksInOrder(work).map(({ id }, index) => [id, index]));
  const inOrder = file_plan.toSorted((one, other) => (position.get(one.task) ?? 0) - (position.get(other.task) ?? 0));
  return inOrder.flatMap((file, index) => {
    const before = places.get(file.task)?.before;
    const last = inOrder
      .slice(0, index)
      .findLast(
        ({ path, intent, task }) =>
          path === file.path && (MAKES.has(intent) || intent === 'delete') && before?.has(task),
      );
    const isPresent = last === undefined ? existing.has(file.path) : last.intent !== 'delete';
    const why = whyItDoesNotFit(file, isPresent, last, inOrder);
    return why === undefined ? [] : [`Task "${file.task}" ${NEEDS[file.intent]} "${showName(file.path)}", ${why}.`];
  });
}

const NEEDS: Readonly<Record<FileIntent, string>> = {
  create: 'creates',
  update: 'updates',
  delete: 'deletes',
  test: 'has the test',
  reference: 'refers to',
};

function whyItDoesNotFit(
  { path, intent, task }: PlannedFile,
  isPresent: boolean,
  last: PlannedFile | undefined,
  all: readonly PlannedFile[],
): string | undefined {
  if (intent === 'test' || isPresent === (intent !== 'create')) return undefined;
  if (isPresent) return last === undefined ? 'which exists' : `which exists after task "${last.task}"`;
  if (last !== undefined) return `which task "${last.task}" deletes before it`;
  const maker = all.find((one) => one.path === path && one.task !== task && MAKES.has(one.intent));
  return maker === undefined
    ? 'which does not exist and no task creates'
    : `which task "${maker.task}" creates, but not before it`;
}

const MAKES: ReadonlySet<FileIntent> = new Set(['create', 'test']);

/** How the files that the tasks of this plan.md list differ from those of the document. */
export function fileListProblems(document: PlanningDocument, planText: string): readonly string[] {
  const planned = new Set(document.file_plan.map(entry));
  const listed = new Set(filesIn(document, planText).map(entry));
  return [
    ...[...planned].filter((one) => !listed.has(one)).map((one) => `plan.md does not list ${one}.`),
    ...[...listed].filter((one) => !planned.has(one)).map((one) => `Only plan.md lists ${one}.`),
  ];
}

function entry({ path, intent, task }: PlannedFile): string {
  return `"${showName(path)}" to ${intent} in task "${task}"`;
}

function filesIn({ work }: PlanningDocument, planText: string): readonly PlannedFile[] {
  const ids = tasksInOrder(work).map(({ id }) => id);
  const tasks = parse(planText).plan.phases.flatMap((phase) => phase.tasks);
  return tasks.flatMap(({ files }, index) =>
    files.map(({ path, action }) => ({ path, intent: INTENTS[action], task: ids[index] ?? '' })),
  );
}

const INTENTS: Readonly<Record<FileAction, FileIntent>> = {
  create: 'create',
  modify: 'update',
  delete: 'delete',
  test: 'test',
  reference: 'reference',
};
