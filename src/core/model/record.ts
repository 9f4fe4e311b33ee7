// One line of the journal: an event that was accepted, who caused it, and everything it moved.

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

/** The version of the journal's format. A record with a higher one was written by a newer cadre. */
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

/** What happens to a run: an event of its machine, or something that moves it not. */
export type RunFactEvent =
  | RunEvent
  /** The spec reviewer has approved, and the quality review begins. */
  | 'stage_passed'
  /** The quality reviewer would approve, but what it has seen is not verified. */
  | 'advised'
  /** An agent was to verify first, and has; the engine's own check waits until cadre is thawed. */
  | 'verify_advised'
  | 'nudged'
  | 'fell_silent'
  | 'session_overdue'
  | 'verify_begun'
  | 'merge_begun'
  /** What the engine does for it cannot be done now; `cause` says why, and it is told again only when that changes. */
  | 'held_up';

/** A task as it stands in the plan's file, under the name by which cadre knows it for good. */
export type TaskRead = Omit<OutlineTask, 'text'> & { readonly id: string };

export type Fact =
  | { readonly event: PlanEvent; readonly plan: PlanFile; readonly feedback?: string }
  | { readonly event: 'register' | 'import' | 'describe'; readonly plan: PlanFile; readonly fields: PlanFields }
  | { readonly event: TaskEvent; readonly plan: PlanFile; readonly task: string }
  | {
      readonly event: 'plan_read';
      readonly plan: PlanFile;
      /** Stands for the text of the whole file. */
      readonly file: string;
      readonly phases: readonly OutlinePhase[];
      readonly tasks: readonly TaskRead[];
      /** Tasks that are not in the file, by id, with the addresses that are left for them. */
      readonly stale: readonly { readonly id: string; readonly address: string }[];
      /** The texts of those tasks that are new or read otherwise than before, by id. */
      readonly texts: Readonly<Record<string, string>>;
    }
  /** `cause`: what it is about, in words where there are any: a question, feedback, the end of a test's output. */
  | {
      readonly event: RunFactEvent;
      readonly plan: PlanFile;
      readonly task: string;
      readonly attempt: number;
      readonly cause?: string;
      /** The effect whose result this is; it is not waited for any more. */
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
  /** The plan that a person works on; null: whichever was changed last. */
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
  /** Where several records were written as one commit: the number of its last, in its first; of its first, in the others. */
  readonly last?: number;
  readonly first?: number;
  readonly moves: readonly Move[];
  readonly signal?: { readonly id: string; readonly name: string; readonly body?: string };
  readonly effects?: readonly Effect[];
  /** What changed beside the states of the machines. */
  readonly changes?: readonly RecordChange[];
};

export function planOf(record: JournalRecord): string | undefined {
  if ('plan' in record) return record.plan;
  if (record.event === 'session_begun') return record.begun.plan;
  return record.event === 'signal_refused' ? record.refused.plan : undefined;
}
