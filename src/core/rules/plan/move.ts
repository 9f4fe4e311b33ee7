// Rules for moving a plan: who may, and which moves are possible.
import { isUserOnly, step } from '../../../machines/machine.ts';
import { type PlanEvent, planMachine } from '../../../machines/plan.ts';
import { taskMachine } from '../../../machines/task.ts';
import { branchOf, planFile, slugOf, whyNoPlanName } from '../../../plan/name.ts';
import type { Author } from '../../../signals/author.ts';
import { rolesFor } from '../../../signals/registry.ts';
import { accepted, type Decision, type DecisionContext, record, refused, refusedFor } from '../../model/decision.ts';
import { numbered, type UnnumberedEffect } from '../../model/effect.ts';
import type { By, EventOfKind } from '../../model/event.ts';
import { needsPerson } from '../../model/plan-owner.ts';
import type { EndedTask, Fact, JournalRecord, PlanMove } from '../../model/record.ts';
import type { RuleRefusal } from '../../model/refusal.ts';
import { archivedPlan, personsDecision, speakerName, unknownPlan } from '../../model/refusals.ts';
import type { RecordChange } from '../../model/run.ts';
import { suggest } from '../../model/suggestion.ts';
import { listed, openTasks } from '../../model/tasks.ts';
import { isPlanning } from '../../model/workshop/status.ts';
import type { PlanEntry, World } from '../../model/world.ts';
import { extrasForManagedPlan } from './managed-plan.ts';
import { whyBranchDiffers, whyItCannotLand, whyNoVerdict } from './review.ts';

type MoveEvent = EventOfKind<'move'>;
type RegisterEvent = EventOfKind<'register'>;

export function decideMove(world: World, event: MoveEvent, now: Date): Decision {
  return whyNotByHand(world.plans.get(event.plan), event) ?? movePlan(world, event, now);
}

/** The plan of a workshop is ready when a person approves it; until then only a plan file that exists can be taken as it is. */
function whyNotByHand(entry: PlanEntry | undefined, { event, by }: MoveEvent): Decision | undefined {
  if (event !== 'planner_finished' || by.who !== 'user' || entry === undefined || !isPlanning(entry)) return undefined;
  const { plan, workshop, file } = entry;
  if (workshop.state === 'review_ready')
    return refused(
      'state',
      `The plan of ${plan} waits for your review: approve it, or send it back.`,
      suggest('plan-approve', slugOf(plan)),
    );
  if (file === undefined)
    return refused(
      'no-file',
      `${plan} has no plan file yet: its workshop is in the state "${workshop.state}".`,
      suggest('why', slugOf(plan)),
    );
  return undefined;
}

/** A move that somebody asks for. `feedbackBy`: who wrote the feedback, where that is somebody else. */
export type MoveAsked = Pick<MoveEvent, 'plan' | 'event' | 'by' | 'feedback' | 'fileProblem' | 'landing'> & {
  readonly feedbackBy?: Author;
  /** What else changes in the same record: what a review found. */
  readonly along?: readonly RecordChange[];
};

/** A person who only agrees with a reviewer whose review cycles are used up sends back what the reviewer asked for. */
function withFeedback({ work }: PlanEntry, asked: MoveAsked): MoveAsked {
  const isSaid = asked.feedback !== undefined && asked.feedback.trim() !== '';
  if (asked.event !== 'review_changes_requested' || isSaid || !work?.waiting) return asked;
  return { ...asked, feedback: work.waiting.text, feedbackBy: work.waiting.by ?? 'reviewer' };
}

/** Moves a plan for a person's command, an agent's signal, or the engine. */
export function movePlan(
  world: World,
  asked: MoveAsked,
  now: Date,
  signal?: NonNullable<JournalRecord['signal']>,
): Decision {
  const notTheirs = whyNotFrom(asked.by, asked.event);
  if (notTheirs !== undefined) return refused(notTheirs.code, notTheirs.why);
  const entry = world.plans.get(asked.plan);
  if (entry === undefined) return refusedFor('unknown-plan', unknownPlan(asked.plan));
  if (entry.archived !== undefined) return refusedFor('state', archivedPlan(entry));
  const event = withFeedback(entry, asked);
  const result = step(planMachine, entry.status, event.event);
  const no = result.kind === 'moved' ? (whyNotInWorkshop(entry, event) ?? whyNotNow(entry, event)) : undefined;
  if (no !== undefined) return refused(no.code, no.why);
  if (result.kind === 'refused') return refused('state', `${event.plan} was not changed: ${result.why}`);
  const context = { world, now, by: event.by, entry, ...(signal === undefined ? {} : { signal }) };
  if (event.event === 'review_approved') {
    const unfit = whyNoVerdict(context) ?? whyBranchDiffers(entry, event.landing);
    if (unfit !== undefined) return unfit;
    const feedback = whyItCannotLand(entry, event.landing);
    const instead = { event: 'review_changes_requested', feedbackBy: 'engine' } as const;
    if (feedback !== undefined) return movePlan(world, { ...event, ...instead, feedback }, now, signal);
  }
  const extras = extrasForManagedPlan(context, event);
  if ('records' in extras) return extras;
  const move: PlanMove = { machine: 'plan', plan: event.plan, event: event.event, from: entry.status, to: result.to };
  const fact: Fact = {
    event: event.event,
    plan: event.plan,
    ...(event.feedback === undefined ? {} : { feedback: event.feedback }),
    ...(event.feedbackBy === undefined ? {} : { feedbackBy: event.feedbackBy }),
    ...(event.event === 'start_over' ? { ended: endedTasks(entry) } : {}),
  };
  const effects = numbered(world.seq + 1, [...extras.effects, ...notification(event.by, move)]);
  const changes = [...(event.along ?? []), ...extras.changes];
  return accepted(
    record(context, fact, {
      moves: [move],
      ...(changes.length === 0 ? {} : { changes }),
      ...(signal === undefined ? {} : { signal }),
      ...(effects.length === 0 ? {} : { effects }),
    }),
  );
}

function endedTasks({ tasks }: PlanEntry): readonly EndedTask[] {
  return tasks.flatMap(({ id, state, feedback }): readonly EndedTask[] => {
    if (feedback !== undefined) return [{ task: id, was: state, becomes: 'dropped' }];
    return state === taskMachine.initial ? [] : [{ task: id, was: state, becomes: 'planned' }];
  });
}

export function decideRegister(world: World, event: RegisterEvent, now: Date): Decision {
  if (event.by.who === 'agent')
    return refused(
      'source',
      'Only a person may register a plan. An agent that has written one sends "planner-finished".',
    );
  const plan = planFile(event.plan);
  if (plan === undefined) return refused('bad-name', whyNoPlanName(event.plan) ?? 'That is not a valid plan name.');
  const known = world.plans.get(plan);
  if (known?.archived !== undefined)
    return refused(
      'already-known',
      `${plan} is the name of an archived plan: bring that back, or choose another name.`,
      suggest('plan-unarchive', slugOf(plan)),
    );
  if (known !== undefined)
    return refused(
      'already-known',
      `${plan} is already registered; it is ${known.status}.`,
      suggest(known.status === 'ready' ? 'run' : 'why', slugOf(plan)),
    );
  if (!event.planFileExists)
    return refused('no-file', `docs/plans/${plan} does not exist. Write the plan first, then register it.`);
  return accepted(registration({ world, now, by: event.by }, event));
}

/** The record that registers a plan. The name must have been checked. */
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
  const effects = numbered(context.world.seq + 1, notification(context.by, move));
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

/** The planner of a workshop ends its rounds, and nothing else. */
function whyNotInWorkshop(
  entry: PlanEntry,
  { event, by }: Pick<MoveEvent, 'event' | 'by'>,
): { code: RuleRefusal; why: string } | undefined {
  if (event !== 'planner_finished' || by.who !== 'agent' || !isPlanning(entry)) return undefined;
  return { code: 'state', why: `${entry.plan} is planned in a workshop; it is ready when a person approves its plan.` };
}

/** Why a move that the machine allows is not possible now. */
function whyNotNow(
  entry: PlanEntry,
  { event, fileProblem }: Pick<MoveEvent, 'event' | 'fileProblem'>,
): { code: RuleRefusal; why: string } | undefined {
  if (event === 'implement_start' && fileProblem !== undefined)
    return { code: 'unusable-file', why: `${entry.plan} cannot be built: ${fileProblem}` };
  const open = openTasks(entry);
  // A plan of which cadre never launched a task is driven from outside, and finished when somebody says so.
  const isOurs = entry.work !== undefined || entry.tasks.some((task) => task.launched !== undefined);
  if (event === 'implement_finished' && isOurs && open.length > 0)
    return {
      code: 'open-tasks',
      why: `${entry.plan} is not finished. Not done: ${listed(open.map((task) => task.address))}.`,
    };
  return undefined;
}

/** Events that only a person causes, although the machine does not reserve them for users. */
const BY_PERSON: readonly PlanEvent[] = ['plan_start', 'implement_start'];

/** Why this speaker may not cause this event in any state of the plan. */
function whyNotFrom(by: By, event: PlanEvent): { code: RuleRefusal; why: string } | undefined {
  if (by.who === 'user') return undefined;
  if (isUserOnly(planMachine, event)) return { code: 'user-only', why: personsDecision(event, by) };
  if (BY_PERSON.includes(event))
    return { code: 'source', why: `"${event}" starts work, which only a person may do; ${speakerName(by)} cannot.` };
  if (by.who === 'agent' && !rolesFor(event).includes(by.role)) return wrongRole(by, event);
  return undefined;
}

function wrongRole(by: Extract<By, { who: 'agent' }>, event: PlanEvent): { code: RuleRefusal; why: string } {
  const roles = rolesFor(event).filter((role) => role !== 'outside');
  return {
    code: 'role',
    why: `"${event}" is for the ${roles.join(' or the ')} of a plan; ${speakerName(by)} cannot send it.`,
  };
}

/** Notifies the person of what an agent or the engine did when the next step is the person's. */
function notification(by: By, move: PlanMove): readonly UnnumberedEffect[] {
  if (by.who === 'user') return [];
  const text = needsPerson(move.plan, move.to);
  return text === undefined ? [] : [{ do: 'tell', text }];
}
