// How far a plan that is being built has come, and whether anybody but a person can go on with it.

import { openTasks } from '../../core/tasks.ts';
import { mayGoOnAlone, planStanding, taskStanding } from '../../core/why.ts';
import type { PlanEntry, World } from '../../core/world.ts';
import type { PlanFile } from '../../plan/name.ts';

export interface End {
  readonly kind: 'done' | 'cancelled' | 'person' | 'budget';
  readonly sentence: string;
}

export interface Need {
  /** The task's address; nothing where it is about the plan. */
  readonly task: string | null;
  readonly sentence: string;
}

/** Nothing while an agent or the engine is at work on it. */
export function endOf(world: World, plan: PlanFile): End | undefined {
  const entry = world.plans.get(plan);
  if (entry === undefined) return { kind: 'cancelled', sentence: `${plan} is not known any more.` };
  if (entry.status === 'done') {
    // What becomes of the branch is part of the end.
    if (entry.work !== undefined && entry.work.landed === null) return undefined;
    const landed = entry.work?.landed?.text ?? '';
    return { kind: 'done', sentence: `${plan} is done. ${landed}`.trim() };
  }
  if (entry.status === 'cancelled')
    return { kind: 'cancelled', sentence: `${plan} was cancelled. What was built is kept.` };
  if (mayGoOnAlone(world, entry)) return undefined;
  const isOutOfBudget = entry.tasks.some((task) => task.run?.question?.kind === 'check-in');
  return {
    kind: isOutOfBudget ? 'budget' : 'person',
    sentence: `${plan} is ${entry.status}, and waits for you:`,
  };
}

export function needsYou(world: World, plan: PlanFile): readonly Need[] {
  const entry = world.plans.get(plan);
  if (entry === undefined) return [];
  const tasks = openTasks(entry).flatMap((task) => {
    const standing = taskStanding(world, entry, task);
    if (standing.owner !== 'user') return [];
    return [{ task: task.address, sentence: `${entry.plan}#${task.address} ${task.name}: ${standing.sentence}` }];
  });
  return tasks.length > 0 ? tasks : planNeeds(world, entry);
}

function planNeeds(world: World, entry: PlanEntry): readonly Need[] {
  const standing = planStanding(world, entry);
  return standing.owner === 'user' ? [{ task: null, sentence: `${entry.plan}: ${standing.sentence}` }] : [];
}
