// What is wrong with a plan: mistakes that hide or confuse tasks are errors, likely slips are warnings.
import type { Block } from './blocks.ts';
import type { Dependencies } from './dependencies.ts';
import { findCycles } from './order.ts';
import type { Phase, Problem, Task } from './plan.ts';
import type { Heading, PhaseSection, Sections, TaskSection } from './sections.ts';
import type { TextSpan } from './span.ts';
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
  const tasks = numberedTasks(phases);
  const problems = [
    ...checkText(text, blocks),
    ...checkHeadings(text, sections, phases),
    ...checkPhaseNumbers(text, phases),
    ...tasks.flatMap((task) => [...checkPlace(text, task), ...checkTaskNumber(text, task)]),
    ...checkRepeatedNumber(text, tasks),
    ...tasks.flatMap(({ draft }) => checkParts(text, draft)),
    ...checkCycles(text, phases),
  ];
  return problems.sort((one, other) => one.line - other.line || compare(one.code, other.code));
}

function checkText(text: string, blocks: readonly Block[]): readonly Problem[] {
  if (text.trim() === '') return [{ ...FIRST, severity: 'error', code: 'empty', message: 'The file is empty.' }];
  const message = 'The file contains a NUL byte: it is not a text file.';
  const notText: readonly Problem[] = text.includes('\0')
    ? [{ ...FIRST, severity: 'error', code: 'not-text', message }]
    : [];
  return [...notText, ...blocks.flatMap((block) => [...checkFence(text, block), ...checkConflict(text, block)])];
}

const FIRST = { line: 1, column: 1 };

function checkFence(text: string, block: Block): readonly Problem[] {
  if (block.kind !== 'fence' || block.closed) return [];
  const message = 'This code fence is never closed, so everything below it is code. Close it.';
  return [problemAt(text, firstLine(block), { severity: 'error', code: 'unclosed-fence', message })];
}

/** The last line of a conflict parses as a quote seven levels deep. */
function checkConflict(text: string, block: Block): readonly Problem[] {
  const spans = block.kind === 'paragraph' || block.kind === 'heading' ? block.spans : [];
  const starts = spans.filter((span) => text.startsWith('<<<<<<< ', span.from));
  const ends = block.quoted && text.startsWith('>>>>>>> ', block.start) ? [firstLine(block)] : [];
  const message = 'This is a conflict marker from git. Resolve the conflict.';
  return [...starts, ...ends].map((span) =>
    problemAt(text, span, { severity: 'error', code: 'conflict-marker', message }),
  );
}

function checkHeadings(text: string, sections: Sections, phases: readonly DraftPhase[]): readonly Problem[] {
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
    problems.push({ ...FIRST, severity: 'warning', code: 'no-tasks', message });
  }
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
    else if (!follows(phase.number, previous))
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
  /** The number of the task before it in the file. */
  readonly previous: number | undefined;
  /** The line of the last task before it with the same number, in a phase with the same number. */
  readonly duplicates: number | undefined;
}

function numberedTasks(phases: readonly DraftPhase[]): readonly NumberedTask[] {
  const lines = new Map<string, number>();
  let previous: number | undefined;
  return phases.flatMap((phase) =>
    phase.tasks.map((draft, index) => {
      const { number, line } = draft.task;
      const key = `${phase.phase.number}.${number}`;
      const numbered = { phase, draft, isFirstInPhase: index === 0, previous, duplicates: lines.get(key) };
      lines.set(key, line);
      previous = number;
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
  if (marker.outer !== undefined && marker.outer !== number)
    warn('phase-mismatch', `This task is numbered ${marker.outer}.${marker.number} but is in phase ${number}.`);
  if (heading.level <= section.heading.level)
    warn('task-level', 'This heading should be one level below the heading of its phase.');
  return problems;
}

function checkTaskNumber(text: string, task: NumberedTask): readonly Problem[] {
  const { draft, isFirstInPhase, previous, duplicates } = task;
  const { number } = draft.task;
  const at = firstLine(draft.section.heading);
  if (duplicates !== undefined) {
    const message = `Task ${number} already exists in line ${duplicates}. Give this task another number.`;
    return [problemAt(text, at, { severity: 'error', code: 'duplicate-task', message })];
  }
  const restarts = isFirstInPhase && number === 1;
  if (restarts || follows(number, previous)) return [];
  const message = `Task ${number} comes ${comesAfter(previous)}. Tasks run in the order of the file.`;
  return [problemAt(text, at, { severity: 'warning', code: 'task-numbers', message })];
}

/** Only the first one is reported: a plan that counts from 1 in every phase would be full of them. */
function checkRepeatedNumber(text: string, tasks: readonly NumberedTask[]): readonly Problem[] {
  const seen = new Set<number>();
  const repeated = tasks.find(({ draft, duplicates }) => {
    const isRepeated = duplicates === undefined && seen.has(draft.task.number);
    seen.add(draft.task.number);
    return isRepeated;
  });
  if (repeated === undefined) return [];
  const { task, section } = repeated.draft;
  const message = `Another phase also has a task ${task.number}, so the address of this one is ${task.address}.`;
  return [problemAt(text, firstLine(section.heading), { severity: 'warning', code: 'repeated-number', message })];
}

function follows(number: number, previous: number | undefined): boolean {
  return previous === undefined ? number <= 1 : number === previous + 1;
}

function comesAfter(previous: number | undefined): string {
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

type Place = Pick<TextSpan, 'line' | 'from'>;

function firstLine(block: { readonly line: number; readonly start: number }): Place {
  return { line: block.line, from: block.start };
}

function problemAt(text: string, place: Place, what: Omit<Problem, 'line' | 'column'>): Problem {
  return { line: place.line, column: columnOf(text, place.from), ...what };
}

/** Scans back to the start of the line, so the cost depends only on the length of the line. */
function columnOf(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && text[start - 1] !== '\n' && text[start - 1] !== '\r') start--;
  return offset - start + 1;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
