// The rows of the list: phases, tasks and their sessions; below a separator the sessions of a person's.

import type { SessionShown } from '../../../app/sessions.ts';
import type { TaskView } from '../../../core/views/plan.ts';
import { planMachine } from '../../../machines/plan.ts';
import { taskMachine } from '../../../machines/task.ts';
import type { PlanFile } from '../../../plan/name.ts';
import { type Layout, layoutOf } from './layout.ts';
import type { Model } from './model.ts';
import type { ShownPlan, Snapshot } from './snapshot.ts';
import { taskLabel } from './task-label.ts';

export type Row = { readonly id: string } & (
  | { readonly kind: 'plan'; readonly plan: ShownPlan }
  | { readonly kind: 'phase'; readonly phase: PhaseGroup; readonly isFolded: boolean; readonly plan: ShownPlan }
  | {
      readonly kind: 'task';
      readonly task: TaskView;
      readonly plan: ShownPlan;
      /** The session of its run, where that runs. */
      readonly session: SessionShown | null;
      readonly isFolded: boolean;
    }
  | {
      readonly kind: 'session';
      readonly session: SessionShown;
      readonly task: TaskView | null;
      readonly plan: PlanFile | null;
    }
  | { readonly kind: 'separator' }
);

export interface PhaseGroup {
  readonly title: string;
  readonly tasks: readonly TaskView[];
  readonly isBlocked: boolean;
  readonly isDone: boolean;
}

export function rowsOf(model: Model, snapshot: Snapshot): readonly Row[] {
  const { plan, status } = snapshot;
  const sessions = status?.sessions ?? [];
  const own = sessions.filter((session) => session.plan === null);
  const ofPlan = plan === null ? [] : planRows(listing(model, plan, sessions));
  const rows: readonly Row[] = [
    ...ofPlan,
    ...(ofPlan.length > 0 && own.length > 0 ? [{ kind: 'separator', id: 'separator' } as const] : []),
    ...own.map((session) => sessionRow(session, null, null)),
  ];
  return model.filter === '' ? rows : filtered(rows, model.filter);
}

/** A row that can be selected. */
export function isSelectable({ kind }: Row): boolean {
  return kind !== 'separator';
}

export function selectedRow(model: Model, rows: readonly Row[]): Row | undefined {
  return rows.find(({ id }) => id === model.selected);
}

/** The task that the row is about. */
export function selectedTask(row: Row | undefined): TaskView | undefined {
  if (row?.kind === 'task') return row.task;
  return row?.kind === 'session' ? (row.task ?? undefined) : undefined;
}

export function taskRowId(plan: PlanFile, address: string): string {
  return `task:${plan}#${address}`;
}

export function sessionRowId(session: string): string {
  return `session:${session}`;
}

/** What every row of a plan is made from. */
interface Listing {
  readonly model: Model;
  readonly layout: Layout['kind'];
  readonly plan: ShownPlan;
  readonly sessions: ReadonlyMap<string, SessionShown>;
}

function listing(model: Model, plan: ShownPlan, sessions: readonly SessionShown[]): Listing {
  const byId = new Map<string, SessionShown>(sessions.map((one) => [one.session, one]));
  return { model, layout: layoutOf(model).kind, plan, sessions: byId };
}

function planRows(shown: Listing): readonly Row[] {
  const { plan, sessions } = shown;
  if (plan.file.state === 'unusable') return [{ kind: 'plan', id: `plan:${plan.plan}`, plan }];
  const groups = groupsOf(plan);
  const isNamed = groups.some(({ title }) => title !== '');
  const ofTasks = new Set(plan.tasks.map(({ run }) => run?.session?.id));
  const ofWhole = [...sessions.values()].filter((one) => one.plan === plan.plan && !ofTasks.has(one.session));
  const isHead = isMissing(plan) || !isNamed || plan.planning !== null || ofWhole.length > 0 || plan.incident !== null;
  return [
    ...(isHead ? [{ kind: 'plan', id: `plan:${plan.plan}`, plan } as const] : []),
    ...ofWhole.map((session) => sessionRow(session, null, plan.plan)),
    ...groups.flatMap((group) => groupRows(shown, group)),
  ];
}

/** Its file was deleted although it is not over; what is known of its tasks is of before. */
export function isMissing({ file, status }: Pick<ShownPlan, 'file' | 'status'>): boolean {
  return file.state === 'missing' && !planMachine.final.includes(status);
}

function groupRows(shown: Listing, phase: PhaseGroup): readonly Row[] {
  const { model, layout, plan } = shown;
  const tasks = phase.tasks.flatMap((task) => taskRows(shown, task));
  if (phase.title === '') return tasks;
  const id = `phase:${plan.plan}:${phase.title}`;
  const isNarrow = layout !== 'wide';
  const isFolded = model.filter === '' && (model.folds.get(id) ?? (phase.isBlocked || (isNarrow && phase.isDone)));
  return [{ kind: 'phase', id, phase, plan, isFolded }, ...(isFolded ? [] : tasks)];
}

function taskRows({ model, layout, plan, sessions }: Listing, task: TaskView): readonly Row[] {
  const id = taskRowId(plan.plan, task.task);
  const isOver = taskMachine.final.includes(task.state);
  const session = isOver ? null : (sessions.get(task.run?.session?.id ?? '') ?? null);
  const isFolded = model.folds.get(id) ?? layout === 'single';
  const row: Row = { kind: 'task', id, task, plan, session, isFolded };
  return session === null || isFolded ? [row] : [row, sessionRow(session, task, plan.plan)];
}

function sessionRow(session: SessionShown, task: TaskView | null, plan: PlanFile | null): Row {
  return { kind: 'session', id: sessionRowId(session.session), session, task, plan };
}

/** The phases of the file, then what reviews asked for, then what is no longer in the file. */
export function groupsOf(plan: ShownPlan): readonly PhaseGroup[] {
  const present = plan.tasks.filter(({ stale }) => !stale);
  const phases = plan.phases.map(({ number, name, parallel }) => {
    const named = name === '' ? `Phase ${number}` : `Phase ${number}: ${name}`;
    const title = number === 0 && name === '' ? '' : parallel ? `${named} (in parallel)` : named;
    return groupOf(
      plan,
      title,
      present.filter(({ phase }) => phase === number),
    );
  });
  const asked = present.filter(({ phase }) => phase === null);
  const stale = plan.tasks.filter((task) => task.stale);
  return [
    ...phases,
    ...(asked.length === 0 ? [] : [groupOf(plan, 'Requested by a review', asked)]),
    ...(stale.length === 0 ? [] : [groupOf(plan, 'No longer in the plan', stale)]),
  ];
}

function groupOf(_plan: ShownPlan, title: string, tasks: readonly TaskView[]): PhaseGroup {
  const open = tasks.filter(({ state }) => !taskMachine.final.includes(state));
  const own = new Set(tasks.map(({ task }) => task));
  const isBlocked =
    open.length > 0 &&
    open.every(({ blockedBy }) => blockedBy.length > 0) &&
    open.some(({ blockedBy }) => blockedBy.some((address) => !own.has(address)));
  return { title, tasks, isBlocked, isDone: open.length === 0 && tasks.length > 0 };
}

/** What matches, with the rows that it is below. */
function filtered(rows: readonly Row[], filter: string): readonly Row[] {
  const wanted = filter.toLowerCase();
  const kept = new Set<Row>();
  let [phase, task]: [Row | undefined, Row | undefined] = [undefined, undefined];
  for (const row of rows) {
    if (row.kind === 'phase') [phase, task] = [row, undefined];
    if (row.kind === 'task') task = row;
    if (row.kind === 'separator') [phase, task] = [undefined, undefined];
    if (!textOf(row).toLowerCase().includes(wanted)) continue;
    const above = row.kind === 'session' && row.task !== null ? [phase, task] : row.kind === 'task' ? [phase] : [];
    for (const one of [...above, row]) if (one !== undefined) kept.add(one);
  }
  return rows.filter((row) => kept.has(row));
}

function textOf(row: Row): string {
  switch (row.kind) {
    case 'plan':
      return row.plan.plan;
    case 'phase':
      return row.phase.title;
    case 'task':
      return `${taskLabel(row.task.task)} ${row.task.name} ${row.task.state}`;
    case 'session':
      return `${row.session.session} ${row.session.title} ${row.session.program} ${row.session.branch}`;
    case 'separator':
      return '';
  }
}
