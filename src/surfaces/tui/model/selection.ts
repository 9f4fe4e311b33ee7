// What is selected, and what the window shows of it.
import { taskReference } from '../../../core/views/actions.ts';
import { type PlanFile, slugOf } from '../../../plan/name.ts';
import type { Model, Tab } from './model.ts';
import { type Row, selectedRow } from './rows.ts';
import type { Snapshot } from './snapshot.ts';

/** How a person would name what the row is about: `search#2`, `s7`, `search`. */
export function referenceOf(row: Row | undefined, snapshot: Snapshot): string | undefined {
  switch (row?.kind) {
    case 'task':
      return taskReference(row.plan, { address: row.task.task });
    case 'session':
      return row.session.session;
    case 'plan':
    case 'phase':
      return slugOf(row.plan.plan);
    default:
      return snapshot.plan === null ? undefined : slugOf(snapshot.plan.plan);
  }
}

/** The same, but of a session that works on a task the task. */
export function subjectOf(row: Row | undefined, snapshot: Snapshot): string | undefined {
  if (row?.kind === 'session' && row.task !== null && row.plan !== null)
    return taskReference({ plan: row.plan }, { address: row.task.task });
  if (row?.kind === 'session' && row.plan !== null) return slugOf(row.plan);
  return referenceOf(row, snapshot);
}

export function planOfRow(row: Row | undefined, snapshot: Snapshot): PlanFile | undefined {
  if (row?.kind === 'plan' || row?.kind === 'phase' || row?.kind === 'task') return row.plan.plan;
  return row?.kind === 'session' ? (row.plan ?? undefined) : snapshot.plan?.plan;
}

/** What the window is to show; the loop reads what it names. */
export interface WindowKey {
  readonly tab: Tab;
  readonly of: 'session' | 'task' | 'plan';
  readonly reference: string;
}

export function windowOf(model: Model, snapshot: Snapshot, rows: readonly Row[]): WindowKey | undefined {
  const row = selectedRow(model, rows);
  // Of a file that is not registered there is nothing but the list.
  if (snapshot.isNew && row?.kind !== 'session') return undefined;
  const reference = referenceOf(row, snapshot);
  if (reference === undefined) return undefined;
  const of = row?.kind === 'session' || row?.kind === 'task' ? row.kind : 'plan';
  return { tab: model.tab, of, reference };
}

export function windowKey({ tab, of, reference }: WindowKey): string {
  return `${tab} ${of} ${reference}`;
}
