// Which tasks may start, and what the others wait for. Tasks run one after the other, unless the plan says otherwise.
import { type TaskState, taskMachine } from '../machines/task.ts';

/** The parts of a plan that its order depends on. */
export interface Ordered {
  readonly phases: readonly OrderedPhase[];
}

export interface OrderedPhase {
  readonly parallel: boolean;
  readonly tasks: readonly OrderedTask[];
}

export interface OrderedTask {
  readonly address: string;
  /** The tasks it waits for; null means everything before it. */
  readonly dependsOn: readonly string[] | null;
}

export interface TaskReadiness {
  readonly address: string;
  readonly mayStart: boolean;
  /** The open tasks it waits for directly, without the ones that those wait for. */
  readonly blockedBy: readonly string[];
}

/** One entry per task, in the order of the plan. A task without a state counts as planned. */
export function order(plan: Ordered, states: ReadonlyMap<string, TaskState>): readonly TaskReadiness[] {
  const stateOf = (address: string): TaskState => states.get(address) ?? taskMachine.initial;
  const isOpen = (address: string): boolean => !taskMachine.final.includes(stateOf(address));
  const readiness: TaskReadiness[] = [];
  /** The open tasks of the last phase that has any. */
  let before: readonly string[] = [];
  for (const phase of plan.phases) {
    let previous: readonly string[] = before;
    for (const { address, dependsOn } of phase.tasks) {
      const blockedBy = dependsOn === null ? previous : dependsOn.filter(isOpen);
      readiness.push({
        address,
        mayStart: stateOf(address) === taskMachine.initial && blockedBy.length === 0,
        blockedBy,
      });
      if (!phase.parallel && isOpen(address)) previous = [address];
    }
    const open = phase.tasks.map((task) => task.address).filter(isOpen);
    if (open.length > 0) before = open;
  }
  return readiness;
}

/**
 * Cycles of tasks that wait for each other, each as a list of addresses. Only the first few, since fixing one may fix many.
 * Unknown addresses are ignored.
 */
export function findCycles(plan: Ordered): readonly (readonly string[])[] {
  const { addresses, waitsFor } = graphOf(plan);
  const cycles: (readonly string[])[] = [];
  const seen = new Set<number>();
  for (const start of waitsFor.keys()) {
    if (seen.has(start)) continue;
    const path: { readonly node: number; next: number }[] = [{ node: start, next: 0 }];
    const onPath = new Map([[start, 0]]);
    seen.add(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = waitsFor[top.node]?.[top.next++];
      if (next === undefined) {
        path.pop();
        onPath.delete(top.node);
      } else if (onPath.has(next)) {
        cycles.push(path.slice(onPath.get(next)).flatMap((step) => addresses[step.node] ?? []));
        if (cycles.length === MOST_CYCLES) return cycles;
      } else if (!seen.has(next)) {
        seen.add(next);
        onPath.set(next, path.length);
        path.push({ node: next, next: 0 });
      }
    }
  }
  return cycles;
}

const MOST_CYCLES = 20;

interface Graph {
  /** The task of each node; undefined for a gate. */
  readonly addresses: readonly (string | undefined)[];
  readonly waitsFor: readonly (readonly number[])[];
}

/**
 * "Everything before it" would be an edge to every earlier task. A gate that waits for those tasks, and that the task waits
 * for, needs only two edges per task, so the graph stays as small as the plan.
 */
function graphOf(plan: Ordered): Graph {
  const addresses: (string | undefined)[] = [];
  const waitsFor: number[][] = [];
  const node = (address: string | undefined, waits: number[]): number => {
    addresses.push(address);
    return waitsFor.push(waits) - 1;
  };
  const tasks = plan.phases.flatMap((phase) => phase.tasks);
  const nodes = new Map<OrderedTask, number>();
  const numbers = new Map<string, number>();
  for (const task of tasks) {
    const number = node(task.address, []);
    nodes.set(task, number);
    if (!numbers.has(task.address)) numbers.set(task.address, number);
  }

  let phaseGate = node(undefined, []);
  for (const phase of plan.phases) {
    const endOfPhase = [phaseGate];
    let gate = phaseGate;
    for (const task of phase.tasks) {
      const number = nodes.get(task) ?? 0;
      const { dependsOn } = task;
      const waits = dependsOn === null ? [gate] : dependsOn.flatMap((other) => numbers.get(other) ?? []);
      for (const other of waits) waitsFor[number]?.push(other);
      endOfPhase.push(number);
      if (!phase.parallel) gate = node(undefined, [gate, number]);
    }
    phaseGate = node(undefined, endOfPhase);
  }
  return { addresses, waitsFor };
}
