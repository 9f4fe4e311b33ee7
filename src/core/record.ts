// One line of the journal: an event that was accepted, who caused it, and everything it moved.
import type { PlanEvent, PlanState } from '../machines/plan.ts';
import type { TaskEvent, TaskState } from '../machines/task.ts';
import type { PlanFile } from '../plan/name.ts';
import type { OutlinePhase, OutlineTask } from '../plan/outline.ts';
import type { Role } from '../signals/registry.ts';
import type { Effect } from './effects.ts';
import type { By, PlanFields, SessionNews } from './events.ts';
import type { HostName } from './host.ts';
import type { Refused } from './refused.ts';
import type { SessionFields } from './session.ts';

/** The version of the journal's format. A record with a higher one was written by a newer cadre. */
export const RECORD_VERSION = 1;

export type Move = PlanMove | TaskMove;

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
  | { readonly event: 'session_begun'; readonly begun: SessionFields; readonly resume: boolean }
  | { readonly event: 'session_stopped' | 'session_paused' | 'session_send'; readonly about: HostName }
  | { readonly event: 'session_news'; readonly about: HostName; readonly news: SessionNews }
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
};

export function planOf(record: JournalRecord): string | undefined {
  if ('plan' in record) return record.plan;
  return record.event === 'signal_refused' ? record.refused.plan : undefined;
}
