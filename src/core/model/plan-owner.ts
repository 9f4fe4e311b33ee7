// Whose turn it is in each state of a plan, judging by the state alone.
import { acceptedIn } from '../../machines/machine.ts';
import { type PlanEvent, type PlanState, planMachine } from '../../machines/plan.ts';
import type { PlanFile } from '../../plan/name.ts';
import { hasEnded, isManaged, type SessionEntry } from './session.ts';
import { isPlanning } from './workshop/status.ts';
import type { PlanEntry, World } from './world.ts';

export interface OutsideWait {
  /** Whose turn it is. */
  readonly who: 'user' | 'planner' | 'implementer' | 'reviewer';
  /** The events that would end the wait, other than cancelling. */
  readonly for: readonly PlanEvent[];
  readonly sentence: string;
}

interface Turn {
  readonly who: OutsideWait['who'];
  readonly sentence: string;
}

const TURNS: { readonly [state in PlanState]: Turn | null } = {
  ready: { who: 'user', sentence: 'a person starts planning or implementing it' },
  planning: { who: 'planner', sentence: 'the planner has written the plan' },
  implementing: { who: 'implementer', sentence: 'the implementer has finished the work' },
  reviewing: { who: 'reviewer', sentence: 'the reviewer approves the work or requests changes' },
  done: null,
  cancelled: null,
};

const WAITING: { readonly [state in PlanState]: OutsideWait | null } = {
  ready: waitingIn('ready'),
  planning: waitingIn('planning'),
  implementing: waitingIn('implementing'),
  reviewing: waitingIn('reviewing'),
  done: waitingIn('done'),
  cancelled: waitingIn('cancelled'),
};

export function waitingFor(status: PlanState): OutsideWait | null {
  return WAITING[status];
}

function waitingIn(status: PlanState): OutsideWait | null {
  const turn = TURNS[status];
  if (turn === null) return null;
  return { ...turn, for: acceptedIn(planMachine, status).filter((event) => event !== 'cancel') };
}

/** The sentence that is shown to the person when the next step is theirs or nothing is left to do. */
export function needsPerson(plan: PlanFile, status: PlanState): string | undefined {
  if (planMachine.final.includes(status)) return `${plan} is ${status}.`;
  return TURNS[status]?.who === 'user' ? `${plan} is ${status}: it waits until ${TURNS[status].sentence}.` : undefined;
}

/** Something prevents the landing that the settings ask for. */
export function hasNotLanded({ work }: Pick<PlanEntry, 'work'>): boolean {
  return work?.landed?.ok === false && work.landed.byHand !== true;
}

/** The newest planner that a person started for a plan in planning; undefined where there is none, or a workshop. */
export function plannerOf({ sessions }: Pick<World, 'sessions'>, entry: PlanEntry): SessionEntry | undefined {
  if (entry.status !== 'planning' || isPlanning(entry)) return undefined;
  return [...sessions.values()].findLast(
    (one) =>
      one.plan === entry.plan &&
      one.role === 'planner' &&
      !isManaged(one) &&
      one.followedBy === undefined &&
      (isAtWork(one) || one.since >= entry.since),
  );
}

/** As far as is known, its program runs or is being started. */
export function isAtWork(session: SessionEntry): boolean {
  return session.wanted === 'running' && !hasEnded(session);
}
