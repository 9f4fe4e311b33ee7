// What the planner of a simulated workshop hands in, and what the person decides: four rounds with questions, one invalid
// document, a plan that is sent back, and one that is approved.
import type { Event } from '../../src/core/model/event.ts';
import type { WorkshopEntry } from '../../src/core/model/workshop/entry.ts';
import { isPlanning, workshopWait } from '../../src/core/model/workshop/status.ts';
import type { World } from '../../src/core/model/world.ts';
import type { PlanFile } from '../../src/plan/name.ts';
import type { PlanningDocument } from '../../src/workshop/planning-document.ts';
import { blocking, changing, INVALID, question, READY, round, structured } from '../support/workshop.ts';

/** The same in every run, whatever was killed. */
export const FINAL_PLAN: PlanningDocument = structured('Second plan');

/** What the planner hands in, by name. */
export const DOCUMENTS = {
  asks: JSON.stringify(round({ questions: [blocking('scope'), question('colour')] })),
  invalid: INVALID,
  limit: JSON.stringify(changing(2, { questions: [blocking('limit')] })),
  ready: JSON.stringify(READY),
  first: JSON.stringify(structured('First plan')),
  again: JSON.stringify({ ...READY, questions: [blocking('scope')] }),
  second: JSON.stringify(FINAL_PLAN),
} as const;

/** It depends on the workshop alone, so that a planner that replaces another one hands in the same. */
export function nextDocument(workshop: WorkshopEntry): string {
  return DOCUMENTS[nextName(workshop)];
}

function nextName({ state, versions, questions, invalid }: WorkshopEntry): keyof typeof DOCUMENTS {
  if (state === 'formalizing') return versions.length > 0 ? 'second' : 'first';
  if (versions.length > 0) return 'again';
  if (state === 'clarifying') return 'asks';
  if (questions.some(({ id }) => id === 'limit')) return 'ready';
  return invalid === 0 ? 'invalid' : 'limit';
}

/** What the person answers; null: skips. */
export const ANSWERS: Readonly<Record<string, string | null>> = { scope: 'words', colour: null, limit: 'none at all' };

/** What the person does next about a workshop; undefined where nobody asks. `existing`: the text of the plan file. */
export function nextDecision(
  world: World,
  plan: PlanFile,
  existing: string | null,
  from = 'c0ffee',
): Event | undefined {
  const entry = world.plans.get(plan);
  if (entry === undefined || !isPlanning(entry)) return undefined;
  const by = { who: 'user' } as const;
  const { state, versions, questions, published } = entry.workshop;
  if (state === 'review_ready') {
    if (versions.length === 0) return { kind: 'workshop-redo', plan, by, feedback: 'smaller', from };
    return { kind: 'workshop-approve', plan, by, existing, replace: existing !== null && existing !== published };
  }
  switch (workshopWait(world, entry)) {
    case 'answers': {
      const open = questions.filter((one) => one.state === 'open');
      const answers = open.map(({ id }) => ({ question: id, text: ANSWERS[id] ?? null }));
      return { kind: 'workshop-answer', plan, by, answers };
    }
    case 'rounds':
      return { kind: 'workshop-settle', plan, by };
    case 'documents':
    case 'planner':
      return { kind: 'workshop-continue', plan, by };
    case undefined:
      return undefined;
  }
}
