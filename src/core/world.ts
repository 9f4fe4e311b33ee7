// Everything known now, as one value: the fold of the journal.
import { type PlanState, WORKING } from '../machines/plan.ts';
import { type TaskState, taskMachine } from '../machines/task.ts';
import type { PlanFile } from '../plan/name.ts';
import type { OutlinePhase } from '../plan/outline.ts';
import { DEFAULT_POLICY } from './default-policy.ts';
import type { Effect } from './effects.ts';
import type { PlanFields } from './events.ts';
import { changedRun, movedRun, NO_WORK, tickedRun } from './fold-run.ts';
import { beginSession, changeSession, newsOf, stopSessions } from './fold-session.ts';
import type { HostName } from './host.ts';
import type { Policy } from './policy.ts';
import type { JournalRecord, Move, PlanMove, RunMove, TaskMove, TaskRead } from './record.ts';
import type { Refused } from './refused.ts';
import type { Change, PlanWork, RunEntry } from './run.ts';
import type { SessionEntry } from './session.ts';

export interface PlanEntry extends PlanFields {
  readonly plan: PlanFile;
  readonly status: PlanState;
  readonly since: string;
  /** The sequence number of the record that brought it into its present state. */
  readonly entered: number;
  /** What the last review asked for. */
  readonly feedback?: { readonly text: string; readonly at: string };
  /** What plan-state.json claimed against the journal, until someone adopts it or the plan moves on. */
  readonly difference?: { readonly status: PlanState; readonly at: string };
  /** Stands for the text of the file that the tasks were read from last. */
  readonly file?: string;
  /** The phases of the file as it was read last. */
  readonly phases: readonly OutlinePhase[];
  /** Its tasks in the order of the file, then the stale ones. */
  readonly tasks: readonly TaskEntry[];
  /** What cadre does for it by itself; a plan without this is driven from outside. */
  readonly work?: PlanWork;
}

/** A task: as the file tells of it, under an id that stays when its number changes, and how far it has come. */
export interface TaskEntry extends TaskRead {
  readonly state: TaskState;
  readonly since: string;
  readonly entered: number;
  /** The file, when it was read last, did not have it any more. */
  readonly stale: boolean;
  /** A person took it back, so only a person launches it again. */
  readonly held: boolean;
  /** When it was launched last, and the name and text it was launched with. */
  readonly launched?: { readonly at: string; readonly name: string; readonly body: string };
  readonly verifyAttempts: number;
  readonly lastVerify?: 'passed' | 'failed';
  /** The run that it is at, or that has done it. */
  readonly run?: RunEntry;
  /** The number of its last run. */
  readonly attempts: number;
  /** A person said that it is done; nothing was merged then. */
  readonly markedDone?: { readonly at: string };
  /** What a review of the plan asked for: such a task stands in no file, so it is never stale. */
  readonly feedback?: string;
}

export interface World {
  readonly seq: number;
  readonly plans: ReadonlyMap<PlanFile, PlanEntry>;
  /** The part of plan-state.json that is about no plan: kept, so that the file can be made anew. */
  readonly document: { readonly topics: unknown; readonly extra: Readonly<Record<string, unknown>> };
  /** Ids of the signals taken or refused last, oldest first. */
  readonly taken: ReadonlySet<string>;
  /** Effects decided and not yet acknowledged. */
  readonly outbox: ReadonlyMap<string, Effect>;
  readonly refused: ReadonlyMap<string, Refused & { readonly at: string }>;
  /** Every session that was ever begun and is still spoken of, oldest first. */
  readonly sessions: ReadonlyMap<HostName, SessionEntry>;
  /** The plan that a person chose to work on. */
  readonly chosen?: PlanFile;
  readonly policy: Policy;
  /** A person wants no effect to be issued for now. */
  readonly frozen: boolean;
}

/** How many ids are remembered. A signal's file goes right after its commit, so a few scans' worth is plenty. */
export const REMEMBERED_SIGNALS = 4096;

export const EMPTY_WORLD: World = {
  seq: 0,
  plans: new Map(),
  document: { topics: {}, extra: {} },
  taken: new Set(),
  outbox: new Map(),
  refused: new Map(),
  sessions: new Map(),
  policy: DEFAULT_POLICY,
  frozen: false,
};

export function fold(world: World, records: Iterable<JournalRecord>): World {
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
    ...(world.chosen === undefined ? {} : { chosen: world.chosen }),
  };
  for (const record of records) apply(draft, record);
  return draft;
}

interface Draft {
  seq: number;
  plans: Map<PlanFile, PlanEntry>;
  document: World['document'];
  taken: Set<string>;
  outbox: Map<string, Effect>;
  refused: Map<string, Refused & { readonly at: string }>;
  sessions: Map<HostName, SessionEntry>;
  chosen?: PlanFile;
  policy: Policy;
  frozen: boolean;
}

function apply(draft: Draft, record: JournalRecord): void {
  draft.seq = record.seq;
  passTime(draft, record);
  // First what there is, then where it goes: a record may begin a run and move it at once.
  for (const change of record.changes ?? []) applyChange(draft, record, change);
  for (const move of record.moves) MOVES[move.machine](draft, record, move as never);
  for (const effect of record.effects ?? []) draft.outbox.set(effect.id, effect);
  stopSessions(draft.sessions, record);
  if (record.signal !== undefined) remember(draft.taken, record.signal.id);
  applyFact(draft, record);
}

/** The time since the last record about the plan counts for those of its runs for which somebody was at work. */
function passTime(draft: Draft, record: JournalRecord): void {
  const about = 'about' in record ? draft.sessions.get(record.about)?.plan : undefined;
  const entry = draft.plans.get(('plan' in record ? record.plan : about) as PlanFile);
  if (entry?.work === undefined) return;
  const isWorking = entry.status === WORKING;
  const ticked = (task: TaskEntry): TaskEntry => {
    const run = task.run === undefined ? undefined : tickedRun(task.run, isWorking, draft.sessions, record.at);
    return run === task.run || run === undefined ? task : { ...task, run };
  };
  changeTasks(draft, entry.plan, ticked);
}

function applyChange(draft: Draft, record: JournalRecord, change: Change): void {
  const { plan } = change;
  switch (change.of) {
    case 'run':
      return changeTask(draft, plan, change.task, ({ run, ...task }) => {
        const after = changedRun(run, change.change);
        // What the run does not wait for any more need not be done, and nothing follows from it.
        if (run?.issued && run.issued.effect !== after?.issued?.effect) draft.outbox.delete(run.issued.effect);
        return after === undefined ? task : { ...task, run: after };
      });
    case 'task':
      return changeTask(draft, plan, change.task, (task) => ({ ...task, ...change.change }));
    case 'plan':
      return changePlan(draft, plan, { work: { ...NO_WORK, ...draft.plans.get(plan)?.work, ...change.change } });
    case 'fix-task':
      return changePlan(draft, plan, {
        tasks: [...(draft.plans.get(plan)?.tasks ?? []), fixTask(change.task, change.text, record)],
      });
  }
}

function fixTask(id: string, text: string, record: JournalRecord): TaskEntry {
  const read = { id, address: id, name: 'What the review asked for', phase: -1, dependsOn: null, body: '' };
  return { ...read, ...freshTask(record), stale: false, feedback: text };
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
} = { plan: applyPlanMove, task: applyTaskMove, coder: applyRunMove };

function applyRunMove(draft: Draft, record: JournalRecord, move: RunMove): void {
  changeTask(draft, move.plan, move.task, (task) => {
    if (task.run === undefined) throw new Error(`Record ${record.seq} moves a run that "${move.task}" does not have.`);
    return { ...task, run: movedRun(task.run, move, record) };
  });
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
    ...TOLD[move.event]?.(task, at),
  }));
}

/** What a task's event leaves behind besides its state. */
const TOLD: { readonly [event in TaskMove['event']]?: (task: TaskEntry, at: string) => Partial<TaskEntry> } = {
  launch: ({ name, body }, at) => ({ launched: { at, name, body }, verifyAttempts: 0, held: false }),
  revert: () => ({ held: true }),
  verify_start: (task) => ({ verifyAttempts: task.verifyAttempts + 1 }),
  verify_pass: () => ({ lastVerify: 'passed' }),
  verify_fail: () => ({ lastVerify: 'failed' }),
};

function applyFact(draft: Draft, record: JournalRecord): void {
  switch (record.event) {
    case 'review_changes_requested':
      changePlan(draft, record.plan, { feedback: { text: record.feedback ?? '', at: record.at } });
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
        tasks: tasksRead(draft.plans.get(record.plan), record),
      });
      break;
    case 'start_over':
      startOver(draft, record.plan, record);
      break;
    case 'session_begun':
      beginSession(draft.sessions, record);
      break;
    case 'session_stopped':
      changeSession(draft.sessions, record.about, { wanted: 'stopped', since: record.at });
      break;
    case 'session_paused':
      changeSession(draft.sessions, record.about, { wanted: 'paused', since: record.at });
      break;
    case 'session_news':
      changeSession(draft.sessions, record.about, newsOf(record));
      break;
    case 'policy_set':
      draft.policy = record.policy;
      break;
    case 'frozen':
    case 'thawed':
      draft.frozen = record.event === 'frozen';
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
    case 'quarantine_retried':
      // Put back by a person, it counts as said anew.
      draft.taken.delete(draft.refused.get(record.quarantine)?.signal ?? '');
      draft.refused.delete(record.quarantine);
      break;
    case 'quarantine_dropped':
      draft.refused.delete(record.quarantine);
      break;
    case 'effect_done':
      draft.outbox.delete(record.effect);
      break;
  }
}

/** Every task of the file is begun anew; only the numbers of its runs go on. */
function startOver(draft: Draft, plan: PlanFile, record: JournalRecord): void {
  const tasks = (draft.plans.get(plan)?.tasks ?? []).filter((task) => task.feedback === undefined);
  changePlan(draft, plan, {
    tasks: tasks.map(({ id, address, name, phase, dependsOn, body, stale, attempts }) => ({
      ...freshTask(record),
      ...{ id, address, name, phase, dependsOn, body, stale, attempts },
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

/** The file says what tasks there are; how far each has come, only what happened to it says. */
function tasksRead(
  entry: PlanEntry | undefined,
  record: Extract<JournalRecord, { event: 'plan_read' }>,
): readonly TaskEntry[] {
  const known = new Map((entry?.tasks ?? []).map((task) => [task.id, task]));
  const fresh = freshTask(record);
  return [
    ...record.tasks.map((task) => ({ ...fresh, ...known.get(task.id), ...task, stale: false })),
    ...record.stale.flatMap(({ id, address }) => {
      const task = known.get(id);
      return task === undefined ? [] : [{ ...task, address, stale: true }];
    }),
    ...[...known.values()].filter((task) => task.feedback !== undefined),
  ];
}

function remember(taken: Set<string>, id: string): void {
  taken.add(id);
  for (const oldest of taken) {
    if (taken.size <= REMEMBERED_SIGNALS) break;
    taken.delete(oldest);
  }
}

/** A world as JSON can hold it, for the checkpoint. */
export interface StoredWorld {
  readonly seq: number;
  readonly plans: readonly PlanEntry[];
  readonly document: World['document'];
  readonly taken: readonly string[];
  readonly outbox: readonly Effect[];
  readonly refused: readonly (Refused & { readonly at: string })[];
  readonly sessions: readonly SessionEntry[];
  readonly chosen?: PlanFile;
  readonly policy: Policy;
  readonly frozen: boolean;
}

export function storeWorld(world: World): StoredWorld {
  return {
    seq: world.seq,
    plans: [...world.plans.values()],
    document: world.document,
    taken: [...world.taken],
    outbox: [...world.outbox.values()],
    refused: [...world.refused.values()],
    sessions: [...world.sessions.values()],
    policy: world.policy,
    frozen: world.frozen,
    ...(world.chosen === undefined ? {} : { chosen: world.chosen }),
  };
}

export function restoreWorld(stored: StoredWorld): World {
  return {
    seq: stored.seq,
    plans: new Map(stored.plans.map((entry) => [entry.plan, entry])),
    document: stored.document,
    taken: new Set(stored.taken),
    outbox: new Map(stored.outbox.map((effect) => [effect.id, effect])),
    refused: new Map(stored.refused.map((refused) => [refused.id, refused])),
    sessions: new Map(stored.sessions.map((session) => [session.id, session])),
    policy: stored.policy,
    frozen: stored.frozen,
    ...(stored.chosen === undefined ? {} : { chosen: stored.chosen }),
  };
}
