// A workshop as surfaces show it: where it is, whose turn it is, and what a person can do.

import type { WorkshopState } from '../../../machines/workshop.ts';
import { slugOf } from '../../../plan/name.ts';
import type { Role } from '../../../signals/registry.ts';
import { failureOf, hasEnded } from '../../model/session.ts';
import { type Stop, stopOf } from '../../model/stops.ts';
import { type Suggestion, suggest } from '../../model/suggestion.ts';
import { listed } from '../../model/tasks.ts';
import {
  openBlocking,
  type RoundResult,
  type WorkshopQuestion,
  type WorkshopWait,
} from '../../model/workshop/entry.ts';
import { type PlanningEntry, plannerHealth, planReviewer, workshopWait } from '../../model/workshop/status.ts';
import type { PlanEntry, World } from '../../model/world.ts';
import type { NotificationKind } from '../../settings/notify.ts';
import { MAX_ROUNDS } from '../../settings/settings.ts';

export interface WorkshopView {
  readonly state: WorkshopState;
  readonly since: string;
  /** Counts the documents that the planner was asked for. */
  readonly round: number;
  /** Rounds that added something since the beginning, and how many there may be. */
  readonly rounds: { readonly used: number; readonly of: number };
  /** What only a person can continue. */
  readonly waits: WorkshopWait | null;
  /** What the last round led to; null until its document is here. */
  readonly heuristics: RoundResult | null;
  /** What the architect asks to be changed in the plan; null where it asks for nothing. */
  readonly advice: string | null;
  /** How often the planning was redone. */
  readonly version: number;
  readonly questions: readonly QuestionView[];
}

export type QuestionView = Pick<
  WorkshopQuestion,
  'id' | 'text' | 'blocking' | 'why' | 'suggestions' | 'state' | 'round'
> & {
  readonly answer: string | null;
};

export function viewWorkshop(world: World, entry: PlanEntry): WorkshopView | null {
  const { workshop } = entry;
  if (workshop === undefined) return null;
  const { state, since, round, rounds, result, advice, versions, questions } = workshop;
  return {
    state,
    since,
    round,
    rounds: { used: rounds, of: world.policy.budgets.rounds ?? MAX_ROUNDS },
    waits: entry.status === 'planning' ? (workshopWait(world, { ...entry, workshop }) ?? null) : null,
    heuristics: result,
    advice: advice?.text ?? null,
    version: versions.length,
    questions: questions.map(({ id, text, blocking, why, suggestions, state: now, round: asked, answer = null }) => ({
      id,
      text,
      blocking,
      why,
      suggestions,
      state: now,
      round: asked,
      answer,
    })),
  };
}

/** How a question is referred to: `search#scope`. */
export function questionReference({ plan }: Pick<PlanEntry, 'plan'>, { id }: Pick<WorkshopQuestion, 'id'>): string {
  return `${slugOf(plan)}#${id}`;
}

interface Wait {
  readonly owner: 'user' | 'engine' | Role;
  readonly sentence: string;
  readonly suggestions: readonly Suggestion[];
  /** What a person is needed for; null where nobody is, or where a person stopped it. */
  readonly need: PlanningNeed | null;
}

type PlanningNeed = Extract<NotificationKind, 'question' | 'decision' | 'budget' | 'halted'>;

export function planningWait(world: World, entry: PlanningEntry): Wait {
  const { workshop } = entry;
  const { state, round } = workshop;
  if (state === 'review_ready') return findingsWait(world, entry);
  const wait = workshopWait(world, entry);
  if (wait !== undefined) return personsWait(world, entry, wait);
  const stop = stopOf(world, entry);
  if (plannerHealth(workshop, world) === 'working')
    return {
      owner: 'planner',
      sentence: `The planner (${workshop.session?.id}) is working: ${state}, round ${round}.`,
      suggestions: [],
      need: null,
    };
  return stop === undefined ? engine(`Starting the planner: ${state}, round ${round}.`) : stopped(stop);
}

/** A person may decide at any time, also while the architect reviews the plan. */
function findingsWait(world: World, entry: PlanningEntry): Wait {
  const { workshop } = entry;
  const { advice, session } = workshop;
  const plan = slugOf(entry.plan);
  const decisions = [suggest('plan-approve', plan), suggest('plan-redo', plan)];
  if (advice != null)
    return user(
      'decision',
      `The architect asks for changes: have it planned again, with this advice unless you give other feedback, or approve the plan as it is.\n${advice.text}`,
      [suggest('plan-redo', plan, isShort(advice.text) ? advice.text : undefined), suggest('plan-approve', plan)],
    );
  if (world.policy.architect.workshop !== 'agent')
    return user('decision', 'The plan is ready for your review: approve it, or have it planned again.', decisions);
  if (planReviewer(world, entry) === 'person')
    return user(
      'halted',
      `The architect failed, and the restart limit is reached: approve the plan, or have it planned again. ${agentsFailure(world, entry)}`,
      [...(session === null ? [] : [suggest('session-screen', session.id)]), ...decisions],
    );
  if (plannerHealth(workshop, world) === 'working')
    return {
      owner: 'architect',
      sentence: `The architect (${session?.id}) is reviewing the plan.`,
      suggestions: decisions,
      need: null,
    };
  const stop = stopOf(world, entry);
  const wait = stop === undefined ? engine('Starting the architect.') : stopped(stop, 'architect');
  return { ...wait, suggestions: [...wait.suggestions, ...decisions] };
}

/** Fits a command line. */
function isShort(text: string): boolean {
  return text.length <= 120 && !text.includes('\n');
}

/** Why the last planner or architect did not work. */
function agentsFailure({ sessions }: World, { workshop: { session } }: PlanningEntry): string {
  const last = session === null ? undefined : sessions.get(session.id);
  if (last !== undefined && hasEnded(last)) return failureOf(last);
  return session?.trouble === 'silent' ? 'It stopped working without a signal.' : 'It took too long.';
}

function personsWait(world: World, entry: PlanningEntry, wait: WorkshopWait): Wait {
  const plan = slugOf(entry.plan);
  const { workshop } = entry;
  switch (wait) {
    case 'answers': {
      const open = openBlocking(workshop);
      const [first] = open;
      return user(
        'question',
        `The planner asks: ${first?.text ?? ''}${open.length > 1 ? ` (${open.length} blocking questions: ${listed(open.map(({ id }) => id))})` : ''}`,
        [
          suggest('questions'),
          ...open.map((one) => suggest('answer', questionReference(entry, one), one.suggestions[0])),
        ],
      );
    }
    case 'rounds':
      return user(
        'budget',
        'The round limit is reached, and the proposals still change: have the plan written, or allow more rounds.',
        [suggest('plan-settle', plan), suggest('plan-continue', plan), suggest('plan-redo', plan)],
      );
    case 'documents':
      return user(
        'budget',
        `The planner returned ${workshop.invalid} invalid documents in a row. ${workshop.violations[0] ?? ''}`.trim(),
        [suggest('plan-continue', plan), suggest('plan-redo', plan)],
      );
    case 'planner':
      return user(
        'halted',
        `The planner failed, and the restart limit is reached: start another one, or have it planned again. ${agentsFailure(world, entry)}`,
        [
          ...(workshop.session === null ? [] : [suggest('session-screen', workshop.session.id)]),
          suggest('plan-continue', plan),
          suggest('plan-redo', plan),
        ],
      );
  }
}

function user(need: PlanningNeed, sentence: string, suggestions: readonly Suggestion[]): Wait {
  return { owner: 'user', sentence, suggestions, need };
}

function engine(sentence: string): Wait {
  return { owner: 'engine', sentence, suggestions: [], need: null };
}

function stopped({ owner, word, end }: Stop, role: Role = 'planner'): Wait {
  return { owner, sentence: `${word}: no ${role} is started.`, suggestions: [end], need: null };
}
