// Folds the records of the journal into the world.
import { WORKING } from '../../machines/plan.ts';
import { taskMachine } from '../../machines/task.ts';
import type { PlanFile } from '../../plan/name.ts';
import { authorIn } from '../../signals/author.ts';
import type { Effect } from '../model/effect.ts';
import type { SessionId } from '../model/ids.ts';
import type { JournalRecord, Move, PlanMove, RunMove, TaskMove, TaskRead, WorkshopMove } from '../model/record.ts';
import type { RefusedSignal } from '../model/refused-signal.ts';
import type { RecordChange } from '../model/run.ts';
import type { SessionEntry } from '../model/session.ts';
import { isPaused } from '../model/stops.ts';
import type { PlanEntry, TaskEntry, World } from '../model/world.ts';
import type { Policy } from '../settings/policy.ts';
import { changedFindings } from './fold-findings.ts';
import { afterGap } from './fold-gap.ts';
import { changedRun, movedRun, NO_WORK, tickedRun } from './fold-run.ts';
import { addSession, changeSession, recordNews, stopSessions } from './fold-session.ts';
import { changedWorkshop, movedWorkshop } from './fold-workshop.ts';

/** How many signal ids are remembered. A signal's file is removed right after its commit, so a few scans' worth is plenty. */
export const REMEMBERED_SIGNALS = 4096;

export function fold(world: World, records: Iterable<JournalRecord>): World {
  const growing = startFold(world);
  for (const record of records) growing.add(record);
  return growing.world;
}

/** A world that takes in one record after the other. */
export interface GrowingWorld {
  /** Changes with every record; hand it on only when no further record follows. */
  readonly world: World;
  add(record: JournalRecord): void;
}

/** Copies the maps of the world once, however many records follow: a copy for each would make many records quadratic. */
export function startFold(world: World): GrowingWorld {
  const draft: Draft = {
    seq: world.seq,
    plans: new Map(world.plans),
    document: world.document,
    taken: new Set(world.taken),
    outbox: new Map(world.outbox),
    refused: new Map(world.refused),
    sessions: new Map(world.sessions),
    policy: world.policy,
    frozen: world.frozen,
    paused: world.paused,
    ...(world.chosen === undefined ? {} : { chosen: world.chosen }),
    ...(world.gap === undefined ? {} : { gap: world.gap }),
    ...(world.proposed === undefined ? {} : { proposed: world.proposed }),
    ...(world.counted === undefined ? {} : { counted: world.counted }),
  };
  return { world: draft, add: (record) => apply(draft, record) };
}

interface Draft {
  seq: number;
  plans: Map<PlanFile, PlanEntry>;
  document: World['document'];
  taken: Set<string>;
  outbox: Map<string, Effect>;
  refused: Map<string, RefusedSignal & { readonly at: string }>;
  sessions: Map<SessionId, SessionEntry>;
  chosen?: PlanFile;
  gap?: NonNullable<World['gap']>;
  proposed?: NonNullable<World['proposed']>;
  counted?: NonNullable<World['counted']>;
  policy: Policy;
  frozen: boolean;
  paused: boolean;
}

function apply(draft: Draft, record: JournalRecord): void {
  draft.seq = record.seq;
  passTime(draft, record);
  // Changes before moves: a record may create a run and move it at once.
  for (const change of record.changes ?? []) applyChange(draft, record, change);
  for (const move of record.moves) MOVES[move.machine](draft, record, move as never);
  for (const effect of record.effects ?? []) draft.outbox.set(effect.id, effect);
  stopSessions(draft.sessions, record);
  if (record.signal !== undefined) remember(draft.taken, record.signal.id);
  applyFact(draft, record);
}

/** The time since the last record about a plan counts towards those of its runs that somebody was working on. */
function passTime(draft: Draft, record: JournalRecord): void {
  if (record.event === 'paused' || record.event === 'resumed')
    for (const entry of draft.plans.values()) passTimeOf(draft, entry, record);
  const about = 'about' in record ? draft.sessions.get(record.about)?.plan : undefined;
  const entry = draft.plans.get(('plan' in record ? record.plan : about) as PlanFile);
  if (entry !== undefined) passTimeOf(draft, entry, record);
}

function passTimeOf(draft: Draft, entry: PlanEntry, record: JournalRecord): void {
  if (entry.work === undefined) return;
  const isWorking = entry.status === WORKING && !isPaused(draft, entry);
  const ticked = (task: TaskEntry): TaskEntry => {
    const run = task.run === undefined ? undefined : tickedRun(task.run, isWorking, draft.sessions, record.at);
    return run === task.run || run === undefined ? task : { ...task, run };
  };
  changeTasks(draft, entry.plan, ticked);
}

function applyChange(draft: Draft, record: JournalRecord, change: RecordChange): void {
  const { plan } = change;
  switch (change.of) {
    case 'run':
      return changeTask(draft, plan, change.task, ({ run, ...task }) => {
        const after = changedRun(run, change.change);
        // An effect that the run no longer waits for need not be performed.
        if (run?.issued && run.issued.effect !== after?.issued?.effect) draft.outbox.delete(run.issued.effect);
        return after === undefined ? task : { ...task, run: after };
      });
    case 'task':
      return changeTask(draft, plan, change.task, (task) => ({ ...task, ...change.change }));
    case 'decision':
      return changeTask(draft, plan, change.task, (task) => ({
        ...task,
        decisions: [...(task.decisions ?? []), change.decision],
      }));
    case 'findings':
      if (change.task === null) {
        const before = draft.plans.get(plan)?.findings;
        return changePlan(draft, plan, { findings: changedFindings(before, change.findings) });
      }
      return changeTask(draft, plan, change.task, (task) => ({
        ...task,
        findings: changedFindings(task.findings, change.findings),
      }));
    case 'plan':
      if (change.change.lands) postponeLanding(draft, plan);
      return changePlan(draft, plan, { work: { ...NO_WORK, ...draft.plans.get(plan)?.work, ...change.change } });
    case 'workshop':
      return changePlan(draft, plan, {
        workshop: changedWorkshop(draft.plans.get(plan)?.workshop, change, record),
      });
    case 'fix-task':
      return changePlan(draft, plan, {
        tasks: [...(draft.plans.get(plan)?.tasks ?? []), fixTask(change, record)],
      });
  }
}

function fixTask({ task: id, text, by }: Extract<RecordChange, { of: 'fix-task' }>, record: JournalRecord): TaskEntry {
  const name = by === 'person' ? 'What a person asked for' : 'What the review asked for';
  const read = { id, address: id, name, phase: -1, dependsOn: null, body: '' };
  const said = by === undefined ? { feedback: text } : { feedback: text, feedbackBy: by };
  return { ...read, ...freshTask(record), stale: false, ...said };
}

function freshTask({
  at,
  seq,
}: JournalRecord): Pick<TaskEntry, 'state' | 'since' | 'entered' | 'held' | 'verifyAttempts' | 'attempts'> {
  return { state: taskMachine.initial, since: at, entered: seq, held: false, verifyAttempts: 0, attempts: 0 };
}

const MOVES: {
  readonly [machine in Move['machine']]: (
    draft: Draft,
    record: JournalRecord,
    move: Extract<Move, { machine: machine }>,
  ) => void;
} = { plan: applyPlanMove, task: applyTaskMove, coder: applyRunMove, workshop: applyWorkshopMove };

function applyRunMove(draft: Draft, record: JournalRecord, move: RunMove): void {
  changeTask(draft, move.plan, move.task, (task) => {
    if (task.run === undefined) throw new Error(`Record ${record.seq} moves a run that "${move.task}" does not have.`);
    return { ...task, run: movedRun(task.run, move, record) };
  });
}

function applyWorkshopMove(draft: Draft, record: JournalRecord, move: WorkshopMove): void {
  const workshop = draft.plans.get(move.plan)?.workshop;
  if (workshop === undefined)
    throw new Error(`Record ${record.seq} moves a workshop that "${move.plan}" does not have.`);
  changePlan(draft, move.plan, { workshop: movedWorkshop(workshop, move, record) });
}

function applyPlanMove(draft: Draft, record: JournalRecord, move: PlanMove): void {
  const before = draft.plans.get(move.plan);
  const fields = record.event === 'register' || record.event === 'import' ? record.fields : before;
  if (fields === undefined) throw new Error(`Record ${record.seq} moves "${move.plan}", which no record introduces.`);
  const { difference: _settled, ...kept } = { phases: [], tasks: [], ...before, ...fields };
  draft.plans.set(move.plan, { ...kept, plan: move.plan, status: move.to, since: record.at, entered: record.seq });
}

function applyTaskMove(draft: Draft, record: JournalRecord, move: TaskMove): void {
  const { at, seq } = record;
  changeTask(draft, move.plan, move.task, (task) => ({
    ...task,
    state: move.to,
    since: at,
    entered: seq,
    ...LEFT_BY_EVENT[move.event]?.(task, at),
  }));
}

/** What an event changes in a task apart from its state. */
const LEFT_BY_EVENT: {
  readonly [event in TaskMove['event']]: ((task: TaskEntry, at: string) => Partial<TaskEntry>) | null;
} = {
  launch: ({ name, body }, at) => ({ launched: { at, name, body }, verifyAttempts: 0, held: false, notStarted: null }),
  revert: () => ({ held: true }),
  verify_start: (task) => ({ verifyAttempts: task.verifyAttempts + 1 }),
  verify_pass: () => ({ lastVerify: 'passed' }),
  verify_fail: () => ({ lastVerify: 'failed' }),
  escalate: null,
  mark_done: null,
  review_pass: null,
  review_fail: null,
  replan: () => ({ verifyAttempts: 0, held: false }),
};

function applyFact(draft: Draft, record: JournalRecord): void {
  switch (record.event) {
    case 'review_changes_requested':
      // The engine sends a plan back for an open task, and asks for nothing.
      if (record.feedback === undefined) break;
      changePlan(draft, record.plan, {
        feedback: { text: record.feedback, at: record.at, by: record.feedbackBy ?? authorIn(record) },
      });
      break;
    case 'implement_finished':
      changePlan(draft, record.plan, { implemented: record.at });
      break;
    case 'implement_start':
      changeTasks(draft, record.plan, (task) => ({ ...task, held: false }));
      break;
    case 'plan_read':
      changePlan(draft, record.plan, {
        file: record.file,
        phases: record.phases,
        ...(record.whole === undefined ? {} : { whole: record.whole }),
        tasks: tasksRead(draft.plans.get(record.plan), record),
      });
      break;
    case 'start_over':
      startOver(draft, record.plan, record);
      break;
    case 'session_begun':
      addSession(draft.sessions, record);
      break;
    case 'session_interrupted':
      changeSession(draft.sessions, record.about, { wanted: 'stopped', interrupted: true, since: record.at });
      break;
    case 'session_stopped':
      changeSession(draft.sessions, record.about, { wanted: 'stopped', since: record.at });
      break;
    case 'session_paused':
      changeSession(draft.sessions, record.about, { wanted: 'paused', since: record.at });
      break;
    case 'session_news':
      recordNews(draft.sessions, record);
      break;
    case 'policy_set':
    case 'settings_accepted':
      draft.policy = record.policy;
      if (record.proposed === null) delete draft.proposed;
      else if (record.proposed !== undefined) draft.proposed = record.proposed;
      break;
    case 'frozen':
    case 'thawed':
      draft.frozen = record.event === 'frozen';
      break;
    case 'paused':
    case 'resumed':
      draft.paused = record.event === 'paused';
      break;
    case 'plan_paused':
      changePlan(draft, record.plan, { paused: true });
      break;
    case 'plan_resumed':
      resumePlan(draft, record.plan);
      break;
    case 'archived':
      changePlan(draft, record.plan, { archived: record.at });
      if (draft.chosen === record.plan) delete draft.chosen;
      break;
    case 'unarchived':
      unarchive(draft, record.plan);
      break;
    case 'landed':
      draft.outbox.delete(record.result);
      break;
    case 'choose':
      if (record.chosen === null) delete draft.chosen;
      else draft.chosen = record.chosen;
      break;
    case 'describe':
      changePlan(draft, record.plan, record.fields);
      break;
    case 'import_document':
      draft.document = { topics: record.topics, extra: record.extra };
      break;
    case 'plan_state_differs':
      changePlan(draft, record.plan, { difference: { status: record.fileStatus, at: record.at } });
      break;
    case 'signal_refused':
      draft.refused.set(record.refused.id, { ...record.refused, at: record.at });
      break;
    case 'signals_counted': {
      const { [record.source]: before, ...others } = draft.counted ?? {};
      const count = (before?.count ?? 0) + record.count;
      draft.counted = { ...others, [record.source]: { count, why: record.why, at: record.at } };
      break;
    }
    case 'quarantine_retried':
      // A person put it back, so it counts as a new signal.
      draft.taken.delete(draft.refused.get(record.quarantine)?.signal ?? '');
      draft.refused.delete(record.quarantine);
      break;
    case 'quarantine_dropped':
      draft.refused.delete(record.quarantine);
      break;
    case 'effect_done':
      draft.outbox.delete(record.effect);
      break;
    case 'clock_gap':
      draft.gap = { beat: record.beat, to: record.at };
      for (const [plan, entry] of draft.plans)
        draft.plans.set(plan, afterGap(entry, { from: record.from, to: record.at }));
      break;
  }
}

function resumePlan(draft: Draft, plan: PlanFile): void {
  const { paused: _paused, ...entry } = draft.plans.get(plan) ?? {};
  if ('plan' in entry) draft.plans.set(plan, entry);
}

function unarchive(draft: Draft, plan: PlanFile): void {
  const { archived: _archived, ...entry } = draft.plans.get(plan) ?? {};
  if ('plan' in entry) draft.plans.set(plan, entry);
}

function postponeLanding({ outbox }: Draft, plan: PlanFile): void {
  for (const effect of outbox.values()) if (effect.do === 'land' && effect.plan === plan) outbox.delete(effect.id);
}

/** Resets every task of the file. Only the attempt numbers continue. */
function startOver(draft: Draft, plan: PlanFile, record: JournalRecord): void {
  const tasks = (draft.plans.get(plan)?.tasks ?? []).filter((task) => task.feedback === undefined);
  const entry = draft.plans.get(plan);
  if (entry !== undefined) {
    const { feedback: _feedback, ...rest } = entry;
    draft.plans.set(plan, rest);
  }
  changePlan(draft, plan, {
    tasks: tasks.map(({ id, address, name, phase, dependsOn, body, stale, attempts, profile, findings }) => ({
      ...freshTask(record),
      ...{ id, address, name, phase, dependsOn, body, stale, attempts },
      ...(profile === undefined ? {} : { profile }),
      // All of them are closed; their ids are not used again.
      ...(findings === undefined ? {} : { findings }),
    })),
  });
}

function changePlan(draft: Draft, plan: PlanFile, part: Partial<PlanEntry>): void {
  const entry = draft.plans.get(plan);
  if (entry !== undefined) draft.plans.set(plan, { ...entry, ...part });
}

function changeTasks(draft: Draft, plan: PlanFile, how: (task: TaskEntry) => TaskEntry): void {
  changePlan(draft, plan, { tasks: (draft.plans.get(plan)?.tasks ?? []).map(how) });
}

function changeTask(draft: Draft, plan: PlanFile, id: string, how: (task: TaskEntry) => TaskEntry): void {
  changeTasks(draft, plan, (task) => (task.id === id ? how(task) : task));
}

/** The file says which tasks exist; their progress comes from what is known already. */
function tasksRead(
  entry: PlanEntry | undefined,
  record: Extract<JournalRecord, { event: 'plan_read' }>,
): readonly TaskEntry[] {
  const known = new Map((entry?.tasks ?? []).map((task) => [task.id, task]));
  const fresh = freshTask(record);
  return [
    ...record.tasks.map((task) => {
      const before = known.get(task.id);
      return before === undefined ? newTask(fresh, task) : { ...withoutProfile(before), ...task, stale: false };
    }),
    ...record.stale.flatMap(({ id, address }) => {
      const task = known.get(id);
      return task === undefined ? [] : [{ ...task, address, stale: true }];
    }),
    ...[...known.values()].filter((task) => task.feedback !== undefined),
  ];
}

/** The file may no longer name one. */
function withoutProfile(task: TaskEntry): TaskEntry {
  if (task.profile === undefined) return task;
  const { profile: _profile, ...rest } = task;
  return rest;
}

/** Field by field: V8 takes twenty times as long to add this many fields to a spread object. */
function newTask(fresh: ReturnType<typeof freshTask>, task: TaskRead): TaskEntry {
  const read: TaskEntry = {
    state: fresh.state,
    since: fresh.since,
    entered: fresh.entered,
    held: fresh.held,
    verifyAttempts: fresh.verifyAttempts,
    attempts: fresh.attempts,
    id: task.id,
    address: task.address,
    name: task.name,
    phase: task.phase,
    dependsOn: task.dependsOn,
    body: task.body,
    stale: false,
  };
  return task.profile === undefined ? read : { ...read, profile: task.profile };
}

function remember(taken: Set<string>, id: string): void {
  taken.add(id);
  for (const oldest of taken) {
    if (taken.size <= REMEMBERED_SIGNALS) break;
    taken.delete(oldest);
  }
}
