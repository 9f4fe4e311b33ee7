// A record: one line of the journal. It says which event was accepted, who caused it, and everything that it changed.

import type { PlanEvent, PlanState } from '../../machines/plan.ts';
import type { RunEvent, RunState } from '../../machines/run.ts';
import type { TaskEvent, TaskState } from '../../machines/task.ts';
import type { WorkshopEvent, WorkshopState } from '../../machines/workshop.ts';
import type { PlanFile } from '../../plan/name.ts';
import type { OutlinePhase, OutlineTask } from '../../plan/outline.ts';
import type { Author } from '../../signals/author.ts';
import type { Role } from '../../signals/registry.ts';
import type { Proposed } from '../settings/guarded.ts';
import type { Policy } from '../settings/policy.ts';
import type { IntendedMove } from './commit.ts';
import type { Effect } from './effect.ts';
import type { By, PlanFields, SessionNews, SignalWay } from './event.ts';
import type { SessionId } from './ids.ts';
import type { RefusedSignal } from './refused-signal.ts';
import type { Incident, RecordChange, Verified } from './run.ts';
import type { SessionFields } from './session.ts';

/** The version of the journal's format. A record with a higher version was written by a newer cadre. */
export const RECORD_VERSION = 1;

export type Move = PlanMove | TaskMove | RunMove | WorkshopMove;

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
  /** `replan`: its work is no longer on the plan branch, and a person has it built again. */
  readonly event: TaskEvent | 'replan';
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

export interface WorkshopMove {
  readonly machine: 'workshop';
  readonly plan: PlanFile;
  readonly event: WorkshopEvent;
  readonly from: WorkshopState;
  readonly to: WorkshopState;
}

/**
 * A task when its plan starts over. The task machine has no way back from `done`: a task of the file begins a new life, and
 * one that a review asked for is dropped.
 */
export interface EndedTask {
  readonly task: string;
  readonly was: TaskState;
  readonly becomes: 'planned' | 'dropped';
}

/** What happens to a run: an event of its machine, or one that does not change its state. */
export type RunFactEvent =
  | RunEvent
  /** The spec reviewer approved; the quality review starts. */
  | 'stage_passed'
  /** The quality reviewer would approve, but the commit is not verified. */
  | 'advised'
  /** A review was taken, and its findings wait for a person, or for the policy of check-ins. */
  | 'review_taken'
  /** Somebody decided about findings. */
  | 'findings_ruled'
  /** The agent that verifies first has reported; the engine's own verification waits until cadre is thawed. */
  | 'verify_advised'
  | 'nudged'
  | 'fell_silent'
  | 'session_overdue'
  | 'verify_begun'
  /** The agent has finished, and a person starts the verification. */
  | 'next_awaited'
  /** A person starts the review or the merge that waited. */
  | 'next_taken'
  /** A person wants more work before the verification. */
  | 'back_to_work'
  | 'merge_begun'
  /** A pending effect failed for now; `cause` says why. Recorded again only when the reason changes. */
  | 'held_up'
  /** Somebody changed the link of its worktree; `cause` says which file. */
  | 'worktree_changed'
  | 'worktree_restoring'
  | 'worktree_restored'
  /** The link is as git wrote it again, and cadre did not do that. */
  | 'worktree_change_undone'
  /** `cause` says why not. */
  | 'worktree_not_restored';

/** What happens in a workshop: an event of its machine, or one that does not change its state. */
export type WorkshopFactEvent =
  | WorkshopEvent
  | 'workshop_opened'
  /** The planner returned a valid document. */
  | 'round_finished'
  | 'round_invalid'
  /** A person answered or skipped questions. */
  | 'workshop_answered'
  /** A person allowed more rounds, or another try. */
  | 'workshop_continued'
  /** The architect asks for changes in the plan. */
  | 'plan_advised'
  | 'planner_silent'
  | 'planner_overdue'
  | 'architect_silent'
  | 'architect_overdue';

/** A task as it is in the plan file, with the id that it keeps. */
export type TaskRead = Omit<OutlineTask, 'text'> & { readonly id: string };

export type Fact =
  /** `feedbackBy`: who wrote the feedback, where that is not the one who caused the event. */
  | {
      readonly event: PlanEvent;
      readonly plan: PlanFile;
      readonly feedback?: string;
      readonly feedbackBy?: Author;
      /** For `start_over`: the tasks of the generation that ends, as far as something had become of them. */
      readonly ended?: readonly EndedTask[];
    }
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
      /** Whether the file has no task headings, so that it is one task. Records of 0.1.0 do not say. */
      readonly whole?: boolean;
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
      /** For the result of a verification. */
      readonly verified?: Verified;
    }
  /** `proposed`: what changed in the files and does not apply yet; null: no longer anything. */
  | {
      readonly event: 'policy_set' | 'settings_accepted';
      readonly policy: Policy;
      readonly proposed?: Proposed | null;
    }
  | { readonly event: 'run'; readonly plan: PlanFile }
  | { readonly event: 'frozen' | 'thawed' | 'paused' | 'resumed' }
  | { readonly event: 'plan_paused' | 'plan_resumed' | 'archived' | 'unarchived'; readonly plan: PlanFile }
  /** The effect is about to move a branch; written before the branch moves. */
  | { readonly event: 'move_intended'; readonly plan: PlanFile; readonly move: IntendedMove }
  | { readonly event: 'incident'; readonly plan: PlanFile; readonly incident: Incident }
  /** `undone`: the branch is back where cadre left it, and cadre did not do it. */
  | {
      readonly event: 'incident_ended';
      readonly plan: PlanFile;
      readonly branch: string;
      readonly how: 'restored' | 'taken' | 'undone';
    }
  | { readonly event: 'incident_not_restored'; readonly plan: PlanFile; readonly why: string }
  /** `tip_seen`: only in journals of version 0.1.0, which followed the plan branch wherever it was. */
  | {
      readonly event:
        | 'tip_seen'
        | 'branch_moved'
        | 'incident_restoring'
        | 'land_begun'
        | 'review_waits'
        /** A person decided about findings of the plan's own review. */
        | 'plan_findings_ruled'
        | 'reviewer_silent'
        | 'reviewer_overdue';
      readonly plan: PlanFile;
      readonly feedback?: string;
    }
  | { readonly event: 'landed'; readonly plan: PlanFile; readonly result: string }
  /** A move of the workshop of a plan, or something that happened in it. What it changed is in `changes`. */
  | { readonly event: WorkshopFactEvent; readonly plan: PlanFile }
  | { readonly event: 'session_begun'; readonly begun: SessionFields; readonly resume: boolean }
  /** `session_interrupted`: cadre stops it although its turn is not over. */
  | {
      readonly event: 'session_stopped' | 'session_interrupted' | 'session_paused' | 'session_send';
      readonly about: SessionId;
    }
  | { readonly event: 'session_news'; readonly about: SessionId; readonly news: SessionNews }
  /** The plan that a person works on; null: the one that was changed last. */
  | { readonly event: 'choose'; readonly chosen: PlanFile | null }
  | { readonly event: 'import_document'; readonly topics: unknown; readonly extra: Readonly<Record<string, unknown>> }
  | { readonly event: 'plan_state_differs'; readonly plan: PlanFile; readonly fileStatus: PlanState }
  | { readonly event: 'adopt'; readonly plan: PlanFile }
  | { readonly event: 'signal_refused'; readonly refused: RefusedSignal }
  /** Refused signals of one source that are only counted; `why` is the reason of the first. */
  | {
      readonly event: 'signals_counted';
      readonly source: string;
      readonly count: number;
      readonly code: string;
      readonly why: string;
    }
  | { readonly event: 'quarantine_retried' | 'quarantine_dropped'; readonly quarantine: string }
  /** Changes nothing. `taskId`: the task, where it is about one. */
  | { readonly event: 'warned'; readonly plan: PlanFile; readonly taskId?: string; readonly text: string }
  | { readonly event: 'effect_done'; readonly effect: string }
  /** From `from` until the time of the record no engine was awake. `gap`: its length in milliseconds; negative: set back. */
  | { readonly event: 'clock_gap'; readonly beat: string; readonly from: string; readonly gap: number }
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
  readonly signal?: {
    readonly id: string;
    readonly name: string;
    readonly body?: string;
    /** How it came. Not in records of before there were keys. */
    readonly via?: SignalWay;
  };
  readonly effects?: readonly Effect[];
  /** What changed apart from the states of the machines. */
  readonly changes?: readonly RecordChange[];
};

export function planOf(record: JournalRecord): string | undefined {
  if ('plan' in record) return record.plan;
  if (record.event === 'session_begun') return record.begun.plan;
  return record.event === 'signal_refused' ? record.refused.plan : undefined;
}
