// The lifecycle of a workshop: rounds of questions and answers that end in a plan to be reviewed.
import { defineTable, type EventOf, type Machine, type StateOf } from './machine.ts';

const table = defineTable({
  draft: { start: 'clarifying' },
  clarifying: { answers_provided: 'workshop', no_open_questions: 'formalizing', redo: 'draft' },
  // The only edge that leads back to its own state: it counts a round.
  workshop: { next_round: 'workshop', stabilized: 'formalizing', redo: 'draft' },
  formalizing: { plan_synthesized: 'review_ready', redo: 'draft' },
  review_ready: { redo: 'draft' },
});

export type WorkshopState = StateOf<typeof table>;
export type WorkshopEvent = EventOf<typeof table>;

export const workshopMachine: Machine<WorkshopState, WorkshopEvent> = {
  name: 'workshop',
  initial: 'draft',
  final: ['review_ready'],
  userOnly: ['redo'],
  table,
};
