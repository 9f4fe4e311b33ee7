// Workshops for tests: what a planner hands in, and worlds in which one is under way.
import type { Event, PlanningAnswer, SessionNews, Signal } from '../../src/core/model/event.ts';
import type { SessionId } from '../../src/core/model/ids.ts';
import type { WorkshopEntry } from '../../src/core/model/workshop/entry.ts';
import { EMPTY_WORLD, type World } from '../../src/core/model/world.ts';
import { DEFAULT_POLICY } from '../../src/core/settings/default-policy.ts';
import type { Policy } from '../../src/core/settings/policy.ts';
import type { WorkshopState } from '../../src/machines/workshop.ts';
import type { PlanningDocument } from '../../src/workshop/planning-document.ts';
import type { AskedQuestion, RoundDocument } from '../../src/workshop/round-document.ts';
import { planIn, settled } from './runs.ts';
import { PLAN, sessionNews, signal, USER } from './world.ts';

export function question(id: string, part: Partial<AskedQuestion> = {}): AskedQuestion {
  return { id, text: `What about ${id}?`, blocking: false, why: 'Both are possible.', suggestions: [], ...part };
}

export function blocking(id: string, part: Partial<AskedQuestion> = {}): AskedQuestion {
  return question(id, { blocking: true, ...part });
}

/** One task, nothing open, and not ready: the next round decides. */
export function round(part: Partial<RoundDocument> = {}): RoundDocument {
  return {
    summary: 'One task is enough.',
    questions: [],
    proposals: {
      tasks: [{ id: 't1', title: 'Search', subtasks: [], depends: [] }],
      assumptions: [],
      risks: [],
      acceptance_criteria: ['A word finds its notes.'],
      files: [{ path: 'search.txt', intent: 'create', task: 't1' }],
    },
    ready: false,
    ...part,
  };
}

/** Proposes something that no other number does, so that it is news. */
export function changing(number: number, part: Partial<RoundDocument> = {}): RoundDocument {
  const { proposals } = round();
  return round({ proposals: { ...proposals, assumptions: [`Assumption ${number}.`] }, ...part });
}

export const READY = round({ ready: true });

export const STRUCTURED: PlanningDocument = {
  id: 'search',
  title: 'Search',
  brief: 'Notes can be searched.',
  context: 'Notes are files.',
  goals: ['A word finds its notes.'],
  scope: { in: ['Words'], out: ['Stemming'] },
  architecture: 'One file.',
  tech_stack: ['text'],
  work: {
    milestones: [{ id: 'm1', title: 'All of it' }],
    tasks: [
      {
        id: 't1',
        title: 'Search',
        kind: 'feature',
        milestone: 'm1',
        depends: [],
        description: 'Write search.txt.',
        steps: [{ title: 'Write it' }],
        test: 'search.txt exists.',
        avoid: [],
        commit: 'search: find notes',
      },
    ],
  },
  risks: [],
  assumptions: [],
  acceptance_criteria: [{ id: 'a1', text: 'A word finds its notes.', task: 't1' }],
  file_plan: [{ path: 'search.txt', intent: 'create', task: 't1' }],
  notes: [],
  test_plan: ['Read search.txt.'],
};

/** Another plan for the same brief. */
export function structured(title: string): PlanningDocument {
  return { ...STRUCTURED, title };
}

/** Valid as JSON, and not as a document of any kind. */
export const INVALID = '{"summary": "I forgot the rest."}';

export const BRIEF = 'Notes can be searched.';

export function opens(plan: string = PLAN, brief = BRIEF): Event {
  return { kind: 'workshop-open', plan, by: USER, brief, from: 'c0ffee' };
}

export function opened(policy: Policy = DEFAULT_POLICY): World {
  const policies: readonly Event[] = policy === DEFAULT_POLICY ? [] : [{ kind: 'policy', policy }];
  return settled(EMPTY_WORLD, ...policies, opens());
}

export function workshopIn(world: World): WorkshopEntry {
  const { workshop } = planIn(world);
  if (workshop === undefined) throw new Error(`${PLAN} has no workshop.`);
  return workshop;
}

export function plannerOf(world: World): SessionId {
  const { session } = workshopIn(world);
  if (session === null) throw new Error('There is no planner.');
  return session.id;
}

/** The planner hands in a document. A structured plan is checked against the files of the repository. */
export function handsIn(world: World, document: object | string, more: Partial<Signal> = {}): Event {
  const session = workshopIn(world).session?.id ?? 'nobody';
  return signal({
    id: `round-finished/${session}/${world.seq}`,
    name: 'round-finished',
    body: typeof document === 'string' ? document : JSON.stringify(document),
    by: { who: 'agent', role: 'planner', session },
    entered: workshopIn(world).entered,
    files: ['notes.txt'],
    ...more,
  });
}

/** The world after the planner has handed in these documents, one after the other. */
export function afterRounds(world: World, ...documents: readonly (object | string)[]): World {
  return documents.reduce<World>((now, document) => settled(now, handsIn(now, document)), world);
}

export function answers(given: Readonly<Record<string, string | null>>): Event {
  const list: readonly PlanningAnswer[] = Object.entries(given).map(([id, text]) => ({ question: id, text }));
  return { kind: 'workshop-answer', plan: PLAN, by: USER, answers: list };
}

export function redo(feedback = '', from = 'c0ffee'): Event {
  return { kind: 'workshop-redo', plan: PLAN, by: USER, feedback, from };
}

export function approve(existing: string | null = null, replace = false): Event {
  return { kind: 'workshop-approve', plan: PLAN, by: USER, existing, replace };
}

export const CONTINUE: Event = { kind: 'workshop-continue', plan: PLAN, by: USER };
export const SETTLE: Event = { kind: 'workshop-settle', plan: PLAN, by: USER };

export const GONE: SessionNews = { kind: 'ended', life: { kind: 'gone' } };

export function plannerNews(world: World, news: SessionNews): Event {
  return sessionNews(plannerOf(world), news);
}

/** The states in which a workshop can be at rest. */
export const RESTING = ['clarifying', 'workshop', 'formalizing', 'review_ready'] as const;

/** A workshop that has come this far by the shortest way. */
export function workshopAt(state: (typeof RESTING)[number], policy: Policy = DEFAULT_POLICY): World {
  const world = opened(policy);
  return {
    clarifying: () => world,
    workshop: () => afterRounds(world, changing(1)),
    formalizing: () => afterRounds(world, READY),
    review_ready: () => afterRounds(world, READY, STRUCTURED),
  }[state]();
}

/** Why the workshop changed its state, each time. */
export function transitionsOf(world: World): readonly string[] {
  return workshopIn(world)
    .transcript.filter(({ kind }) => kind === 'transition')
    .map(({ content }) => content);
}

export function stateOf(world: World): WorkshopState {
  return workshopIn(world).state;
}
