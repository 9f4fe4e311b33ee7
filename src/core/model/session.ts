// A session: one agent program, started once in one terminal. The journal knows what is wanted of it, the host what it does.

import type { PlanFile } from '../../plan/name.ts';
import type { Role } from '../../signals/registry.ts';
import type { OnMachine, PlaceId, SessionId } from './ids.ts';
import type { Life } from './life.ts';

/** What never changes about a session. */
export interface SessionFields extends OnMachine {
  readonly id: SessionId;
  /** The terminal and worktree that sessions use one after the other. */
  readonly place: PlaceId;
  readonly title: string;
  readonly role: Role;
  readonly program: string;
  readonly flags: readonly string[];
  /** Names of additional environment variables that the program may see. */
  readonly env: readonly string[];
  /** The branch of its worktree, and the commit that the branch started from. */
  readonly branch: string;
  readonly from: string;
  readonly plan?: PlanFile;
  /** The task's id. */
  readonly task?: string;
  /** The run that cadre started it for: the attempt at that task of that plan. */
  readonly attempt?: number;
  /** cadre started it to review the whole plan: its worktree is detached at the commit `from`. */
  readonly reviews?: true;
}

export interface SessionEntry extends SessionFields {
  /** `paused`: its work is committed and its worktree removed. */
  readonly wanted: 'running' | 'stopped' | 'paused';
  readonly since: string;
  /** When its program was started. */
  readonly up?: string;
  /** Why it could not be started. */
  readonly failure?: string;
  readonly ended?: { readonly life: Ended; readonly at: string };
  /** The session that replaced it in its place. */
  readonly followedBy?: SessionId;
  /** The outcome of the last text that was sent to it. */
  readonly lastSent?: { readonly at: string; readonly problem: string | null };
}

export type Ended = Extract<Life, { kind: 'ended' | 'gone' }>;

/** A program that fails this soon after its start counts as not started. */
export const LAUNCH_FAILED_WITHIN = 5_000;

/** The number of the session among those of its role for its task, or for its plan: the one that fixes is the second. */
export function attemptOf(sessions: Iterable<SessionEntry>, entry: SessionEntry): number {
  let count = 0;
  for (const one of sessions) {
    if (one.role === entry.role && one.plan === entry.plan && one.task === entry.task) count++;
    if (one.id === entry.id) break;
  }
  return count;
}

/** It ended so soon, and not well, that it never really ran. */
export function isLaunchFailure(entry: SessionEntry, life: Ended, at: Date): boolean {
  if (life.kind === 'gone' || life.exitCode === 0 || entry.up === undefined) return false;
  return at.getTime() - Date.parse(entry.up) < LAUNCH_FAILED_WITHIN;
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
