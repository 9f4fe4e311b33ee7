// From what a person typed to the task they mean: "search#2", "search 2", or "#2" and "2" for the active plan.
import { Failure } from '../../core/model/failure.ts';
import { unknownTask } from '../../core/model/refusals.ts';
import { findTask, listed } from '../../core/model/tasks.ts';
import type { PlanEntry, TaskEntry, World } from '../../core/model/world.ts';
import { activePlan } from '../../core/views/plan.ts';
import { findPlan, slugOf } from '../../plan/name.ts';
import { showName } from '../../text/show.ts';
import type { App } from './app.ts';
import type { Given } from './context.ts';
import { planNamed } from './find.ts';

export interface TaskTarget {
  readonly world: World;
  readonly entry: PlanEntry;
  readonly task: TaskEntry;
}

/** How a person names the task, in as few characters as always do. */
export function idOf({ plan }: Pick<PlanEntry, 'plan'>, { address }: Pick<TaskEntry, 'address'>): string {
  return `${slugOf(plan)}#${address}`;
}

export function taskMeant(app: App, { arguments: words }: Given): TaskTarget {
  const named = partsOf(words);
  const { world } = app.look((known) => candidates(app, known, named));
  if (named.task !== undefined) return found(world, planOf(app, world, named.plan), named.task);
  if (named.plan === undefined) throw noTask();
  // A word alone is a task of the active plan, unless it names another plan, of which a task is wanted.
  const active = activeIn(app, world);
  const task = active && findTask(active, named.plan);
  if (active !== undefined && task !== undefined) return { world, entry: active, task };
  if (active !== undefined && findPlan(named.plan, world.plans.keys()).kind === 'none')
    throw new Failure('usage', 'unknown-task', unknownTask(active, named.plan));
  throw whichTask(planNamed(world, named.plan));
}

/** A task, or without any the plan itself. */
export function subjectMeant(app: App, { arguments: words }: Given): Omit<TaskTarget, 'task'> & { task?: TaskEntry } {
  const { plan, task } = partsOf(words);
  const { world } = app.look((known) => [planOf(app, known, plan)]);
  if (task !== undefined) return found(world, planOf(app, world, plan), task);
  return { world, entry: planOf(app, world, plan) };
}

/** The plans one of whose tasks may be meant: only their files need to be read. */
function candidates(app: App, world: World, { plan, task }: Parts): readonly PlanEntry[] {
  if (task !== undefined) return [planOf(app, world, plan)];
  const named = plan === undefined ? undefined : findPlan(plan, world.plans.keys());
  const entries = [activeIn(app, world), named?.kind === 'found' ? world.plans.get(named.plan) : undefined];
  return entries.filter((entry) => entry !== undefined);
}

interface Parts {
  readonly plan?: string;
  readonly task?: string;
}

function partsOf([first, second]: Given['arguments']): Parts {
  if (first === undefined) return {};
  const hash = first.lastIndexOf('#');
  if (hash === -1) return second === undefined ? { plan: first } : { plan: first, task: second.replace(/^#/, '') };
  if (second !== undefined)
    throw new Failure(
      'usage',
      'two-tasks',
      `"${showName(first)}" names a task, so "${showName(second)}" is one word too many.`,
    );
  const plan = first.slice(0, hash);
  return { task: first.slice(hash + 1), ...(plan === '' ? {} : { plan }) };
}

function found(world: World, entry: PlanEntry, reference: string): TaskTarget {
  if (reference === '') throw whichTask(entry);
  const task = findTask(entry, reference);
  if (task === undefined) throw new Failure('usage', 'unknown-task', unknownTask(entry, reference));
  return { world, entry, task };
}

function planOf(app: App, world: World, reference: string | undefined): PlanEntry {
  if (reference !== undefined) return planNamed(world, reference);
  const active = activeIn(app, world);
  if (active === undefined)
    throw new Failure('usage', 'no-plan', 'Which plan? None is active; name one by its file, with or without ".md".');
  return active;
}

function activeIn(app: App, world: World): PlanEntry | undefined {
  const active = activePlan(world, app.planFiles.list());
  return active === undefined ? undefined : world.plans.get(active);
}

function whichTask(entry: PlanEntry): Failure {
  const known = entry.tasks.map((task) => task.address);
  const has = known.length === 0 ? 'none is known' : `it has ${listed(known)}`;
  return new Failure('usage', 'no-task', `Which task of ${entry.plan}? Name it as ${slugOf(entry.plan)}#1; ${has}.`);
}

function noTask(): Failure {
  return new Failure(
    'usage',
    'no-task',
    `Which task? Name it as <plan>#<task>, or as '#2' in the active plan, in quotes: a shell takes a bare # for a comment.`,
  );
}
