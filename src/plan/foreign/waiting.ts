// Which task of a list waits for which, in the words of a plan: a parallel phase, "Depends on:", or nothing.
import type { NamedFile } from '../file-entry.ts';
import { listedName, someOf } from './naming.ts';
import { type ListedState, type ListedTask, type TaskList, tasksIn } from './task-list.ts';

/** A task that becomes one of the plan. */
export interface KeptTask {
  readonly task: ListedTask;
  /** Its number in the plan. */
  readonly number: number;
}

export interface TaskWaits {
  /** The numbers of the tasks that each task waits for, by its own number; none where the order of the plan decides. */
  readonly dependsOn: ReadonlyMap<number, readonly number[]>;
  /** The indexes of the phases whose tasks may all run at the same time. */
  readonly parallel: ReadonlySet<number>;
  readonly remarks: readonly string[];
  /** A task with more dependencies than a plan can name. */
  readonly tooMany?: KeptTask;
}

/** A plan cannot name more in one "Depends on:". */
const MOST = 256;

export function waitsIn(list: TaskList, phases: readonly (readonly KeptTask[])[]): TaskWaits {
  const kept = phases.flat();
  return list.order === 'dependencies' && kept.some(({ task }) => task.dependsOn.length > 0)
    ? byDependencies(list, kept)
    : inOrder(phases);
}

const NEVER_BUILT: ReadonlySet<ListedState> = new Set<ListedState>(['cancelled', 'deferred']);

function byDependencies(list: TaskList, kept: readonly KeptTask[]): TaskWaits {
  const known = new Set(list.phases.flatMap(({ tasks }) => tasks.map(({ id }) => id)));
  const numbers = new Map<string, number>();
  const repeated = new Set<string>();
  for (const { task, number } of kept) {
    if (task.id !== '' && numbers.has(task.id)) repeated.add(task.id);
    else numbers.set(task.id, number);
  }
  const unbuilt = new Set(tasksIn(list).flatMap(({ id, state }) => (NEVER_BUILT.has(state) ? [id] : [])));
  const unknown: string[] = [];
  const missing: string[] = [];
  const waits = new Map<number, readonly number[]>();
  for (const { task, number } of kept) {
    // A dependency that was left out is done, or not wanted; one that is not in the file is a mistake.
    unknown.push(...task.dependsOn.filter((id) => !known.has(id)).map((id) => `${listedName(task)} depends on ${id}`));
    missing.push(
      ...task.dependsOn
        .filter((id) => unbuilt.has(id) && !numbers.has(id))
        .map((id) => `${listedName(task)} depends on ${id}`),
    );
    const own = task.dependsOn.flatMap((id) => numbers.get(id) ?? []);
    waits.set(
      number,
      [...new Set(own)].filter((other) => other !== number).sort((one, other) => one - other),
    );
  }
  const { acyclic, broken } = withoutCycles(waits);
  const named = new Map(kept.map(({ task, number }) => [number, listedName(task)]));
  const tooMany = kept.find(({ number }) => (acyclic.get(number)?.length ?? 0) > MOST);
  return {
    dependsOn: acyclic,
    parallel: new Set(),
    remarks: [
      ...someOf(unknown, (such) => `Dependencies on tasks that are not in the file were left out: ${such}.`),
      ...someOf(missing, (such) => `Tasks depend on others that are cancelled or deferred, and do not wait: ${such}.`),
      ...someOf(
        [...repeated],
        (such) => `Several tasks have the same id, and a dependency on it means the first: ${such}.`,
      ),
      ...someOf(
        broken.map(([from, to]) => `${named.get(from)} no longer waits for ${named.get(to)}`),
        (such) => `Tasks depended on each other, so that none could start: ${such}.`,
      ),
    ],
    ...(tooMany === undefined ? {} : { tooMany }),
  };
}

/** Follows dependencies from the last task on, and leaves out each that leads back to where it came from. */
function withoutCycles(waits: ReadonlyMap<number, readonly number[]>): {
  acyclic: ReadonlyMap<number, readonly number[]>;
  broken: readonly (readonly [number, number])[];
} {
  const acyclic = new Map<number, number[]>([...waits.keys()].map((number) => [number, []]));
  const broken: (readonly [number, number])[] = [];
  const state = new Map<number, 'open' | 'closed'>();
  for (const start of [...waits.keys()].reverse()) {
    if (state.has(start)) continue;
    const path = [{ number: start, next: 0 }];
    state.set(start, 'open');
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const other = waits.get(top.number)?.[top.next++];
      if (other === undefined) {
        state.set(top.number, 'closed');
        path.pop();
      } else if (state.get(other) === 'open') broken.push([top.number, other]);
      else {
        acyclic.get(top.number)?.push(other);
        if (!state.has(other)) {
          state.set(other, 'open');
          path.push({ number: other, next: 0 });
        }
      }
    }
  }
  return { acyclic, broken };
}

/** Tasks in a row that may run at the same time are a batch; each batch waits for the one before it. */
function inOrder(phases: readonly (readonly KeptTask[])[]): TaskWaits {
  const dependsOn = new Map<number, readonly number[]>();
  const parallel = new Set<number>();
  const colliding: string[] = [];
  let previous: readonly number[] = [];
  for (const [index, tasks] of phases.entries()) {
    const batches = batchesOf(tasks, colliding);
    if (batches.length === 1 && tasks.length > 1) parallel.add(index);
    for (const batch of batches) {
      if (batch.length > 1 && batches.length > 1 && previous.length <= MOST)
        for (const number of batch) dependsOn.set(number, previous);
      previous = batch;
    }
  }
  return {
    dependsOn,
    parallel,
    remarks: someOf(
      colliding,
      (such) =>
        `Tasks that are marked as parallel name a file of a neighbour, or depend on it, and wait for it: ${such}.`,
    ),
  };
}

function batchesOf(tasks: readonly KeptTask[], colliding: string[]): readonly (readonly number[])[] {
  const batches: number[][] = [];
  let written = new Set<string>();
  let read = new Set<string>();
  let ids = new Set<string>();
  let isOpen = false;
  for (const { task, number } of tasks) {
    const collides =
      task.dependsOn.some((id) => ids.has(id)) || task.files.some((file) => touches(file, written, read));
    if (isOpen && task.parallel && collides) colliding.push(listedName(task));
    if (isOpen && task.parallel && !collides) batches.at(-1)?.push(number);
    else {
      batches.push([number]);
      [written, read, ids] = [new Set(), new Set(), new Set()];
    }
    isOpen = task.parallel;
    ids.add(task.id);
    for (const file of task.files) (file.action === 'reference' ? read : written).add(file.path);
  }
  return batches;
}

function touches({ path, action }: NamedFile, written: ReadonlySet<string>, read: ReadonlySet<string>): boolean {
  return written.has(path) || (action !== 'reference' && read.has(path));
}
