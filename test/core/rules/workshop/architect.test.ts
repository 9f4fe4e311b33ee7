// The architect reviews the plan of a workshop: what its verdicts do, and what becomes of it when it says nothing.
import { describe, expect, test } from 'vitest';
import { fold } from '../../../../src/core/journal/fold.ts';
import type { Decision } from '../../../../src/core/model/decision.ts';
import type { Event, Signal } from '../../../../src/core/model/event.ts';
import type { SessionEntry } from '../../../../src/core/model/session.ts';
import type { WorkshopEntry } from '../../../../src/core/model/workshop/entry.ts';
import { EMPTY_WORLD, type PlanEntry, type World } from '../../../../src/core/model/world.ts';
import { decide, decideAll } from '../../../../src/core/rules/decide.ts';
import { DEFAULT_POLICY } from '../../../../src/core/settings/default-policy.ts';
import { policyFrom } from '../../../../src/core/settings/policy-from.ts';
import { DEFAULTS } from '../../../../src/core/settings/settings.ts';
import { outcomeOf } from '../../../../src/core/views/outcome.ts';
import { planWaitStatus } from '../../../../src/core/views/why.ts';
import { defaultCommands } from '../../../../src/scripted-agent/default-script.ts';
import { projectPlan } from '../../../../src/workshop/project-plan.ts';
import { NOW, PLAN, USER } from '../../../support/world.ts';

/** The world after the events, with everything that the engine does automatically. */
function settled(world: World, ...events: readonly Event[]): World {
  const decided = decideAll(world, events, NOW);
  for (const decision of decided.decisions)
    if (decision.kind !== 'accepted') throw new Error(`${JSON.stringify(events)}: ${JSON.stringify(decision)}`);
  return decided.world;
}

function entryOf(world: World): PlanEntry & { readonly workshop: WorkshopEntry } {
  const entry = world.plans.get(PLAN);
  if (entry?.workshop === undefined) throw new Error('no workshop');
  return { ...entry, workshop: entry.workshop };
}

function agentOf(world: World): SessionEntry {
  const session = world.sessions.get(entryOf(world).workshop.session?.id ?? ('none' as never));
  if (session === undefined) throw new Error('no agent');
  return session;
}

/** A signal of the session, about the present state. */
function said(world: World, name: string, body = '', more: Partial<Signal> = {}): Event {
  const { id, role } = more.by === undefined ? agentOf(world) : { id: more.by.session, role: more.by.role };
  const { entered } = entryOf(world).workshop;
  const by = { who: 'agent', role, ...(id === undefined ? {} : { session: id }) } as const;
  const file = { path: '', inode: '' };
  return {
    kind: 'signal',
    signal: {
      id: `${name}/${id}/${entered}`,
      name,
      plan: PLAN,
      by,
      via: 'command',
      ...(id === undefined ? {} : { keyOf: id }),
      entered,
      body,
      file,
      planFileExists: false,
      ...more,
    },
  };
}

/** What the scripted planner hands in. */
function documentIn(state: string): string {
  const prompt = `## Round 1: ${state}\n\n## How to end your turn\n\n- \`cadre signal round-finished\``;
  const [command] = defaultCommands({ role: 'planner', attempt: 1, plan: PLAN, task: undefined, prompt }) ?? [];
  return command?.words[0] ?? '';
}

function upTo(workshop: 'human' | 'agent'): World {
  const settings = { ...DEFAULTS, architect: { ...DEFAULTS.architect, workshop } };
  const { policy } = policyFrom(settings, { isInstalled: () => true, verify: 'none', setup: [] });
  const opened = settled(
    EMPTY_WORLD,
    { kind: 'policy', policy },
    { kind: 'workshop-open', plan: PLAN, by: USER, brief: 'Search.', from: 'c1' },
  );
  const proposed = settled(opened, said(opened, 'round-finished', documentIn('clarifying')));
  return settled(proposed, said(proposed, 'round-finished', documentIn('formalizing'), { files: [] }));
}

const REVIEWED = upTo('agent');
const ADVISED = settled(REVIEWED, said(REVIEWED, 'review-changes', 'Task 1 has no test.'));

function refusal(decision: Decision): string {
  // A refused signal is recorded, and kept with its reason.
  const [record] = decision.records;
  return record?.event === 'signal_refused' ? record.refused.why : 'not refused';
}

function ended(world: World): Event {
  const life = { kind: 'ended', exitCode: 1, signal: null } as const;
  return { kind: 'session-news', session: agentOf(world).id, news: { kind: 'ended', life } };
}

describe('who reviews the plan', () => {
  test('is a person, unless the settings say otherwise', () => {
    const world = upTo('human');
    expect(entryOf(world).workshop).toMatchObject({ state: 'review_ready', session: null });
    expect(planWaitStatus(world, entryOf(world)).owner).toBe('user');
    expect(DEFAULT_POLICY.architect).not.toHaveProperty('workshop');
  });

  test('is the architect that cadre starts in the place of the planner', () => {
    const session = agentOf(REVIEWED);
    expect(session).toMatchObject({ role: 'architect', plan: PLAN, plans: true, from: 'c1' });
    const planner = [...REVIEWED.sessions.values()].find(({ role }) => role === 'planner');
    expect(session.place).toBe(planner?.place);
    expect([...REVIEWED.outbox.values()]).toContainEqual(
      expect.objectContaining({ do: 'start-session', session: session.id, turn: 'review-workshop' }),
    );
    expect(planWaitStatus(REVIEWED, entryOf(REVIEWED)).owner).toBe('architect');
    expect(outcomeOf(REVIEWED, PLAN)).toBeUndefined();
  });

  test('is also a person at any time, who does not have to wait for the architect', () => {
    const approved = settled(REVIEWED, {
      kind: 'workshop-approve',
      plan: PLAN,
      by: USER,
      existing: null,
      replace: false,
    });
    expect(entryOf(approved).status).toBe('ready');
    expect(approved.sessions.get(agentOf(REVIEWED).id)?.wanted).toBe('stopped');
    expect(entryOf(settled(REVIEWED, redo())).workshop.state).toBe('clarifying');
  });
});

function redo(feedback = ''): Event {
  return { kind: 'workshop-redo', plan: PLAN, by: USER, feedback, from: 'c2' };
}

describe('an approval of the architect', () => {
  const APPROVAL = said(REVIEWED, 'review-approved', '', { existing: null });

  test('publishes the plan, in its name', () => {
    const { records, world } = decideAll(REVIEWED, [APPROVAL], NOW);
    expect(records[0]).toMatchObject({
      event: 'planner_finished',
      by: 'agent',
      role: 'architect',
      session: agentOf(REVIEWED).id,
      signal: { name: 'review-approved' },
    });
    expect(records[0]?.effects).toContainEqual(expect.objectContaining({ do: 'publish-plan', replaces: null }));
    expect(records[0]?.effects?.map((effect) => effect.do)).toContain('tell');
    const { status, workshop } = entryOf(world);
    expect(status).toBe('ready');
    expect(workshop.published).toBe(workshop.document === null ? '' : projectPlan(workshop.document));
    expect(workshop.transcript.at(-1)).toMatchObject({ actor: 'architect', kind: 'approval' });
  });

  test('does not replace a plan file that somebody wrote: a person decides', () => {
    const world = settled(REVIEWED, said(REVIEWED, 'review-approved', '', { existing: '# Mine\n' }));
    expect(entryOf(world)).toMatchObject({ status: 'planning', workshop: { state: 'review_ready', published: null } });
    expect(planWaitStatus(world, entryOf(world))).toMatchObject({ owner: 'user' });
    expect(entryOf(world).workshop.advice?.text).toContain('was edited');
  });

  test('is not taken where nobody could look at the plan file', () => {
    expect(refusal(decide(REVIEWED, said(REVIEWED, 'review-approved'), NOW))).toContain('Try again');
  });
});

describe('when the architect asks for changes', () => {
  test('nothing is redone: it is advice, and a person decides', () => {
    const { status, workshop } = entryOf(ADVISED);
    expect(status).toBe('planning');
    expect(workshop).toMatchObject({ state: 'review_ready', session: null, advice: { text: 'Task 1 has no test.' } });
    expect(workshop.document).not.toBeNull();
    expect(workshop.transcript.at(-1)).toMatchObject({
      actor: 'architect',
      kind: 'advice',
      content: 'Task 1 has no test.',
    });
    const wait = planWaitStatus(ADVISED, entryOf(ADVISED));
    expect(wait.owner).toBe('user');
    expect(wait.sentence).toContain('Task 1 has no test.');
    expect(wait.suggestions).toEqual([
      { do: 'plan-redo', on: 'x', text: 'Task 1 has no test.' },
      { do: 'plan-approve', on: 'x' },
    ]);
    expect(outcomeOf(ADVISED, PLAN)?.kind).toBe('person');
  });

  test('no other architect is started', () => {
    expect(decideAll(ADVISED, [], NOW).records).toEqual([]);
  });

  test('a person who redoes the planning without a word agrees with the architect', () => {
    const feedbackIn = (world: World) =>
      entryOf(world)
        .workshop.transcript.filter(({ kind }) => kind === 'feedback')
        .map(({ content }) => content);
    expect(feedbackIn(settled(ADVISED, redo()))).toEqual(['Task 1 has no test.']);
    expect(feedbackIn(settled(ADVISED, redo('Use another table.')))).toEqual(['Use another table.']);
    expect(entryOf(settled(ADVISED, redo())).workshop.advice).toBeNull();
  });

  test('a person may approve the plan all the same', () => {
    const event: Event = { kind: 'workshop-approve', plan: PLAN, by: USER, existing: null, replace: false };
    expect(entryOf(settled(ADVISED, event)).status).toBe('ready');
  });

  test('without saying which, the signal is refused', () => {
    expect(refusal(decide(REVIEWED, said(REVIEWED, 'review-changes', ' '), NOW))).toContain('Say what has to change');
  });
});

describe('nobody else decides about the plan', () => {
  test('neither an architect that was replaced, nor one that has spoken', () => {
    const relaunched = settled(REVIEWED, ended(REVIEWED));
    const by = { who: 'agent', role: 'architect', session: agentOf(REVIEWED).id } as const;
    const late = said(relaunched, 'review-approved', '', { by, existing: null, id: 'late' });
    expect(refusal(decide(relaunched, late, NOW))).toContain('is no longer the architect of x.md');
    const again = said(ADVISED, 'review-approved', '', { by, existing: null, id: 'again' });
    expect(refusal(decide(ADVISED, again, NOW))).toContain('is no longer the architect');
  });

  test.each(['planner-finished', 'round-finished', 'implement-finished', 'answer'])('"%s" is not its word', (name) => {
    expect(refusal(decide(REVIEWED, said(REVIEWED, name, 'text', { existing: null }), NOW))).toContain(
      'is not a signal that',
    );
  });

  test('no planner, and no agent from outside', () => {
    const planner = [...REVIEWED.sessions.values()].find(({ role }) => role === 'planner');
    for (const by of [
      { who: 'agent', role: 'planner', session: planner?.id ?? '' },
      { who: 'agent', role: 'outside' },
    ] as const)
      expect(
        decide(REVIEWED, said(REVIEWED, 'review-approved', '', { by, existing: null }), NOW).records[0]?.event,
      ).toBe('signal_refused');
  });
});

describe('an architect that says nothing', () => {
  /** Until cadre starts no other one. */
  function failed(trouble: (world: World) => Event): { readonly world: World; readonly started: number } {
    let [world, started] = [REVIEWED, 1];
    for (;;) {
      const before = entryOf(world).workshop.session?.id;
      world = settled(world, trouble(world));
      if (entryOf(world).workshop.session?.id === before) return { world, started };
      started++;
    }
  }

  test.each([
    ['ends', ended],
    ['falls silent', (world: World): Event => ({ kind: 'silent', session: agentOf(world).id })],
  ])('and %s is started again within the limit; then a person decides, as without it', (_how, trouble) => {
    const { world, started } = failed(trouble);
    expect(started).toBe(1 + world.policy.budgets.relaunches);
    const { owner, sentence, suggestions } = planWaitStatus(world, entryOf(world));
    expect(owner).toBe('user');
    expect(sentence).toContain('The architect failed, and the restart limit is reached');
    expect(suggestions.map((one) => one.do)).toEqual(['session-screen', 'plan-approve', 'plan-redo']);
    const event: Event = { kind: 'workshop-approve', plan: PLAN, by: USER, existing: null, replace: false };
    expect(entryOf(settled(world, event)).status).toBe('ready');
  });

  test('is not started while cadre is frozen', () => {
    const frozen = fold(REVIEWED, decide(REVIEWED, { kind: 'freeze', by: USER }, NOW).records);
    const world = settled(frozen, ended(frozen));
    expect(entryOf(world).workshop.session?.id).toBe(agentOf(REVIEWED).id);
    expect(planWaitStatus(world, entryOf(world)).sentence).toContain('Frozen: no architect is started.');
    expect(agentOf(settled(world, { kind: 'thaw', by: USER })).id).not.toBe(agentOf(REVIEWED).id);
  });

  test('is stopped when the settings take the review away from it', () => {
    const policy = { ...REVIEWED.policy, architect: upTo('human').policy.architect };
    const world = settled(REVIEWED, { kind: 'policy', policy });
    expect(world.sessions.get(agentOf(REVIEWED).id)).toMatchObject({ wanted: 'stopped', interrupted: true });
    expect(planWaitStatus(world, entryOf(world)).owner).toBe('user');
  });
});
