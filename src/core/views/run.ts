// A run as surfaces show it: how far it is, what it has cost, and what was said about it last.
import type { RunState } from '../../machines/run.ts';
import type { Role } from '../../signals/registry.ts';
import type { FixCause, HeldUp, PendingEffect, Question, RunEntry } from '../model/run.ts';
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
  /** What the engine does for it now. */
  readonly doing: PendingEffect['do'] | null;
  /** What keeps the engine from what it does for the run, with what a person can do about it, and since when. */
  readonly heldUp: HeldUp | null;
  /** The newest of its sessions, which need not be at work. */
  readonly session: { readonly id: string; readonly role: Role } | null;
  readonly question: Question | null;
  /** What was said to the implementer last. */
  readonly feedback: { readonly reason: FixCause | null; readonly text: string } | null;
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
    doing: issued?.do ?? null,
    heldUp: issued?.heldUp ?? null,
    session: session === null ? null : { id: session.id, role: session.role },
    question,
    feedback: feedbackOf(run),
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

function feedbackOf({ state, said, fixing }: RunEntry): RunView['feedback'] {
  if (said !== null && state !== 'FIXING') return { reason: null, text: said.text };
  return fixing;
}
