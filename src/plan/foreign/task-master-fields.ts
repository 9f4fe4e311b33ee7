// The fields of a task in tasks.json, by the names that Task Master gives them.

/** What tools that write the same format call these fields. */
const ALSO: ReadonlyMap<string, string> = new Map([
  ['name', 'title'],
  ['test_strategy', 'testStrategy'],
  ['acceptance_criteria', 'acceptanceCriteria'],
  ['depends_on', 'dependencies'],
  ['dependsOn', 'dependencies'],
  ['sub_tasks', 'subtasks'],
  ['subTasks', 'subtasks'],
  ['spec', 'details'],
  ['created_at', 'createdAt'],
  ['updated_at', 'updatedAt'],
]);

export type Fields = Readonly<Record<string, unknown>>;

export function withKnownKeys(task: Fields): Fields {
  return Object.fromEntries(
    Object.entries(task).map(([key, value]) => {
      const known = ALSO.get(key);
      return [known === undefined || known in task ? key : known, value];
    }),
  );
}

/** The task, and everything that is nested in it. */
export function withSubtasks(task: Fields): readonly Fields[] {
  return [task, ...subtasksOf(task)];
}

/** Also those of subtasks, each after the one it is part of. */
export function subtasksOf({ subtasks }: Fields): readonly Fields[] {
  return Array.isArray(subtasks) ? subtasks.filter(isObject).map(withKnownKeys).flatMap(withSubtasks) : [];
}

/** Whether a field says something. */
export function isFilled(value: unknown): boolean {
  return value !== null && value !== '' && !(typeof value === 'object' && Object.keys(value).length === 0);
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
