// Events: what people command, what the engine observes and what agents claim.
import type { PlanEvent, PlanState } from '../../machines/plan.ts';
import type { PlanFile } from '../../plan/name.ts';
import type { Outline } from '../../plan/outline.ts';
import type { Role } from '../../signals/registry.ts';
import type { Guarded } from '../settings/guarded.ts';
import type { Policy } from '../settings/policy.ts';
import type { WallInForce } from '../settings/sandbox.ts';
import type { IntendedMove, PlanBase } from './commit.ts';
import type { PlaceId, SessionId } from './ids.ts';
import type { RuleRefusal } from './refusal.ts';
import type { LandingFacts, SeenRun, Verified, WorktreeFacts } from './run.ts';
import type { Ended, PromptTold } from './session.ts';

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
  /** Applies the settings that changed while a plan was being built. */
  | { readonly kind: 'accept-settings'; readonly by: By }
  /** Moves the plan branch back to where cadre left it. */
  | { readonly kind: 'incident-restore'; readonly plan: PlanFile; readonly by: By }
  /** Links the worktree of a task's run to the repository again. */
  | { readonly kind: 'worktree-restore'; readonly plan: PlanFile; readonly task: string; readonly by: By }
  /**
   * Takes the branch as it is. `found`: its commit, seen right before. `missing`: the done tasks whose work is not on it; `lost`
   * says what becomes of them.
   */
  | {
      readonly kind: 'incident-take';
      readonly plan: PlanFile;
      readonly by: By;
      readonly found: string;
      readonly missing: readonly string[];
      readonly lost?: LostWork;
    }
  /** Opens a workshop: the planner asks, proposes, and writes a plan. `from`: the commit that the planner reads. */
  | {
      readonly kind: 'workshop-open';
      readonly plan: string;
      readonly by: By;
      readonly brief: string;
      readonly from: string;
    }
  /** Answers questions of the planner; a text of null skips the question. All of them count, or none. */
  | {
      readonly kind: 'workshop-answer';
      readonly plan: PlanFile;
      readonly by: By;
      readonly answers: readonly PlanningAnswer[];
    }
  /** Allows more rounds, or lets the planner try again. */
  | { readonly kind: 'workshop-continue'; readonly plan: PlanFile; readonly by: By }
  /** Has the plan written although its proposals still change. */
  | { readonly kind: 'workshop-settle'; readonly plan: PlanFile; readonly by: By }
  /** Plans again from the brief. The transcript and the earlier plans are kept. */
  | {
      readonly kind: 'workshop-redo';
      readonly plan: PlanFile;
      readonly by: By;
      readonly feedback: string;
      readonly from: string;
    }
  /**
   * Approves the plan of a workshop, which publishes it. `existing`: the text that the plan file has now, null if there is
   * none; `replace`: also one that somebody edited is replaced.
   */
  | {
      readonly kind: 'workshop-approve';
      readonly plan: PlanFile;
      readonly by: By;
      readonly existing: string | null;
      readonly replace: boolean;
    }
  /** Retires a plan that is over, with its file and its transcript. */
  | { readonly kind: 'archive'; readonly plan: PlanFile; readonly by: By }
  /** Brings it back. `planFileExists`: a file has its name by now. */
  | { readonly kind: 'unarchive'; readonly plan: PlanFile; readonly by: By; readonly planFileExists: boolean }
  /** Stops issuing new effects, or continues. */
  | { readonly kind: 'freeze' | 'thaw'; readonly by: By }
  /** Stops the agents of a plan, or of all plans, and everything that was issued and can wait; or continues. */
  | {
      readonly kind: 'pause' | 'resume';
      readonly plan?: PlanFile;
      readonly by: By;
    }
  /** `worktree` is required for `next`, and for verdicts and ESCALATE where there is code. */
  | {
      readonly kind: 'act';
      readonly act: TaskAct;
      readonly plan: PlanFile;
      /** The task's id or address. */
      readonly task: string;
      readonly by: By;
      readonly text?: string;
      /** For a ruling: the ids of the findings; all that it can be about where it is missing. */
      readonly findings?: readonly string[];
      /** For an approval: what the person saw. Where the run has moved on since, nothing is approved. */
      readonly seen?: SeenRun;
      readonly worktree?: WorktreeFacts;
    }
  /** A person decides about findings of the review of a whole plan; without ids about all that it can be about. */
  | {
      readonly kind: 'rule-plan';
      readonly plan: PlanFile;
      readonly ruling: Ruling;
      readonly by: By;
      readonly findings?: readonly string[];
      readonly text?: string;
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
      /** For a planner: the plan that it writes, registered or not. */
      readonly plan?: string;
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
  /** The settings, when they differ from those of the world. `granted`: what a person has just set. */
  | { readonly kind: 'policy'; readonly policy: Policy; readonly granted?: readonly Guarded[] }
  /** The result of an effect of a run, or of a landing. Also acknowledges the effect. */
  | { readonly kind: 'result'; readonly effect: string; readonly result: EffectResult }
  /** An effect that a run waits for failed for now and will be retried; `needsPerson`: retrying alone does not help. */
  | { readonly kind: 'held-up'; readonly effect: string; readonly why: string; readonly needsPerson: boolean }
  /** The program of a run's or a plan's session is alive but idle, and all its signals have been taken. */
  | { readonly kind: 'silent'; readonly session: SessionId; readonly worktree?: WorktreeFacts }
  /**
   * A deadline has passed; `overdue` in deadlines.ts says which. For a merge the engine first checks the plan branch: `landed`
   * is the commit that the merge intended and that is there, or null when it is not.
   */
  | { readonly kind: 'overdue'; readonly wait: Wait; readonly landed?: string | null }
  /** The effect is about to move a branch. Refused if it must not, for example because the journal has moved on. */
  | { readonly kind: 'intend-move'; readonly plan: PlanFile; readonly move: IntendedMove }
  /**
   * Where the plan branch is; `found` is null if it does not exist. `expected`: the commit that the journal had when the branch
   * was read, and `incident`: when the incident that it had then was noticed. `base`: for a branch that is found where cadre
   * would create it.
   */
  | {
      readonly kind: 'branch-seen';
      readonly plan: PlanFile;
      readonly expected: string | null;
      readonly found: string | null;
      readonly incident?: string | null;
      readonly base?: PlanBase;
    }
  /** Where the base branch is, and whether it still contains the commit that the journal has. */
  | {
      readonly kind: 'base-seen';
      readonly plan: PlanFile;
      readonly expected: PlanBase;
      readonly found: PlanBase;
      readonly contains: boolean;
    }
  /** What somebody changed in the link of a run's worktree, as a sentence; null if nothing. */
  | {
      readonly kind: 'link-seen';
      readonly plan: PlanFile;
      readonly task: string;
      readonly attempt: number;
      readonly why: string | null;
    }
  /** The plan branch was moved as intended. The result of a merge says the same. */
  | { readonly kind: 'branch-moved'; readonly plan: PlanFile; readonly tip: string }
  /** No engine was awake since `from`. `beat`: when one last said that it was. */
  | { readonly kind: 'clock-gap'; readonly beat: string; readonly from: string }
  /** Something that a person should know about a plan or one of its tasks, and that stops nothing. */
  | { readonly kind: 'warning'; readonly plan: PlanFile; readonly task?: string; readonly text: string }
  | { readonly kind: 'effect-done'; readonly effect: string }
  | { readonly kind: 'journal-repaired'; readonly bytes: number; readonly copy: string };

/** What agents claim, by a message or a sentinel. It counts only if the rules accept it; otherwise it goes to quarantine. */
export type Claim =
  | { readonly kind: 'signal'; readonly signal: Signal }
  | { readonly kind: 'unreadable-signal'; readonly signal: UnreadableSignal }
  /** Refused signals of a source that floods cadre. `code` and `why` are those of the first. */
  | {
      readonly kind: 'refused-many';
      readonly source: string;
      readonly count: number;
      readonly code: RuleRefusal;
      readonly why: string;
    };

export type EventOfKind<Kind extends Event['kind']> = Extract<Event, { readonly kind: Kind }>;

/** Where a signal's file is. `bytes` is the path in base64, for a name that is not valid UTF-8. */
export interface SignalFile {
  readonly path: string;
  readonly bytes?: string;
  /** Distinguishes the file from a later one with the same name. */
  readonly inode: string;
}

/** By `cadre signal`, or as a file with its meaning in its name. */
export type SignalWay = 'command' | 'sentinel';

/** A signal that could be read. `decide` accepts or refuses it. */
export interface Signal {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly task?: string;
  readonly by: Extract<By, { who: 'agent' }>;
  readonly via: SignalWay;
  /** The session whose key it carries. */
  readonly keyOf?: string;
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
  /** For a document of a workshop: the files in the commit that its planner reads. */
  readonly files?: readonly string[];
  /** For the architect's approval of a workshop's plan: the text that the plan file has now; null if there is none. */
  readonly existing?: string | null;
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
  | 'merge-anyway'
  | Ruling;

/**
 * What a person decides about open findings. `park`: they stay as they are, and the review of the plan sees them. `overrule`:
 * they do not hold. `confirm`: they are addressed. `plan-holds`, `finding-holds`: of a finding that contradicts the plan.
 */
export type Ruling = 'park' | 'overrule' | 'confirm' | 'plan-holds' | 'finding-holds';

export interface PlanningAnswer {
  /** The question's id. */
  readonly question: string;
  readonly text: string | null;
}

/** Done tasks whose work is no longer on the plan branch are built again, or stay done. */
export type LostWork = 'replan' | 'keep';

/** The result of an effect that a run, a landing or an incident waits for. */
export type EffectResult =
  /** `base`: the commit that the run's branch starts from, which is the tip of the plan branch. */
  | { readonly of: 'worktree'; readonly base: string }
  | { readonly of: 'worktree'; readonly failed: string }
  /** `text`: the end of the output. */
  | { readonly of: 'verify'; readonly passed: boolean; readonly text: string; readonly verified?: Verified }
  /** The verification could not run to completion. */
  | { readonly of: 'verify'; readonly failed: string }
  /** `tip`: the commit that the merge made on the plan branch. */
  | { readonly of: 'merge'; readonly tip: string }
  | { readonly of: 'merge'; readonly conflict: string }
  /** The branch has moved, the merged tree failed verification, or git failed. */
  | { readonly of: 'merge'; readonly failed: string }
  | { readonly of: 'set-branch' }
  | { readonly of: 'set-branch'; readonly failed: string }
  | { readonly of: 'relink' }
  | { readonly of: 'relink'; readonly failed: string }
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
  /** When a person archived it. */
  readonly archived?: string;
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
  /** `told`: for a turn that cadre gives. `wall`: where one is wanted. */
  | { readonly kind: 'up'; readonly told?: PromptTold; readonly wall?: WallInForce }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'ended'; readonly life: Ended }
  /** `problem`: why the text was not delivered. `reminder`: cadre sent it to an agent that had fallen silent. */
  | {
      readonly kind: 'sent';
      readonly problem: string | null;
      readonly hindrance?: Hindrance;
      readonly reminder?: true;
    };

/** What kept a text from an agent that is alive: it asks something, or cadre was stopped and cannot know if it arrived. */
export type Hindrance = 'asks' | 'interrupted';
