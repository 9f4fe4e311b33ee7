// The status of a run, computed from the world and never stored.
import { type RunState, runMachine } from '../../machines/run.ts';
import type { Role } from '../../signals/registry.ts';
import type { Policy } from '../settings/policy.ts';
import type { Decider } from '../settings/settings.ts';
import type { SessionId } from './ids.ts';
import { blockersOfStage, isContradiction, mayBeParked, openFindings, type WithFindings } from './review/finding.ts';
import type { RunEntry, TurnWork } from './run.ts';
import type { PlanSession, SessionEntry } from './session.ts';

type Sessions = ReadonlyMap<SessionId, SessionEntry>;

/** Neither merged nor ended in an error. */
export function isLive(run: RunEntry | undefined): run is RunEntry {
  return run !== undefined && !runMachine.final.includes(run.state);
}

/**
 * The health of the session that was started for the present state. `lost`: it has ended, could not be started, or has taken
 * too long. `interrupted`: cadre stopped it before its turn was over. `none` also covers a session that cadre has stopped
 * because it has nothing left to do.
 */
export type SessionHealth = 'none' | 'working' | 'interrupted' | 'silent' | 'lost';

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
  if (entry === undefined || !isHeard(entry)) return 'none';
  if (entry.failure !== undefined || entry.ended !== undefined) return 'lost';
  if (session.trouble === 'silent') return 'silent';
  if (session.trouble !== null) return 'lost';
  return entry.interrupted ? 'interrupted' : 'working';
}

/** Whether its signals count: it runs, or was interrupted and may have signalled just before. */
export function isHeard({ wanted, interrupted, followedBy }: SessionEntry): boolean {
  return wanted === 'running' || (interrupted === true && followedBy === undefined);
}

/** An effect is being performed for it, or its agent is working: this time counts. */
export function isActive(run: RunEntry, sessions: Sessions): boolean {
  return (run.issued !== null && !isHeldUp(run)) || sessionHealth(run, sessions) === 'working';
}

/** Its pending effect waits for something that only a person can do, outside of cadre. */
export function isHeldUp(run: RunEntry | undefined): boolean {
  return run?.issued?.heldUp?.needsPerson === true;
}

export interface Duty {
  readonly role: Role;
  readonly work: TurnWork;
}

/** The agent that the present state requires; undefined where the engine or a person has the next step. */
export function dutyIn(run: RunEntry, policy: Policy, task: WithFindings): Duty | undefined {
  return run.waitsNext ? undefined : DUTIES[run.state]?.(run, policy, task);
}

type FindDuty = (run: RunEntry, policy: Policy, task: WithFindings) => Duty | undefined;

const DUTIES: { readonly [state in RunState]: FindDuty | null } = {
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
  QUESTION: (run, policy, task) => {
    if (answererOf(run, policy, task) !== 'agent') return undefined;
    return { role: 'architect', work: run.question?.kind === 'check-in' ? 'check-in' : 'answer' };
  },
  CODE_REVIEW: (run, policy, task) => {
    if (run.advised) return undefined;
    const wait = findingsWait(run, task);
    if (wait === 'ruling' && rulerOf(run, policy, task) === 'agent') return { role: 'architect', work: 'rule' };
    if (wait !== undefined) return undefined;
    return run.stage === 'quality'
      ? { role: 'quality-reviewer', work: 'review-quality' }
      : { role: 'spec-reviewer', work: 'review-spec' };
  },
  AWAIT_MERGE: null,
  DONE: null,
  ERROR: null,
};

/** Who answers the run's question. What a person demanded, only a person takes back. */
export function answererOf(run: RunEntry, policy: Policy, task: WithFindings): Decider {
  if (run.question?.kind === 'unchanged' && openFindings(task).some(({ demand }) => demand === true)) return 'human';
  return policy.architect[run.question?.kind === 'check-in' ? 'checkins' : 'questions'];
}

/** Who decides about findings that are open after the last round. */
export function rulerOf(run: RunEntry, policy: Policy, task: WithFindings): Decider {
  const blockers = blockersOfStage(run.stage ?? 'spec', task);
  return run.ruled || !blockers.some(mayBeParked) ? 'human' : policy.architect.checkins;
}

/** The counter of each kind of turn. Only turns of the implementer count; other agents are restarted only when they fail. */
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
  rule: null,
  workshop: null,
  'review-workshop': null,
};

/** Its agent has failed and is not restarted automatically: a person has to do something. */
export function isHalted(run: RunEntry, policy: Policy, sessions: Sessions, task: WithFindings): boolean {
  if (run.state === 'ERROR') return true;
  const duty = dutyIn(run, policy, task);
  if (duty === undefined || run.counts.relaunches < policy.budgets.relaunches) return false;
  return hasFailed(duty, sessionHealth(run, sessions));
}

/** A person has the next step of a live run: no agent works on it meanwhile, and no time counts. */
export function waitsForPerson(
  { policy, sessions }: { readonly policy: Policy; readonly sessions: Sessions },
  run: RunEntry,
  task: WithFindings & { readonly stale: boolean },
): boolean {
  if (run.incident != null || run.waitsNext || isHeldUp(run) || isHalted(run, policy, sessions, task)) return true;
  switch (run.state) {
    case 'PLAN_REVIEW':
      return policy.architect.plan_review === 'human';
    case 'QUESTION':
      return answererOf(run, policy, task) === 'human';
    // What the agent was asked has been said; in TESTING the engine's own verification cannot start yet.
    case 'TESTING':
      return run.advised && run.issued === null;
    case 'CODE_REVIEW':
      return run.advised || reviewIsPersons(run, policy, task);
    case 'AWAIT_MERGE':
      return task.stale && run.issued === null;
    default:
      return false;
  }
}

/** A person decides about what a review found. */
export function reviewIsPersons(run: RunEntry, policy: Policy, task: WithFindings): boolean {
  const wait = findingsWait(run, task);
  if (wait === 'ruling') return rulerOf(run, policy, task) === 'human';
  return wait === 'contradiction' || wait === 'evidence';
}

/** An implementer that falls silent has ended its turn; any other agent has failed. */
export function hasFailed(duty: Duty, now: SessionHealth): boolean {
  return now === 'lost' || (now === 'silent' && COUNTED[duty.work] === null);
}

/** A verdict on the pinned commit does not count when the branch is elsewhere. */
export function hasMoved(run: RunEntry, head: string): boolean {
  return run.pinned !== head;
}

/** What a run in review waits for, because its stage has looked at the pinned commit and something blocks. */
export type FindingsWait = 'contradiction' | 'ruling' | 'evidence';

export function findingsWait(
  { state, stage, pinned, looked, advised }: Pick<RunEntry, 'state' | 'stage' | 'pinned' | 'looked' | 'advised'>,
  of: WithFindings,
): FindingsWait | 'passed' | undefined {
  if (state !== 'CODE_REVIEW' || advised) return undefined;
  const at = stage ?? 'spec';
  if (pinned === null || looked?.[at] !== pinned) return undefined;
  const blockers = blockersOfStage(at, of);
  if (blockers.some(isContradiction)) return 'contradiction';
  if (blockers.some(({ claimed }) => claimed !== pinned)) return 'ruling';
  return blockers.length > 0 ? 'evidence' : 'passed';
}

/** After so many rounds of review another agent gets the work. */
export function isEscalated({ rounds }: Pick<RunEntry, 'rounds'>, escalateAfter: number | undefined): boolean {
  const most = Math.max(rounds?.spec ?? 0, rounds?.quality ?? 0);
  return escalateAfter !== undefined && escalateAfter > 0 && most >= escalateAfter;
}
