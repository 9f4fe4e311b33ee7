// Rules for the content of a plan file: which tasks are known, which are new, and which are stale.
import { WORKING } from '../../../machines/plan.ts';
import { pairUp } from '../../../plan/difference.ts';
import type { PlanFile } from '../../../plan/name.ts';
import type { Outline, OutlineTask } from '../../../plan/outline.ts';
import { JUST_CHANGED } from '../../../plan/plan.ts';
import { accepted, BY_ENGINE, type Decision, IGNORED, record, refused, refusedFor } from '../../model/decision.ts';
import type { EventOfKind } from '../../model/event.ts';
import type { Fact, TaskRead } from '../../model/record.ts';
import { archivedPlan, unknownPlan } from '../../model/refusals.ts';
import { listed } from '../../model/tasks.ts';
import type { PlanEntry, TaskEntry, World } from '../../model/world.ts';
import type { PlanReading } from '../../ports/plan-files.ts';

type ReadEvent = EventOfKind<'read'>;
type ChooseEvent = EventOfKind<'choose'>;
type PlanRead = Extract<Fact, { event: 'plan_read' }>;

/** The events for a plan file that was read: none if it cannot be used. */
export function readEvents(plan: PlanFile, reading: PlanReading): readonly ReadEvent[] {
  return reading.kind === 'read' ? [{ kind: 'read', plan, outline: reading.outline }] : [];
}

/**
 * The reading of a known plan's file, as far as it may be used: a file that is half saved looks like one whose tasks were
 * removed.
 */
export function usableReading(entry: PlanEntry | undefined, reading: PlanReading): PlanReading {
  if (entry === undefined || reading.kind !== 'read') return reading;
  const gone = whyNotYet(entry, reading.outline);
  if (gone !== undefined) return unusable('tasks-gone', gone);
  const tooFresh = reading.fresh ? whyTooFresh(entry, reading.outline) : undefined;
  return tooFresh === undefined ? reading : unusable(JUST_CHANGED, tooFresh);
}

function unusable(code: string, message: string): PlanReading {
  return { kind: 'unusable', problems: [{ line: 1, column: 1, severity: 'error', code, message }] };
}

/** A plan that had tasks never becomes one task that consists of the whole file. */
function whyNotYet(entry: PlanEntry, outline: Outline): string | undefined {
  const known = entry.tasks.filter((task) => isOfFile(task) && !task.stale);
  const hadTasks = entry.whole === false || (entry.whole === undefined && known.length > 1);
  if (outline.whole !== true || !hadTasks || known.length === 0) return undefined;
  return `The file no longer has any task heading, but ${countedTasks(known)} read from it before. Nothing changes until it has tasks again.`;
}

function whyTooFresh(entry: PlanEntry, outline: Outline): string | undefined {
  const lost = tasksLost(entry, outline);
  if (lost.length === 0) return undefined;
  return `The file changed a moment ago and no longer has ${lost.length === 1 ? 'task' : 'tasks'} ${listed(lost)}. The change applies once the file stays unchanged.`;
}

function countedTasks({ length }: readonly unknown[]): string {
  return length === 1 ? '1 task was' : `${length} tasks were`;
}

/** Whether a plan that is being built would lose tasks. Such a change waits longer, because the file may be half saved. */
export function losesTasks(entry: PlanEntry | undefined, reading: PlanReading): boolean {
  return entry !== undefined && reading.kind === 'read' && tasksLost(entry, reading.outline).length > 0;
}

/** The addresses of tasks that the file no longer has; none where nothing is being built from it. */
function tasksLost(entry: PlanEntry, outline: Outline): readonly string[] {
  if (entry.status !== WORKING || entry.file === outline.file) return [];
  const gone = new Set(recognise(entry, outline).stale.map(({ id }) => id));
  return entry.tasks.filter((task) => !task.stale && gone.has(task.id)).map((task) => task.address);
}

export function readOutline(world: World, event: ReadEvent, now: Date): Decision {
  const entry = world.plans.get(event.plan);
  if (entry === undefined) return refusedFor('unknown-plan', unknownPlan(event.plan));
  if (whyNotYet(entry, event.outline) !== undefined) return IGNORED;
  const fact = recognise(entry, event.outline);
  if (isKnown(entry, fact)) return IGNORED;
  return accepted(record({ world, now, by: BY_ENGINE }, fact));
}

export function choose(world: World, event: ChooseEvent, now: Date): Decision {
  if (event.by.who !== 'user') return refused('source', 'Only a person may choose the plan to work on.');
  const entry = event.plan === null ? undefined : world.plans.get(event.plan);
  if (event.plan !== null && entry === undefined) return refusedFor('unknown-plan', unknownPlan(event.plan));
  if (entry?.archived !== undefined) return refusedFor('state', archivedPlan(entry));
  if (event.plan === (world.chosen ?? null)) return IGNORED;
  return accepted(record({ world, now, by: event.by }, { event: 'choose', chosen: event.plan }));
}

/** Matches the tasks of the file with the known ones; a stale task may come back. */
function recognise(entry: PlanEntry, outline: Outline): PlanRead {
  const known = entry.tasks.filter(isOfFile);
  const partners = partnersOf(known, outline.tasks);
  // An id that is the address of another task would be taken for that task.
  const ids = new Set(entry.tasks.flatMap(({ id, address, stale }) => (stale ? [id, address] : [id])));
  const tasks: TaskRead[] = [];
  const texts: Record<string, string> = {};
  for (const { text, ...task } of outline.tasks) {
    const partner = partners.get(task.address);
    const id = partner?.id ?? firstFree(task.address, ids);
    ids.add(id);
    tasks.push({ id, ...task });
    if (partner?.name !== task.name || partner.body !== task.body) texts[id] = text;
  }
  return {
    event: 'plan_read',
    plan: entry.plan,
    file: outline.file,
    phases: outline.phases,
    tasks,
    stale: staleOf(known, tasks),
    whole: outline.whole === true,
    texts,
  };
}

/** Tasks that a review asked for are in no file. */
function isOfFile(task: TaskEntry): boolean {
  return task.feedback === undefined;
}

function partnersOf(known: readonly TaskEntry[], tasks: readonly OutlineTask[]): ReadonlyMap<string, TaskEntry> {
  const partners = new Map<string, TaskEntry>();
  if (known.length === 0) return partners;
  for (const isStale of [false, true]) {
    const candidates = known.filter((task) => task.stale === isStale);
    const alone = tasks.filter((task) => !partners.has(task.address));
    for (const { before, after } of pairUp(candidates, alone))
      if (before !== null && after !== null) partners.set(after.address, before);
  }
  return partners;
}

/**
 * A stale task keeps its address unless a task of the file has it now. Its new address is its own id if possible, and never
 * the id of another task: branches and records have the ids, and each must lead to one task.
 */
function staleOf(known: readonly TaskEntry[], tasks: readonly TaskRead[]): PlanRead['stale'] {
  const present = new Set(tasks.map((task) => task.id));
  const addresses = new Set(tasks.map((task) => task.address));
  return known
    .filter((task) => !present.has(task.id))
    .map(({ id, address: before }) => {
      const others = [...known, ...tasks].map((task) => task.id).filter((other) => other !== id);
      const taken = new Set([...addresses, ...others]);
      const address = [before, id].find((name) => !taken.has(name)) ?? firstFree(before, taken);
      addresses.add(address);
      return { id, address };
    });
}

function firstFree(wanted: string, taken: ReadonlySet<string>): string {
  const [plain = wanted] = wanted.split('~', 1);
  if (!taken.has(wanted)) return wanted;
  for (let number = 2; ; number++) if (!taken.has(`${plain}~${number}`)) return `${plain}~${number}`;
}

function isKnown(entry: PlanEntry, fact: PlanRead): boolean {
  if (entry.tasks.length < fact.tasks.length) return false;
  const before = {
    // A plan that was last read by 0.1.0 need not be recorded again because of it.
    whole: entry.whole ?? false,
    phases: entry.phases,
    tasks: entry.tasks.filter((task) => !task.stale && isOfFile(task)).map(asRead),
    stale: entry.tasks.filter((task) => task.stale).map(({ id, address }) => ({ id, address })),
  };
  const after = { whole: fact.whole, phases: fact.phases, tasks: fact.tasks.map(asRead), stale: fact.stale };
  return JSON.stringify(before) === JSON.stringify(after);
}

function asRead({ id, address, name, phase, dependsOn, body }: TaskRead): TaskRead {
  return { id, address, name, phase, dependsOn, body };
}
