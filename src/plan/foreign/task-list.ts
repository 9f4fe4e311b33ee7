// A list of tasks as other tools write it: between a file in one of their formats and a plan.
import type { NamedFile } from '../file-entry.ts';

export interface TaskList {
  readonly title: string | null;
  /** One line. */
  readonly goal: string | null;
  /** What it says before its tasks, as markdown; may be empty. */
  readonly notes: string;
  /** Whether tasks run in the order of the file, or as soon as those they depend on are done. */
  readonly order: 'file' | 'dependencies';
  /** In the order of the file. Tasks in no phase are in one without a name. */
  readonly phases: readonly ListedPhase[];
  /** What the file contains that the list does not, as sentences. */
  readonly remarks: readonly string[];
}

export interface ListedPhase {
  readonly name: string;
  /** What it says besides its tasks, as markdown; may be empty. */
  readonly notes: string;
  readonly tasks: readonly ListedTask[];
}

export interface ListedTask {
  /** As the file has it, such as "T012" or "2.1"; empty where it has none. */
  readonly id: string;
  /** One line. */
  readonly name: string;
  /** Everything else that is written about it, as markdown; may be empty. */
  readonly text: string;
  /** What the file attaches to it besides, such as "US1" or "priority: high". */
  readonly labels: readonly string[];
  readonly files: readonly NamedFile[];
  readonly steps: readonly ListedStep[];
  /** The ids of the tasks that it depends on, as far as the file says. */
  readonly dependsOn: readonly string[];
  /** It may run at the same time as its neighbours that say the same. */
  readonly parallel: boolean;
  readonly state: ListedState;
}

export type ListedState = 'open' | 'done' | 'cancelled' | 'deferred';

export interface ListedStep {
  /** One line. */
  readonly name: string;
  /** As markdown; may be empty. */
  readonly text: string;
  readonly done: boolean;
  readonly optional: boolean;
  /** It has a number, and people check off such a step. */
  readonly numbered: boolean;
}

export function tasksIn(list: Pick<TaskList, 'phases'>): readonly ListedTask[] {
  return list.phases.flatMap((phase) => phase.tasks);
}
