// The gateway's judgement: an event comes in, records go out, or a refusal with a sentence. Pure.
import { decideMove, decideRegister } from './decide-plan.ts';
import { adopt, describePlan, differ, importDocument, importPlan } from './decide-plan-state.ts';
import { dropQuarantined, refuseUnreadable, retryQuarantined } from './decide-quarantine.ts';
import { decideSignal } from './decide-signal.ts';
import { accepted, type Decision, IGNORED, record } from './decision.ts';
import type { Event } from './events.ts';
import type { World } from './world.ts';

export function decide(world: World, event: Event, now: Date): Decision {
  switch (event.kind) {
    case 'register':
      return decideRegister(world, event, now);
    case 'move':
      return decideMove(world, event, now);
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

function unreachable(event: never): never {
  throw new Error(`No rule for ${JSON.stringify(event)}.`);
}
