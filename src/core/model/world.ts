// Everything known now, as one value: the fold of the journal.
import type { PlanState } from '../../machines/plan.ts';
import type { TaskState } from '../../machines/task.ts';
import type { PlanFile } from '../../plan/name.ts';
import type { OutlinePhase } from '../../plan/outline.ts';
import { DEFAULT_POLICY } from '../settings/default-policy.ts';
import type { Policy } from '../settings/policy.ts';
import type { Effect } from './effect.ts';
import type { PlanFields } from './event.ts';
import type { SessionId } from './ids.ts';
import type { TaskRead } from './record.ts';
import type { Refused } from './refused-signal.ts';
import type { PlanWork, RunEntry } from './run.ts';
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
  /** It was taken back, so only a person launches it again. */
  readonly held: boolean;
  /** Why the engine took it back: its first agent never came up. */
  readonly notStarted?: string | null;
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
  readonly sessions: ReadonlyMap<SessionId, SessionEntry>;
  /** The plan that a person chose to work on. */
  readonly chosen?: PlanFile;
  readonly policy: Policy;
  /** A person wants no effect to be issued for now. */
  readonly frozen: boolean;
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
};
