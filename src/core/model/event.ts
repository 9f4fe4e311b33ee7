// Events: what people command, what the engine observes and what agents claim.
import type { PlanEvent, PlanState } from '../../machines/plan.ts';
import type { PlanFile } from '../../plan/name.ts';
import type { Outline } from '../../plan/outline.ts';
import type { Role } from '../../signals/registry.ts';
import type { Policy } from '../settings/policy.ts';
import type { PlaceId, SessionId } from './ids.ts';
import type { RuleRefusal } from './refusal.ts';
import type { LandingFacts, WorktreeFacts } from './run.ts';
import type { Ended } from './session.ts';

export type By =
  | { readonly who: 'user' }
  | { readonly who: 'engine' }
  | { readonly who: 'agent'; readonly role: Role; readonly session?: string };

/** Anything that the gateway can be asked to decide. An event is not yet a fact: `decide` makes it one, or refuses it. */
export type Event = Command | Observation | Claim;

/**
 * What people command. A surface may offer any of these. `by` says who asks, because a command that an agent types in its
 * session is the agent speaking; the rules, not the surface, refuse what only a person may decide.
 */
export type Command =
  | {
      readonly kind: 'register';
      readonly plan: string;
      readonly by: By;
      readonly description: string;
      readonly topic: string;
      readonly planFileExists: boolean;
    }
  | {
      readonly kind: 'move';
      readonly plan: PlanFile;
      readonly event: PlanEvent;
      readonly by: By;
      readonly feedback?: string;
      /** Why the plan file cannot be built, if somebody checked and it cannot. */
      readonly fileProblem?: string;
      /** For an approval: the state of the plan branch right before, if the plan has one. */
      readonly landing?: LandingFacts;
    }
  | { readonly kind: 'choose'; readonly plan: PlanFile | null; readonly by: By }
  /** Takes the state that plan-state.json has for the plan instead of the journal's. */
  | { readonly kind: 'adopt'; readonly plan: PlanFile; readonly by: By; readonly fileStatus?: PlanState }
  /** Lets cadre build the plan: it starts if it was ready, and its tasks are launched automatically. */
  | { readonly kind: 'run'; readonly plan: PlanFile; readonly by: By; readonly fileProblem?: string }
  /** Lands an approved plan that has not landed. */
  | { readonly kind: 'land'; readonly plan: PlanFile; readonly by: By }
  /** Stops issuing new effects, or continues. */
  | { readonly kind: 'freeze' | 'thaw'; readonly by: By }
  /** `worktree` is required for `next`, and for verdicts and ESCALATE where there is code. */
  | {
      readonly kind: 'act';
      readonly act: TaskAct;
      readonly plan: PlanFile;
      /** The task's id or address. */
      readonly task: string;
      readonly by: By;
      readonly text?: string;
      readonly worktree?: WorktreeFacts;
    }
  | {
      readonly kind: 'session-new';
      readonly by: By;
      readonly title: string;
      readonly role: Role;
      readonly program: string;
      readonly flags: readonly string[];
      readonly env: readonly string[];
      readonly prompt: string;
      /** The commit that its branch starts from. */
      readonly from: string;
    }
  | {
      readonly kind: 'session-switch';
      readonly by: By;
      readonly session: string;
      readonly role: Role;
      readonly program: string;
      readonly flags: readonly string[];
      readonly env: readonly string[];
      readonly prompt: string;
    }
  | { readonly kind: 'session-resume'; readonly by: By; readonly session: string; readonly prompt: string }
  | { readonly kind: 'session-stop'; readonly by: By; readonly session: string }
  | { readonly kind: 'session-pause'; readonly by: By; readonly session: string }
  | { readonly kind: 'session-send'; readonly by: By; readonly session: string; readonly text: string }
  | { readonly kind: 'quarantine-retry'; readonly id: string; readonly by: By }
  | { readonly kind: 'quarantine-drop'; readonly id: string; readonly by: By };

/**
 * What the engine, or the process that opens the journal, has seen or done. Nobody else submits these. They may be ignored
 * when they are already known, and are never refused because of who submits them.
 */
export type Observation =
  /** The plan file as it is now. */
  | { readonly kind: 'read'; readonly plan: PlanFile; readonly outline: Outline }
  /** plan-state.json has a plan that the journal does not know. */
  | { readonly kind: 'import'; readonly plan: PlanFile; readonly status: PlanState; readonly fields: PlanFields }
  | { readonly kind: 'describe'; readonly plan: PlanFile; readonly fields: PlanFields }
  | {
      readonly kind: 'import-document';
      readonly topics: unknown;
      readonly extra: Readonly<Record<string, unknown>>;
    }
  /** plan-state.json has another state for the plan than the journal. */
  | { readonly kind: 'differ'; readonly plan: PlanFile; readonly fileStatus: PlanState }
  | { readonly kind: 'session-news'; readonly session: SessionId; readonly news: SessionNews }
  /** The settings, when they differ from those of the world. */
  | { readonly kind: 'policy'; readonly policy: Policy }
  /** The result of an effect of a run, or of a landing. Also acknowledges the effect. */
  | { readonly kind: 'result'; readonly effect: string; readonly result: EffectResult }
  /** An effect that a run waits for failed for now and will be retried; `needsPerson`: retrying alone does not help. */
  | { readonly kind: 'held-up'; readonly effect: string; readonly why: string; readonly needsPerson: boolean }
  /** The program of a run's or a plan's session is alive but idle, and all its signals have been taken. */
  | { readonly kind: 'silent'; readonly session: SessionId; readonly worktree?: WorktreeFacts }
  /**
   * A deadline has passed; `overdue` in deadlines.ts says which. For a merge the engine first checks the plan branch: `landed`
   * is the commit that the merge made there, or null when it made none.
   */
  | { readonly kind: 'overdue'; readonly wait: Wait; readonly landed?: string | null }
  /** The tip of the plan branch, when it differs from that of the world. */
  | { readonly kind: 'tip'; readonly plan: PlanFile; readonly tip: string }
  | { readonly kind: 'effect-done'; readonly effect: string }
  | { readonly kind: 'journal-repaired'; readonly bytes: number; readonly copy: string };

/** What agents claim, by a message or a sentinel. It counts only if the rules accept it; otherwise it goes to quarantine. */
export type Claim =
  | { readonly kind: 'signal'; readonly signal: Signal }
  | { readonly kind: 'unreadable-signal'; readonly signal: UnreadableSignal };

export type EventOfKind<Kind extends Event['kind']> = Extract<Event, { readonly kind: Kind }>;

/** Where a signal's file is. `bytes` is the path in base64, for a name that is not valid UTF-8. */
export interface SignalFile {
  readonly path: string;
  readonly bytes?: string;
  /** Distinguishes the file from a later one with the same name. */
  readonly inode: string;
}

/** A signal that could be read. `decide` accepts or refuses it. */
export interface Signal {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly task?: string;
  readonly by: Extract<By, { who: 'agent' }>;
  /** The record at which, as far as the speaker knows, the plan or run entered its state. A sentinel has none. */
  readonly entered?: number;
  readonly body: string;
  readonly file: SignalFile;
  readonly planFileExists: boolean;
  /**
   * For a sentinel in a worktree that cadre manages: the place of the worktree, and when the sentinel was created. It counts as
   * sent by the session that is in the place now, and is refused if it is older than that session.
   */
  readonly place?: PlaceId;
  readonly made?: string;
  /** The state of the worktree of the speaker's run right before this was submitted. */
  readonly worktree?: WorktreeFacts;
  /** For the approval of a whole plan: the state of its branch right before. */
  readonly landing?: LandingFacts;
}

/**
 * What a person can do to a task and its run. `next`: takes the step that the run's agent would take. `back`: sends the work
 * back to the implementer; `text` says why. `approve`, `changes`, `abandon`: the verdict on a task's plan or on its code. An
 * approval of an unverified commit is recorded as an override; `override` is that approval and nothing else. `answer`: `text`
 * is the answer, or starts with CONTINUE, PIVOT, ESCALATE or ABANDON. `merge-anyway`: merges a task that is no longer in the
 * plan file.
 */
export type TaskAct =
  | 'launch'
  | 'relaunch'
  | 'revert'
  | 'mark-done'
  | 'next'
  | 'back'
  | 'approve'
  | 'changes'
  | 'abandon'
  | 'override'
  | 'answer'
  | 'merge-anyway';

/** The result of an effect that a run or a landing waits for. */
export type EffectResult =
  /** `base`: the commit that the run's branch starts from, which is the tip of the plan branch. */
  | { readonly of: 'worktree'; readonly base: string }
  | { readonly of: 'worktree'; readonly failed: string }
  /** `text`: the end of the output. */
  | { readonly of: 'verify'; readonly passed: boolean; readonly text: string }
  /** The verification could not run to completion. */
  | { readonly of: 'verify'; readonly failed: string }
  /** `tip`: the commit that the merge made on the plan branch. */
  | { readonly of: 'merge'; readonly tip: string }
  | { readonly of: 'merge'; readonly conflict: string }
  /** The branch has moved, the merged tree failed verification, or git failed. */
  | { readonly of: 'merge'; readonly failed: string }
  /** `byHand`: not landed, because the settings leave it to the person; the text says how to do it. */
  | { readonly of: 'land'; readonly ok: boolean; readonly text: string; readonly byHand?: true };

/** A file among the signals that is not one, and why. */
export interface UnreadableSignal {
  readonly id: string;
  readonly shown: string;
  readonly file: SignalFile;
  readonly code: RuleRefusal;
  readonly why: string;
}

/** A plan as plan-state.json describes it. Keys that cadre does not know are kept in `extra`. */
export interface PlanFields {
  readonly description: string;
  readonly branch: string;
  readonly topic: string;
  readonly createdAt: string;
  readonly implemented?: unknown;
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Something that a deadline applies to. */
export type Wait =
  | { readonly for: 'effect'; readonly plan: PlanFile; readonly task: string; readonly effect: string }
  | { readonly for: 'session'; readonly session: SessionId }
  /** The run as a whole. */
  | { readonly for: 'run'; readonly plan: PlanFile; readonly task: string; readonly attempt: number };

/** What the engine has observed of a session, or done to it. */
export type SessionNews =
  | { readonly kind: 'up' }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'ended'; readonly life: Ended }
  /** `problem`: why the text was not delivered. */
  | { readonly kind: 'sent'; readonly problem: string | null };
