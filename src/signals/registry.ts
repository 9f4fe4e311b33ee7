// All signals: who may send each, whether it has a body, and what it causes.
// Prompts, `cadre signal --help`, the scanner and docs/signals.md are generated from this table.

import type { PlanEvent } from '../machines/plan.ts';
import type { RunState } from '../machines/run.ts';

/**
 * `outside` is an agent that cadre did not start: it can send signals about a plan, never about a run. `unknown` is an agent
 * whose session has no role: none of its signals count.
 */
export const ROLES = [
  'planner',
  'architect',
  'implementer',
  'spec-reviewer',
  'quality-reviewer',
  'reviewer',
  'outside',
  'unknown',
] as const;
export type Role = (typeof ROLES)[number];

/** `optional`: a report or a review, as a document. A sentinel never has one. */
export type BodyRule = 'none' | 'optional' | 'required';

interface SignalRow {
  readonly name: string;
  readonly body: BodyRule;
  readonly meaning: string;
  /** May also be dropped as a file `<name>-<plan file>`. */
  readonly sentinel: boolean;
  /** The event that it causes for a whole plan, and who may send it. */
  readonly plan?: { readonly event: PlanEvent; readonly roles: readonly Role[] };
  /** In which states it has an effect on a run, and who may send it. core/rules/signal/run-signal.ts says what it does. */
  readonly run?: { readonly in: readonly RunState[]; readonly roles: readonly Role[] };
  /** It ends a turn in a workshop: a round of the planner, or the architect's review of the plan. */
  readonly workshop?: { readonly roles: readonly Role[] };
}

/** The reviewers of a run: the architect reviews the task's plan, the others its code. */
const RUN_REVIEWS = {
  in: ['PLAN_REVIEW', 'CODE_REVIEW'],
  roles: ['architect', 'spec-reviewer', 'quality-reviewer'],
} as const;

const TABLE = [
  {
    name: 'planner-finished',
    body: 'none',
    meaning: 'The plan is written. If cadre does not know the plan file yet, it is registered.',
    sentinel: true,
    plan: { event: 'planner_finished', roles: ['planner', 'outside'] },
  },
  {
    name: 'implement-finished',
    body: 'optional',
    meaning: 'The work is committed and ready for verification and review.',
    sentinel: true,
    plan: { event: 'implement_finished', roles: ['implementer', 'outside'] },
    run: { in: ['CODING', 'FIXING'], roles: ['implementer'] },
  },
  {
    name: 'fix-finished',
    body: 'optional',
    meaning: 'The requested fix is committed.',
    sentinel: false,
    run: { in: ['FIXING'], roles: ['implementer'] },
  },
  {
    name: 'review-approved',
    body: 'optional',
    meaning: 'The reviewed work is good as it is.',
    sentinel: true,
    plan: { event: 'review_approved', roles: ['reviewer', 'outside'] },
    run: RUN_REVIEWS,
    workshop: { roles: ['architect'] },
  },
  {
    name: 'review-changes',
    body: 'required',
    meaning: 'The reviewed work needs changes; the body says which.',
    sentinel: true,
    plan: { event: 'review_changes_requested', roles: ['reviewer', 'outside'] },
    run: RUN_REVIEWS,
    workshop: { roles: ['architect'] },
  },
  {
    name: 'plan-submitted',
    body: 'required',
    meaning: 'A proposal for how to do this task; the body is the proposal.',
    sentinel: false,
    run: { in: ['PLANNING', 'QUESTION'], roles: ['implementer'] },
  },
  {
    name: 'question',
    body: 'required',
    meaning: 'Work cannot continue without an answer; the body is the question.',
    sentinel: false,
    run: { in: ['PLANNING', 'CODING', 'FIXING'], roles: ['implementer'] },
  },
  {
    name: 'answer',
    body: 'required',
    meaning:
      'The answer to a question. At a check-in, the first line is CONTINUE, PIVOT, ESCALATE or ABANDON. About a proposal, it is ABANDON, with the reason below: the task cannot be done. About open findings, each line PARK f1 and why leaves one as it is.',
    sentinel: false,
    run: { in: ['QUESTION', 'PLAN_REVIEW', 'CODE_REVIEW'], roles: ['architect'] },
  },
  {
    name: 'verify-passed',
    body: 'none',
    meaning: 'The verification that the agent ran has passed.',
    sentinel: false,
    run: { in: ['TESTING'], roles: ['implementer'] },
  },
  {
    name: 'verify-issues',
    body: 'required',
    meaning: 'The verification that the agent ran has found problems; the body says which.',
    sentinel: false,
    run: { in: ['TESTING'], roles: ['implementer'] },
  },
  {
    name: 'round-finished',
    body: 'required',
    meaning: 'A round of the workshop is over; the body is its document.',
    sentinel: false,
    workshop: { roles: ['planner'] },
  },
] as const satisfies readonly SignalRow[];

export type SignalName = (typeof TABLE)[number]['name'];
export type RunSignalName = Extract<(typeof TABLE)[number], { readonly run: unknown }>['name'];

export interface SignalDefinition extends SignalRow {
  readonly name: SignalName;
}

export const SIGNALS: readonly SignalDefinition[] = TABLE;

export function findSignal(name: string): SignalDefinition | undefined {
  return SIGNALS.find((signal) => signal.name === name);
}

export function asRole(word: string): Role | undefined {
  return ROLES.find((role) => role === word);
}

/** The roles that may cause an event of a plan by a signal; none if no signal causes it. */
export function rolesFor(event: PlanEvent): readonly Role[] {
  return SIGNALS.flatMap((signal) => (signal.plan?.event === event ? signal.plan.roles : []));
}

/** The size limit for one signal. */
export const LARGEST_BODY_BYTES = 256 * 1024;
