// Everything known now, as one value: the fold of the journal.
import type { PlanState } from '../machines/plan.ts';
import type { PlanFile } from '../plan/name.ts';
import type { Effect } from './effects.ts';
import type { PlanFields } from './events.ts';
import type { JournalRecord, Move } from './record.ts';
import type { Refused } from './refused.ts';

export interface PlanEntry extends PlanFields {
  readonly plan: PlanFile;
  readonly status: PlanState;
  readonly since: string;
  /** The sequence number of the record that brought it into its present state. */
  readonly entered: number;
  /** What the last review asked for. */
  readonly feedback?: { readonly text: string; readonly at: string };
  /** What plan-state.json claimed against the journal, until someone adopts it or the plan moves on. */
  readonly difference?: { readonly status: PlanState; readonly at: string };
}

export interface World {
  readonly seq: number;
  readonly plans: ReadonlyMap<PlanFile, PlanEntry>;
  /** The part of plan-state.json that is about no plan: kept, so that the file can be made anew. */
  readonly document: { readonly topics: unknown; readonly extra: Readonly<Record<string, unknown>> };
  /** Ids of the signals taken or refused last, oldest first. */
  readonly taken: ReadonlySet<string>;
  /** Effects decided and not yet acknowledged. */
  readonly outbox: ReadonlyMap<string, Effect>;
  readonly refused: ReadonlyMap<string, Refused & { readonly at: string }>;
}

/** How many ids are remembered. A signal's file goes right after its commit, so a few scans' worth is plenty. */
export const REMEMBERED_SIGNALS = 4096;

export const EMPTY_WORLD: World = {
  seq: 0,
  plans: new Map(),
  document: { topics: {}, extra: {} },
  taken: new Set(),
  outbox: new Map(),
  refused: new Map(),
};

export function fold(world: World, records: Iterable<JournalRecord>): World {
  const draft: Draft = {
    seq: world.seq,
    plans: new Map(world.plans),
    document: world.document,
    taken: new Set(world.taken),
    outbox: new Map(world.outbox),
    refused: new Map(world.refused),
  };
  for (const record of records) apply(draft, record);
  return draft;
}

interface Draft {
  seq: number;
  plans: Map<PlanFile, PlanEntry>;
  document: World['document'];
  taken: Set<string>;
  outbox: Map<string, Effect>;
  refused: Map<string, Refused & { readonly at: string }>;
}

function apply(draft: Draft, record: JournalRecord): void {
  draft.seq = record.seq;
  for (const move of record.moves) applyMove(draft, record, move);
  for (const effect of record.effects ?? []) draft.outbox.set(effect.id, effect);
  if (record.signal !== undefined) remember(draft.taken, record.signal.id);
  applyFact(draft, record);
}

function applyMove(draft: Draft, record: JournalRecord, move: Move): void {
  const before = draft.plans.get(move.plan);
  const fields = record.event === 'register' || record.event === 'import' ? record.fields : before;
  if (fields === undefined) throw new Error(`Record ${record.seq} moves "${move.plan}", which no record introduces.`);
  const { difference: _settled, ...kept } = { ...before, ...fields };
  draft.plans.set(move.plan, { ...kept, plan: move.plan, status: move.to, since: record.at, entered: record.seq });
}

function applyFact(draft: Draft, record: JournalRecord): void {
  switch (record.event) {
    case 'review_changes_requested':
      change(draft, record.plan, { feedback: { text: record.feedback ?? '', at: record.at } });
      break;
    case 'implement_finished':
      change(draft, record.plan, { implemented: record.at });
      break;
    case 'describe':
      change(draft, record.plan, record.fields);
      break;
    case 'import_document':
      draft.document = { topics: record.topics, extra: record.extra };
      break;
    case 'plan_state_differs':
      change(draft, record.plan, { difference: { status: record.fileStatus, at: record.at } });
      break;
    case 'signal_refused':
      draft.refused.set(record.refused.id, { ...record.refused, at: record.at });
      break;
    case 'quarantine_retried':
      // Put back by a person, it counts as said anew.
      draft.taken.delete(draft.refused.get(record.quarantine)?.signal ?? '');
      draft.refused.delete(record.quarantine);
      break;
    case 'quarantine_dropped':
      draft.refused.delete(record.quarantine);
      break;
    case 'effect_done':
      draft.outbox.delete(record.effect);
      break;
  }
}

function change(draft: Draft, plan: PlanFile, part: Partial<PlanEntry>): void {
  const entry = draft.plans.get(plan);
  if (entry !== undefined) draft.plans.set(plan, { ...entry, ...part });
}

function remember(taken: Set<string>, id: string): void {
  taken.add(id);
  for (const oldest of taken) {
    if (taken.size <= REMEMBERED_SIGNALS) break;
    taken.delete(oldest);
  }
}

/** A world as JSON can hold it, for the checkpoint. */
export interface StoredWorld {
  readonly seq: number;
  readonly plans: readonly PlanEntry[];
  readonly document: World['document'];
  readonly taken: readonly string[];
  readonly outbox: readonly Effect[];
  readonly refused: readonly (Refused & { readonly at: string })[];
}

export function storeWorld(world: World): StoredWorld {
  return {
    seq: world.seq,
    plans: [...world.plans.values()],
    document: world.document,
    taken: [...world.taken],
    outbox: [...world.outbox.values()],
    refused: [...world.refused.values()],
  };
}

export function restoreWorld(stored: StoredWorld): World {
  return {
    seq: stored.seq,
    plans: new Map(stored.plans.map((entry) => [entry.plan, entry])),
    document: stored.document,
    taken: new Set(stored.taken),
    outbox: new Map(stored.outbox.map((effect) => [effect.id, effect])),
    refused: new Map(stored.refused.map((refused) => [refused.id, refused])),
  };
}
