// Decides events: returns the records to append, or a refusal with a sentence.

import { type GrowingWorld, startFold } from '../journal/fold.ts';
import { accepted, BY_ENGINE, type Decision, IGNORED, record } from '../model/decision.ts';
import type { Event, EventOfKind } from '../model/event.ts';
import type { JournalRecord } from '../model/record.ts';
import type { World } from '../model/world.ts';
import { pauseOrResume } from './pause.ts';
import { archivePlan, unarchivePlan } from './plan/archive.ts';
import { intendMove, recordBranchMoved } from './plan/branch.ts';
import { baseSeen, branchSeen, restoreBranch, takeBranch } from './plan/incident.ts';
import { landAgain } from './plan/landing.ts';
import { decideMove, decideRegister } from './plan/move.ts';
import { choose, readOutline } from './plan/outline.ts';
import { rulePlan } from './plan/plan-findings.ts';
import { adopt, describePlan, differ, importDocument, importFromPlanState } from './plan/plan-state.ts';
import { startPlan } from './plan/start.ts';
import { recordWarning } from './plan/warning.ts';
import { keepsRest, react } from './react.ts';
import { decideHeldUp, decideOverdue, decideResult, decideSilent } from './result.ts';
import { decideAct } from './run/act.ts';
import { linkSeen, restoreRunWorktree } from './run/worktree-incident.ts';
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
  return byRule(event.kind, world, event, now);
}

function byRule<Kind extends EventKind>(kind: Kind, world: World, event: EventsByKind[Kind], now: Date): Decision {
  return RULES[kind](world, event, now);
}

type EventKind = Event['kind'];
type EventsByKind = { readonly [Kind in EventKind]: EventWith<Kind, Event> };
/** An event may have one of several kinds. */
type EventWith<Kind, Any> = Any extends { readonly kind: infer Own } ? (Kind extends Own ? Any : never) : never;
type Rules = {
  readonly [Kind in EventKind]: (world: World, event: EventsByKind[Kind], now: Date) => Decision;
};

/** The rule for each event. */
const RULES: Rules = {
  // Commands
  register: decideRegister,
  move: decideMove,
  choose,
  adopt,
  run: startPlan,
  land: landAgain,
  'accept-settings': acceptSettings,
  'incident-restore': restoreBranch,
  'incident-take': takeBranch,
  'worktree-restore': restoreRunWorktree,
  'workshop-open': openWorkshop,
  'workshop-answer': answerWorkshop,
  'workshop-continue': continueWorkshop,
  'workshop-settle': settleWorkshop,
  'workshop-redo': redoWorkshop,
  'workshop-approve': approveWorkshop,
  archive: archivePlan,
  unarchive: unarchivePlan,
  freeze: freezeOrThaw,
  thaw: freezeOrThaw,
  pause: pauseOrResume,
  resume: pauseOrResume,
  act: decideAct,
  'rule-plan': rulePlan,
  'session-new': createSession,
  'session-switch': switchSession,
  'session-resume': resumeSession,
  'session-stop': stopSession,
  'session-pause': pauseSession,
  'session-send': sendToSession,
  'quarantine-retry': retryQuarantined,
  'quarantine-drop': dropQuarantined,
  // Observations
  read: readOutline,
  import: importFromPlanState,
  describe: describePlan,
  'import-document': importDocument,
  differ,
  'session-news': recordSessionNews,
  policy: setPolicy,
  result: decideResult,
  'held-up': decideHeldUp,
  silent: decideSilent,
  overdue: decideOverdue,
  'intend-move': intendMove,
  'branch-seen': branchSeen,
  'base-seen': baseSeen,
  'link-seen': linkSeen,
  'branch-moved': recordBranchMoved,
  'clock-gap': recordGap,
  warning: recordWarning,
  'effect-done': recordEffectDone,
  'journal-repaired': recordRepair,
  // Claims
  signal: (world, { signal }, now) => decideSignal(world, signal, now),
  'unreadable-signal': (world, { signal }, now) => refuseUnreadable(world, signal, now),
  'refused-many': countRefused,
};

function recordEffectDone(world: World, { effect }: EventOfKind<'effect-done'>, now: Date): Decision {
  if (!world.outbox.has(effect)) return IGNORED;
  return accepted(record({ world, now, by: BY_ENGINE }, { event: 'effect_done', effect }));
}

function recordRepair(world: World, { bytes, copy }: EventOfKind<'journal-repaired'>, now: Date): Decision {
  return accepted(record({ world, now, by: BY_ENGINE }, { event: 'journal_repaired', bytes, copy }));
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
