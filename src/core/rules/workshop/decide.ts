// Rules for what a person decides in a workshop: answers, more rounds, and planning again.
import { slugOf } from '../../../plan/name.ts';
import { showName } from '../../../text/show.ts';
import { fold } from '../../journal/fold.ts';
import { accepted, type Decision, refused, refusedFor } from '../../model/decision.ts';
import type { EventOfKind, PlanningAnswer } from '../../model/event.ts';
import { personsDecision, unknownPlan } from '../../model/refusals.ts';
import { suggest } from '../../model/suggestion.ts';
import { listed } from '../../model/tasks.ts';
import {
  openBlocking,
  type WorkshopEntry,
  type WorkshopQuestion,
  type WorkshopWait,
} from '../../model/workshop/entry.ts';
import { isPlanning, workshopWait } from '../../model/workshop/status.ts';
import type { PlanEntry, World } from '../../model/world.ts';
import { movePlan } from '../plan/move.ts';
import { recordWorkshop, says, type WorkshopContext } from './context.ts';
import { moveOn } from './keep.ts';

type PersonsEvent = EventOfKind<
  'workshop-answer' | 'workshop-continue' | 'workshop-settle' | 'workshop-redo' | 'workshop-approve'
>;

/** The workshop that the event is about, or why it cannot be decided. */
export function workshopOf(world: World, { plan, by, kind }: PersonsEvent, now: Date): WorkshopContext | Decision {
  if (by.who !== 'user') return refused('user-only', personsDecision(kind, by));
  const entry = world.plans.get(plan);
  if (entry === undefined) return refusedFor('unknown-plan', unknownPlan(plan));
  if (isPlanning(entry)) return { world, now, by, entry };
  return notPlanning(entry);
}

function notPlanning({ plan, status, workshop }: PlanEntry): Decision {
  if (workshop === undefined) return refused('state', `${plan} has no workshop; it is ${status}.`);
  const redo = status === 'ready' ? [suggest('plan-redo', slugOf(plan))] : [];
  return refused('state', `${plan} is ${status}, so its workshop is closed.`, ...redo);
}

export function answerWorkshop(world: World, event: EventOfKind<'workshop-answer'>, now: Date): Decision {
  const context = workshopOf(world, event, now);
  if ('records' in context) return context;
  const { plan, workshop } = context.entry;
  if (event.answers.length === 0) return refused('no-body', `No answer was given for ${plan}.`);
  const given = new Map(event.answers.map((one) => [one.question, one]));
  for (const answer of given.values()) {
    const no = whyNotAnswered(context.entry, answer);
    if (no !== undefined) return no;
  }
  const lines = [...given.values()].map(({ question, text }) =>
    text === null
      ? says(context, 'skip', 'Skipped: the planner decides.', { question })
      : says(context, 'answer', text.trim(), { question }),
  );
  return recordWorkshop(context, {
    name: 'workshop_answered',
    change: { questions: workshop.questions.map((one) => answered(one, given.get(one.id))) },
    says: lines,
  });
}

function answered(question: WorkshopQuestion, answer: PlanningAnswer | undefined): WorkshopQuestion {
  if (answer === undefined) return question;
  const { text } = answer;
  return text === null ? { ...question, state: 'skipped' } : { ...question, state: 'answered', answer: text.trim() };
}

function whyNotAnswered(
  { plan, workshop }: PlanEntry & { readonly workshop: WorkshopEntry },
  { question, text }: PlanningAnswer,
): Decision | undefined {
  const found = workshop.questions.find(({ id }) => id === question);
  const open = workshop.questions.filter(({ state }) => state === 'open').map(({ id }) => id);
  if (found === undefined) {
    const has = open.length === 0 ? 'none is open' : `open: ${listed(open)}`;
    return refused('unknown-question', `The planner of ${plan} has not asked "${showName(question)}"; ${has}.`);
  }
  if (found.state !== 'open')
    return refused('state', `The question "${question}" of ${plan} is already ${found.state}.`);
  if (text === null && found.blocking)
    return refused('blocked', `The question "${question}" of ${plan} is blocking, so it cannot be skipped.`);
  if (text !== null && text.trim() === '')
    return refused('no-body', `The answer to "${question}" of ${plan} is empty.`);
  return undefined;
}

const CONTINUED: {
  readonly [wait in Exclude<WorkshopWait, 'answers'>]: {
    readonly change: Partial<WorkshopEntry>;
    readonly text: string;
  };
} = {
  rounds: { change: { rounds: 0 }, text: 'More rounds are allowed.' },
  documents: { change: { invalid: 0 }, text: 'The planner may try again.' },
  planner: { change: { relaunches: 0, session: null }, text: 'Another planner is started.' },
};

export function continueWorkshop(world: World, event: EventOfKind<'workshop-continue'>, now: Date): Decision {
  const context = workshopOf(world, event, now);
  if ('records' in context) return context;
  const wait = workshopWait(world, context.entry);
  if (wait === undefined || wait === 'answers') return notWaiting(context, wait);
  const { change, text } = CONTINUED[wait];
  return recordWorkshop(context, { name: 'workshop_continued', change, says: [says(context, 'decision', text)] });
}

function notWaiting({ entry: { plan, workshop } }: WorkshopContext, wait: WorkshopWait | undefined): Decision {
  if (wait === 'answers')
    return refused(
      'state',
      `${plan} waits for answers: ${listed(openBlocking(workshop).map(({ id }) => id))}.`,
      suggest('questions'),
    );
  return refused(
    'state',
    `${plan} does not wait for this; its workshop is in the state "${workshop.state}", round ${workshop.round}.`,
  );
}

export function settleWorkshop(world: World, event: EventOfKind<'workshop-settle'>, now: Date): Decision {
  const context = workshopOf(world, event, now);
  if ('records' in context) return context;
  const wait = workshopWait(world, context.entry);
  if (wait !== 'rounds') return notWaiting(context, wait);
  return moveOn(context, 'stabilized', 'a person had the plan written although the proposals still changed.');
}

/** For a plan that is ready, planning starts again first. */
export function redoWorkshop(world: World, event: EventOfKind<'workshop-redo'>, now: Date): Decision {
  const { plan, by } = event;
  const entry = world.plans.get(plan);
  if (by.who !== 'user' || entry?.workshop === undefined || entry.status === 'planning') return redo(world, event, now);
  const started = movePlan(world, { plan, event: 'plan_start', by }, now);
  if (started.kind !== 'accepted') return started;
  const redone = redo(fold(world, started.records), event, now);
  return redone.kind === 'accepted' ? accepted(...started.records, ...redone.records) : redone;
}

function redo(world: World, event: EventOfKind<'workshop-redo'>, now: Date): Decision {
  const context = workshopOf(world, event, now);
  if ('records' in context) return context;
  const { workshop } = context.entry;
  // A person who only agrees with the architect sends back what the architect asked for.
  const feedback = event.feedback.trim() || (workshop.advice?.text.trim() ?? '');
  return recordWorkshop(context, {
    move: 'redo',
    change: {
      from: event.from,
      rounds: 0,
      last: null,
      document: null,
      advice: null,
      versions: [...workshop.versions, workshop.document],
      questions: workshop.questions.map((one) => (one.state === 'open' ? { ...one, state: 'withdrawn' } : one)),
    },
    says: [
      ...(feedback === '' ? [] : [says(context, 'feedback', feedback)]),
      says(context, 'transition', `${workshop.state} -> draft: a person has the planning redone.`),
    ],
  });
}
