// Rules for plans: who may move one, and where the machine lets it go.
import { isUserOnly, step } from '../../../machines/machine.ts';
import { type PlanEvent, planMachine } from '../../../machines/plan.ts';
import { branchOf, planFile, whyNoPlanName } from '../../../plan/name.ts';
import { rolesFor } from '../../../signals/registry.ts';
import { accepted, type Decision, type DecisionContext, record, refused, refusedFor } from '../../model/decision.ts';
import { numbered, type UnnumberedEffect } from '../../model/effect.ts';
import type { By, EventOfKind } from '../../model/event.ts';
import { needsPerson } from '../../model/plan-owner.ts';
import type { Fact, JournalRecord, PlanMove } from '../../model/record.ts';
import type { RuleRefusal } from '../../model/refusal.ts';
import { speakerName, unknownPlan } from '../../model/refusals.ts';
import { listed, openTasks } from '../../model/tasks.ts';
import type { PlanEntry, World } from '../../model/world.ts';
import { extrasForManagedPlan } from './managed-plan.ts';
import { whyItCannotLand } from './review.ts';

type MoveEvent = EventOfKind<'move'>;
type RegisterEvent = EventOfKind<'register'>;

export function decideMove(world: World, event: MoveEvent, now: Date): Decision {
  return movePlan(world, event, now);
}

/** Moves a plan for whoever asks: a person's command, an agent's signal, the engine. */
export function movePlan(
  world: World,
  event: Pick<MoveEvent, 'plan' | 'event' | 'by' | 'feedback' | 'fileProblem' | 'landing'>,
  now: Date,
  signal?: NonNullable<JournalRecord['signal']>,
): Decision {
  const notTheirs = whyNotFrom(event.by, event.event);
  if (notTheirs !== undefined) return refused(notTheirs.code, notTheirs.why);
  const entry = world.plans.get(event.plan);
  if (entry === undefined) return refusedFor('unknown-plan', unknownPlan(event.plan));
  const result = step(planMachine, entry.status, event.event);
  const no = result.kind === 'moved' ? whyNotNow(entry, event) : undefined;
  if (no !== undefined) return refused(no.code, no.why);
  if (result.kind === 'refused') return refused('state', `${event.plan} was not changed: ${result.why}`);
  const inTheWay = event.event === 'review_approved' ? whyItCannotLand(entry, event.landing) : undefined;
  if (inTheWay !== undefined)
    return movePlan(world, { ...event, event: 'review_changes_requested', feedback: inTheWay }, now, signal);
  const context = { world, now, by: event.by, entry, ...(signal === undefined ? {} : { signal }) };
  const extras = extrasForManagedPlan(context, event);
  if ('records' in extras) return extras;
  const move: PlanMove = { machine: 'plan', plan: event.plan, event: event.event, from: entry.status, to: result.to };
  const fact: Fact = {
    event: event.event,
    plan: event.plan,
    ...(event.feedback === undefined ? {} : { feedback: event.feedback }),
  };
  const effects = numbered(world.seq + 1, [...extras.effects, ...tellOf(event.by, move)]);
  return accepted(
    record(context, fact, {
      moves: [move],
      ...(extras.changes.length === 0 ? {} : { changes: extras.changes }),
      ...(signal === undefined ? {} : { signal }),
      ...(effects.length === 0 ? {} : { effects }),
    }),
  );
}

export function decideRegister(world: World, event: RegisterEvent, now: Date): Decision {
  if (event.by.who === 'agent')
    return refused('source', 'Only a person registers a plan. An agent that has written one sends "planner-finished".');
  const plan = planFile(event.plan);
  if (plan === undefined) return refused('bad-name', whyNoPlanName(event.plan) ?? 'That is not a valid plan name.');
  const known = world.plans.get(plan);
  if (known !== undefined) return refused('already-known', `${plan} is already registered; it is ${known.status}.`);
  if (!event.planFileExists)
    return refused('no-file', `docs/plans/${plan} does not exist. Write the plan first, then register it.`);
  return accepted(registration({ world, now, by: event.by }, event));
}

/** The record that makes a plan known. The name must have been checked. */
export function registration(
  context: DecisionContext,
  about: { readonly plan: string; readonly description: string; readonly topic: string },
  signal?: NonNullable<JournalRecord['signal']>,
): JournalRecord {
  const plan = planFile(about.plan);
  if (plan === undefined) throw new Error(`"${about.plan}" is registered without having been checked.`);
  const fields = {
    description: about.description,
    branch: branchOf(plan),
    topic: about.topic,
    createdAt: context.now.toISOString(),
    extra: {},
  };
  const move: PlanMove = { machine: 'plan', plan, event: 'register', from: null, to: planMachine.initial };
  const effects = numbered(context.world.seq + 1, tellOf(context.by, move));
  return record(
    context,
    { event: 'register', plan, fields },
    {
      moves: [move],
      ...(signal === undefined ? {} : { signal }),
      ...(effects.length === 0 ? {} : { effects }),
    },
  );
}

/** What stands against a move that the machine allows. */
function whyNotNow(
  entry: PlanEntry,
  { event, fileProblem }: Pick<MoveEvent, 'event' | 'fileProblem'>,
): { code: RuleRefusal; why: string } | undefined {
  if (event === 'implement_start' && fileProblem !== undefined)
    return { code: 'unusable-file', why: `${entry.plan} cannot be built: ${fileProblem}` };
  const open = openTasks(entry);
  // A plan of which cadre never launched a task is driven from outside: whoever does it says when it is finished.
  const isOurs = entry.work !== undefined || entry.tasks.some((task) => task.launched !== undefined);
  if (event === 'implement_finished' && isOurs && open.length > 0)
    return {
      code: 'open-tasks',
      why: `${entry.plan} is not finished. Not done: ${listed(open.map((task) => task.address))}.`,
    };
  return undefined;
}

/** Events that neither an agent nor the engine may cause, though the machine does not reserve them for users. */
const BY_PERSON: readonly PlanEvent[] = ['plan_start', 'implement_start'];

/** Why this speaker may not cause this event, whatever state the plan is in. */
function whyNotFrom(by: By, event: PlanEvent): { code: RuleRefusal; why: string } | undefined {
  if (by.who === 'user') return undefined;
  if (isUserOnly(planMachine, event))
    return { code: 'user-only', why: `"${event}" is a person's decision; ${speakerName(by)} cannot cause it.` };
  if (BY_PERSON.includes(event))
    return { code: 'source', why: `"${event}" starts work, which only a person may do; ${speakerName(by)} cannot.` };
  if (by.who === 'agent' && !rolesFor(event).includes(by.role)) return wrongRole(by, event);
  return undefined;
}

function wrongRole(by: Extract<By, { who: 'agent' }>, event: PlanEvent): { code: RuleRefusal; why: string } {
  const roles = rolesFor(event).filter((role) => role !== 'outside');
  return {
    code: 'role',
    why: `"${event}" is for the ${roles.join(' or the ')} of a plan; ${speakerName(by)} cannot cause it.`,
  };
}

/** A person who did it knows it. What an agent did is told when the next step is a person's. */
function tellOf(by: By, move: PlanMove): readonly UnnumberedEffect[] {
  if (by.who === 'user') return [];
  const text = needsPerson(move.plan, move.to);
  return text === undefined ? [] : [{ do: 'tell', text }];
}
