// What is wrong with a plan: mistakes that hide or confuse tasks are errors, likely slips are warnings.

import { checkFormat, checkText } from './check-text.ts';
import type { Dependencies } from './dependencies.ts';
import { checkChecklist, checkForeignTasks } from './foreign-tasks.ts';
import type { Block } from './markdown/blocks.ts';
import type { Marker } from './marker.ts';
import { findNearMisses } from './near-misses.ts';
import { findCycles } from './order.ts';
import type { Phase, Problem, Task } from './plan.ts';
import { firstLine, problemAt } from './problem-place.ts';
import type { Heading, PhaseSection, Sections, TaskSection } from './sections.ts';
import type { TaskParts } from './task-parts.ts';

export interface DraftPhase {
  readonly section: PhaseSection;
  readonly phase: Omit<Phase, 'tasks'>;
  readonly tasks: readonly DraftTask[];
}

export interface DraftTask {
  readonly section: TaskSection;
  readonly parts: TaskParts;
  readonly dependencies: Dependencies | undefined;
  readonly task: Task;
}

export function checkPlan(
  text: string,
  blocks: readonly Block[],
  sections: Sections,
  phases: readonly DraftPhase[],
): readonly Problem[] {
  const foreign = checkFormat(text, blocks);
  if (foreign !== undefined) return [foreign];
  const tasks = numberedTasks(phases);
  const problems = [
    ...checkText(text, blocks),
    ...checkHeadings(text, blocks, sections, phases),
    ...findNearMisses(text, blocks, sections),
    ...checkPhaseNumbers(text, phases),
    ...tasks.flatMap((task) => [...checkPlace(text, task), ...checkTaskNumber(text, task)]),
    ...checkRepeatedNumber(text, tasks),
    ...tasks.flatMap(({ draft }) => checkParts(text, draft)),
    ...checkCycles(text, phases),
  ];
  return problems.sort((one, other) => one.line - other.line || compare(one.code, other.code));
}

const FIRST = { line: 1, column: 1 };

function checkHeadings(
  text: string,
  blocks: readonly Block[],
  sections: Sections,
  phases: readonly DraftPhase[],
): readonly Problem[] {
  const problems = sections.lookalikes
    .filter(({ word }) => word !== 'step')
    .map(({ word, heading }) =>
      problemAt(text, firstLine(heading), {
        severity: 'warning',
        code: `not-a-${word}`,
        message: `This heading starts like a ${word} but has no valid number, so it is not one. Write "${word === 'task' ? 'Task' : 'Phase'} <number>: <name>".`,
      }),
    );
  const [first] = phases;
  const tasks = phases.flatMap((phase) => phase.tasks);
  if (tasks.length === 0 && text.trim() !== '') {
    const message = 'There is no task heading ("### Task 1: <name>"), so the whole file is one task.';
    problems.push({ ...FIRST, severity: 'warning', code: 'no-tasks', message }, ...checkForeignTasks(text, blocks));
  }
  const [only, ...others] = tasks;
  if (only !== undefined && others.length === 0 && only.parts.steps.length === 0)
    problems.push(...checkChecklist(text, blocks, only.task.address));
  if (first !== undefined && first.section.marker === undefined && phases.length > 1) {
    const message = 'This task comes before the first phase. The tasks up to there form a phase without a name.';
    const at = firstLine(first.section.heading);
    problems.push(problemAt(text, at, { severity: 'warning', code: 'task-before-phase', message }));
  }
  return problems;
}

function checkPhaseNumbers(text: string, phases: readonly DraftPhase[]): readonly Problem[] {
  const problems: Problem[] = [];
  const seen = new Set<number>();
  let previous: number | undefined;
  for (const { phase, section, tasks } of phases) {
    if (section.marker === undefined) continue;
    const warn = (code: string, message: string): void => {
      problems.push(problemAt(text, firstLine(section.heading), { severity: 'warning', code, message }));
    };
    if (tasks.length === 0) warn('empty-phase', 'This phase has no tasks.');
    if (seen.has(phase.number)) warn('duplicate-phase', `An earlier phase already has the number ${phase.number}.`);
    else if (!phaseFollows(phase.number, previous))
      warn(
        'phase-numbers',
        `Phase ${phase.number} comes ${comesAfter(previous)}. Phases run in the order of the file.`,
      );
    seen.add(phase.number);
    previous = phase.number;
  }
  return problems;
}

interface NumberedTask {
  readonly phase: DraftPhase;
  readonly draft: DraftTask;
  readonly isFirstInPhase: boolean;
  /** The task before it in the file. */
  readonly previous: Marker | undefined;
  /** The line of the last task before it with the same address. */
  readonly duplicates: number | undefined;
}

function numberedTasks(phases: readonly DraftPhase[]): readonly NumberedTask[] {
  const lines = new Map<string, number>();
  let previous: Marker | undefined;
  return phases.flatMap((phase) =>
    phase.tasks.map((draft, index) => {
      const { address, line } = draft.task;
      const numbered = { phase, draft, isFirstInPhase: index === 0, previous, duplicates: lines.get(address) };
      lines.set(address, line);
      previous = draft.section.marker;
      return numbered;
    }),
  );
}

/** Whether the heading says the same about the task's phase as its place in the file. */
function checkPlace(text: string, { phase, draft }: NumberedTask): readonly Problem[] {
  const { section } = phase;
  if (section.marker === undefined) return [];
  const { marker, heading } = draft.section;
  const { number } = phase.phase;
  const problems: Problem[] = [];
  const warn = (code: string, message: string): void => {
    problems.push(problemAt(text, firstLine(heading), { severity: 'warning', code, message }));
  };
  if (marker.outer !== undefined && marker.outer !== number && !isInserted(marker, section))
    warn('phase-mismatch', `This task is numbered ${marker.written} but is in phase ${number}.`);
  if (heading.level <= section.heading.level)
    warn('task-level', 'This heading should be one level below the heading of its phase.');
  return problems;
}

/** "Task 2.5" may also be what was inserted after task 2. */
function isInserted({ outer }: Marker, { tasks }: PhaseSection): boolean {
  return tasks.some(({ marker }) => marker.outer === undefined && marker.number === outer);
}

function checkTaskNumber(text: string, task: NumberedTask): readonly Problem[] {
  const { draft, isFirstInPhase, previous, duplicates } = task;
  const { written, address } = draft.task;
  const { marker, heading } = draft.section;
  const at = firstLine(heading);
  if (duplicates !== undefined) {
    const what =
      written === address ? `Task ${written} already exists` : `The task with the address ${address} is already`;
    const message = `${what} in line ${duplicates}. Give this task another number.`;
    return [problemAt(text, at, { severity: 'error', code: 'duplicate-task', message })];
  }
  const restarts = isFirstInPhase && marker.number === 1;
  if (restarts || taskFollows(marker, previous)) return [];
  const message = `Task ${written} comes ${comesAfter(previous?.written)}. Tasks run in the order of the file.`;
  return [problemAt(text, at, { severity: 'warning', code: 'task-numbers', message })];
}

/** Only the first one is reported: a plan that counts from 1 in every phase would be full of them. */
function checkRepeatedNumber(text: string, tasks: readonly NumberedTask[]): readonly Problem[] {
  const seen = new Set<number>();
  const repeated = tasks.find(({ draft, duplicates }) => {
    const { outer, number } = draft.section.marker;
    if (outer !== undefined) return false;
    const isRepeated = duplicates === undefined && seen.has(number);
    seen.add(number);
    return isRepeated;
  });
  if (repeated === undefined) return [];
  const { task, section } = repeated.draft;
  const message = `Another phase also has a task ${task.number}, so the address of this one is ${task.address}.`;
  return [problemAt(text, firstLine(section.heading), { severity: 'warning', code: 'repeated-number', message })];
}

/** Task 2 may be followed by 3, by 2.5, which was inserted, and by 3.1, the first of a phase; 2.5 by 2.6, 3 and 3.1. */
function taskFollows({ number, outer }: Marker, previous: Marker | undefined): boolean {
  if (previous === undefined) return number <= 1;
  if (number === previous.number + 1) return true;
  if (outer === undefined) return number === (previous.outer ?? Number.NaN) + 1;
  return number <= 1 || (previous.outer === undefined && outer === previous.number);
}

/** Phase 1.5 may come between 1 and 2. */
function phaseFollows(number: number, previous: number | undefined): boolean {
  if (previous === undefined) return number <= 1;
  const whole = Math.floor(previous);
  return number === whole + 1 || (Math.floor(number) === whole && number > previous);
}

function comesAfter(previous: number | string | undefined): string {
  return previous === undefined ? 'first' : `after ${previous}`;
}

function checkParts(text: string, { parts, dependencies }: DraftTask): readonly Problem[] {
  const message =
    'This entry names no action. Write "Create:", "Modify:", "Test:", "Delete:" or "Reference:" before the path.';
  const problems = parts.unknownEntries.map((span) =>
    problemAt(text, span, { severity: 'warning', code: 'unknown-action', message }),
  );
  if (dependencies?.problem !== undefined && parts.dependsOn !== undefined)
    problems.push(problemAt(text, parts.dependsOn.span, { severity: 'error', ...dependencies.problem }));
  return problems;
}

function checkCycles(text: string, phases: readonly DraftPhase[]): readonly Problem[] {
  const headings = new Map<string, Heading>();
  for (const { tasks } of phases)
    for (const { task, section } of tasks) if (!headings.has(task.address)) headings.set(task.address, section.heading);
  const plan = { phases: phases.map(({ phase, tasks }) => ({ ...phase, tasks: tasks.map(({ task }) => task) })) };
  return findCycles(plan).flatMap((cycle) => {
    const first = cycle
      .flatMap((address) => headings.get(address) ?? [])
      .sort((one, other) => one.line - other.line)[0];
    const names = cycle.slice(0, MOST_NAMED).join(', ') + (cycle.length > MOST_NAMED ? ', ...' : '');
    const message = `These tasks wait for each other, so none of them can start: ${names}. A task without "Depends on:" waits for every task before it.`;
    return first === undefined
      ? []
      : [problemAt(text, firstLine(first), { severity: 'error', code: 'dependency-cycle', message })];
  });
}

const MOST_NAMED = 10;

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
