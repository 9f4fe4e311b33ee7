// A record: one line of the journal. It says which event was accepted, who caused it, and everything that it changed.

import type { PlanEvent, PlanState } from '../../machines/plan.ts';
import type { RunEvent, RunState } from '../../machines/run.ts';
import type { TaskEvent, TaskState } from '../../machines/task.ts';
import type { PlanFile } from '../../plan/name.ts';
import type { OutlinePhase, OutlineTask } from '../../plan/outline.ts';
import type { Role } from '../../signals/registry.ts';
import type { Policy } from '../settings/policy.ts';
import type { Effect } from './effect.ts';
import type { By, PlanFields, SessionNews } from './event.ts';
import type { SessionId } from './ids.ts';
import type { Refused } from './refused-signal.ts';
import type { RecordChange } from './run.ts';
import type { SessionFields } from './session.ts';

/** The version of the journal's format. A record with a higher version was written by a newer cadre. */
export const RECORD_VERSION = 1;

export type Move = PlanMove | TaskMove | RunMove;

export interface PlanMove {
  readonly machine: 'plan';
  readonly plan: PlanFile;
  readonly event: PlanEvent | 'register' | 'import' | 'adopt';
  readonly from: PlanState | null;
  readonly to: PlanState;
}

export interface TaskMove {
  readonly machine: 'task';
  readonly plan: PlanFile;
  readonly task: string;
  readonly event: TaskEvent;
  readonly from: TaskState;
  readonly to: TaskState;
}

export interface RunMove {
  readonly machine: 'coder';
  readonly plan: PlanFile;
  readonly task: string;
  readonly attempt: number;
  readonly event: RunEvent;
  readonly from: RunState;
  readonly to: RunState;
}

/** What happens to a run: an event of its machine, or one that does not change its state. */
export type RunFactEvent =
  | RunEvent
  /** The spec reviewer approved; the quality review starts. */
  | 'stage_passed'
  /** The quality reviewer would approve, but the commit is not verified. */
  | 'advised'
  /** The agent that verifies first has reported; the engine's own verification waits until cadre is thawed. */
  | 'verify_advised'
  | 'nudged'
  | 'fell_silent'
  | 'session_overdue'
  | 'verify_begun'
  | 'merge_begun'
  /** A pending effect failed for now; `cause` says why. Recorded again only when the reason changes. */
  | 'held_up';

/** A task as it is in the plan file, with the id that it keeps. */
export type TaskRead = Omit<OutlineTask, 'text'> & { readonly id: string };

export type Fact =
  | { readonly event: PlanEvent; readonly plan: PlanFile; readonly feedback?: string }
  | { readonly event: 'register' | 'import' | 'describe'; readonly plan: PlanFile; readonly fields: PlanFields }
  | { readonly event: TaskEvent; readonly plan: PlanFile; readonly task: string }
  | {
      readonly event: 'plan_read';
      readonly plan: PlanFile;
      /** A digest of the whole file. */
      readonly file: string;
      readonly phases: readonly OutlinePhase[];
      readonly tasks: readonly TaskRead[];
      /** Known tasks that are not in the file, with the addresses they have now. */
      readonly stale: readonly { readonly id: string; readonly address: string }[];
      /** The texts of new and changed tasks, by id. */
      readonly texts: Readonly<Record<string, string>>;
    }
  /** `cause`: the text that belongs to it, if any: a question, feedback, the end of a test's output. */
  | {
      readonly event: RunFactEvent;
      readonly plan: PlanFile;
      readonly task: string;
      readonly attempt: number;
      readonly cause?: string;
      /** The effect whose result this is; the run no longer waits for it. */
      readonly result?: string;
    }
  | { readonly event: 'policy_set'; readonly policy: Policy }
  | { readonly event: 'run'; readonly plan: PlanFile }
  | { readonly event: 'frozen' | 'thawed' }
  | {
      readonly event: 'tip_seen' | 'land_begun' | 'review_waits' | 'reviewer_silent' | 'reviewer_overdue';
      readonly plan: PlanFile;
      readonly feedback?: string;
    }
  | { readonly event: 'landed'; readonly plan: PlanFile; readonly result: string }
  | { readonly event: 'session_begun'; readonly begun: SessionFields; readonly resume: boolean }
  | { readonly event: 'session_stopped' | 'session_paused' | 'session_send'; readonly about: SessionId }
  | { readonly event: 'session_news'; readonly about: SessionId; readonly news: SessionNews }
  /** The plan that a person works on; null: the one that was changed last. */
  | { readonly event: 'choose'; readonly chosen: PlanFile | null }
  | { readonly event: 'import_document'; readonly topics: unknown; readonly extra: Readonly<Record<string, unknown>> }
  | { readonly event: 'plan_state_differs'; readonly plan: PlanFile; readonly fileStatus: PlanState }
  | { readonly event: 'adopt'; readonly plan: PlanFile }
  | { readonly event: 'signal_refused'; readonly refused: Refused }
  | { readonly event: 'quarantine_retried' | 'quarantine_dropped'; readonly quarantine: string }
  | { readonly event: 'effect_done'; readonly effect: string }
  | { readonly event: 'journal_repaired'; readonly bytes: number; readonly copy: string };

export type JournalRecord = Fact & {
  readonly v: number;
  readonly seq: number;
  readonly at: string;
  readonly by: By['who'];
  readonly session?: string;
  readonly role?: Role;
  /** For several records in one commit: `last` in the first record, `first` in all others. */
  readonly last?: number;
  readonly first?: number;
  readonly moves: readonly Move[];
  readonly signal?: { readonly id: string; readonly name: string; readonly body?: string };
  readonly effects?: readonly Effect[];
  /** What changed apart from the states of the machines. */
  readonly changes?: readonly RecordChange[];
};

export function planOf(record: JournalRecord): string | undefined {
  if ('plan' in record) return record.plan;
  if (record.event === 'session_begun') return record.begun.plan;
  return record.event === 'signal_refused' ? record.refused.plan : undefined;
}
