// ~/.cadre/state.json: a derived view of every repository's plans and tasks. Files of older programs, without `plans`, are read too.
import type { PlanFile } from '../../plan/name.ts';
import { readJson } from '../../text/json-text.ts';
import type { TaskEntry, World } from '../model/world.ts';

export type StateFileRead =
  | { readonly kind: 'good'; readonly document: Readonly<Record<string, unknown>> }
  | { readonly kind: 'bad'; readonly why: string };

export function readStateFile(text: string): StateFileRead {
  const read = readJson(text);
  if (read.kind === 'bad') return read.code === 'empty' ? { kind: 'good', document: {} } : read;
  if (!isObject(read.value) || (Object.hasOwn(read.value, 'plans') && !isObject(read.value.plans)))
    return { kind: 'bad', why: 'it is not an object of the form that cadre writes' };
  return { kind: 'good', document: read.value };
}

/** The file's text with this repository's plans in it. Unknown keys and other repositories are kept. */
export function projectStateFile(
  document: Readonly<Record<string, unknown>>,
  plansFolder: string,
  world: World,
  active: PlanFile | undefined,
): string {
  const all: Record<string, unknown> = Object.assign(Object.create(null), document.plans);
  for (const entry of world.plans.values()) {
    const path = `${plansFolder}/${entry.plan}`;
    const before = all[path];
    // Until the plan's file has been read, its tasks are unknown.
    const tasks = entry.tasks.length === 0 ? {} : { tasks: Object.fromEntries(entry.tasks.map(projectTask)) };
    all[path] = { tasks: {}, ...(isObject(before) ? before : {}), active: entry.plan === active, ...tasks };
  }
  return `${JSON.stringify({ ...document, plans: all }, null, 2)}\n`;
}

function projectTask(task: TaskEntry): [string, unknown] {
  const projected = {
    phase: task.state,
    instance_title: `Task ${task.address}: ${task.name}`,
    ...(task.launched === undefined
      ? {}
      : {
          started_at: task.launched.at,
          verify_attempts: task.verifyAttempts,
          last_verify_result: task.lastVerify ?? null,
        }),
    ...(task.stale ? { stale: true } : {}),
    ...(task.held ? { held: true } : {}),
  };
  return [task.address, projected];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
