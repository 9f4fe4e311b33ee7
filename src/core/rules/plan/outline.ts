// Rules for what stands in a plan's file: which of its tasks are known, which are new, and which are gone.
import { pairUp } from '../../../plan/difference.ts';
import type { PlanFile } from '../../../plan/name.ts';
import type { Outline, OutlineTask } from '../../../plan/outline.ts';
import { accepted, BY_ENGINE, type Decision, IGNORED, record, refused, refusedFor } from '../../model/decision.ts';
import type { EventOfKind } from '../../model/event.ts';
import type { Fact, TaskRead } from '../../model/record.ts';
import { unknownPlan } from '../../model/refusals.ts';
import type { PlanEntry, TaskEntry, World } from '../../model/world.ts';
import type { PlanReading } from '../../ports/plan-files.ts';

type ReadEvent = EventOfKind<'read'>;
type ChooseEvent = EventOfKind<'choose'>;
type PlanRead = Extract<Fact, { event: 'plan_read' }>;

/** What follows from a look at a plan's file: nothing, unless it can be used. */
export function readEvents(plan: PlanFile, reading: PlanReading): readonly ReadEvent[] {
  return reading.kind === 'read' ? [{ kind: 'read', plan, outline: reading.outline }] : [];
}

export function readOutline(world: World, event: ReadEvent, now: Date): Decision {
  const entry = world.plans.get(event.plan);
  if (entry === undefined) return refusedFor('unknown-plan', unknownPlan(event.plan));
  const fact = recognise(entry, event.outline);
  if (isKnown(entry, fact)) return IGNORED;
  return accepted(record({ world, now, by: BY_ENGINE }, fact));
}

export function choose(world: World, event: ChooseEvent, now: Date): Decision {
  if (event.by.who !== 'user') return refused('source', 'Only a person chooses the plan to work on.');
  if (event.plan !== null && !world.plans.has(event.plan)) return refusedFor('unknown-plan', unknownPlan(event.plan));
  if (event.plan === (world.chosen ?? null)) return IGNORED;
  return accepted(record({ world, now, by: event.by }, { event: 'choose', chosen: event.plan }));
}

/** Finds each task of the file among those that are known; one that had gone may have come back. */
function recognise(entry: PlanEntry, outline: Outline): PlanRead {
  const known = entry.tasks.filter(isOfFile);
  const partners = partnersOf(known, outline.tasks);
  const ids = new Set(entry.tasks.map((task) => task.id));
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
    texts,
  };
}

/** What a review asked for stands in no file. */
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

/** A task that is gone keeps its address unless another task of the file has it now. */
function staleOf(known: readonly TaskEntry[], tasks: readonly TaskRead[]): PlanRead['stale'] {
  const ids = new Set(tasks.map((task) => task.id));
  const addresses = new Set(tasks.map((task) => task.address));
  return known
    .filter((task) => !ids.has(task.id))
    .map((task) => {
      const address = firstFree(task.address, addresses);
      addresses.add(address);
      return { id: task.id, address };
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
    phases: entry.phases,
    tasks: entry.tasks.filter((task) => !task.stale && isOfFile(task)).map(asRead),
    stale: entry.tasks.filter((task) => task.stale).map(({ id, address }) => ({ id, address })),
  };
  const after = { phases: fact.phases, tasks: fact.tasks.map(asRead), stale: fact.stale };
  return JSON.stringify(before) === JSON.stringify(after);
}

function asRead({ id, address, name, phase, dependsOn, body }: TaskRead): TaskRead {
  return { id, address, name, phase, dependsOn, body };
}
