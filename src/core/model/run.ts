// A run: one attempt at one task, from launch to merge; and what cadre keeps of a plan that it builds.
// What can be computed (live, suspended, halted, owner, deadline) is not stored: see run-status.ts, deadlines.ts and views.
import type { RunState } from '../../machines/run.ts';
import type { ReviewStage } from '../../machines/task-of-run.ts';
import type { PlanFile } from '../../plan/name.ts';
import type { ImplementerReport } from '../../reviews/implementer-report.ts';
import type { Author } from '../../signals/author.ts';
import type { Role } from '../../signals/registry.ts';
import type { IntendedMove, PlanBase } from './commit.ts';
import type { OnMachine, PlaceId, SessionId } from './ids.ts';
import type { Finding } from './review/finding.ts';
import type { PlanSession, Trouble } from './session.ts';
import type { TranscriptEntry, WorkshopEntry } from './workshop/entry.ts';

/** What somebody saw of a run when they decided about it. */
export interface SeenRun {
  readonly state: RunState;
  readonly stage: ReviewStage | null;
  readonly commit: string | null;
}

export interface RunEntry extends OnMachine {
  /** The number of the run, counted per task and never reused, also not when the plan is started over. */
  readonly attempt: number;
  readonly state: RunState;
  readonly since: string;
  /** The record at which it entered its present state or stage. Signals are stamped with it. */
  readonly entered: number;
  /** Which of the two reviews it is in; only in CODE_REVIEW. */
  readonly stage: ReviewStage | null;
  /** The terminal and worktree that the sessions of the run use one after the other. */
  readonly place: PlaceId;
  readonly branch: string;
  /** The commit that the branch started from: the tip of the plan branch at that time. Null until the worktree exists. */
  readonly base: string | null;
  /** The last known commit of the branch. */
  readonly head: string | null;
  /** The commit that is verified, reviewed and merged. */
  readonly pinned: string | null;
  /** The pinned commit was sent to review without having passed verification. */
  readonly unverified: boolean;
  /**
   * In CODE_REVIEW: the quality reviewer would approve, but the commit is not verified, so a person decides. In TESTING: the
   * agent that verifies first has reported.
   */
  readonly advised: boolean;
  /** The commit on the plan branch that holds its work; missing before the merge, and in journals of version 0.1.0. */
  readonly merged?: string;
  /** The unverified commit that a person approved. */
  readonly override: string | null;
  /** `auto_verify` is off, and a person has to start what comes next: verification, a review, or the merge. */
  readonly waitsNext?: boolean;
  readonly question: Question | null;
  /** Why it is in FIXING, with the details: a test's output, a review, a list of files. */
  readonly fixing: Fixing | null;
  /** What goes into the implementer's next prompt: an answer, or what is wrong with its plan. */
  readonly said: Reply | null;
  /** The last request for changes by a reviewer or a person. Missing in journals of 0.1.0. */
  readonly asked?: ChangeRequest | null;
  /** How often the implementer said that it has finished the fix without a new commit. */
  readonly unchanged?: number;
  /** The commit of the last review of each stage that counted. A commit with the same files takes its place. */
  readonly looked?: PerStage<string>;
  /** How often a review of each stage has sent the run back. */
  readonly rounds?: PerStage<number>;
  /** The policy of check-ins has decided what it may about the findings; the rest is a person's. */
  readonly ruled?: boolean;
  /** What the implementer reported when it last finished; null where it only sent the signal. Missing in older journals. */
  readonly report?: ImplementerReport | null;
  /** The task's plan as it was last submitted; null while the task's own text is the plan. */
  readonly plan: string | null;
  readonly counts: Counts;
  /** The newest session of the run, in any role; it may belong to an earlier state. */
  readonly session: RunSession | null;
  /** The effect that the run waits for. At most one at a time. */
  readonly issued: PendingEffect | null;
  /** Some agent of the run has done work. Until then, failing to start an agent means that the launch failed. */
  readonly started: boolean;
  /** Which limit was reached, if the run ended for that. */
  readonly usedUp: string | null;
  /** Who abandoned it, and why. Missing in journals of 0.1.0. */
  readonly abandoned?: Said | null;
  /** Why its worktree could not be created. Missing in older journals. */
  readonly failed?: string | null;
  /** How the engine last verified it; missing before, and in journals of 0.1.0. */
  readonly verified?: Verified;
  /** Somebody changed how its worktree is linked to the repository; null again once that is over. */
  readonly incident?: WorktreeIncident | null;
  /** How long an agent or the engine has been working on it, up to `at`. */
  readonly clock: { readonly spent: number; readonly at: string };
}

/**
 * Somebody changed the files that link a run's worktree to the repository: nothing in it can be believed, so nobody works
 * there and nothing of the run is merged until a person has it restored.
 */
export interface WorktreeIncident {
  /** Which file was changed, as a sentence. */
  readonly why: string;
  readonly at: string;
  /** The effect that restores the worktree. */
  readonly restoring?: string;
  /** Why it could not be restored. */
  readonly problem?: string;
}

export type PerStage<T> = { readonly [stage in ReviewStage]?: T };

/** How a commit was verified. */
export interface Verified {
  /** The command that ran; null where the project has none, so that passing means nothing. */
  readonly command: readonly string[] | null;
  /** Files of the command itself that the run has changed. */
  readonly rewrites: readonly string[];
}

export interface Counts {
  readonly coding: number;
  readonly fixing: number;
  readonly checkins: number;
  readonly turns: number;
  readonly mergeAttempts: number;
  readonly relaunches: number;
}

/** The state in which a question was asked, and to which its answer leads back. */
export type Origin = 'PLANNING' | 'CODING' | 'FIXING';

export interface Question {
  readonly origin: Origin;
  /**
   * `check-in`: the engine asks, because the turns are used up. `unchanged`: the engine asks, because the implementer changes
   * nothing although something has to change.
   */
  readonly kind: 'ordinary' | 'check-in' | 'unchanged';
  readonly text: string;
}

/** A text, who said it, and the record in which it was said. */
export interface Said {
  /** The author. In journals of 0.1.0, words such as "a person". */
  readonly by: string;
  readonly text: string;
  /** Missing in journals of 0.1.0. */
  readonly seq?: number;
}

/** A message to an implementer. Missing in journals of 0.1.0: what kind of reply it is. */
export interface Reply extends Said {
  readonly kind?: 'answer' | 'proposal' | 'pivot' | 'continue';
}

/**
 * What a person or the architect decided about a task since the plan was written. It belongs to the task, in this run and in
 * later ones, and is in the prompt of everybody who works on the task. `demand`: a person sent the work back and said what has to change.
 */
export interface TaskDecision extends Said {
  readonly kind: 'demand' | 'answer' | 'pivot';
  /** What the implementer had asked. */
  readonly question?: string;
  readonly seq: number;
}

export interface Fixing {
  readonly reason: FixCause;
  readonly text: string;
  /** These are missing in journals of 0.1.0. */
  readonly by?: Author;
  readonly seq?: number;
}

export interface ChangeRequest {
  readonly by: Author;
  readonly text: string;
  /** The commit that was to be changed. */
  readonly commit: string | null;
  /** What is asked for are findings, and they say when it is done. */
  readonly asFindings?: true;
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
  /** The run's `entered` when it was started: its signals count for that state only. */
  readonly entered: number;
  /** When its present turn started. */
  readonly at: string;
  /** How much of the time since then counts against nobody, in milliseconds: see deadlines.ts. */
  readonly asleep?: number;
  /** The last known commit of the branch at that time. */
  readonly head: string | null;
  /** What is wrong with it, although its program may be alive. */
  readonly trouble: Trouble | null;
}

export interface PendingEffect {
  readonly effect: string;
  readonly do: 'worktree' | 'verify' | 'merge';
  readonly at: string;
  /** How much of the time since then, or since it is held up, counts against nobody. */
  readonly asleep?: number;
  /** The last attempt failed, and the engine retries. */
  readonly heldUp?: HeldUp;
}

export interface HeldUp {
  readonly why: string;
  readonly since: string;
  /** Retrying does not help until a person has done something outside of cadre. */
  readonly needsPerson: boolean;
}

/** The state of a managed plan. A plan without it is driven from outside. */
export interface PlanWork {
  /** A person let cadre build it: its tasks are launched as soon as they may start. */
  readonly going: boolean;
  /** Increases each time it is started over. */
  readonly generation: number;
  readonly reviewCycles: number;
  /** The commit of the last review of the whole plan that counted; missing where there was none. */
  readonly looked?: string | null;
  /**
   * A person decides: the reviewer requested changes when no review cycle was left, or it found what contradicts the plan, or
   * it calls a demand addressed whose place has not changed. The plan's findings say which.
   */
  readonly waiting: { readonly text: string; readonly at: string; readonly by?: Author } | null;
  /** The commit at which cadre left the plan branch; null before it creates the branch. */
  readonly tip: string | null;
  /** The base branch; null before the plan branch is created. Journals of version 0.1.0 do not have it. */
  readonly base: PlanBase | null;
  /** A move of a branch whose result is not recorded yet. */
  readonly moving: IntendedMove | null;
  readonly incident: Incident | null;
  /** The reviewer's newest session. */
  readonly session: PlanSession | null;
  /** How often a reviewer was restarted automatically in the present review. */
  readonly relaunches: number;
  /** The result of the landing; null before. */
  readonly landed: Landed | null;
  /** It was approved while nothing could be issued, and lands as soon as something can be. */
  readonly lands: boolean;
}

/** Somebody else moved a branch that cadre works with. A person decides what holds. */
export interface Incident {
  readonly of: 'plan-branch' | 'base';
  readonly branch: string;
  /** The commit in the journal; null for a plan branch that exists before cadre creates it. */
  readonly expected: string | null;
  /** The commit that was found; null if the branch was deleted. */
  readonly found: string | null;
  readonly at: string;
  /** The effect that restores the plan branch. */
  readonly restoring?: string;
  /** Why the plan branch could not be restored. */
  readonly problem?: string;
}

/** `byHand`: the settings leave it to a person. */
export interface Landed {
  readonly ok: boolean;
  readonly text: string;
  readonly byHand?: true;
  readonly at: string;
}

/** The state of a run's worktree right before an event that depends on it. */
export interface WorktreeFacts {
  /** The branch's last commit. */
  readonly head: string;
  /** Nothing is uncommitted: no changed and no untracked file. */
  readonly clean: boolean;
  /** How many commits the branch has on top of its base. */
  readonly commits: number;
  /** Of the commits that reviews were about, those with the same files as `head`. */
  readonly same?: readonly string[];
  /** The ids of the demands whose place differs between the commit that they are about and `head`. */
  readonly changed?: readonly string[];
  /** The files that differ since the last review of the present stage; missing where there was none, or git cannot say. */
  readonly since?: readonly string[];
}

/** The state of the plan branch right before the plan is approved. */
export interface LandingFacts {
  /** Its last commit. */
  readonly tip: string;
  /**
   * Why it cannot be merged into the base branch: the name of that branch for git, and the conflicting files; none where the
   * two have no common history.
   */
  readonly conflict?: { readonly base: string; readonly files: readonly string[] };
  /** The ids of the demands of the plan whose place differs between the commit that they are about and `tip`. */
  readonly changed?: readonly string[];
  /** The files that differ since the last review of the plan; missing where there was none, or git cannot say. */
  readonly since?: readonly string[];
}

/** What an agent is asked to do in its turn. The texts for the prompt are in the run or in the plan. */
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
  | 'review-all'
  /** The architect decides about findings that are open after the last round. */
  | 'rule'
  | 'workshop'
  /** The architect reviews the plan of a workshop. */
  | 'review-workshop';

/** Opens a workshop, or changes the given fields. `says`: what is added to its transcript. */
export interface WorkshopChange {
  readonly of: 'workshop';
  readonly plan: PlanFile;
  readonly change: Partial<WorkshopEntry>;
  readonly says?: readonly TranscriptEntry[];
}

/** A change apart from the states of the machines, which change only through moves. */
export type RecordChange =
  | WorkshopChange
  /** Starts a run, or changes the given fields; null removes it. */
  | { readonly of: 'run'; readonly plan: PlanFile; readonly task: string; readonly change: Partial<RunEntry> | null }
  | { readonly of: 'task'; readonly plan: PlanFile; readonly task: string; readonly change: TaskMarks }
  | { readonly of: 'decision'; readonly plan: PlanFile; readonly task: string; readonly decision: TaskDecision }
  /** New findings, and findings as they are from now on. `task`: null for those of the plan's own review. */
  | {
      readonly of: 'findings';
      readonly plan: PlanFile;
      readonly task: string | null;
      readonly findings: readonly Finding[];
    }
  | { readonly of: 'plan'; readonly plan: PlanFile; readonly change: Partial<PlanWork> }
  /** Adds a task that a review asked for. Its id is its address. */
  | {
      readonly of: 'fix-task';
      readonly plan: PlanFile;
      readonly task: string;
      readonly text: string;
      /** Who asked for it. Missing in journals of 0.1.0. */
      readonly by?: Author;
    };

export interface TaskMarks {
  readonly attempts?: number;
  readonly held?: boolean;
  readonly markedDone?: { readonly at: string };
  readonly notStarted?: string;
  readonly demandsMet?: number;
}
