// A session: one agent program, started once in one terminal. The journal knows what is wanted of it, the host what it does.

import type { Grants } from '../../agents/permissions.ts';
import type { PlanFile } from '../../plan/name.ts';
import type { Role } from '../../signals/registry.ts';
import type { WallInForce, Wanted } from '../settings/sandbox.ts';
import type { OnMachine, PlaceId, SessionId } from './ids.ts';

/** What never changes about a session. */
export interface SessionFields extends OnMachine {
  readonly id: SessionId;
  /** The terminal and worktree that sessions use one after the other. */
  readonly place: PlaceId;
  readonly title: string;
  readonly role: Role;
  readonly program: string;
  readonly flags: readonly string[];
  /** The profile that the plan names for its task. */
  readonly profile?: string;
  /** It got the work because several rounds of review had not led to the end. */
  readonly escalated?: true;
  /** Names of additional environment variables that the program may see. */
  readonly env: readonly string[];
  /** What the program may do without asking, where that is not the default. */
  readonly grants?: Grants;
  /** Whether it runs behind a wall, where its profile says so. */
  readonly sandbox?: Wanted;
  /** The branch of its worktree, and the commit that the branch started from. */
  readonly branch: string;
  readonly from: string;
  readonly plan?: PlanFile;
  /** The task's id. */
  readonly task?: string;
  /** The task's address when the session was started, if that was not its id. */
  readonly address?: string;
  /** The run that cadre started it for: the attempt at that task of that plan. */
  readonly attempt?: number;
  /** Its program was handed a key, and only signals with that key are from it. Not in journals of before there were keys. */
  readonly keyed?: true;
  /** cadre started it to review the whole plan: its worktree is detached at the commit `from`. */
  readonly reviews?: true;
  /** cadre started it as the planner of the plan's workshop: its worktree is detached at the commit `from`. */
  readonly plans?: true;
}

/** What the agent was told at the start of its turn. */
export interface PromptTold {
  /** The version of cadre's own prompts. */
  readonly version: number;
  /** A digest of the whole prompt, and the file with it. */
  readonly digest: string;
  readonly file: string;
  /** The files that added to it, with digests of what they contained. */
  readonly additions?: Readonly<Record<string, string>>;
}

export interface SessionEntry extends SessionFields {
  /** `paused`: its work is committed and its worktree removed. */
  readonly wanted: 'running' | 'stopped' | 'paused';
  /** cadre stopped it before its turn was over. That is not a failure; what it has signalled counts, and it may continue. */
  readonly interrupted?: true;
  readonly since: string;
  /** When its program was started. */
  readonly up?: string;
  /** The wall that it was started behind, or why there is none. Absent where none is wanted. */
  readonly wall?: WallInForce;
  /** Missing for sessions of a person's own, and in older journals. */
  readonly told?: PromptTold;
  /** Why it could not be started. */
  readonly failure?: string;
  readonly ended?: { readonly life: Ended; readonly at: string };
  /** The session that replaced it in its place. */
  readonly followedBy?: SessionId;
  /** The outcome of the last text that was sent to it. `delivered`: where that did not arrive, when an earlier one did. */
  readonly lastSent?: { readonly at: string; readonly problem: string | null; readonly delivered?: string };
}

/** The session that works on a plan as a whole: its reviewer, or the planner of its workshop. */
export interface PlanSession {
  readonly id: SessionId;
  /** The `entered` of the plan, or of its workshop, when it was started. */
  readonly entered: number;
  readonly at: string;
  /** As in `RunSession`. */
  readonly asleep?: number;
  /** The commit of the plan branch that it reviews; null for a planner. */
  readonly tip: string | null;
  /** For the review of a plan: which findings of its tasks it was shown; missing where there were none. */
  readonly list?: string;
  readonly trouble: Trouble | null;
}

/** What is wrong with a session, although its program may be alive. */
export type Trouble = 'silent' | 'overdue' | 'undelivered';

/** Whether its program is alive. `unknown`: the host does not answer. That never counts as dead. */
export type Life =
  | { readonly kind: 'running'; readonly pid: number }
  | { readonly kind: 'ended'; readonly exitCode: number | null; readonly signal: string | null }
  /** Its terminal no longer exists. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'unknown'; readonly why: string };

export type Ended = Extract<Life, { kind: 'ended' | 'gone' }>;

/** cadre started it itself, and stops it: for a run, a review or a workshop. */
export function isManaged({ attempt, reviews, plans }: SessionFields): boolean {
  return attempt !== undefined || reviews === true || plans === true;
}

/** Its program no longer runs, or never did. */
export function hasEnded({ ended, failure }: SessionEntry): boolean {
  return ended !== undefined || failure !== undefined;
}

/** When a text last reached its program. */
export function lastDelivery({ lastSent }: Pick<SessionEntry, 'lastSent'>): string | undefined {
  return lastSent?.problem === null ? lastSent.at : lastSent?.delivered;
}

/** A program that fails this soon after its start counts as not started. */
export const LAUNCH_FAILED_WITHIN = 5_000;

/** Where a session is among those of its role for its task, or for its plan. */
export interface SessionCount {
  /** The number of the session. */
  readonly attempt: number;
  /** The number of the turn: a session that replaces one whose program failed repeats its turn. The fix is the second. */
  readonly turn: number;
}

export function countOf(sessions: Iterable<SessionEntry>, entry: SessionEntry): SessionCount {
  let [attempt, turn] = [0, 0];
  let before: SessionEntry | undefined;
  for (const one of sessions) {
    if (one.role !== entry.role || one.plan !== entry.plan || one.task !== entry.task) continue;
    attempt++;
    if (before === undefined || !hasFailed(before)) turn++;
    before = one;
    if (one.id === entry.id) break;
  }
  return { attempt, turn };
}

/** It never started, or its program was killed or exited with an error. The end of a stopped program is not recorded. */
function hasFailed({ failure, ended }: SessionEntry): boolean {
  return failure !== undefined || (ended !== undefined && (ended.life.kind === 'gone' || ended.life.exitCode !== 0));
}

/** It ended so soon, and not well, that it never really ran. */
export function isLaunchFailure(entry: SessionEntry, life: Ended, at: Date): boolean {
  if (life.kind === 'gone' || life.exitCode === 0 || entry.up === undefined) return false;
  const lived = at.getTime() - Date.parse(entry.up);
  // Negative where the clock was set back in between; nobody knows then.
  return lived >= 0 && lived < LAUNCH_FAILED_WITHIN;
}

/** Why the session did not work, for the person who has to start it again. */
export function failureOf({ failure, up, ended }: SessionEntry): string {
  if (failure !== undefined) return up === undefined ? `Failed to start: ${failure}` : failure;
  if (ended === undefined) return 'It failed to start.';
  return ended.life.kind === 'gone' ? 'Its terminal is gone.' : `The program exited (${exitWords(ended.life)}).`;
}

export function exitWords({ exitCode, signal }: Extract<Ended, { kind: 'ended' }>): string {
  return signal === null ? `exit code ${exitCode ?? 'unknown'}` : `signal ${signal}`;
}
