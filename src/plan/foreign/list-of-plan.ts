// Makes a list of tasks out of a plan, for another tool.
import type { Phase, Plan, Task, TaskStep } from '../plan.ts';
import { type Dialect, PLAN_PARTS, type PlanPart } from './dialect.ts';
import { someOf } from './naming.ts';
import { asOneLine } from './one-line.ts';
import { tidied, unquoted } from './quote.ts';
import type { ListedStep, ListedTask, TaskList } from './task-list.ts';

export interface ExportRequest {
  readonly plan: Plan;
  /** The addresses of the tasks that are done. */
  readonly done: ReadonlySet<string>;
}

export interface Exported {
  readonly text: string;
  readonly tasks: number;
  readonly done: number;
  /** What the dialect cannot express, as sentences. */
  readonly remarks: readonly string[];
}

export function exportPlan({ plan, done }: ExportRequest, dialect: Dialect): Exported {
  const list = listOfPlan(plan, done, dialect.carries.dependencies ? 'dependencies' : 'file');
  const tasks = list.phases.flatMap((phase) => phase.tasks);
  return {
    text: dialect.write(list),
    tasks: tasks.length,
    done: tasks.filter(({ state }) => state === 'done').length,
    remarks: [
      ...PLAN_PARTS.filter((part) => !dialect.carries[part] && LOST[part].isIn(plan)).map(
        (part) => `${dialect.title} cannot express ${LOST[part].words}.`,
      ),
      ...(dialect.carries.dependencies ? [] : tooEarly(plan)),
    ],
  };
}

const LOST: { readonly [part in PlanPart]: { readonly words: string; isIn(plan: Plan): boolean } } = {
  phases: {
    words: 'phases: their names are left out, and their order became dependencies',
    isIn: ({ phases }) => phases.some(({ name }) => name !== ''),
  },
  parallel: {
    words: 'that tasks may run at the same time',
    isIn: ({ phases }) => phases.some(({ parallel }) => parallel),
  },
  dependencies: {
    words: 'dependencies: tasks wait for everything before them',
    isIn: ({ phases }) => phases.some(({ tasks }) => tasks.some(({ dependsOn }) => dependsOn !== null)),
  },
};

/** Tasks that depend on later ones: in the order of the file they come first. */
function tooEarly({ phases }: Plan): readonly string[] {
  const tasks = phases.flatMap((phase) => phase.tasks);
  const places = new Map(tasks.map(({ address }, index) => [address, index]));
  const early = tasks.filter(({ dependsOn }, index) =>
    dependsOn?.some((address) => (places.get(address) ?? 0) > index),
  );
  return someOf(
    early.map(({ address }) => `task ${address}`),
    (such) => `Some tasks depend on later ones and now come before them: ${such}.`,
  );
}

function listOfPlan(plan: Plan, done: ReadonlySet<string>, order: TaskList['order']): TaskList {
  const tasks = plan.phases.flatMap((phase) => phase.tasks);
  const ids = new Map(tasks.map(({ address }, index) => [address, `${index + 1}`]));
  const waits = order === 'file' ? writtenDependencies(tasks) : effectiveDependencies(plan.phases);
  return {
    title: plan.title,
    goal: plan.goal,
    notes: plan.goal ?? '',
    order,
    remarks: [],
    phases: plan.phases
      .filter((phase) => phase.tasks.length > 0)
      .map((phase) => ({
        name: phase.name,
        notes: '',
        tasks: phase.tasks.map((task): ListedTask => {
          const dependsOn = (waits.get(task) ?? []).flatMap((address) => ids.get(address) ?? []);
          const state = done.has(task.address) ? 'done' : 'open';
          return { ...listedTask(task), dependsOn, parallel: phase.parallel || task.dependsOn !== null, state };
        }),
      })),
  };
}

function writtenDependencies(tasks: readonly Task[]): ReadonlyMap<Task, readonly string[]> {
  return new Map(tasks.map((task) => [task, task.dependsOn ?? []]));
}

/** What each task waits for, also where only the order of the plan says so. */
function effectiveDependencies(phases: readonly Phase[]): ReadonlyMap<Task, readonly string[]> {
  const waits = new Map<Task, readonly string[]>();
  /** The tasks that nothing waits for yet: a task that waits for them waits for everything before it. */
  let last: string[] = [];
  for (const { parallel, tasks } of phases) {
    const before = last;
    for (const task of tasks) {
      waits.set(task, task.dependsOn ?? (parallel ? before : last));
      if (!parallel && task.dependsOn === null) last = [task.address];
      else if (!parallel) last.push(task.address);
    }
    if (!parallel) continue;
    const isGated = tasks.some(({ dependsOn }) => dependsOn === null);
    last = [...(isGated ? [] : before), ...tasks.map(({ address }) => address)];
  }
  return waits;
}

function listedTask(task: Task): Omit<ListedTask, 'dependsOn' | 'parallel' | 'state'> {
  const lines = task.rawText.split(/\r\n?|\n/);
  const isFile = new Set(task.files.map(({ line }) => line - task.line));
  const starts = task.steps.map(({ line }) => line - task.line);
  const text = lines
    .slice(1, starts[0] ?? lines.length)
    .filter((line, index) => !isFile.has(index + 1) && !LABEL.test(line));
  return {
    id: '',
    name: asOneLine(task.name),
    text: unquoted(tidied(text.join('\n'))),
    labels: [],
    files: task.files.map(({ action, path, lines: at }) => ({ action, path, lines: at })),
    steps: task.steps.map((step, index) => listedStep(step, lines.slice((starts[index] ?? 0) + 1, starts[index + 1]))),
  };
}

/** What is written elsewhere, or belongs to one import only. */
const LABEL = /^\s{0,3}[*_]{0,3}(?:files|depends[ -]on|source)[*_]{0,3}[ \t]*:/i;

function listedStep({ description }: TaskStep, lines: readonly string[]): ListedStep {
  return {
    name: asOneLine(description),
    text: unquoted(tidied(lines.join('\n'))),
    done: false,
    optional: false,
    numbered: false,
  };
}
