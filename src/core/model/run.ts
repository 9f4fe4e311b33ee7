// A run: one attempt at one task, from the handing over of the task to the merge; and what cadre keeps of a plan it works on.
// What can be computed from this (live, suspended, halted, owner, deadline) is not in it: see runs.ts and why.ts.
import type { RunState } from '../../machines/run.ts';
import type { ReviewStage } from '../../machines/task-of-run.ts';
import type { PlanFile } from '../../plan/name.ts';
import type { Role } from '../../signals/registry.ts';
import type { OnMachine, PlaceId, SessionId } from './ids.ts';

export interface RunEntry extends OnMachine {
  /** Counts the runs of a task, also over generations; never used again. */
  readonly attempt: number;
  readonly state: RunState;
  readonly since: string;
  /** The sequence number of the record that brought it into its present state or stage. Signals are stamped with it. */
  readonly entered: number;
  /** Which of the two reviews it is in; only in CODE_REVIEW. */
  readonly stage: ReviewStage | null;
  /** The terminal and the worktree that the sessions of the run share, one after the other. */
  readonly place: PlaceId;
  readonly branch: string;
  /** The commit that the branch began from: the tip of the plan's branch at that time. Null until the worktree is there. */
  readonly base: string | null;
  /** The branch's last commit that was seen. */
  readonly head: string | null;
  /** The commit that is verified, reviewed and merged. */
  readonly pinned: string | null;
  /** The pinned commit was sent to review without having passed the verification. */
  readonly unverified: boolean;
  /**
   * In CODE_REVIEW: the quality reviewer would approve, but the commit is not verified, so a person decides. In TESTING: the
   * agent that was to verify first has said its word.
   */
  readonly advised: boolean;
  /** The commit that a person took although it was not verified. */
  readonly override: string | null;
  readonly question: Question | null;
  /** Why it is in FIXING, and what was said about it: a test's output, a review, a list of files. */
  readonly fixing: { readonly reason: FixCause; readonly text: string } | null;
  /** What was said to the implementer last and belongs into its next prompt: an answer, or what is wrong with its plan. */
  readonly said: { readonly by: string; readonly text: string } | null;
  /** The task's plan as it was submitted last; null while the task's own text is the plan. */
  readonly plan: string | null;
  readonly counts: Counts;
  /** The newest session of the run, whatever its role; it need not belong to the present state. */
  readonly session: RunSession | null;
  /** What the engine is doing for the run now. At most one thing at a time. */
  readonly issued: PendingEffect | null;
  /** Some agent of the run has really worked. Until then a failure to start one is a failure of the launch. */
  readonly started: boolean;
  /** What it was given up for: which of the things that it may cost is used up. */
  readonly usedUp: string | null;
  /** Why its worktree could not be made. Runs of older journals do not have it. */
  readonly failed?: string | null;
  /** The time for which an agent or the engine owed something, up to `at`. */
  readonly clock: { readonly spent: number; readonly at: string };
}

export interface Counts {
  readonly coding: number;
  readonly fixing: number;
  readonly checkins: number;
  readonly turns: number;
  readonly mergeAttempts: number;
  readonly relaunches: number;
}

/** From where a question was asked, and so where its answer leads back to. */
export type Origin = 'PLANNING' | 'CODING' | 'FIXING';

export interface Question {
  readonly origin: Origin;
  /** `check-in`: the engine asks, because the turns are used up. */
  readonly kind: 'ordinary' | 'check-in';
  readonly text: string;
}

export type FixCause =
  | 'test_failure'
  | 'code_review_changes'
  | 'merge_conflict'
  | 'merge_failure'
  | 'verify_infrastructure';

export interface RunSession {
  readonly id: SessionId;
  readonly role: Role;
  /** The run's `entered` when it was begun: for that state, and no other, it speaks. */
  readonly entered: number;
  /** When its present turn began. */
  readonly at: string;
  /** The branch's last commit that was known then. */
  readonly head: string | null;
  /** It does not do what it should, although its program may be alive. */
  readonly trouble: Trouble | null;
}

export type Trouble = 'silent' | 'overdue' | 'undelivered';

export interface PendingEffect {
  readonly effect: string;
  readonly do: 'worktree' | 'verify' | 'merge';
  readonly at: string;
  /** It could not be done when it was last tried, and is tried again. */
  readonly heldUp?: HeldUp;
}

export interface HeldUp {
  readonly why: string;
  readonly since: string;
  /** It is tried in vain, until a person has done something outside of cadre. */
  readonly needsPerson: boolean;
}

/** What cadre does for a plan by itself. A plan without it is driven from outside. */
export interface PlanWork {
  /** A person said `cadre run`: its tasks are launched as soon as they may start. */
  readonly going: boolean;
  /** How often it was started over. */
  readonly generation: number;
  readonly reviewCycles: number;
  /** The reviewer asked for changes when no cycle was left: a person decides. */
  readonly waiting: { readonly text: string; readonly at: string } | null;
  /** The last commit of the plan's branch that is known. */
  readonly tip: string | null;
  /** The reviewer's newest session. */
  readonly session: PlanSession | null;
  /** How often that session was begun again by itself in the present state. */
  readonly relaunches: number;
  /** How the plan's branch has landed; null as long as it has not. */
  readonly landed: Landed | null;
  /** It was approved while cadre was frozen, and lands when cadre is thawed. */
  readonly lands: boolean;
}

/** `byHand`: the settings leave it to a person. */
export interface Landed {
  readonly ok: boolean;
  readonly text: string;
  readonly byHand?: true;
  readonly at: string;
}

export interface PlanSession {
  readonly id: SessionId;
  /** The plan's `entered` when it was begun. */
  readonly entered: number;
  readonly at: string;
  /** The commit of the plan's branch that it was given to review. */
  readonly tip: string | null;
  readonly trouble: Trouble | null;
}

/** What somebody saw in a run's worktree just before saying what depends on it. */
export interface WorktreeFacts {
  /** The branch's last commit. */
  readonly head: string;
  /** Nothing is uncommitted: no change to a file that git keeps, and no file that it does not know. */
  readonly clean: boolean;
  /** How many commits the branch has beyond the commit that it began from. */
  readonly commits: number;
}

/** What somebody saw of the plan's branch just before approving all that is on it. */
export interface LandingFacts {
  /** Its last commit. */
  readonly tip: string;
  /** What keeps it from being merged with the branch that it is to land on: what git calls that one, and the files. */
  readonly conflict?: { readonly base: string; readonly files: readonly string[] };
}

/** What an agent is asked to do in its turn. The texts that belong to it stand in the run, or in the plan. */
export type TurnWork =
  | 'plan'
  | 'build'
  | 'fix'
  | 'verify'
  | 'review-plan'
  | 'answer'
  | 'check-in'
  | 'review-spec'
  | 'review-quality'
  | 'review-all';

/** A change beside the states of the machines. The states change through moves alone. */
export type RecordChange =
  /** Begins a run, or changes what is given of it; null ends it. */
  | { readonly of: 'run'; readonly plan: PlanFile; readonly task: string; readonly change: Partial<RunEntry> | null }
  | { readonly of: 'task'; readonly plan: PlanFile; readonly task: string; readonly change: TaskMarks }
  | { readonly of: 'plan'; readonly plan: PlanFile; readonly change: Partial<PlanWork> }
  /** A task that a review asked for. Its id is its address. */
  | { readonly of: 'fix-task'; readonly plan: PlanFile; readonly task: string; readonly text: string };

export interface TaskMarks {
  readonly attempts?: number;
  readonly held?: boolean;
  readonly markedDone?: { readonly at: string };
  readonly notStarted?: string;
}
