// What a row of the action table says, and what performing an action answers with.
import type { FailureCode } from '../../core/model/failure.ts';
import type { JournalRecord } from '../../core/model/record.ts';
import type { ActionName, Suggestion } from '../../core/model/suggestion.ts';
import type { PlanEntry, TaskEntry, World } from '../../core/model/world.ts';
import type { LockHolder } from '../../core/ports/locks.ts';
import type { PlanEvent } from '../../machines/plan.ts';
import type { PlanFile } from '../../plan/name.ts';
import type { AppPorts, RunOptions } from '../ports.ts';
import type { SessionShown } from '../sessions.ts';

/** The input of each action, without its target. */
export interface ActionInputs {
  run: RunOptions;
  register: { readonly description?: string; readonly topic?: string };
  use: { readonly newest?: boolean };
  move: { readonly event: PlanEvent; readonly feedback?: string };
  cancel: NoInput;
  reopen: NoInput;
  'start-over': NoInput;
  adopt: NoInput;
  land: NoInput;
  freeze: NoInput;
  thaw: NoInput;
  launch: NoInput;
  retry: NoInput;
  revert: NoInput;
  'mark-done': NoInput;
  next: NoInput;
  back: { readonly feedback?: string };
  approve: NoInput;
  override: NoInput;
  reject: { readonly feedback?: string };
  abandon: NoInput;
  answer: { readonly text: string };
  'merge-anyway': NoInput;
  'session-new': {
    readonly prompt: string;
    readonly program?: string;
    readonly title?: string;
    readonly env?: readonly string[];
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
  'config-set': { readonly key: string; readonly value: string; readonly place: 'global' | 'project' };
  'use-journal': NoInput;
}

export type NoInput = Readonly<Record<never, never>>;

export type SubjectKind = 'repository' | 'plan' | 'task' | 'task or plan' | 'session' | 'refused signal';

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
  /** Refused signals that were retried or dropped. */
  readonly ids?: readonly string[];
  readonly setting?: { readonly path: string; readonly value: unknown };
  /** The engine that is running; for `engine-stop`, the one that was stopped. */
  readonly engine: LockHolder | null;
  /** For `use`: the plan that is active now. */
  readonly active?: PlanFile | null;
  /** For `use-journal`: where an unreadable plan-state.json was kept. */
  readonly kept?: string;
  readonly notes: readonly string[];
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
