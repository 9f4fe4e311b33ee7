// What `decide` answers with, and the small hand tools its rules share.
import type { UnnumberedEffect } from './effect.ts';
import type { By } from './event.ts';
import { type Fact, type JournalRecord, type Move, RECORD_VERSION } from './record.ts';
import type { RuleRefusal } from './refusal.ts';
import type { Explanation } from './refusals.ts';
import type { RecordChange } from './run.ts';
import type { Suggestion } from './suggestion.ts';
import type { World } from './world.ts';

export type Decision =
  | { readonly kind: 'accepted'; readonly records: readonly JournalRecord[] }
  /** A refused signal leaves a record behind; a refused command leaves none. */
  | {
      readonly kind: 'refused';
      readonly code: RuleRefusal;
      readonly why: string;
      /** What the person can do instead. */
      readonly try: readonly Suggestion[];
      readonly records: readonly JournalRecord[];
      /** What the record of a refused signal brings with it besides the refusal. */
      readonly extras?: { readonly effects: readonly UnnumberedEffect[]; readonly changes: readonly RecordChange[] };
    }
  /** Nothing to do, because it was done before. `keep`: the signal's file is still to be moved aside. */
  | { readonly kind: 'ignored'; readonly keep: boolean; readonly records: readonly JournalRecord[] };

/** In which world something is decided, when, and at whose request. */
export interface DecisionContext {
  readonly world: World;
  readonly now: Date;
  readonly by: By;
}

export const BY_ENGINE: By = { who: 'engine' };

export const IGNORED: Decision = { kind: 'ignored', keep: false, records: [] };

export function accepted(...records: readonly JournalRecord[]): Decision {
  return { kind: 'accepted', records };
}

export function refused(
  code: RuleRefusal,
  why: string,
  ...instead: readonly Suggestion[]
): Extract<Decision, { kind: 'refused' }> {
  return { kind: 'refused', code, why, try: instead, records: [] };
}

/** For a sentence that comes with its suggestions. */
export function refusedFor(code: RuleRefusal, explanation: Explanation): Extract<Decision, { kind: 'refused' }> {
  return refused(code, explanation.why, ...explanation.try);
}

/** The next record of the journal, as far as it is the same for every event. */
export function record(
  { world, now, by }: DecisionContext,
  fact: Fact,
  more: Partial<Pick<JournalRecord, 'moves' | 'signal' | 'effects' | 'changes'>> = {},
): JournalRecord {
  return {
    v: RECORD_VERSION,
    seq: world.seq + 1,
    at: now.toISOString(),
    ...speaker(by),
    ...fact,
    ...more,
    moves: more.moves ?? NO_MOVES,
  };
}

const NO_MOVES: readonly Move[] = [];

function speaker(by: By): Pick<JournalRecord, 'by' | 'session' | 'role'> {
  if (by.who !== 'agent') return { by: by.who };
  return by.session === undefined
    ? { by: 'agent', role: by.role }
    : { by: 'agent', session: by.session, role: by.role };
}
