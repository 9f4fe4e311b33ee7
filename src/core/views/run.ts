// A run as surfaces show it: how far it is, what it has cost, and what was said about it last.
import type { RunState } from '../../machines/run.ts';
import type { ImplementerReport } from '../../reviews/implementer-report.ts';
import { type Author, asAuthor } from '../../signals/author.ts';
import type { Role } from '../../signals/registry.ts';
import type { FixCause, Fixing, HeldUp, PendingEffect, Question, RunEntry, Said, Verified } from '../model/run.ts';
import { worktreeIncidentWords } from '../model/stops.ts';
import type { TaskEntry } from '../model/world.ts';
import type { Policy } from '../settings/policy.ts';

/** How much of something that is limited was used, and how much there is. */
export interface Used {
  readonly used: number;
  readonly of: number;
}

export interface RunView {
  readonly attempt: number;
  readonly state: RunState;
  /** Which of the two reviews it is in; only in CODE_REVIEW. */
  readonly stage: RunEntry['stage'];
  readonly since: string;
  readonly branch: string;
  /** The commit that is verified, reviewed and merged. */
  readonly commit: string | null;
  /** That commit is in review without having passed the verification. */
  readonly unverified: boolean;
  /** How that commit was verified; null where it was not, or an agent did it, or a journal of 0.1.0 does not say. */
  readonly verified: Verified | null;
  /** What the engine does for it now. */
  readonly doing: PendingEffect['do'] | null;
  /** What keeps the engine from what it does for the run, with what a person can do about it, and since when. */
  readonly heldUp: HeldUp | null;
  /** What somebody changed in how its worktree is linked to the repository; null if nothing. */
  readonly incident: string | null;
  /** Its newest session, which may have ended. */
  readonly session: { readonly id: string; readonly role: Role } | null;
  readonly question: Question | null;
  /** The last message to the implementer. */
  readonly feedback: {
    /** Null for an answer, and for what is wrong with the task's plan. */
    readonly reason: FixCause | null;
    /** Null where a journal of 0.1.0 does not say. */
    readonly by: Author | null;
    readonly text: string;
  } | null;
  /** What the implementer reported when it last finished. */
  readonly report: ImplementerReport | null;
  readonly counts: {
    readonly coding: Used;
    readonly fixing: Used;
    readonly checkins: Used;
    readonly turns: Used;
    readonly mergeAttempts: Used;
    readonly relaunches: Used;
  };
}

export function viewRun(run: RunEntry, { budgets }: Policy): RunView {
  const { attempt, state, stage, since, branch, pinned, unverified, issued, session, question, counts } = run;
  const used = (counter: keyof RunView['counts']): Used => ({ used: counts[counter], of: budgets[counter] });
  return {
    attempt,
    state,
    stage,
    since,
    branch,
    commit: pinned,
    unverified,
    verified: verifiedOf(run),
    doing: issued?.do ?? null,
    heldUp: issued?.heldUp ?? null,
    incident: run.incident == null ? null : worktreeIncidentWords(run.incident),
    session: session === null ? null : { id: session.id, role: session.role },
    question,
    feedback: feedbackOf(run),
    report: run.report ?? null,
    counts: {
      coding: used('coding'),
      fixing: used('fixing'),
      checkins: used('checkins'),
      turns: used('turns'),
      mergeAttempts: used('mergeAttempts'),
      relaunches: used('relaunches'),
    },
  };
}

/** In all other states the last verification was of an earlier commit. */
export function verifiedOf({ state, unverified, verified }: RunEntry): Verified | null {
  const isOfCommit = state === 'CODE_REVIEW' || state === 'AWAIT_MERGE' || state === 'DONE';
  return isOfCommit && !unverified ? (verified ?? null) : null;
}

/** The files of the verify command that the verified work of these tasks changes. */
export function rewritesIn(tasks: readonly Pick<TaskEntry, 'run'>[]): readonly string[] {
  return [...new Set(tasks.flatMap(({ run }) => (run === undefined ? [] : (verifiedOf(run)?.rewrites ?? []))))];
}

function feedbackOf(run: RunEntry): RunView['feedback'] {
  const { said, fixing } = run;
  if (said !== null && (fixing === null || isLater(run, said, fixing)))
    return { reason: null, by: asAuthor(said.by), text: said.text };
  return fixing === null ? null : { reason: fixing.reason, by: fixing.by ?? null, text: fixing.text };
}

function isLater({ state }: RunEntry, said: Said, fixing: Fixing): boolean {
  // A journal of 0.1.0 does not say which was first.
  if (said.seq === undefined || fixing.seq === undefined) return state !== 'FIXING';
  return said.seq > fixing.seq;
}
