// What a row of the action table says, and what performing an action answers with.
import type { LostWork, PlanningAnswer } from '../../core/model/event.ts';
import type { FailureCode } from '../../core/model/failure.ts';
import type { SessionId } from '../../core/model/ids.ts';
import type { JournalRecord } from '../../core/model/record.ts';
import type { SeenRun } from '../../core/model/run.ts';
import type { ActionName, Suggestion } from '../../core/model/suggestion.ts';
import type { PlanEntry, TaskEntry, World } from '../../core/model/world.ts';
import type { LockHolder } from '../../core/ports/locks.ts';
import type { GarbageKind } from '../../core/views/garbage/situation.ts';
import type { PlanEvent } from '../../machines/plan.ts';
import type { DialectName } from '../../plan/foreign/dialect.ts';
import type { Import } from '../../plan/foreign/import-plan.ts';
import type { PlanFile } from '../../plan/name.ts';
import type { AppPorts, RunOptions } from '../ports.ts';
import type { SessionShown } from '../sessions.ts';

/** The input of each action, without its target. */
export interface ActionInputs {
  run: RunOptions;
  register: { readonly description?: string; readonly topic?: string };
  use: { readonly newest?: boolean };
  'plan-import': ImportInput;
  move: { readonly event: PlanEvent; readonly feedback?: string };
  cancel: NoInput;
  reopen: NoInput;
  'start-over': NoInput;
  adopt: NoInput;
  land: NoInput;
  'incident-restore': NoInput;
  'worktree-restore': NoInput;
  'incident-take': { readonly lost?: LostWork };
  /** `name`: what the plan is called; default: the first words of the brief. */
  'plan-new': { readonly brief: string; readonly name?: string };
  'plan-answer': { readonly answers: readonly PlanningAnswer[] };
  'plan-continue': NoInput;
  'plan-settle': NoInput;
  'plan-redo': { readonly feedback?: string };
  'plan-approve': { readonly replace?: boolean };
  'plan-archive': NoInput;
  'plan-unarchive': NoInput;
  freeze: NoInput;
  thaw: NoInput;
  pause: NoInput;
  resume: NoInput;
  launch: NoInput;
  retry: NoInput;
  revert: NoInput;
  'mark-done': NoInput;
  next: NoInput;
  back: { readonly feedback?: string };
  approve: { readonly seen?: SeenRun };
  override: { readonly seen?: SeenRun };
  reject: { readonly feedback?: string };
  abandon: NoInput;
  answer: { readonly text: string };
  'merge-anyway': NoInput;
  'finding-park': RulingInput;
  'finding-overrule': RulingInput;
  'finding-confirm': RulingInput;
  'finding-plan-holds': RulingInput;
  'finding-holds': RulingInput;
  'session-new': {
    readonly prompt: string;
    readonly program?: string;
    readonly title?: string;
    readonly env?: readonly string[];
    readonly role?: string;
    /** For a planner: the plan that it writes, which may be a new one. */
    readonly plan?: string;
  };
  'session-switch': { readonly prompt: string; readonly program?: string; readonly role?: string };
  'session-resume': { readonly prompt: string };
  'session-stop': NoInput;
  'session-pause': NoInput;
  'session-send': { readonly text: string };
  'quarantine-retry': NoInput;
  'quarantine-drop': NoInput;
  'quarantine-drop-all': NoInput;
  'engine-start': NoInput;
  'engine-stop': NoInput;
  'config-accept': NoInput;
  /** `waits`: it is not known that a person types it, so that plans that are being built keep their settings until one accepts. */
  'config-set': {
    readonly key: string;
    readonly value: string;
    readonly place: 'global' | 'project';
    readonly waits?: boolean;
  };
  'use-journal': NoInput;
  repair: NoInput;
  /** `folder` is for files, `branch` for everything else. */
  restore: { readonly branch?: string; readonly folder?: string };
  gc: GarbageRequest;
}

/** `findings`: their ids; without them, all that the ruling can be about. */
export interface RulingInput {
  readonly findings?: readonly string[];
  readonly why?: string;
}

/** How a file of another tool becomes a plan. */
export interface ImportInput {
  /** The plan to create: its name, or a path in docs/plans. Without it, the name follows from the file's. */
  readonly to?: string;
  /** Without it, cadre finds out. */
  readonly format?: DialectName;
  /** Which list of the file, for a format that has several. */
  readonly tag?: string;
  /** Also tasks that are done, cancelled or deferred. */
  readonly all?: boolean;
}

export interface PlanImport extends Extract<Import, { readonly kind: 'imported' }> {
  /** The file that it comes from, as a person would name it. */
  readonly from: string;
  /** The plan that it becomes. */
  readonly plan: PlanFile;
}

export type NoInput = Readonly<Record<never, never>>;

export type SubjectKind =
  | 'repository'
  | 'plan'
  | 'repository or plan'
  | 'task'
  | 'task or plan'
  | 'session'
  | 'refused signal'
  | 'kept work';

export interface ActionRow<Name extends ActionName> {
  readonly subject: SubjectKind;
  /** One line for help texts and menus. */
  readonly help: string;
  /** The question to ask first, where work is merged, stopped or thrown away; null where nothing is lost. */
  readonly confirm: string | null;
  /** An agent that tries is refused, and its attempt is reported to the person. */
  readonly personOnly: boolean;
  readonly perform: (request: Request<Name>) => Promise<Performed>;
}

export interface Request<Name extends ActionName> {
  readonly ports: AppPorts;
  /** What it is done to, as the person named it. */
  readonly on: string | undefined;
  readonly input: ActionInputs[Name];
}

export type Performed = Done | Refused;

export interface Done {
  readonly kind: 'done';
  /** False where nothing had to change and nothing was recorded. */
  readonly changed: boolean;
  /** The record that did it; null where nothing was recorded. */
  readonly record: JournalRecord | null;
  /** The world after it. */
  readonly world: World;
  /** What it was done to, before and after. */
  readonly plan?: PlanEntry;
  readonly task?: { readonly before: TaskEntry; readonly after: TaskEntry };
  readonly session?: SessionShown;
  /** For `pause`: the agents that were running. */
  readonly stopped?: readonly SessionId[];
  /** Refused signals that were retried or dropped. */
  readonly ids?: readonly string[];
  /** For `config-accept`: what changed, in words. */
  readonly accepted?: string;
  /** `waits`: a person has to accept it before it applies to plans that are being built. */
  readonly setting?: { readonly path: string; readonly value: unknown; readonly waits: boolean };
  /** The engine that is running; for `engine-stop`, the one that was stopped. */
  readonly engine: LockHolder | null;
  /** For `use`: the plan that is active now. */
  readonly active?: PlanFile | null;
  /** For `use-journal`: where an unreadable plan-state.json was kept. */
  readonly kept?: string;
  /** For `restore`: where the work is now. */
  readonly restored?: Restored;
  /** For `gc`: what was removed, and what could not be. */
  readonly cleaned?: Cleaned;
  /** For `repair`: what was repaired, and what could not be. */
  readonly repaired?: Repaired;
  /** For `plan-import`: the plan that was made. */
  readonly imported?: PlanImport;
  readonly notes: readonly string[];
  /** What else to do about the notes. */
  readonly try?: readonly Suggestion[];
}

/** `uncommitted`: as a worktree it is uncommitted again, as a branch it is the last commit. */
export type Restored =
  | {
      readonly kind: 'worktree';
      readonly id: string;
      readonly branch: string;
      readonly commit: string;
      readonly uncommitted: boolean;
      readonly path: string;
    }
  | {
      readonly kind: 'branch';
      readonly id: string;
      readonly branch: string;
      readonly commit: string;
      readonly uncommitted: boolean;
    }
  | { readonly kind: 'files'; readonly id: string; readonly folder: string; readonly files: number };

/** Removes what has not been needed for this long, in milliseconds; `unmerged`: also work that is nowhere else. */
export interface GarbageRequest {
  readonly olderThan: number;
  readonly unmerged: boolean;
}

export interface Cleaned {
  readonly removed: readonly GarbageView[];
  readonly stayed: readonly { readonly id: string; readonly why: string }[];
}

export interface Repaired {
  /** What was done, in sentences. */
  readonly done: readonly string[];
  readonly stayed: readonly { readonly repair: string; readonly why: string }[];
}

/** Something that is no longer needed, or that was removed. */
export interface GarbageView {
  readonly kind: GarbageKind;
  readonly id: string;
  /** Since when it has not been needed. */
  readonly at: string | null;
  readonly why: string;
  /** On disk. What pins and branches take is freed by git, and only together. */
  readonly bytes: number;
}

export interface Refused {
  readonly kind: 'refused';
  readonly code: FailureCode;
  readonly message: string;
  readonly try: readonly Suggestion[];
  readonly notes: readonly string[];
}

export function refuse(
  code: FailureCode,
  message: string,
  more: { readonly try?: readonly Suggestion[]; readonly notes?: readonly string[] } = {},
): Refused {
  return { kind: 'refused', code, message, try: more.try ?? [], notes: more.notes ?? [] };
}
