// Everything known now, as one value: the fold of the journal.
import type { PlanState } from '../machines/plan.ts';
import { type TaskState, taskMachine } from '../machines/task.ts';
import type { PlanFile } from '../plan/name.ts';
import type { OutlinePhase } from '../plan/outline.ts';
import type { Effect } from './effects.ts';
import type { PlanFields } from './events.ts';
import type { HostName } from './host.ts';
import type { JournalRecord, PlanMove, TaskMove, TaskRead } from './record.ts';
import type { Refused } from './refused.ts';
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
}

function apply(draft: Draft, record: JournalRecord): void {
  draft.seq = record.seq;
  for (const move of record.moves) {
    if (move.machine === 'plan') applyPlanMove(draft, record, move);
    else applyTaskMove(draft, record, move);
  }
  for (const effect of record.effects ?? []) draft.outbox.set(effect.id, effect);
  if (record.signal !== undefined) remember(draft.taken, record.signal.id);
  applyFact(draft, record);
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
      change(draft, record.plan, { feedback: { text: record.feedback ?? '', at: record.at } });
      break;
    case 'implement_finished':
      change(draft, record.plan, { implemented: record.at });
      break;
    case 'implement_start':
      changeTasks(draft, record.plan, (task) => ({ ...task, held: false }));
      break;
    case 'plan_read':
      change(draft, record.plan, {
        file: record.file,
        phases: record.phases,
        tasks: tasksRead(draft.plans.get(record.plan), record),
      });
      break;
    case 'session_begun':
      beginSession(draft, record);
      break;
    case 'session_stopped':
      changeSession(draft, record.about, { wanted: 'stopped', since: record.at });
      break;
    case 'session_paused':
      changeSession(draft, record.about, { wanted: 'paused', since: record.at });
      break;
    case 'session_news':
      changeSession(draft, record.about, newsOf(record));
      break;
    case 'choose':
      if (record.chosen === null) delete draft.chosen;
      else draft.chosen = record.chosen;
      break;
    case 'describe':
      change(draft, record.plan, record.fields);
      break;
    case 'import_document':
      draft.document = { topics: record.topics, extra: record.extra };
      break;
    case 'plan_state_differs':
      change(draft, record.plan, { difference: { status: record.fileStatus, at: record.at } });
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

function change(draft: Draft, plan: PlanFile, part: Partial<PlanEntry>): void {
  const entry = draft.plans.get(plan);
  if (entry !== undefined) draft.plans.set(plan, { ...entry, ...part });
}

function changeTasks(draft: Draft, plan: PlanFile, how: (task: TaskEntry) => TaskEntry): void {
  change(draft, plan, { tasks: (draft.plans.get(plan)?.tasks ?? []).map(how) });
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
  const fresh = {
    state: taskMachine.initial,
    since: record.at,
    entered: record.seq,
    held: false,
    verifyAttempts: 0,
  };
  return [
    ...record.tasks.map((task) => ({ ...fresh, ...known.get(task.id), ...task, stale: false })),
    ...record.stale.flatMap(({ id, address }) => {
      const task = known.get(id);
      return task === undefined ? [] : [{ ...task, address, stale: true }];
    }),
  ];
}

/** One session follows another in its place; the one before it is not wanted any more. */
function beginSession(draft: Draft, { begun, at }: Extract<JournalRecord, { event: 'session_begun' }>): void {
  for (const entry of draft.sessions.values())
    if (entry.place === begun.place && entry.followedBy === undefined)
      draft.sessions.set(entry.id, { ...entry, wanted: 'stopped', followedBy: begun.id });
  draft.sessions.set(begun.id, { ...begun, wanted: 'running', since: at });
  forgetOldest(draft.sessions);
}

/** Of those that were followed by others, so many are kept for looking back. */
const REMEMBERED_SESSIONS = 200;

function forgetOldest(sessions: Map<HostName, SessionEntry>): void {
  const followed = [...sessions.values()].filter((entry) => entry.followedBy !== undefined);
  for (const entry of followed.slice(0, Math.max(0, followed.length - REMEMBERED_SESSIONS))) sessions.delete(entry.id);
}

function changeSession(draft: Draft, id: HostName, part: Partial<SessionEntry>): void {
  const entry = draft.sessions.get(id);
  if (entry !== undefined) draft.sessions.set(id, { ...entry, ...part });
}

function newsOf({ news, at }: Extract<JournalRecord, { event: 'session_news' }>): Partial<SessionEntry> {
  switch (news.kind) {
    case 'up':
      return { up: at, since: at };
    case 'failed':
      return { failure: news.why, since: at };
    case 'ended':
      return { ended: { life: news.life, at }, since: at };
    case 'sent':
      return { lastSent: { at, problem: news.problem } };
  }
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
    ...(stored.chosen === undefined ? {} : { chosen: stored.chosen }),
  };
}
