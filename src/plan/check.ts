// What is wrong with a plan: mistakes that hide or confuse tasks are errors, likely slips are warnings.
import type { Block } from './blocks.ts';
import type { Dependencies } from './dependencies.ts';
import { findCycles } from './order.ts';
import type { Phase, Problem, Severity, Task } from './plan.ts';
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
  const problems = [
    ...checkText(text, blocks),
    ...checkHeadings(text, sections, phases),
    ...checkPhaseNumbers(text, phases),
    ...checkTaskNumbers(text, phases),
    ...phases.flatMap((phase) => phase.tasks.flatMap((task) => checkParts(text, task))),
    ...checkCycles(text, phases),
  ];
  return problems.sort((one, other) => one.line - other.line || compare(one.code, other.code));
}

function checkText(text: string, blocks: readonly Block[]): readonly Problem[] {
  if (text.trim() === '') return [{ ...FIRST, severity: 'error', code: 'empty', message: 'The file is empty.' }];
  const nul = text.indexOf('\0');
  const notText: readonly Problem[] =
    nul === -1
      ? []
      : [
          {
            ...FIRST,
            severity: 'error',
            code: 'not-text',
            message: 'There is a NUL byte in it: this is no text file.',
          },
        ];
  return [...notText, ...blocks.flatMap((block) => [...checkFence(text, block), ...checkConflict(text, block)])];
}

const FIRST = { line: 1, column: 1 };

function checkFence(text: string, block: Block): readonly Problem[] {
  if (block.kind !== 'fence' || block.closed) return [];
  const message = 'This code fence is never closed, so everything below it is code. Close it.';
  return [problemAt(text, firstLine(block), { severity: 'error', code: 'unclosed-fence', message })];
}

/** The end of a conflict is, in markdown, a quote seven deep. */
function checkConflict(text: string, block: Block): readonly Problem[] {
  const spans = block.kind === 'paragraph' || block.kind === 'heading' ? block.spans : [];
  const begins = spans.filter((span) => text.startsWith('<<<<<<< ', span.from));
  const ends = block.quoted && text.startsWith('>>>>>>> ', block.start) ? [firstLine(block)] : [];
  const message = 'This is left from a merge in git that had conflicts. Resolve it.';
  return [...begins, ...ends].map((span) =>
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
        message: `This looks like the heading of a ${word} but has no proper number, so it is none. Write "${word === 'task' ? 'Task' : 'Phase'} <number>: <name>".`,
      }),
    );
  const [first] = phases;
  const tasks = phases.flatMap((phase) => phase.tasks);
  if (tasks.length === 0 && text.trim() !== '') {
    const message = 'There is no task heading ("### Task 1: <name>"): the whole file is one task.';
    problems.push({ ...FIRST, severity: 'warning', code: 'no-tasks', message });
  }
  if (first !== undefined && first.section.marker === undefined && phases.length > 1) {
    const message = 'This task stands before the first phase; it and those next to it are a phase without a name.';
    problems.push(
      problemAt(text, firstLine(first.section.heading), { severity: 'warning', code: 'task-before-phase', message }),
    );
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
    if (seen.has(phase.number)) warn('duplicate-phase', `There is a phase ${phase.number} above already.`);
    else if (!follows(phase.number, previous))
      warn(
        'phase-numbers',
        `Phase ${phase.number} comes ${comesAfter(previous)}. They are taken in the order of the file.`,
      );
    seen.add(phase.number);
    previous = phase.number;
  }
  return problems;
}

function checkTaskNumbers(text: string, phases: readonly DraftPhase[]): readonly Problem[] {
  const problems: Problem[] = [];
  const lines = new Map<number, Map<number, number>>();
  const everywhere = new Map<number, number>();
  let previous: number | undefined;
  let repeats = false;
  for (const { phase, section, tasks } of phases) {
    const inPhase = lines.get(phase.number) ?? new Map<number, number>();
    lines.set(phase.number, inPhase);
    for (const [index, { task, section: at }] of tasks.entries()) {
      const add = (severity: Severity, code: string, message: string): void => {
        problems.push(problemAt(text, firstLine(at.heading), { severity, code, message }));
      };
      const { number } = task;
      const outer = at.marker.outer;
      if (section.marker !== undefined && outer !== undefined && outer !== phase.number)
        add(
          'warning',
          'phase-mismatch',
          `This task is numbered ${outer}.${number} and stands in phase ${phase.number}.`,
        );
      if (section.marker !== undefined && at.heading.level <= section.heading.level)
        add('warning', 'task-level', 'This heading should be one rank below that of its phase.');
      const earlier = inPhase.get(number);
      if (earlier !== undefined)
        add(
          'error',
          'duplicate-task',
          `Task ${number} is in line ${earlier} already. Give this one a number of its own.`,
        );
      else if (everywhere.has(number) && !repeats) {
        repeats = true;
        add(
          'warning',
          'repeated-number',
          `Task ${number} is also in another phase, so this one is called ${task.address}.`,
        );
      }
      const restarts = index === 0 && number === 1;
      if (earlier === undefined && !restarts && !follows(number, previous))
        add(
          'warning',
          'task-numbers',
          `Task ${number} comes ${comesAfter(previous)}. They are taken in the order of the file.`,
        );
      inPhase.set(number, at.heading.line);
      everywhere.set(number, at.heading.line);
      previous = number;
    }
  }
  return problems;
}

function follows(number: number, previous: number | undefined): boolean {
  return previous === undefined ? number <= 1 : number === previous + 1;
}

function comesAfter(previous: number | undefined): string {
  return previous === undefined ? 'first' : `after ${previous}`;
}

function checkParts(text: string, { parts, dependencies }: DraftTask): readonly Problem[] {
  const message =
    'No action is named here. Write "Create:", "Modify:", "Test:", "Delete:" or "Reference:" before the path.';
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
    const message = `These tasks wait for each other, so that none can start: ${names}. A task without "Depends on:" waits for everything before it.`;
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

/** Counts back to the beginning of the line, so that it costs no more than the line is long. */
function columnOf(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && text[start - 1] !== '\n' && text[start - 1] !== '\r') start--;
  return offset - start + 1;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
