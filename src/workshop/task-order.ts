// The order of planned tasks: how the plan file numbers them, and which are done before which.
import type { PlannedTask, PlannedWork } from './structured-plan.ts';

export interface OrderedMilestone {
  readonly title: string;
  readonly parallel: boolean;
  /** Each task after those of its milestone that it depends on; otherwise as the document lists them. */
  readonly tasks: readonly PlannedTask[];
}

export function milestonesInOrder({ milestones, tasks }: PlannedWork): readonly OrderedMilestone[] {
  return milestones.map(({ id, title, parallel = false }) => ({
    title,
    parallel,
    tasks: dependenciesFirst(tasks.filter((task) => task.milestone === id)),
  }));
}

export function tasksInOrder(work: PlannedWork): readonly PlannedTask[] {
  return milestonesInOrder(work).flatMap(({ tasks }) => tasks);
}

export interface TaskPlace {
  /** The ids of all tasks that are done before it starts. */
  readonly before: ReadonlySet<string>;
  /** Whether the plan file must say what it depends on, because the order of the file says something else. */
  readonly isExplicit: boolean;
}

/** The place of each task, by its id. Unknown ids in `depends` count for nothing. */
export function placesOf(work: PlannedWork): ReadonlyMap<string, TaskPlace> {
  const places = new Map<string, TaskPlace>();
  const earlier: string[] = [];
  for (const { parallel, tasks } of milestonesInOrder(work)) {
    const inMilestone: string[] = [];
    for (const { id, depends } of tasks) {
      const implied = new Set(parallel ? earlier : [...earlier, ...inMilestone]);
      const before = depends.length === 0 ? implied : withAllBefore(depends, places);
      places.set(id, { before, isExplicit: !isSame(before, implied) });
      inMilestone.push(id);
    }
    earlier.push(...inMilestone);
  }
  return places;
}

function withAllBefore(ids: readonly string[], places: ReadonlyMap<string, TaskPlace>): ReadonlySet<string> {
  return new Set(ids.flatMap((id) => (places.has(id) ? [id, ...(places.get(id)?.before ?? [])] : [])));
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((id) => other.has(id));
}

/** In a cycle, the task that is listed first comes last of it. */
function dependenciesFirst(tasks: readonly PlannedTask[]): readonly PlannedTask[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const visited = new Set<PlannedTask>();
  const ordered: PlannedTask[] = [];
  const visit = (task: PlannedTask): void => {
    if (visited.has(task)) return;
    visited.add(task);
    for (const id of task.depends) {
      const other = byId.get(id);
      if (other !== undefined) visit(other);
    }
    ordered.push(task);
  };
  for (const task of tasks) visit(task);
  return ordered;
}
