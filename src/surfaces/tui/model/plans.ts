// The list of plans, from which another one is chosen.
import { type PlanFile, planFile, slugOf } from '../../../plan/name.ts';
import { perform } from './commands.ts';
import type { Model } from './model.ts';
import type { Snapshot } from './snapshot.ts';
import { backToList, become, doing, type Situation, type Step } from './step.ts';

export interface PlanChoice {
  readonly plan: PlanFile;
  readonly isRegistered: boolean;
}

/** Registered plans, then files that are not. */
export function planChoices({ status }: Snapshot): readonly PlanChoice[] {
  const known = (status?.plans ?? []).map(({ plan }) => ({ plan, isRegistered: true }));
  const files = (status?.unregistered ?? []).flatMap((name) => planFile(name) ?? []);
  return [...known, ...files.map((plan) => ({ plan, isRegistered: false }))];
}

export function openPlans({ model, snapshot }: Situation): Step {
  const at = planChoices(snapshot).findIndex(({ plan }) => plan === shownPlan(model, snapshot));
  return become({ ...model, mode: { kind: 'plans', at: Math.max(0, at) } });
}

/** The plan that the list shows. */
export function shownPlan(model: Model, snapshot: Snapshot): PlanFile | null {
  return model.plan ?? firstPlan(snapshot);
}

/** The active one; where no plan has a file yet, one that is being planned, or the last one. */
export function firstPlan({ status }: Snapshot): PlanFile | null {
  if (status === null || status.active !== null) return status?.active ?? null;
  const { plans } = status;
  return (plans.find(({ planning }) => planning !== null) ?? plans.at(-1))?.plan ?? null;
}

export function plansKey(situation: Situation, at: number, key: string): Step {
  const { model, snapshot } = situation;
  const choices = planChoices(snapshot);
  const chosen = choices[Math.min(at, choices.length - 1)];
  const moved = MOVES[key];
  if (moved !== undefined) {
    const to = Math.min(choices.length - 1, Math.max(0, at + moved));
    return become({ ...model, mode: { kind: 'plans', at: Math.max(0, to) } });
  }
  if (key === 'escape' || key === 'q' || key === 's' || key === 'ctrl-c') return become(backToList(model));
  if (chosen === undefined) return become(model);
  if (key === 'r')
    return doing(showing(model, chosen.plan), perform({ do: 'run', on: chosen.plan, input: { headless: false } }));
  return key === 'enter' || key === 'l' ? choosePlan(situation, chosen) : become(model);
}

/** Shows the plan from now on, and makes it the active one; a file that is not registered becomes a plan. */
export function choosePlan({ model }: Situation, { plan, isRegistered }: PlanChoice): Step {
  return doing(
    showing(model, plan),
    isRegistered
      ? perform({ do: 'use', on: slugOf(plan), input: {} })
      : perform({ do: 'register', on: plan, input: {} }),
  );
}

function showing(model: Model, plan: PlanFile): Model {
  return { ...backToList(model), plan, selected: null, selectedAt: 0, listTop: 0, output: null };
}

const MOVES: { readonly [key: string]: number } = { j: 1, k: -1, down: 1, up: -1, 'page-down': 10, 'page-up': -10 };
