// Questions that one asks about a run. The answers are computed from the world and never stored.
import { type RunState, runMachine } from '../../machines/run.ts';
import type { Role } from '../../signals/registry.ts';
import type { Policy } from '../settings/policy.ts';
import type { Decider } from '../settings/settings.ts';
import type { SessionId } from './ids.ts';
import type { PlanSession, RunEntry, TurnWork } from './run.ts';
import type { SessionEntry } from './session.ts';

type Sessions = ReadonlyMap<SessionId, SessionEntry>;

/** Neither merged nor given up. */
export function isLive(run: RunEntry | undefined): run is RunEntry {
  return run !== undefined && !runMachine.final.includes(run.state);
}

/**
 * How it is with the session that was begun for the present state. `lost`: it has ended, could not be started, or has taken
 * too long. One that cadre has stopped is none: it owes nothing any more.
 */
export type SessionHealth = 'none' | 'working' | 'silent' | 'lost';

export function sessionHealth(run: RunEntry, sessions: Sessions): SessionHealth {
  return sessionHealthOf(run.session, run.entered, sessions);
}

export function sessionHealthOf(
  session: Pick<PlanSession, 'id' | 'entered' | 'trouble'> | null,
  entered: number,
  sessions: Sessions,
): SessionHealth {
  if (session === null || session.entered !== entered) return 'none';
  const entry = sessions.get(session.id);
  if (entry === undefined || entry.wanted !== 'running') return 'none';
  if (entry.failure !== undefined || entry.ended !== undefined) return 'lost';
  if (session.trouble === 'silent') return 'silent';
  return session.trouble === null ? 'working' : 'lost';
}

/** An effect is being performed for it, or its agent works: time that counts. */
export function isActive(run: RunEntry, sessions: Sessions): boolean {
  return (run.issued !== null && !isHeldUp(run)) || sessionHealth(run, sessions) === 'working';
}

/** What the engine does for it waits for something that only a person can do, outside of cadre. */
export function isHeldUp(run: RunEntry | undefined): boolean {
  return run?.issued?.heldUp?.needsPerson === true;
}

export interface Duty {
  readonly role: Role;
  readonly work: TurnWork;
}

/** The agent that the present state asks for; nothing where it is the engine's or a person's to go on. */
export function dutyIn(run: RunEntry, policy: Policy): Duty | undefined {
  return DUTIES[run.state]?.(run, policy);
}

const DUTIES: { readonly [state in RunState]: ((run: RunEntry, policy: Policy) => Duty | undefined) | null } = {
  WAITING: null,
  SETUP: null,
  PLANNING: (_run, policy) =>
    policy.architect.plan_review === 'auto' ? undefined : { role: 'implementer', work: 'plan' },
  PLAN_REVIEW: (_run, policy) =>
    policy.architect.plan_review === 'agent' ? { role: 'architect', work: 'review-plan' } : undefined,
  CODING: () => ({ role: 'implementer', work: 'build' }),
  FIXING: () => ({ role: 'implementer', work: 'fix' }),
  TESTING: (run, policy) => {
    const isEngines = policy.verification === 'engine' || (policy.verification === 'both' && run.advised);
    return isEngines || run.issued !== null ? undefined : { role: 'implementer', work: 'verify' };
  },
  QUESTION: (run, policy) => {
    if (answererOf(run, policy) !== 'agent') return undefined;
    return { role: 'architect', work: run.question?.kind === 'check-in' ? 'check-in' : 'answer' };
  },
  CODE_REVIEW: (run) => {
    if (run.advised) return undefined;
    return run.stage === 'quality'
      ? { role: 'quality-reviewer', work: 'review-quality' }
      : { role: 'spec-reviewer', work: 'review-spec' };
  },
  AWAIT_MERGE: null,
  DONE: null,
  ERROR: null,
};

/** Who answers the question that the run has. */
export function answererOf(run: RunEntry, policy: Policy): Decider {
  return policy.architect[run.question?.kind === 'check-in' ? 'checkins' : 'questions'];
}

/** The turns of the implementer, which are counted; whoever else is asked is asked again only when it fails. */
export const COUNTED: { readonly [work in TurnWork]: 'coding' | 'fixing' | 'planning' | null } = {
  plan: 'planning',
  build: 'coding',
  fix: 'fixing',
  verify: null,
  'review-plan': null,
  answer: null,
  'check-in': null,
  'review-spec': null,
  'review-quality': null,
  'review-all': null,
};

/** Its agent does not do what it should, and is not begun again by itself: a person has to. */
export function isHalted(run: RunEntry, policy: Policy, sessions: Sessions): boolean {
  if (run.state === 'ERROR') return true;
  const duty = dutyIn(run, policy);
  if (duty === undefined || run.counts.relaunches < policy.budgets.relaunches) return false;
  return hasFailed(duty, sessionHealth(run, sessions));
}

/** An implementer that falls silent has ended its turn; anybody else has failed. */
export function hasFailed(duty: Duty, now: SessionHealth): boolean {
  return now === 'lost' || (now === 'silent' && COUNTED[duty.work] === null);
}

/** Where the branch is not at the commit that was pinned, nothing that is said of that commit counts. */
export function hasMoved(run: RunEntry, head: string): boolean {
  return run.pinned !== head;
}
