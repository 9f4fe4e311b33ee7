// Parses a plan, and lists everything that is wrong with it. Never throws; takes time linear in the length of the text.

import { checkPlan, type DraftPhase, type DraftTask } from './check.ts';
import { lastCommitMessage } from './commit-message.ts';
import { type AddressBook, type Dependencies, dependencyReader } from './dependencies.ts';
import { readHeader } from './header.ts';
import { blocksOf } from './markdown/blocks.ts';
import type { Marker } from './marker.ts';
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
    ...readHeader(text, sections.header, sections.phases[0]?.heading.start ?? text.length),
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
  const number = phaseNumber(marker);
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
      written: marker.written,
      name: marker.name,
      address: book.addressOf(phase, marker),
      dependsOn: dependencies?.addresses ?? null,
      files: parts.files,
      steps: parts.steps,
      commitMessage: lastCommitMessage(rawText),
      interfaces: parts.interfaces,
      profile: parts.profile,
      testFirst: parts.testFirst,
      rawText,
      line: heading.line,
      start: heading.start,
    },
  };
}

/** Zero for the unnamed phase. */
function phaseNumber(marker: Marker | undefined): number {
  return Number(marker?.written ?? 0);
}

function addressBook(phases: readonly PhaseSection[]): AddressBook {
  const counts = new Map<number, number>();
  const phasesWith = new Map<number, Set<number>>();
  const dotted = new Set<string>();
  const markersIn = new Map<number, Marker[]>();
  for (const { marker, tasks } of phases) {
    const phase = phaseNumber(marker);
    const markers = markersIn.get(phase) ?? [];
    markersIn.set(phase, markers);
    for (const task of tasks.map((one) => one.marker)) {
      markers.push(task);
      if (task.outer !== undefined) dotted.add(task.written);
      else {
        counts.set(task.number, (counts.get(task.number) ?? 0) + 1);
        phasesWith.set(task.number, (phasesWith.get(task.number) ?? new Set()).add(phase));
      }
    }
  }
  const addressOf: AddressBook['addressOf'] = (phase, { number, outer, written }) =>
    outer === undefined && (counts.get(number) ?? 0) > 1 ? `${phase}.${number}` : written;
  return {
    phasesWith: (number) => phasesWith.get(number) ?? NO_PHASES,
    isWritten: (number) => dotted.has(number),
    addressesIn: (phase) => markersIn.get(phase)?.map((marker) => addressOf(phase, marker)),
    addressOf,
  };
}

const NO_PHASES: ReadonlySet<number> = new Set();
