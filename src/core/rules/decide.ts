// The gateway's judgement: an event comes in, records go out, or a refusal with a sentence. Pure.

import { type GrowingWorld, startFold } from '../journal/fold.ts';
import { accepted, BY_ENGINE, type Decision, IGNORED, record } from '../model/decision.ts';
import type { Event } from '../model/event.ts';
import type { JournalRecord } from '../model/record.ts';
import type { World } from '../model/world.ts';
import { landAgain } from './plan/landing.ts';
import { decideMove, decideRegister } from './plan/move.ts';
import { choose, readOutline } from './plan/outline.ts';
import { adopt, describePlan, differ, importDocument, importPlan } from './plan/plan-state.ts';
import { recordBranchTip, startPlan } from './plan/start.ts';
import { keepsRest, react } from './react.ts';
import { decideHeldUp, decideOverdue, decideResult, decideSilent } from './result.ts';
import { decideAct } from './run/act.ts';
import {
  createSession,
  pauseSession,
  recordSessionNews,
  resumeSession,
  sendToSession,
  stopSession,
  switchSession,
} from './session/session.ts';
import { freezeOrThaw, setPolicy } from './settings.ts';
import { dropQuarantined, refuseUnreadable, retryQuarantined } from './signal/quarantine.ts';
import { decideSignal } from './signal/signal.ts';

export function decide(world: World, event: Event, now: Date): Decision {
  switch (event.kind) {
    // Commands
    case 'register':
      return decideRegister(world, event, now);
    case 'move':
      return decideMove(world, event, now);
    case 'choose':
      return choose(world, event, now);
    case 'adopt':
      return adopt(world, event, now);
    case 'run':
      return startPlan(world, event, now);
    case 'land':
      return landAgain(world, event, now);
    case 'freeze':
    case 'thaw':
      return freezeOrThaw(world, event, now);
    case 'act':
      return decideAct(world, event, now);
    case 'session-new':
      return createSession(world, event, now);
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
    case 'quarantine-retry':
      return retryQuarantined(world, event, now);
    case 'quarantine-drop':
      return dropQuarantined(world, event, now);
    // Observations
    case 'read':
      return readOutline(world, event, now);
    case 'import':
      return importPlan(world, event, now);
    case 'describe':
      return describePlan(world, event, now);
    case 'import-document':
      return importDocument(world, event, now);
    case 'differ':
      return differ(world, event, now);
    case 'session-news':
      return recordSessionNews(world, event, now);
    case 'policy':
      return setPolicy(world, event, now);
    case 'result':
      return decideResult(world, event, now);
    case 'held-up':
      return decideHeldUp(world, event, now);
    case 'silent':
      return decideSilent(world, event, now);
    case 'overdue':
      return decideOverdue(world, event, now);
    case 'tip':
      return recordBranchTip(world, event, now);
    case 'effect-done':
      if (!world.outbox.has(event.effect)) return IGNORED;
      return accepted(record({ world, now, by: BY_ENGINE }, { event: 'effect_done', effect: event.effect }));
    case 'journal-repaired':
      return accepted(
        record({ world, now, by: BY_ENGINE }, { event: 'journal_repaired', bytes: event.bytes, copy: event.copy }),
      );
    // Claims
    case 'signal':
      return decideSignal(world, event.signal, now);
    case 'unreadable-signal':
      return refuseUnreadable(world, event.signal, now);
    default:
      return unreachable(event);
  }
}

export interface Decided {
  readonly world: World;
  readonly decisions: readonly Decision[];
  readonly records: readonly JournalRecord[];
}

/**
 * Decides the events one after the other, each in the world that the ones before it made. What follows from that world alone
 * is decided right after each, so that a commit never leaves something undone that nobody will ask for.
 */
export function decideAll(world: World, events: readonly Event[], now: Date): Decided {
  const decisions: Decision[] = [];
  const records: JournalRecord[] = [];
  let growing: GrowingWorld | undefined;
  let isAtRest = false;
  const after = (): World => growing?.world ?? world;
  const write = (lines: readonly JournalRecord[]): void => {
    growing ??= startFold(world);
    for (const line of lines) growing.add(line);
    records.push(...lines);
  };
  const rest = (): void => {
    settle(() => react(after(), now), write);
    isAtRest = true;
  };
  for (const event of events) {
    const decision = decide(after(), event, now);
    decisions.push(decision);
    if (decision.records.length === 0) continue;
    write(decision.records);
    // To look for reactions takes a look at every plan, which an import of many plans can spare.
    if (!isAtRest || !decision.records.every((line) => keepsRest(after(), line))) rest();
  }
  if (events.length === 0) rest();
  return { world: after(), decisions, records };
}

/** More reactions than any world can ask for mean that they go in a circle, which is a mistake in the rules. */
const MOST_REACTIONS = 10_000;

function settle(next: () => JournalRecord | undefined, write: (lines: readonly JournalRecord[]) => void): void {
  for (let count = 0; count < MOST_REACTIONS; count++) {
    const line = next();
    if (line === undefined) return;
    write([line]);
  }
  throw new Error('The reactions to a world never end.');
}

function unreachable(event: never): never {
  throw new Error(`No rule for ${JSON.stringify(event)}.`);
}
