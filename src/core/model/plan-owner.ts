// Whose turn a plan's state makes it, as long as nothing else is known than the state.
import { acceptedIn } from '../../machines/machine.ts';
import { type PlanEvent, type PlanState, planMachine } from '../../machines/plan.ts';
import type { PlanFile } from '../../plan/name.ts';

export interface Waiting {
  /** Whose turn it is. */
  readonly who: 'user' | 'planner' | 'implementer' | 'reviewer';
  /** The events that would end the wait, other than cancelling. */
  readonly for: readonly PlanEvent[];
  readonly sentence: string;
}

interface Turn {
  readonly who: Waiting['who'];
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

const WAITING: { readonly [state in PlanState]: Waiting | null } = {
  ready: waitingIn('ready'),
  planning: waitingIn('planning'),
  implementing: waitingIn('implementing'),
  reviewing: waitingIn('reviewing'),
  done: waitingIn('done'),
  cancelled: waitingIn('cancelled'),
};

export function waitingFor(status: PlanState): Waiting | null {
  return WAITING[status];
}

function waitingIn(status: PlanState): Waiting | null {
  const turn = TURNS[status];
  if (turn === null) return null;
  return { ...turn, for: acceptedIn(planMachine, status).filter((event) => event !== 'cancel') };
}

/** The sentence that brings a plan before a person, where the next step is theirs or none is left. */
export function needsPerson(plan: PlanFile, status: PlanState): string | undefined {
  if (planMachine.final.includes(status)) return `${plan} is ${status}.`;
  return TURNS[status]?.who === 'user' ? `${plan} is ${status}: it waits until ${TURNS[status].sentence}.` : undefined;
}
