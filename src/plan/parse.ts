// Parses a plan, and lists everything that is wrong with it. Never throws; takes time linear in the length of the text.
import { blocksOf } from './blocks.ts';
import { checkPlan, type DraftPhase, type DraftTask } from './check.ts';
import { lastCommitMessage } from './commit-message.ts';
import { type AddressBook, type Dependencies, dependencyReader } from './dependencies.ts';
import { readHeader } from './header.ts';
import type { Plan, Problem } from './plan.ts';
import { divide, type PhaseSection, type TaskSection } from './sections.ts';
import { readTaskParts } from './task-parts.ts';

export interface ParsedPlan {
  readonly plan: Plan;
  readonly problems: readonly Problem[];
}

export function parse(text: string, filePath = ''): ParsedPlan {
  const blocks = blocksOf(text);
  const sections = divide(text, blocks);
  const book = addressBook(sections.phases);
  const context: TaskContext = { text, book, dependenciesIn: dependencyReader(book) };
  const phases = sections.phases.map((phase) => readPhase(phase, context));
  const plan = {
    filePath,
    ...readHeader(text, sections.header),
    phases: phases.map(({ phase, tasks }) => ({ ...phase, tasks: tasks.map(({ task }) => task) })),
  };
  return { plan, problems: checkPlan(text, blocks, sections, phases) };
}

/** Whether these are the tasks that the author means, as far as cadre can know. */
export function isUsable(problems: readonly Problem[]): boolean {
  return !problems.some((problem) => problem.severity === 'error');
}

interface TaskContext {
  readonly text: string;
  readonly book: AddressBook;
  dependenciesIn(written: string, phase: number): Dependencies;
}

function readPhase(section: PhaseSection, context: TaskContext): DraftPhase {
  const { marker, heading } = section;
  const number = marker?.number ?? 0;
  return {
    section,
    phase: { number, name: marker?.name ?? '', parallel: marker?.parallel ?? false, line: heading.line },
    tasks: section.tasks.map((task) => readTask(task, number, context)),
  };
}

function readTask(section: TaskSection, phase: number, { text, book, dependenciesIn }: TaskContext): DraftTask {
  const { marker, heading, blocks, end } = section;
  const parts = readTaskParts(text, blocks);
  const written = parts.dependsOn;
  const dependencies = written === undefined ? undefined : dependenciesIn(written.text, phase);
  const rawText = text.slice(heading.start, end);
  return {
    section,
    parts,
    dependencies,
    task: {
      number: marker.number,
      name: marker.name,
      address: book.addressOf(phase, marker.number),
      dependsOn: dependencies?.addresses ?? null,
      files: parts.files,
      steps: parts.steps,
      commitMessage: lastCommitMessage(rawText),
      rawText,
      line: heading.line,
      start: heading.start,
    },
  };
}

function addressBook(phases: readonly PhaseSection[]): AddressBook {
  const counts = new Map<number, number>();
  const phasesWith = new Map<number, Set<number>>();
  const numbersIn = new Map<number, Set<number>>();
  for (const { marker, tasks } of phases) {
    const phase = marker?.number ?? 0;
    const numbers = numbersIn.get(phase) ?? new Set();
    numbersIn.set(phase, numbers);
    for (const { number } of tasks.map((task) => task.marker)) {
      numbers.add(number);
      counts.set(number, (counts.get(number) ?? 0) + 1);
      phasesWith.set(number, (phasesWith.get(number) ?? new Set()).add(phase));
    }
  }
  return {
    phasesWith: (number) => phasesWith.get(number) ?? NO_PHASES,
    numbersIn: (phase) => numbersIn.get(phase),
    addressOf: (phase, number) => ((counts.get(number) ?? 0) > 1 ? `${phase}.${number}` : `${number}`),
  };
}

const NO_PHASES: ReadonlySet<number> = new Set();
