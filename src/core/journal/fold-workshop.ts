// How records change a workshop.
import { workshopMachine } from '../../machines/workshop.ts';
import type { JournalRecord, WorkshopMove } from '../model/record.ts';
import type { WorkshopChange } from '../model/run.ts';
import type { WorkshopEntry } from '../model/workshop/entry.ts';

/** The change that opens a workshop has all of these that matter. */
const NEW: WorkshopEntry = {
  state: workshopMachine.initial,
  since: '',
  entered: 0,
  brief: '',
  from: '',
  round: 0,
  rounds: 0,
  invalid: 0,
  violations: [],
  relaunches: 0,
  session: null,
  result: null,
  last: null,
  questions: [],
  document: null,
  versions: [],
  published: null,
  transcript: [],
};

export function changedWorkshop(
  before: WorkshopEntry | undefined,
  { change, says }: WorkshopChange,
  { at, seq }: JournalRecord,
): WorkshopEntry {
  const known = before ?? { ...NEW, since: at, entered: seq };
  return { ...known, ...change, transcript: says === undefined ? known.transcript : [...known.transcript, ...says] };
}

/** Every move but the last asks for another document, and so begins a round. */
export function movedWorkshop(before: WorkshopEntry, move: WorkshopMove, { at, seq }: JournalRecord): WorkshopEntry {
  const asks = move.to !== 'review_ready' && move.to !== workshopMachine.initial;
  return {
    ...before,
    state: move.to,
    since: at,
    entered: seq,
    round: asks ? before.round + 1 : before.round,
    rounds: move.event === 'next_round' ? before.rounds + 1 : before.rounds,
    invalid: 0,
    violations: [],
    relaunches: 0,
    session: null,
    result: null,
  };
}
