// Rules for what the planner of a workshop returns: one document per round.
import { slugOf } from '../../../plan/name.ts';
import { findSignal, type SignalDefinition } from '../../../signals/registry.ts';
import {
  blockingQuestions,
  commitmentReadiness,
  filePlanConsistency,
  noNewInfo,
} from '../../../workshop/heuristics.ts';
import { type PlanningDocument, readPlanningDocument } from '../../../workshop/planning-document.ts';
import { type RoundDocument, readRoundDocument } from '../../../workshop/round-document.ts';
import { type Decision, refused } from '../../model/decision.ts';
import type { Signal } from '../../model/event.ts';
import { speakerName } from '../../model/refusals.ts';
import { isHeard } from '../../model/run-status.ts';
import type { SessionEntry } from '../../model/session.ts';
import { recordedSignal } from '../../model/signal.ts';
import {
  MOST_INVALID,
  type RoundResult,
  type WorkshopEntry,
  type WorkshopQuestion,
} from '../../model/workshop/entry.ts';
import { isPlanning } from '../../model/workshop/status.ts';
import type { World } from '../../model/world.ts';
import { recordWorkshop, says, type WorkshopContext } from './context.ts';

export function decideRoundSignal(world: World, signal: Signal, speaker: SessionEntry, now: Date): Decision {
  const context = heardIn(world, signal, speaker, now);
  if ('records' in context) return context;
  if (signal.body.trim() === '')
    return refused('no-body', `"${signal.name}" needs the document of the round as its body.`);
  return context.entry.workshop.state === 'formalizing' ? takePlan(context, signal) : takeRound(context, signal.body);
}

/** Only the agent that was started for the present state of the workshop is heard, and only in its role. */
export function heardIn(world: World, signal: Signal, speaker: SessionEntry, now: Date): WorkshopContext | Decision {
  const entry = speaker.plan === undefined ? undefined : world.plans.get(speaker.plan);
  if (entry === undefined || !isPlanning(entry))
    return refused('state', `${speaker.plan} is ${entry?.status ?? 'not known'}, so its workshop takes no signals.`);
  const by = { who: 'agent', role: speaker.role, session: speaker.id } as const;
  const context: WorkshopContext = { world, now, by, entry, signal: recordedSignal(signal) };
  return whyNotHeard(context, signal, speaker, findSignal(signal.name)) ?? context;
}

function whyNotHeard(
  { entry, by }: WorkshopContext,
  signal: Signal,
  speaker: SessionEntry,
  definition: SignalDefinition | undefined,
): Decision | undefined {
  const { plan, workshop } = entry;
  if (definition?.workshop === undefined)
    return refused(
      'role',
      `${plan} is planned in a workshop, in which "${signal.name}" is not a signal that ${speakerName(by)} may send.`,
    );
  if (!definition.workshop.roles.includes(speaker.role))
    return refused('role', `"${signal.name}" is not a signal that ${speakerName(by)} may send about ${plan}.`);
  if (workshop.session?.id !== speaker.id)
    return refused('stale', `${speaker.id} is no longer the ${speaker.role} of ${plan}.`);
  if (!isHeard(speaker)) return refused('not-holder', `${speaker.id} was stopped, so its signals no longer count.`);
  if (
    workshop.session.entered !== workshop.entered ||
    (signal.entered !== undefined && signal.entered !== workshop.entered)
  )
    return refused('stale', `"${signal.name}" is about an earlier round of ${plan}, which is ${workshop.state} now.`);
  return undefined;
}

function takeRound(context: WorkshopContext, body: string): Decision {
  const { workshop } = context.entry;
  const read = readRoundDocument(body);
  if (!read.ok) return invalid(context, read.violations);
  const { document } = read;
  const asked = askedAnew(context, document);
  const questions = withAsked(workshop.questions, asked);
  const result = resultOf(workshop, document, questions);
  return recordWorkshop(context, {
    name: 'round_finished',
    change: { result, last: document, questions, violations: [], session: null },
    says: [
      says(context, 'proposal', document.summary, { proposals: document.proposals, heuristics: { ...result } }),
      ...asked.map((one) => says(context, 'question', questionText(one), { question: one.id })),
    ],
  });
}

/**
 * A question that was asked before, by its id, is not asked again, unless it was withdrawn before it was answered, or has
 * become blocking since.
 */
function askedAnew(
  { entry: { workshop }, now }: WorkshopContext,
  document: RoundDocument,
): readonly WorkshopQuestion[] {
  const at = now.toISOString();
  return document.questions
    .filter((one) => {
      const before = workshop.questions.find(({ id }) => id === one.id);
      if (before === undefined || before.state === 'withdrawn') return true;
      return before.state === 'open' && one.blocking && !before.blocking;
    })
    .map((one) => ({ ...one, round: workshop.round, at, state: 'open' }));
}

function withAsked(
  before: readonly WorkshopQuestion[],
  asked: readonly WorkshopQuestion[],
): readonly WorkshopQuestion[] {
  const all = new Map([...before, ...asked].map((one) => [one.id, one]));
  return [...all.values()];
}

function resultOf(
  { last }: WorkshopEntry,
  document: RoundDocument,
  questions: readonly WorkshopQuestion[],
): RoundResult {
  const open = questions.filter(({ state }) => state === 'open' || state === 'answered' || state === 'skipped');
  const blocking = blockingQuestions(open.map((one) => ({ blocking: one.blocking, answered: one.state !== 'open' })));
  return {
    blocking_questions: blocking,
    no_new_info: noNewInfo(last, document),
    commitment_readiness: commitmentReadiness(document, blocking).holds,
  };
}

function questionText({ text, blocking, why, suggestions }: WorkshopQuestion): string {
  const reason = why.trim() === '' ? '' : ` (${why.trim()})`;
  const offered = suggestions.length === 0 ? '' : ` Suggested: ${suggestions.join('; ')}`;
  return `${blocking ? 'Blocking: ' : ''}${text.trim()}${reason}${offered}`;
}

/** The structured plan. What it says about files must fit the plan and the repository. */
function takePlan(context: WorkshopContext, signal: Signal): Decision {
  const { plan } = context.entry;
  if (signal.files === undefined)
    return refused(
      'not-looked',
      `The files of the repository could not be read, so the plan of ${plan} was not checked. Try again.`,
    );
  const read = readPlanningDocument(signal.body);
  if (!read.ok) return invalid(context, read.violations);
  const { document } = read;
  const { holds, problems } = filePlanConsistency(document, new Set(signal.files));
  if (!holds) return invalid(context, problems);
  return recordWorkshop(context, {
    move: 'plan_synthesized',
    change: { document, advice: null },
    says: [
      says(context, 'plan', planText(document)),
      says(
        { ...context, by: { who: 'engine' } },
        'transition',
        `formalizing -> review_ready: the plan is valid, and its files fit the plan and the repository.`,
        {
          heuristics: { file_plan_consistency: true },
        },
      ),
    ],
    effects: [{ do: 'tell', text: `The plan of ${slugOf(plan)} is ready for your review.` }],
  });
}

function planText({ title, work, file_plan }: PlanningDocument): string {
  const tasks = work.tasks.map(({ id, title: name }) => `- ${id}: ${name}`).join('\n');
  return `${title}\n\nTasks: ${work.tasks.length}. Files: ${file_plan.length}.\n${tasks}`;
}

/** The document goes back with what is wrong with it; the planner may repair it in the same turn. */
function invalid(context: WorkshopContext, violations: readonly string[]): Decision {
  const { world, entry } = context;
  const { plan, workshop } = entry;
  const count = workshop.invalid + 1;
  const isLast = count >= MOST_INVALID;
  const entered = world.seq + 1;
  const text = `The planner of ${plan} returned ${count} invalid documents in a row: let it try again, or redo the planning.`;
  return recordWorkshop(context, {
    name: 'round_invalid',
    change: {
      invalid: count,
      violations,
      // The next document is another one, not a repetition of this.
      entered,
      session: isLast || workshop.session === null ? null : { ...workshop.session, entered },
    },
    says: [
      says(
        { ...context, by: { who: 'engine' } },
        'invalid',
        `The document is invalid:\n${violations.map((one) => `- ${one}`).join('\n')}`,
      ),
    ],
    effects: isLast ? [{ do: 'tell', text }] : [],
  });
}
