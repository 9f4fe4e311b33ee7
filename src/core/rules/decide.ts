// Decides events: returns the records to append, or a refusal with a sentence.

import { type GrowingWorld, startFold } from '../journal/fold.ts';
import { accepted, BY_ENGINE, type Decision, IGNORED, record } from '../model/decision.ts';
import type { Event } from '../model/event.ts';
import type { JournalRecord } from '../model/record.ts';
import type { World } from '../model/world.ts';
import { pauseOrResume } from './pause.ts';
import { archivePlan, unarchivePlan } from './plan/archive.ts';
import { intendMove, recordBranchMoved } from './plan/branch.ts';
import { baseSeen, branchSeen, restoreBranch, takeBranch } from './plan/incident.ts';
import { landAgain } from './plan/landing.ts';
import { decideMove, decideRegister } from './plan/move.ts';
import { choose, readOutline } from './plan/outline.ts';
import { adopt, describePlan, differ, importDocument, importPlan } from './plan/plan-state.ts';
import { startPlan } from './plan/start.ts';
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
import { acceptSettings, freezeOrThaw, recordGap, setPolicy } from './settings.ts';
import { countRefused, dropQuarantined, refuseUnreadable, retryQuarantined } from './signal/quarantine.ts';
import { decideSignal } from './signal/signal.ts';
import { answerWorkshop, continueWorkshop, redoWorkshop, settleWorkshop } from './workshop/decide.ts';
import { openWorkshop } from './workshop/open.ts';
import { approveWorkshop } from './workshop/publish.ts';

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
    case 'accept-settings':
      return acceptSettings(world, event, now);
    case 'incident-restore':
      return restoreBranch(world, event, now);
    case 'incident-take':
      return takeBranch(world, event, now);
    case 'workshop-open':
      return openWorkshop(world, event, now);
    case 'workshop-answer':
      return answerWorkshop(world, event, now);
    case 'workshop-continue':
      return continueWorkshop(world, event, now);
    case 'workshop-settle':
      return settleWorkshop(world, event, now);
    case 'workshop-redo':
      return redoWorkshop(world, event, now);
    case 'workshop-approve':
      return approveWorkshop(world, event, now);
    case 'archive':
      return archivePlan(world, event, now);
    case 'unarchive':
      return unarchivePlan(world, event, now);
    case 'freeze':
    case 'thaw':
      return freezeOrThaw(world, event, now);
    case 'pause':
    case 'resume':
      return pauseOrResume(world, event, now);
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
    case 'intend-move':
      return intendMove(world, event, now);
    case 'branch-seen':
      return branchSeen(world, event, now);
    case 'base-seen':
      return baseSeen(world, event, now);
    case 'branch-moved':
      return recordBranchMoved(world, event, now);
    case 'clock-gap':
      return recordGap(world, event, now);
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
    case 'refused-many':
      return countRefused(world, event, now);
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
 * Decides the events one after the other, each in the world that the previous ones made. Reactions to that world are decided
 * right after each event, so that a commit never leaves something open that no later event would trigger.
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

/** All of the events or none of them: where one is refused, the world stays as it is. */
export function decideTogether(world: World, events: readonly Event[], now: Date): Decided {
  const decided = decideAll(world, events, now);
  return decided.decisions.some(({ kind }) => kind === 'refused') ? { ...decided, world, records: [] } : decided;
}

/** More reactions than any world needs mean that they never end, which is a bug in the rules. */
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
