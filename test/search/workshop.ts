// Workshops in the search: what people and planners do in one, and what of it can still matter.
import type { Event, Signal } from '../../src/core/model/event.ts';
import type { PlaceId, SessionId } from '../../src/core/model/ids.ts';
import { isHeard, sessionHealthOf } from '../../src/core/model/run-status.ts';
import type { PlanSession, SessionEntry } from '../../src/core/model/session.ts';
import type { WorkshopEntry, WorkshopQuestion } from '../../src/core/model/workshop/entry.ts';
import { plannerHealth } from '../../src/core/model/workshop/status.ts';
import type { PlanEntry, World } from '../../src/core/model/world.ts';
import {
  answers,
  approve,
  blocking,
  CONTINUE,
  changing,
  INVALID,
  opens,
  question,
  READY,
  redo,
  SETTLE,
  STRUCTURED,
} from '../support/workshop.ts';
import { signal } from '../support/world.ts';

/** The record since which every canonical workshop asks for its document. */
const ENTERED = 2;
const SAME = '2026-01-02T03:04:05.000Z';
const PLANNER = 's-workshop' as SessionId;

/** Proposed last, in every canonical workshop: of a proposal it matters only whether the next one is the same. */
const LAST = changing(1);

/** In every round the planner may hand in any of these; `changes` differs from what was proposed last. */
const ROUNDS: Readonly<Record<string, object | string>> = {
  changes: changing(2),
  'nothing new': LAST,
  ready: { ...READY, proposals: changing(2).proposals },
  'asks blocking': changing(2, { questions: [blocking('must')], ready: true }),
  'asks optional': changing(2, { questions: [question('may')] }),
  'optional became blocking': changing(2, { questions: [blocking('may')] }),
  invalid: INVALID,
  'structured too early': STRUCTURED,
};

const PLANS: Readonly<Record<string, object | string>> = {
  plan: STRUCTURED,
  'invalid plan': INVALID,
  'plan whose files do not fit': { ...STRUCTURED, file_plan: [{ path: 'notes.txt', intent: 'create', task: 't1' }] },
  'another round': READY,
};

/** What a person may decide, and under which name a surface offers it. */
export const DECISIONS: readonly { readonly label: string; readonly event: Event; readonly offered?: string }[] = [
  { label: 'open', event: opens() },
  { label: 'answer must', event: answers({ must: 'yes' }), offered: 'answer' },
  { label: 'answer may', event: answers({ may: 'yes' }), offered: 'answer' },
  { label: 'skip must', event: answers({ must: null }) },
  { label: 'skip may', event: answers({ may: null }) },
  { label: 'continue', event: CONTINUE, offered: 'plan-continue' },
  { label: 'settle', event: SETTLE, offered: 'plan-settle' },
  { label: 'redo', event: redo('no'), offered: 'plan-redo' },
  { label: 'approve', event: approve(), offered: 'plan-approve' },
  { label: 'approve over an edit', event: approve('mine') },
  { label: 'replace an edit', event: approve('mine', true) },
];

/** What agents say about a plan in a workshop: its planner, one of an earlier round, and others. */
export function plannerSays(world: World, { workshop }: PlanEntry): readonly { label: string; event: Event }[] {
  const outside = ['planner', 'outside', 'architect'] as const;
  const found = outside.flatMap((role) =>
    ['planner-finished', 'round-finished', 'redo'].map((name) => ({
      label: `outside ${role}: ${name}`,
      event: signal({ name, body: JSON.stringify(READY), by: { who: 'agent', role } }),
    })),
  );
  const id = workshop?.session?.id;
  if (workshop === undefined || id === undefined || !world.sessions.has(id)) return found;
  const say = (label: string, document: object | string, more: Partial<Signal> = {}) => ({
    label: `planner: ${label}`,
    event: signal({
      id: 'x',
      name: 'round-finished',
      body: typeof document === 'string' ? document : JSON.stringify(document),
      by: { who: 'agent', role: 'planner', session: id },
      entered: workshop.entered,
      files: ['notes.txt'],
      ...more,
    }),
  });
  const documents = workshop.state === 'formalizing' ? PLANS : ROUNDS;
  return [
    ...found,
    ...Object.entries(documents).map(([label, document]) => say(label, document)),
    say('an earlier document', READY, { entered: workshop.entered - 1 }),
    say('planner-finished', '', { name: 'planner-finished' }),
  ];
}

export function isPlannerAtWork(world: World, { workshop }: PlanEntry): boolean {
  return workshop !== undefined && plannerHealth(workshop, world) === 'working';
}

/** Without its texts and numbers. Questions that are no longer open are forgotten: the next ones have other ids. */
export function canonicalWorkshop(
  world: World,
  workshop: WorkshopEntry,
  keep: (entry: SessionEntry, isLost: boolean) => SessionEntry,
  sessions: Map<SessionId, SessionEntry>,
): WorkshopEntry {
  return {
    ...workshop,
    since: SAME,
    entered: ENTERED,
    brief: '',
    from: '',
    round: 1,
    violations: [],
    session: canonicalPlanner(world, workshop, keep, sessions),
    last: workshop.last === null ? null : LAST,
    questions: workshop.questions.filter(({ state }) => state === 'open').map(canonicalQuestion),
    versions: [],
    published: null,
    transcript: [],
  };
}

function canonicalQuestion(one: WorkshopQuestion): WorkshopQuestion {
  return { ...one, round: 1, at: SAME };
}

function canonicalPlanner(
  world: World,
  { session, entered }: WorkshopEntry,
  keep: (entry: SessionEntry, isLost: boolean) => SessionEntry,
  sessions: Map<SessionId, SessionEntry>,
): PlanSession | null {
  const found = session === null ? undefined : world.sessions.get(session.id);
  if (session === null || found === undefined || !isHeard(found) || session.entered !== entered) return null;
  const isLost = sessionHealthOf(session, entered, world.sessions) === 'lost';
  sessions.set(PLANNER, { ...keep(found, isLost), id: PLANNER, place: 'w' as PlaceId });
  return { ...session, id: PLANNER, entered: ENTERED, at: SAME, trouble: isLost ? null : session.trouble };
}

/** Everything but what is the same in all canonical workshops. */
export function workshopEssence(workshop: WorkshopEntry | undefined): unknown {
  if (workshop === undefined) return null;
  const { state, rounds, invalid, relaunches, session, result, last, questions, document } = workshop;
  return [
    state,
    rounds,
    invalid,
    relaunches,
    session,
    result,
    last === null,
    questions.map(({ id, blocking: blocks }) => [id, blocks]),
    document === null,
  ];
}
