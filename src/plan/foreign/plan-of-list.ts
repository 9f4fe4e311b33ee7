// Makes a plan out of a list of tasks, and says what became of the parts that a plan does not have.
import { showName } from '../../text/show.ts';
import { readMarker } from '../marker.ts';
import { parse } from '../parse.ts';
import type { FileReference, Phase, Plan, Task } from '../plan.ts';
import { type Prose, project } from '../project.ts';
import { listedName, someOf } from './naming.ts';
import { asOneLine, shortName } from './one-line.ts';
import { quoted } from './quote.ts';
import {
  type ListedPhase,
  type ListedState,
  type ListedStep,
  type ListedTask,
  type TaskList,
  tasksIn,
} from './task-list.ts';
import { type KeptTask, type TaskWaits, waitsIn } from './waiting.ts';

export interface PlanSource {
  /** What the plan is called if the list does not say. */
  readonly title: string;
  /** Paragraphs for the top of the plan: where it comes from, and what to read. */
  readonly header: readonly string[];
  /** Also tasks that are done, cancelled or deferred. */
  readonly all: boolean;
}

export type MadePlan =
  | {
      readonly kind: 'plan';
      readonly plan: Plan;
      readonly text: string;
      readonly leftOut: LeftOut;
      readonly remarks: readonly string[];
    }
  | { readonly kind: 'none'; readonly why: string; readonly leftOut: LeftOut };

export type LeftOut = { readonly [state in Exclude<ListedState, 'open'>]: number };

export function planOfList(list: TaskList, source: PlanSource): MadePlan {
  const leftOut = source.all ? { done: 0, cancelled: 0, deferred: 0 } : closedIn(list);
  const phases = keptPhases(list, source.all);
  if (phases.length === 0) return { kind: 'none', why: whyNone(leftOut), leftOut };
  const waiting = waitsIn(
    list,
    phases.map(({ tasks }) => tasks),
  );
  const { tooMany } = waiting;
  if (tooMany !== undefined)
    return { kind: 'none', why: `${listedName(tooMany.task)} depends on more tasks than a plan can name.`, leftOut };
  const plan = planWith(list, phases, waiting, source);
  const prose = proseFor(list, phases, source);
  const lost = source.all ? [] : lostSteps(list);
  const remarks = [...list.remarks, ...leftOutRemarks(list, leftOut), ...lostRemark(lost), ...waiting.remarks];
  return { kind: 'plan', plan, text: project(plan, prose), leftOut, remarks };
}

function closedIn(list: TaskList): LeftOut {
  const count = (state: ListedState): number => tasksIn(list).filter((task) => stateOf(task) === state).length;
  return { done: count('done'), cancelled: count('cancelled'), deferred: count('deferred') };
}

/** A task that is checked off while some of its steps are not is open. */
function stateOf(task: ListedTask): ListedState {
  return isHalfDone(task) ? 'open' : task.state;
}

function isHalfDone({ state, steps }: ListedTask): boolean {
  const open = steps.filter(({ done, optional }) => !done && !optional);
  // Where no step is checked off and none has a number, nobody checks off steps.
  return state === 'done' && open.length > 0 && (steps.some(({ done }) => done) || open.some((step) => step.numbered));
}

function whyNone({ done, cancelled, deferred }: LeftOut): string {
  const closed = done + cancelled + deferred;
  if (closed === 0) return 'It contains no tasks.';
  const words = cancelled + deferred === 0 ? 'done' : 'done, cancelled or deferred';
  return closed === 1 ? `Its only task is ${words}.` : `All of its ${closed} tasks are ${words}.`;
}

interface KeptPhase {
  readonly phase: ListedPhase;
  readonly tasks: readonly KeptTask[];
}

function keptPhases(list: TaskList, all: boolean): readonly KeptPhase[] {
  let last = 0;
  return list.phases.flatMap((phase) => {
    const kept = phase.tasks.filter((task) => all || stateOf(task) === 'open');
    return kept.length === 0 ? [] : [{ phase, tasks: kept.map((task) => ({ task, number: ++last })) }];
  });
}

function planWith(list: TaskList, phases: readonly KeptPhase[], waiting: TaskWaits, { title }: PlanSource): Plan {
  const created = new Set<string>();
  const isUnnamed = phases.length === 1 && phases[0]?.phase.name === '' && !waiting.parallel.has(0);
  return {
    ...{ filePath: '', goal: list.goal, architecture: null, techStack: null, constraints: null },
    title: safeTitle(list.title ?? title),
    phases: phases.map(({ phase, tasks }, index): Phase => {
      const name = safeName(phase.name) || 'Tasks';
      return {
        ...(isUnnamed ? { number: 0, name: '' } : { number: index + 1, name }),
        parallel: waiting.parallel.has(index),
        line: 0,
        tasks: tasks.map((kept) => planTask(kept, waiting, created)),
      };
    }),
  };
}

function planTask({ task, number }: KeptTask, waiting: TaskWaits, created: Set<string>): Task {
  return {
    number,
    written: `${number}`,
    address: `${number}`,
    name: safeName(task.name) || 'Untitled',
    dependsOn: waiting.dependsOn.get(number)?.map(String) ?? null,
    files: task.files.map((file) => firstCreation({ ...file, line: 0 }, created)),
    steps: task.steps.map((step, index) => {
      const description = stepName(step);
      return { number: index + 1, description, command: null, expected: null, line: 0 };
    }),
    interfaces: null,
    profile: null,
    testFirst: false,
    commitMessage: null,
    rawText: '',
    line: 0,
    start: 0,
  };
}

/** A file is created once. */
function firstCreation(file: FileReference, created: Set<string>): FileReference {
  if (file.action !== 'create') return file;
  const isFirst = !created.has(file.path);
  created.add(file.path);
  return isFirst ? file : { ...file, action: 'modify' };
}

/** In a heading, "(parallel)" would be read as a mark. */
function safeName(name: string): string {
  return asOneLine(name.replace(PARALLEL, (_, words, offset) => (offset === 0 ? words : `, ${words}`)));
}

const PARALLEL = /\s?[([{]\s?((?:(?:in|can|may|runs?|be|done|tasks) ){0,4}paral\w{0,8}(?: tasks)?)\s?[)\]}]/gi;

/** Bold text would end the mark of the step. */
function stepName({ name, done, optional }: ListedStep): string {
  const marks = [...(optional ? ['optional'] : []), ...(done ? ['already done'] : [])];
  const bare = asOneLine(name.replace(/\*{2,}/g, ''));
  return asOneLine(`${bare} ${marks.length === 0 ? '' : `(${marks.join(', ')})`}`);
}

/** A title that starts like a phase or a task would be one, or be taken for one that is misspelt. */
function safeTitle(title: string): string {
  const line = shortName(asOneLine(title)) || 'Plan';
  const isRead = readMarker(line).kind !== 'none' || FIELD.test(line);
  return isRead || parse(`# ${line}\n\n### Task 1\n`).problems.length > 0 ? `Plan: ${line}` : line;
}

const FIELD = /^[*_]{0,3}(?:goal|architecture|tech stack):?[*_]{0,3}$/i;

function proseFor(list: TaskList, phases: readonly KeptPhase[], { header }: PlanSource): Prose {
  return {
    header: [...header, ...quoted(list.notes)],
    phases: phases.map(({ phase }) => quoted(phase.notes)),
    tasks: new Map(
      phases.flatMap(({ tasks }) =>
        tasks.map(({ task, number }) => [
          `${number}`,
          {
            text: [...sourceLine(task, number), ...quoted(task.text)],
            steps: task.steps.map((step) => quoted(step.text)),
          },
        ]),
      ),
    ),
  };
}

/** How the file names the task, and what else it says about it. */
function sourceLine(task: ListedTask, number: number): readonly string[] {
  const { id, labels } = task;
  const state = stateOf(task);
  const own = id === `${number}` ? [] : [id];
  const all = [...own, ...labels, ...(state === 'open' ? [] : [`already ${state}`])]
    .map(plainWords)
    .filter((word) => word !== '');
  return all.length === 0 ? [] : [`**Source:** ${all.join('; ')}`];
}

function plainWords(text: string): string {
  return asOneLine(text.replace(/[*_`<>[\]\\]/g, ' ')).slice(0, 200);
}

function leftOutRemarks(list: TaskList, { done, cancelled, deferred }: LeftOut): readonly string[] {
  const said = (count: number, state: string): readonly string[] => {
    if (count === 0) return [];
    return [count === 1 ? `1 task is ${state} and was left out.` : `${count} tasks are ${state} and were left out.`];
  };
  return [
    ...said(done, 'done'),
    ...said(cancelled, 'cancelled'),
    ...said(deferred, 'deferred'),
    ...oddRemark(list, isHalfDone, (such) => `Kept, although it is checked off with open steps: ${such}.`),
    ...oddRemark(list, isAllDone, (such) => `Kept as open, although all of its steps are done: ${such}.`),
  ];
}

/** The open steps of tasks that are left out because they are done. */
function lostSteps(list: TaskList): readonly ListedStep[] {
  return tasksIn(list)
    .filter((task) => stateOf(task) === 'done')
    .flatMap(({ steps }) => steps.filter((step) => !step.done));
}

function lostRemark(lost: readonly ListedStep[]): readonly string[] {
  const [first] = lost;
  if (first === undefined) return [];
  const such = `"${showName(first.name)}"`;
  return [
    lost.length === 1
      ? `A step that is open was left out, because its task is done: ${such}.`
      : `${lost.length} steps that are open were left out, because their tasks are done, such as ${such}.`,
  ];
}

/** The file may have been left behind, which only its author knows. */
function isAllDone({ state, steps }: ListedTask): boolean {
  return state === 'open' && steps.length > 0 && steps.every((step) => step.done);
}

function oddRemark(
  list: TaskList,
  isOdd: (task: ListedTask) => boolean,
  sentence: (such: string) => string,
): readonly string[] {
  return someOf(tasksIn(list).filter(isOdd).map(listedName), sentence);
}
