// Rules for refused signals: they are kept with their reason until a person deals with them.

import { showName } from '../../../text/show.ts';
import {
  accepted,
  BY_ENGINE,
  type Decision,
  type DecisionContext,
  record,
  refused,
  refusedFor,
} from '../../model/decision.ts';
import { type Effect, effectId, numbered } from '../../model/effect.ts';
import type { By, EventOfKind, Signal, SignalFile, UnreadableSignal } from '../../model/event.ts';
import { unknownQuarantine } from '../../model/refusals.ts';
import type { RefusedSignal } from '../../model/refused-signal.ts';
import { stateSeqFor } from '../../model/signal.ts';
import type { World } from '../../model/world.ts';

type Refusal = Extract<Decision, { kind: 'refused' }>;

const UNKNOWN_SPEAKER: By = { who: 'agent', role: 'outside' };

export function quarantineSignal(world: World, signal: Signal, refusal: Refusal, now: Date): Decision {
  const kept = {
    id: quarantineId(world),
    signal: signal.id,
    code: refusal.code,
    why: refusal.why,
    name: showName(signal.name),
    ...(signal.plan === '' ? {} : { plan: showName(signal.plan) }),
    ...(signal.by.session === undefined ? {} : { session: showName(signal.by.session) }),
    file: signal.file,
  };
  return withRecord({ world, now, by: signal.by }, kept, refusal);
}

export function refuseUnreadable(world: World, signal: UnreadableSignal, now: Date): Decision {
  const before = alreadyTaken(world, signal.id, signal.file);
  if (before !== undefined) return before;
  const { code, why, file } = signal;
  const kept = { id: quarantineId(world), signal: signal.id, code, why, name: signal.shown, file };
  return withRecord({ world, now, by: UNKNOWN_SPEAKER }, kept);
}

/** Only counted: to record and keep each of thousands would delay the work of others. */
export function countRefused(
  world: World,
  { source, count, code, why }: EventOfKind<'refused-many'>,
  now: Date,
): Decision {
  const fact = { event: 'signals_counted', source, count, code, why } as const;
  return accepted(record({ world, now, by: BY_ENGINE }, fact));
}

/**
 * A signal that is read twice has no effect the second time; a refused one is still there until its effect has moved it. The
 * same signal in another file after a refusal is decided again, so that this file ends up in quarantine too.
 */
export function alreadyTaken(world: World, id: string, file: SignalFile): Decision | undefined {
  if (!world.taken.has(id)) return undefined;
  const before = [...world.refused.values()].filter((refused) => refused.signal === id);
  if (before.length === 0) return { kind: 'ignored', keep: false, records: [] };
  const same = before.some(
    (refused) => refused.file.path === file.path && refused.file.inode === file.inode && isToBeMoved(world, refused.id),
  );
  return same ? { kind: 'ignored', keep: true, records: [] } : undefined;
}

/** Once it was moved to quarantine, a file at its old path is a new one. */
function isToBeMoved(world: World, id: string): boolean {
  return [...world.outbox.values()].some((effect) => effect.do === 'quarantine' && effect.quarantine === id);
}

export function retryQuarantined(world: World, event: EventOfKind<'quarantine-retry'>, now: Date): Decision {
  const found = refusedNamed(world, event);
  if ('kind' in found) return found;
  const entered = stateSeqFor(world, found.plan, found.session);
  const effect: Effect = { id: effectId(world.seq + 1, 0), do: 'release', refused: found, entered };
  const fact = { event: 'quarantine_retried' as const, quarantine: event.id };
  return accepted(record({ world, now, by: event.by }, fact, { effects: [effect] }));
}

export function dropQuarantined(world: World, event: EventOfKind<'quarantine-drop'>, now: Date): Decision {
  const found = refusedNamed(world, event);
  if ('kind' in found) return found;
  const effect: Effect = { id: effectId(world.seq + 1, 0), do: 'discard', refused: found };
  const fact = { event: 'quarantine_dropped' as const, quarantine: event.id };
  return accepted(record({ world, now, by: event.by }, fact, { effects: [effect] }));
}

/** The refused signal that a person names, or why it cannot be released or dropped. */
function refusedNamed(world: World, event: { readonly id: string; readonly by: By }): RefusedSignal | Decision {
  if (event.by.who !== 'user') return refused('source', 'Only a person may release or drop what is in quarantine.');
  const found = world.refused.get(event.id);
  if (found !== undefined) return found;
  return refusedFor('unknown-quarantine', unknownQuarantine(event.id));
}

function withRecord(
  context: DecisionContext,
  kept: RefusedSignal,
  { extras, try: instead = [] }: Partial<Pick<Refusal, 'extras' | 'try'>> = {},
): Decision {
  const line = record(
    context,
    { event: 'signal_refused', refused: kept },
    {
      signal: { id: kept.signal, name: kept.name },
      effects: numbered(context.world.seq + 1, [{ do: 'quarantine', quarantine: kept.id }, ...(extras?.effects ?? [])]),
      ...(extras === undefined ? {} : { changes: extras.changes }),
    },
  );
  return { kind: 'refused', code: kept.code, why: kept.why, try: instead, records: [line] };
}

function quarantineId(world: World): string {
  return `q${world.seq + 1}`;
}
