// Questions that one asks about the tasks of a plan. The answers are computed from the world and never stored.
import { taskMachine } from '../machines/task.ts';
import { showName } from '../plan/name.ts';
import { order, type Turn } from '../plan/order.ts';
import type { PlanEntry, TaskEntry } from './world.ts';

/** By its address; by its id where no other task has that for an address. */
export function findTask(entry: PlanEntry, reference: string): TaskEntry | undefined {
  return entry.tasks.find((task) => task.address === reference) ?? entry.tasks.find((task) => task.id === reference);
}

export function unknownTask(entry: PlanEntry, reference: string): string {
  const known = entry.tasks.map((task) => task.address);
  const instead = known.length === 0 ? 'none is known' : `it has ${listed(known)}`;
  return `${entry.plan} has no task "${showName(reference)}"; ${instead}.`;
}

/** Which tasks may start now, and what the others wait for. Stale ones have no turn. */
export function turnsOf(entry: PlanEntry): readonly Turn[] {
  const phases = entry.phases.map(({ parallel }) => ({ parallel, tasks: [] as TaskEntry[] }));
  const present = entry.tasks.filter((task) => !task.stale);
  for (const task of present) phases[task.phase]?.tasks.push(task);
  // What a review asked for comes after everything that is in the file.
  phases.push({ parallel: false, tasks: present.filter((task) => task.feedback !== undefined) });
  return order({ phases }, new Map(present.map((task) => [task.address, task.state])));
}

/** Tasks that are in the file and not done. */
export function openTasks(entry: PlanEntry): readonly TaskEntry[] {
  return entry.tasks.filter((task) => !task.stale && !taskMachine.final.includes(task.state));
}

/** A few are named, many are counted. */
export function listed(addresses: readonly string[]): string {
  const named = addresses.slice(0, MOST_NAMED).join(', ');
  return addresses.length > MOST_NAMED ? `${named} and ${addresses.length - MOST_NAMED} more` : named;
}

const MOST_NAMED = 10;
