// A journal record as `cadre log --json` prints it. The shape is a promise; the journal's own is not.
import { type JournalRecord, planOf } from '../../../core/model/record.ts';
import { ENVELOPE_VERSION } from '../context.ts';

export interface RecordJson {
  readonly version: typeof ENVELOPE_VERSION;
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

export function recordJson(record: JournalRecord): RecordJson {
  const {
    v: _v,
    first: _first,
    last: _last,
    seq,
    at,
    by,
    session,
    role,
    event,
    moves,
    signal,
    effects,
    ...details
  } = record;
  // The texts of tasks are long, and stand in the plan's file.
  const { plan: _plan, texts: _texts, ...rest } = details as Record<string, unknown>;
  const [move] = moves;
  return {
    version: ENVELOPE_VERSION,
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
