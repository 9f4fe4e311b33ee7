// The gateway's judgement: an event comes in, records go out, or a refusal with a sentence. Pure.
import { choose, readOutline } from './decide-outline.ts';
import { decideMove, decideRegister } from './decide-plan.ts';
import { adopt, describePlan, differ, importDocument, importPlan } from './decide-plan-state.ts';
import { dropQuarantined, refuseUnreadable, retryQuarantined } from './decide-quarantine.ts';
import {
  newSession,
  pauseSession,
  resumeSession,
  sendToSession,
  stopSession,
  switchSession,
  tellOfSession,
} from './decide-session.ts';
import { decideSignal } from './decide-signal.ts';
import { decideTask } from './decide-task.ts';
import { accepted, type Decision, IGNORED, record } from './decision.ts';
import type { Event } from './events.ts';
import type { JournalRecord } from './record.ts';
import { fold, type World } from './world.ts';

export function decide(world: World, event: Event, now: Date): Decision {
  switch (event.kind) {
    case 'register':
      return decideRegister(world, event, now);
    case 'move':
      return decideMove(world, event, now);
    case 'task-move':
      return decideTask(world, event, now);
    case 'read':
      return readOutline(world, event, now);
    case 'choose':
      return choose(world, event, now);
    case 'session-new':
      return newSession(world, event, now);
    case 'session-switch':
      return switchSession(world, event, now);
    case 'session-resume':
      return resumeSession(world, event, now);
    case 'session-stop':
      return stopSession(world, event, now);
    case 'session-pause':
      return pauseSession(world, event, now);
    case 'session-send':
      return sendToSession(world, event, now);
    case 'session-news':
      return tellOfSession(world, event, now);
    case 'signal':
      return decideSignal(world, event.signal, now);
    case 'unreadable-signal':
      return refuseUnreadable(world, event.signal, now);
    case 'import':
      return importPlan(world, event, now);
    case 'describe':
      return describePlan(world, event, now);
    case 'import-document':
      return importDocument(world, event, now);
    case 'differ':
      return differ(world, event, now);
    case 'adopt':
      return adopt(world, event, now);
    case 'quarantine-retry':
      return retryQuarantined(world, event, now);
    case 'quarantine-drop':
      return dropQuarantined(world, event, now);
    case 'policy':
    case 'run':
    case 'freeze':
    case 'thaw':
    case 'act':
    case 'result':
    case 'silent':
    case 'overdue':
    case 'tip':
      return IGNORED;
    case 'effect-done':
      if (!world.outbox.has(event.effect)) return IGNORED;
      return accepted(record(world, now, { who: 'engine' }, { event: 'effect_done', effect: event.effect }));
    case 'journal-repaired':
      return accepted(
        record(world, now, { who: 'engine' }, { event: 'journal_repaired', bytes: event.bytes, copy: event.copy }),
      );
    default:
      return unreachable(event);
  }
}

export interface Decided {
  readonly world: World;
  readonly decisions: readonly Decision[];
  readonly records: readonly JournalRecord[];
}

/** Decides the events one after the other, each in the world that the ones before it made. */
export function decideAll(world: World, events: readonly Event[], now: Date): Decided {
  const decisions: Decision[] = [];
  const records: JournalRecord[] = [];
  let after = world;
  for (const event of events) {
    const decision = decide(after, event, now);
    decisions.push(decision);
    records.push(...decision.records);
    if (decision.records.length > 0) after = fold(after, decision.records);
  }
  return { world: after, decisions, records };
}

function unreachable(event: never): never {
  throw new Error(`No rule for ${JSON.stringify(event)}.`);
}
