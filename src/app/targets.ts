// From a reference that a person typed or clicked to what it means: `search`, `search#2`, `#2` in the active plan, `s7`.

import { Failure } from '../core/model/failure.ts';
import { unknownFailure, unknownPlan, unknownSession, unknownTask } from '../core/model/refusals.ts';
import type { SessionEntry } from '../core/model/session.ts';
import { suggest } from '../core/model/suggestion.ts';
import { findTask, listed } from '../core/model/tasks.ts';
import type { PlanEntry, TaskEntry, World } from '../core/model/world.ts';
import { activePlan } from '../core/views/plan.ts';
import { findPlan, lastSegment, type PlanFile, slugOf } from '../plan/name.ts';
import { showName } from '../text/show.ts';

export interface PlanTarget {
  readonly world: World;
  readonly entry: PlanEntry;
}

export interface TaskTarget extends PlanTarget {
  readonly task: TaskEntry;
}

/** A task, or without one the plan itself. */
export interface Subject extends PlanTarget {
  readonly task?: TaskEntry;
}

/** `newestFirst`: the plan files, by which the active plan is found where a reference names none. */
export interface Known {
  readonly world: World;
  readonly newestFirst: () => readonly PlanFile[];
}

export function planNamed(world: World, reference: string): PlanEntry {
  const plan = planAmong(plansMeant(world, reference), reference);
  const entry = plan === undefined ? undefined : world.plans.get(plan);
  if (entry !== undefined) return entry;
  throw namesTask(world, reference) ?? unknownFailure('unknown-plan', unknownPlan(reference, world.plans.keys()));
}

function namesTask(world: World, reference: string): Failure | undefined {
  const { plan, task } = partsOf(reference);
  if (plan === undefined || task === undefined) return undefined;
  const found = findPlan(plan, plansMeant(world, plan));
  if (found.kind !== 'found') return undefined;
  const why = `"${showName(reference)}" names a task, and a plan is needed here.`;
  return new Failure('usage', 'usage', why, { try: [suggest('why', `${slugOf(found.plan)}#${task}`)] });
}

/** Where a reference is ambiguous, the archived plans are left out. */
function plansMeant({ plans }: World, reference: string): Iterable<PlanFile> {
  if (findPlan(reference, plans.keys()).kind !== 'several') return plans.keys();
  return [...plans.values()].flatMap(({ plan, archived }) => (archived === undefined ? [plan] : []));
}

/** The plan among these that the reference names; undefined where it names none of them. */
export function planAmong(plans: Iterable<PlanFile>, reference: string): PlanFile | undefined {
  if (lastSegment(reference) === '')
    throw new Failure('usage', 'no-plan', 'Which plan? Name it by its file, with or without ".md".');
  const found = findPlan(reference, plans);
  if (found.kind === 'several')
    throw new Failure(
      'usage',
      'ambiguous-plan',
      `"${showName(reference)}" is ambiguous: ${found.plans.join(', ')}. Type more of the name.`,
    );
  return found.kind === 'found' ? found.plan : undefined;
}

export function taskNamed(known: Known, reference: string | undefined): TaskTarget {
  const { plan, task } = partsOf(reference);
  if (task !== undefined) return taskIn(known.world, planOrActive(known, plan), task);
  if (plan === undefined) throw noTask();
  // A single word is a task of the active plan, unless it names a plan, of which a task is then missing.
  const active = activeEntry(known);
  const found = active && findTask(active, plan);
  if (active !== undefined && found !== undefined) return { world: known.world, entry: active, task: found };
  if (active !== undefined && findPlan(plan, known.world.plans.keys()).kind === 'none') throw noSuchTask(active, plan);
  throw whichTask(planNamed(known.world, plan));
}

export function subjectNamed(known: Known, reference: string | undefined): Subject {
  const { plan, task } = partsOf(reference);
  if (task !== undefined) return taskIn(known.world, planOrActive(known, plan), task);
  return numbered(known, plan) ?? { world: known.world, entry: planOrActive(known, plan) };
}

/** The number of a task of the active plan, unless a plan is called that; a plan may also start with it. */
function numbered(known: Known, word: string | undefined): TaskTarget | undefined {
  if (word === undefined || [...known.world.plans.keys()].some((plan) => slugOf(plan) === word)) return undefined;
  const entry = activeEntry(known);
  const task = entry && findTask(entry, word);
  return entry === undefined || task === undefined ? undefined : { world: known.world, entry, task };
}

/** The question of a planner that the reference names as `<plan>#<question>`; undefined where it names none. */
export function questionIn(
  known: Known,
  reference: string | undefined,
): { readonly entry: PlanEntry; readonly question: string } | undefined {
  const { plan, task } = partsOf(reference);
  const [entry] = task === undefined ? [] : plansOfSubject(known, reference);
  const isAsked = entry?.workshop?.questions.some(({ id }) => id === task) === true && entry.status === 'planning';
  return isAsked && task !== undefined && plan !== '' ? { entry, question: task } : undefined;
}

/** By its id, or by the beginning of a title that no other session in use has. */
export function sessionNamed(world: World, reference: string): SessionEntry {
  const all = [...world.sessions.values()];
  const exact = all.find((entry) => entry.id === reference);
  if (exact !== undefined) return exact;
  const wanted = reference.toLowerCase();
  const starting = all.filter(
    (entry) => wanted !== '' && entry.followedBy === undefined && entry.title.toLowerCase().startsWith(wanted),
  );
  const titled = starting.filter((entry) => entry.title.toLowerCase() === wanted);
  const [only] = titled.length > 0 ? titled : starting;
  if (only !== undefined && (starting.length === 1 || titled.length === 1)) return only;
  if (only === undefined) throw unknownFailure('unknown-session', unknownSession(reference));
  const names = starting.map((entry) => `${entry.id} (${showName(entry.title)})`).join(', ');
  throw new Failure('usage', 'ambiguous-session', `"${showName(reference)}" is ambiguous: ${names}. Use the id.`);
}

/** The plans that a reference to a plan or to a task may mean: only their files have to be read. */
export function plansOfSubject(known: Known, reference: string | undefined): readonly PlanEntry[] {
  const { plan, task } = partsOf(reference);
  if (plan !== undefined && task === undefined) return plansOfWord(known, plan);
  const entry = plan === undefined ? activeEntry(known) : entryNamed(known, plan);
  return entry === undefined ? [] : [entry];
}

/** A single word may be a task of the active plan, or a plan. */
function plansOfWord(known: Known, word: string): readonly PlanEntry[] {
  const named = entryNamed(known, word);
  const active = /^R?\d/.test(word) ? activeEntry(known) : undefined;
  return [active, named].filter((entry) => entry !== undefined);
}

/** The plans that a reference to a task may mean: a single word may be a task of the active plan, or a plan. */
export function plansOfTask(known: Known, reference: string | undefined): readonly PlanEntry[] {
  const { plan, task } = partsOf(reference);
  if (plan === undefined || task !== undefined) return plansOfSubject(known, reference);
  return [activeEntry(known), entryNamed(known, plan)].filter((entry) => entry !== undefined);
}

function entryNamed({ world }: Known, plan: string): PlanEntry | undefined {
  const found = findPlan(plan, plansMeant(world, plan));
  return found.kind === 'found' ? world.plans.get(found.plan) : undefined;
}

interface Parts {
  readonly plan?: string;
  readonly task?: string;
}

function partsOf(reference: string | undefined): Parts {
  if (reference === undefined) return {};
  const hash = reference.lastIndexOf('#');
  if (hash === -1) return { plan: reference };
  const plan = reference.slice(0, hash);
  return { task: reference.slice(hash + 1), ...(plan === '' ? {} : { plan }) };
}

function taskIn(world: World, entry: PlanEntry, reference: string): TaskTarget {
  if (reference === '') throw whichTask(entry);
  const task = findTask(entry, reference);
  if (task === undefined) throw noSuchTask(entry, reference);
  return { world, entry, task };
}

function planOrActive(known: Known, reference: string | undefined): PlanEntry {
  if (reference !== undefined) return planNamed(known.world, reference);
  const active = activeEntry(known);
  if (active === undefined)
    throw new Failure(
      'usage',
      'no-plan',
      'Which plan? No plan is active, so name one by its file, with or without ".md".',
    );
  return active;
}

function activeEntry({ world, newestFirst }: Known): PlanEntry | undefined {
  const active = activePlan(world, newestFirst());
  return active === undefined ? undefined : world.plans.get(active);
}

function whichTask(entry: PlanEntry): Failure {
  const known = entry.tasks.map((task) => task.address);
  const tasks = known.length === 0 ? 'It has no tasks.' : `Its tasks: ${listed(known)}.`;
  return new Failure('usage', 'no-task', `Which task of ${entry.plan}? Name it as ${slugOf(entry.plan)}#1. ${tasks}`);
}

function noTask(): Failure {
  return new Failure(
    'usage',
    'no-task',
    `Which task? Name it as <plan>#<task>, or as '#2' in the active plan. Quote it, because # starts a comment in a shell.`,
  );
}

function noSuchTask(entry: PlanEntry, reference: string): Failure {
  return new Failure('usage', 'unknown-task', unknownTask(entry, reference), {
    try: [suggest('why', slugOf(entry.plan))],
  });
}
