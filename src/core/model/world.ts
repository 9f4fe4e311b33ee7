// The world: everything known now, as one value. It is the fold of the journal.
import type { PlanState } from '../../machines/plan.ts';
import type { TaskState } from '../../machines/task.ts';
import type { PlanFile } from '../../plan/name.ts';
import type { OutlinePhase } from '../../plan/outline.ts';
import type { Author } from '../../signals/author.ts';
import { DEFAULT_POLICY } from '../settings/default-policy.ts';
import type { Proposed } from '../settings/guarded.ts';
import type { Policy } from '../settings/policy.ts';
import type { Effect } from './effect.ts';
import type { PlanFields } from './event.ts';
import type { SessionId } from './ids.ts';
import type { TaskRead } from './record.ts';
import type { RefusedSignal } from './refused-signal.ts';
import type { Finding } from './review/finding.ts';
import type { PlanWork, RunEntry, TaskDecision } from './run.ts';
import type { SessionEntry } from './session.ts';
import type { WorkshopEntry } from './workshop/entry.ts';

export interface PlanEntry extends PlanFields {
  readonly plan: PlanFile;
  readonly status: PlanState;
  readonly since: string;
  /** The record at which it entered its present state. */
  readonly entered: number;
  /** What the last review asked for. */
  readonly feedback?: { readonly text: string; readonly at: string; readonly by?: Author };
  /** The state in plan-state.json where it contradicts the journal, until a person adopts it or the plan moves. */
  readonly difference?: { readonly status: PlanState; readonly at: string };
  /** A digest of the file when it was last read. */
  readonly file?: string;
  /** The phases of the file when it was last read. */
  readonly phases: readonly OutlinePhase[];
  /** Whether its only task is the whole file; undefined if nothing says so. */
  readonly whole?: boolean;
  /** In the order of the file, then the stale ones. */
  readonly tasks: readonly TaskEntry[];
  /** A person paused it. */
  readonly paused?: true;
  /** What the reviews of the whole plan found, and what a person demands of it. */
  readonly findings?: readonly Finding[];
  /** Present for a managed plan; a plan without it is driven from outside. */
  readonly work?: PlanWork;
  /** Present for a plan that was made in a workshop, or is being made in one. */
  readonly workshop?: WorkshopEntry;
}

/** A task of the file, with an id that stays the same when its number changes, and its progress. */
export interface TaskEntry extends TaskRead {
  readonly state: TaskState;
  readonly since: string;
  readonly entered: number;
  /** It was no longer in the file when that was last read. */
  readonly stale: boolean;
  /** It was reverted, so only a person launches it again. */
  readonly held: boolean;
  /** Why the engine reverted it: its first agent did not start. */
  readonly notStarted?: string | null;
  /** When it was last launched, and with which name and text. */
  readonly launched?: { readonly at: string; readonly name: string; readonly body: string };
  readonly verifyAttempts: number;
  readonly lastVerify?: 'passed' | 'failed';
  /** Its current run, or the run that completed it. */
  readonly run?: RunEntry;
  /** The number of its last run. */
  readonly attempts: number;
  /** A person marked it done; nothing was merged. */
  readonly markedDone?: { readonly at: string };
  /** What was decided about it since the plan was written, in order. */
  readonly decisions?: readonly TaskDecision[];
  /** What its reviews found, and what a person demands of it, in all of its runs. */
  readonly findings?: readonly Finding[];
  /** The record in which a person approved or overruled what had been demanded up to then. */
  readonly demandsMet?: number;
  /** What a review of the plan asked for. Such a task is in no file, so it is never stale. */
  readonly feedback?: string;
  /** Who asked for that. Missing in journals of 0.1.0. */
  readonly feedbackBy?: Author;
}

export interface World {
  readonly seq: number;
  readonly plans: ReadonlyMap<PlanFile, PlanEntry>;
  /** The part of plan-state.json that belongs to no plan, kept so that the file can be rebuilt. */
  readonly document: { readonly topics: unknown; readonly extra: Readonly<Record<string, unknown>> };
  /** Ids of the most recent signals, taken or refused, oldest first. */
  readonly taken: ReadonlySet<string>;
  /** Effects that are decided and not yet done. */
  readonly outbox: ReadonlyMap<string, Effect>;
  /** Refused signals that were only counted, by their source, because it flooded cadre. */
  readonly counted?: Readonly<Record<string, { readonly count: number; readonly why: string; readonly at: string }>>;
  readonly refused: ReadonlyMap<string, RefusedSignal & { readonly at: string }>;
  /** All sessions that are remembered, oldest first. */
  readonly sessions: ReadonlyMap<SessionId, SessionEntry>;
  /** The plan that a person chose to work on. */
  readonly chosen?: PlanFile;
  /** The end of the last recorded gap in which no engine was awake, and the beat before it. */
  readonly gap?: { readonly beat: string; readonly to: string };
  readonly policy: Policy;
  /** What changed in the files while a plan was being built, and waits for a person's word. */
  readonly proposed?: Proposed;
  /** No new effects are issued for now. */
  readonly frozen: boolean;
  /** A person paused all plans. */
  readonly paused: boolean;
}

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
  paused: false,
};
