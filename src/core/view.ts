// What surfaces show: derived from the world, never stored.
import { acceptedIn } from '../machines/machine.ts';
import { type PlanEvent, type PlanState, planMachine } from '../machines/plan.ts';
import type { PlanFile } from '../plan/name.ts';
import type { PlanEntry, World } from './world.ts';

export interface Waiting {
  /** Whose turn it is. */
  readonly who: 'user' | 'planner' | 'implementer' | 'reviewer';
  /** The events that would end the wait, other than cancelling. */
  readonly for: readonly PlanEvent[];
  readonly sentence: string;
}

export interface PlanView {
  readonly plan: PlanFile;
  readonly status: PlanState;
  readonly since: string;
  readonly waitingFor: Waiting | null;
  readonly next: readonly PlanEvent[];
  readonly description: string;
  readonly branch: string;
  readonly topic: string;
  readonly feedback: string | null;
  /** What plan-state.json said against the journal. */
  readonly difference: { readonly status: PlanState; readonly at: string } | null;
}

interface Turn {
  readonly who: Waiting['who'];
  readonly sentence: string;
}

const TURNS: { readonly [state in PlanState]: Turn | null } = {
  ready: { who: 'user', sentence: 'a person starts planning or implementing it' },
  planning: { who: 'planner', sentence: 'the planner says that the plan is written' },
  implementing: { who: 'implementer', sentence: 'the implementer says that the work is finished' },
  reviewing: { who: 'reviewer', sentence: 'the reviewer approves the work or asks for changes' },
  done: null,
  cancelled: null,
};

export function viewPlan(entry: PlanEntry): PlanView {
  return {
    plan: entry.plan,
    status: entry.status,
    since: entry.since,
    waitingFor: waitingFor(entry.status),
    next: acceptedIn(planMachine, entry.status),
    description: entry.description,
    branch: entry.branch,
    topic: entry.topic,
    feedback: entry.feedback?.text ?? null,
    difference: entry.difference ?? null,
  };
}

export function viewPlans(world: World): readonly PlanView[] {
  return [...world.plans.values()].map(viewPlan);
}

export function waitingFor(status: PlanState): Waiting | null {
  const turn = TURNS[status];
  if (turn === null) return null;
  return { ...turn, for: acceptedIn(planMachine, status).filter((event) => event !== 'cancel') };
}

/** The sentence that brings a plan before a person, where the next step is theirs or none is left. */
export function needsPerson(plan: PlanFile, status: PlanState): string | undefined {
  if (planMachine.final.includes(status)) return `${plan} is ${status}.`;
  return TURNS[status]?.who === 'user' ? `${plan} is ${status}: it waits until ${TURNS[status].sentence}.` : undefined;
}
