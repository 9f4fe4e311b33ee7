// The context of rules for workshops, and how they write records and the transcript.
import { step } from '../../../machines/machine.ts';
import { type WorkshopEvent, workshopMachine } from '../../../machines/workshop.ts';
import { accepted, type Decision, type DecisionContext, record, refused } from '../../model/decision.ts';
import { numbered, type UnnumberedEffect } from '../../model/effect.ts';
import type { By } from '../../model/event.ts';
import type { JournalRecord, WorkshopFactEvent, WorkshopMove } from '../../model/record.ts';
import type { RecordChange } from '../../model/run.ts';
import type { TranscriptEntry, TranscriptKind, WorkshopEntry } from '../../model/workshop/entry.ts';
import type { PlanningEntry } from '../../model/workshop/status.ts';

export interface WorkshopContext extends DecisionContext {
  readonly entry: PlanningEntry;
  /** The signal that asks for the decision, if one does. */
  readonly signal?: NonNullable<JournalRecord['signal']>;
}

export interface WorkshopStep {
  /** The event of the record, where that is not the move. */
  readonly name?: WorkshopFactEvent;
  readonly move?: WorkshopEvent;
  readonly change?: Partial<WorkshopEntry>;
  readonly says?: readonly TranscriptEntry[];
  readonly also?: readonly RecordChange[];
  readonly effects?: readonly UnnumberedEffect[];
}

/** One record: the move, what it changes, and what the transcript says about it. */
export function recordWorkshop(context: WorkshopContext, next: WorkshopStep): Decision {
  const { world, entry, signal } = context;
  const { plan, workshop } = entry;
  const { name, move, change = {}, says = [], also = [], effects = [] } = next;
  const result = move === undefined ? undefined : step(workshopMachine, workshop.state, move);
  if (result?.kind === 'refused') return refused('state', `The workshop of ${plan} was not changed: ${result.why}`);
  const moves: readonly WorkshopMove[] =
    move === undefined || result === undefined
      ? []
      : [{ machine: 'workshop', plan, event: move, from: workshop.state, to: result.to }];
  const event = name ?? move;
  if (event === undefined) throw new Error('A step of a workshop has neither a move nor a name.');
  return accepted(
    record(
      context,
      { event, plan },
      {
        moves,
        changes: [{ of: 'workshop', plan, change, ...(says.length === 0 ? {} : { says }) }, ...also],
        ...(effects.length === 0 ? {} : { effects: numbered(world.seq + 1, effects) }),
        ...(signal === undefined ? {} : { signal }),
      },
    ),
  );
}

/** A line of the transcript, by the one who caused the decision. */
export function says(
  { now, by, entry }: WorkshopContext,
  kind: TranscriptKind,
  content: string,
  more: Partial<Pick<TranscriptEntry, 'question' | 'proposals' | 'heuristics'>> = {},
): TranscriptEntry {
  const { round, state } = entry.workshop;
  return { ts: now.toISOString(), round, ...actorOf(by), phase: state, kind, content, ...more };
}

export function actorOf(by: By): Pick<TranscriptEntry, 'actor' | 'role' | 'source'> {
  if (by.who === 'user') return { actor: 'person', role: 'user', source: 'command' };
  if (by.who === 'engine') return { actor: 'cadre', role: 'engine', source: 'engine' };
  const actor = by.role === 'architect' ? 'architect' : 'planner';
  return { actor, role: by.role, source: by.session ?? by.role };
}
