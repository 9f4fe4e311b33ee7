// A journal record as surfaces show it. This shape is a promise; the journal's own is not.
import { type JournalRecord, planOf } from '../model/record.ts';
import { addressOf } from '../model/tasks.ts';
import type { World } from '../model/world.ts';

/** The version of everything that surfaces print as JSON. It changes only when a field changes its meaning or goes. */
export const VIEW_VERSION = 1;

export interface RecordView {
  readonly version: typeof VIEW_VERSION;
  readonly seq: number;
  readonly at: string;
  readonly by: string;
  readonly session: string | null;
  readonly role: string | null;
  readonly plan: string | null;
  readonly machine: string | null;
  readonly event: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly moves: JournalRecord['moves'];
  readonly signal: JournalRecord['signal'] | null;
  readonly effects: NonNullable<JournalRecord['effects']>;
  /** What else belongs to this kind of event: feedback, the reason of a refusal, ... */
  readonly details: Readonly<Record<string, unknown>>;
}

/** What the tasks are called now that records name by their ids. */
export type TaskNames = (plan: string | undefined, id: string) => string;

export function taskNames(world: Pick<World, 'plans'>): TaskNames {
  return (plan, id) => addressOf(world, plan, id);
}

export function viewRecord(record: JournalRecord): RecordView {
  const { v: _v, first: _first, last: _last, seq, at, by, session, role, event, ...more } = record;
  const { moves, signal, effects, ...details } = more;
  // The texts of tasks are long, and are in the plan file.
  const { plan: _plan, texts: _texts, ...rest } = details as Record<string, unknown>;
  const [move] = moves;
  return {
    version: VIEW_VERSION,
    seq,
    at,
    by,
    session: session ?? null,
    role: role ?? null,
    plan: planOf(record) ?? null,
    machine: move?.machine ?? null,
    event,
    from: move?.from ?? null,
    to: move?.to ?? null,
    moves,
    signal: signal ?? null,
    effects: effects ?? [],
    details: rest,
  };
}
