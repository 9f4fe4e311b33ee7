// Queries about the tasks of a plan, computed from the world and never stored.
import { PLAN_REVIEW, WORKING } from '../../machines/plan.ts';
import { type TaskState, taskMachine } from '../../machines/task.ts';
import type { PlanFile } from '../../plan/name.ts';
import { order, type TaskReadiness } from '../../plan/order.ts';
import { openFindings } from './review/finding.ts';
import type { TaskDecision } from './run.ts';
import { isLive } from './run-status.ts';
import type { PlanEntry, TaskEntry, World } from './world.ts';

/** By its address, or by its id if no other task has that as its address. */
export function findTask(entry: PlanEntry, reference: string): TaskEntry | undefined {
  return entry.tasks.find((task) => task.address === reference) ?? entry.tasks.find((task) => task.id === reference);
}

/** The present address of a task that is named by its id. A task that is no longer known has only its id. */
export function addressOf({ plans }: Pick<World, 'plans'>, plan: string | undefined, id: string): string {
  return plans.get(plan as PlanFile)?.tasks.find((task) => task.id === id)?.address ?? id;
}

/** Which tasks may start now, and what the others wait for. Stale tasks are left out. */
export function turnsOf(entry: PlanEntry): readonly TaskReadiness[] {
  const phases = entry.phases.map(({ parallel }) => ({ parallel, tasks: [] as TaskEntry[] }));
  const fixes: TaskEntry[] = [];
  const states = new Map<string, TaskState>();
  for (const task of entry.tasks) {
    if (task.stale) continue;
    states.set(task.address, task.state);
    phases[task.phase]?.tasks.push(task);
    if (task.feedback !== undefined) fixes.push(task);
  }
  // Tasks that a review asked for come after those of the file.
  phases.push({ parallel: false, tasks: fixes });
  return order({ phases }, states);
}

/**
 * What keeps a task from being launched: open tasks that come before it, and running tasks that come after it, which an edit
 * of the file can cause. So two tasks of a sequence never run at the same time.
 */
export function blockersOf(entry: PlanEntry, task: TaskEntry): readonly string[] {
  const all = turnsOf(entry);
  const before = all.findLast((turn) => turn.address === task.address)?.blockedBy ?? [];
  const atWork = entry.tasks.filter((other) => other !== task && !other.stale && isLive(other.run));
  if (atWork.length === 0) return before;
  const turns = new Map(all.map((turn) => [turn.address, turn.blockedBy]));
  const after = atWork.filter((other) => comesAfter(other.address, task.address, turns, new Set()));
  return [...before, ...after.map((other) => other.address)];
}

function comesAfter(
  later: string,
  earlier: string,
  blockedBy: ReadonlyMap<string, readonly string[]>,
  seen: Set<string>,
): boolean {
  if (seen.has(later)) return false;
  seen.add(later);
  const direct = blockedBy.get(later) ?? [];
  return direct.some((one) => one === earlier || comesAfter(one, earlier, blockedBy, seen));
}

/** Tasks that are in the file and not done. */
export function openTasks(entry: PlanEntry): readonly TaskEntry[] {
  return entry.tasks.filter((task) => !task.stale && !taskMachine.final.includes(task.state));
}

/** What a person demanded and has neither approved nor overruled since. Before there were findings, these were decisions. */
export function openDemands(task: TaskEntry): readonly TaskDecision[] {
  const { decisions = [], demandsMet = 0 } = task;
  return [
    ...decisions.filter(({ kind, seq }) => kind === 'demand' && seq > demandsMet),
    ...openFindings(task)
      .filter(({ demand }) => demand === true)
      .map(({ problem, place, seq }): TaskDecision => {
        const text = place === undefined ? problem : `${place}: ${problem}`;
        return { kind: 'demand', by: 'person', text, seq };
      }),
  ];
}

/** What was decided about a task and still holds, in order. */
export function decisionsOf(task: TaskEntry): readonly TaskDecision[] {
  const others = (task.decisions ?? []).filter(({ kind }) => kind !== 'demand');
  return [...others, ...openDemands(task)].toSorted((one, other) => one.seq - other.seq);
}

/** Lists the first few and counts the rest. */
export function listed(addresses: readonly string[]): string {
  const named = addresses.slice(0, MOST_NAMED).join(', ');
  return addresses.length > MOST_NAMED ? `${named} and ${addresses.length - MOST_NAMED} more` : named;
}

const MOST_NAMED = 10;

/** The task of the plan that is being merged. */
export function mergingIn(entry: PlanEntry): TaskEntry | undefined {
  return entry.tasks.find((task) => task.run?.issued?.do === 'merge');
}

/** Whether cadre builds a plan: agents work on it, or will as soon as somebody lets them. */
export function isBuilt({ work, status }: Pick<PlanEntry, 'work' | 'status'>): boolean {
  return work !== undefined && (status === WORKING || status === PLAN_REVIEW);
}

export function isBuilding({ plans }: Pick<World, 'plans'>): boolean {
  return [...plans.values()].some(isBuilt);
}
