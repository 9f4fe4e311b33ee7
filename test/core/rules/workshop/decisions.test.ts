// What people decide about a workshop, who else cannot, and what is kept whatever they decide.
import { describe, expect, test } from 'vitest';
import type { By, Event } from '../../../../src/core/model/event.ts';
import type { World } from '../../../../src/core/model/world.ts';
import { DEFAULT_POLICY } from '../../../../src/core/settings/default-policy.ts';
import { workshopMachine } from '../../../../src/machines/workshop.ts';
import type { PlanFile } from '../../../../src/plan/name.ts';
import { projectPlan } from '../../../../src/workshop/project-plan.ts';
import { answerTo, planIn, settled, withBudgets } from '../../../support/runs.ts';
import {
  afterRounds,
  answers,
  approve,
  blocking,
  CONTINUE,
  changing,
  INVALID,
  opened,
  opens,
  question,
  READY,
  RESTING,
  redo,
  round,
  SETTLE,
  STRUCTURED,
  stateOf,
  structured,
  transitionsOf,
  workshopAt,
  workshopIn,
} from '../../../support/workshop.ts';
import { ENGINE, move, PLAN, read, register, signal, USER, worldWith } from '../../../support/world.ts';

const TEXT = projectPlan(STRUCTURED);
const AGENTS: readonly By[] = [
  { who: 'agent', role: 'planner', session: 's1' },
  { who: 'agent', role: 'architect' },
  { who: 'agent', role: 'outside' },
];

function ready(): World {
  return settled(workshopAt('review_ready'), approve());
}

/** A plan that was made in a workshop and is built. */
function done(): World {
  const file = settled(ready(), read(TEXT));
  return settled(file, move('implement_start'), move('implement_finished'), move('review_approved'));
}

describe('opening', () => {
  test('registers a plan that nobody knows, and reserves its name', () => {
    const world = opened();
    expect(planIn(world)).toMatchObject({ status: 'planning', description: 'Notes can be searched.' });
    expect(answerTo(world, register(PLAN))).toMatchObject({ kind: 'refused', code: 'already-known' });
  });

  test('starts planning of a plan that is ready, and takes one that is in planning as it is', () => {
    for (const state of ['ready', 'planning'] as const)
      expect(workshopIn(settled(worldWith(state), opens()))).toMatchObject({ state: 'clarifying', round: 1 });
  });

  test.each(['implementing', 'reviewing', 'done', 'cancelled'] as const)(
    'is refused for a plan that is %s',
    (state) => {
      const answer = answerTo(worldWith(state), opens());
      expect(answer).toMatchObject({ kind: 'refused', code: 'state' });
      expect(answer.records).toEqual([]);
    },
  );

  test('is refused for a plan that has a workshop, in every state of the plan', () => {
    for (const world of [opened(), ready(), done(), settled(opened(), move('cancel'))])
      expect(answerTo(world, opens())).toMatchObject({ kind: 'refused', code: 'already-known' });
  });

  test('needs a brief and a name', () => {
    expect(answerTo(opened(), opens('y.md', ' \n'))).toMatchObject({ code: 'no-body' });
    expect(answerTo(opened(), opens('../y.md'))).toMatchObject({ code: 'bad-name' });
  });
});

describe('only a person', () => {
  const events: readonly (readonly [string, (by: By) => Event])[] = [
    ['opens a workshop', (by) => ({ ...opens('y.md'), by }) as Event],
    ['answers', (by) => ({ ...answers({ scope: 'words' }), by }) as Event],
    ['continues', (by) => ({ ...CONTINUE, by }) as Event],
    ['settles', (by) => ({ ...SETTLE, by }) as Event],
    ['redoes', (by) => ({ ...redo(), by }) as Event],
    ['approves', (by) => ({ ...approve(), by }) as Event],
  ];

  test.each(events)('%s', (_what, by) => {
    const worlds = [...RESTING.map((state) => workshopAt(state)), ready(), worldWith('ready')];
    for (const world of worlds)
      for (const who of [...AGENTS, ENGINE]) {
        const answer = answerTo(world, by(who));
        expect(answer).toMatchObject({ kind: 'refused', code: expect.stringMatching(/^(?:user-only|source)$/) });
        expect(answer.records).toEqual([]);
      }
  });

  test('has a workshop leave review_ready, in the table too', () => {
    expect(workshopMachine.userOnly).toEqual(['redo']);
  });

  test('is told which plan is not known, and which has no workshop', () => {
    const unknown = { ...CONTINUE, plan: 'y.md' as PlanFile } as Event;
    expect(answerTo(opened(), unknown)).toMatchObject({ code: 'unknown-plan' });
    for (const event of [CONTINUE, SETTLE, approve(), answers({ scope: 'words' })])
      expect(answerTo(worldWith('planning'), event)).toMatchObject({
        code: 'state',
        why: 'x.md has no workshop; it is planning.',
      });
    expect(answerTo(worldWith('planning'), redo())).toMatchObject({ code: 'state' });
    expect(answerTo(worldWith('ready'), redo())).toMatchObject({ code: 'state' });
  });
});

describe('planner_finished', () => {
  test('of an agent is refused in every state of a workshop', () => {
    for (const state of RESTING) {
      const world = settled(workshopAt(state), read(TEXT));
      for (const by of AGENTS) {
        const said = signal({ name: 'planner-finished', by: by as Extract<By, { who: 'agent' }> });
        expect(answerTo(world, said)).toMatchObject({ kind: 'refused' });
        expect(answerTo(world, move('planner_finished', by))).toMatchObject({ kind: 'refused' });
      }
      expect(planIn(settled(world)).status).toBe('planning');
    }
  });

  test('of an agent counts for a plan without a workshop', () => {
    expect(answerTo(worldWith('planning'), signal({ name: 'planner-finished' })).kind).toBe('accepted');
  });

  test('of a person needs a plan file, and stops the planner', () => {
    for (const state of ['clarifying', 'workshop', 'formalizing'] as const) {
      const world = workshopAt(state);
      expect(answerTo(world, move('planner_finished'))).toMatchObject({ kind: 'refused', code: 'no-file' });
      const taken = settled(settled(world, read(TEXT)), move('planner_finished'));
      expect(planIn(taken).status).toBe('ready');
      expect([...taken.sessions.values()].filter(({ wanted }) => wanted === 'running')).toEqual([]);
      // To start planning again continues where the workshop was left.
      expect(stateOf(settled(taken, move('plan_start')))).toBe(state);
    }
  });

  test('of a person is refused in review, where the plan is approved or sent back', () => {
    const world = settled(workshopAt('review_ready'), read(TEXT));
    expect(answerTo(world, move('planner_finished'))).toMatchObject({ kind: 'refused', code: 'state' });
  });
});

describe('approval', () => {
  test('makes the plan ready and publishes it, in one record', () => {
    const { records } = answerTo(workshopAt('review_ready'), approve());
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({
      event: 'planner_finished',
      moves: [{ machine: 'plan', from: 'planning', to: 'ready' }],
      effects: [{ do: 'publish-plan', plan: PLAN, replaces: null }],
    });
    const { published, transcript, state } = workshopIn(ready());
    expect({ published, state }).toEqual({ published: TEXT, state: 'review_ready' });
    expect(transcript.at(-1)).toMatchObject({ kind: 'approval', actor: 'person' });
  });

  test.each(['clarifying', 'workshop', 'formalizing'] as const)('is refused in %s', (state) => {
    expect(answerTo(workshopAt(state), approve(null, true))).toMatchObject({ kind: 'refused', code: 'state' });
  });

  test('is refused where it would replace a file that this workshop has not written, unless a person says so', () => {
    const world = workshopAt('review_ready');
    expect(answerTo(world, approve('mine'))).toMatchObject({ kind: 'refused', code: 'edited' });
    expect(answerTo(world, approve(TEXT)).kind).toBe('accepted');
    expect(answerTo(world, approve('mine', true)).kind).toBe('accepted');
  });

  test('has everything kept that it replaces, apart from what it published before', () => {
    const replaced = (world: World, event: Event) => answerTo(world, event).records[0]?.effects;
    expect(replaced(workshopAt('review_ready'), approve('mine', true))).toMatchObject([{ replaces: null }]);
    const again = afterRounds(settled(ready(), redo()), READY, structured('Smaller'));
    expect(replaced(again, approve(TEXT))).toMatchObject([{ replaces: TEXT }]);
  });

  test('replaces what it published before, and no edit of that', () => {
    const again = afterRounds(settled(ready(), redo('smaller')), READY, structured('Smaller'));
    expect(answerTo(again, approve(TEXT)).kind).toBe('accepted');
    expect(answerTo(again, approve(`${TEXT}\nmine`))).toMatchObject({ kind: 'refused', code: 'edited' });
    expect(workshopIn(settled(again, approve(TEXT))).published).toBe(projectPlan(structured('Smaller')));
  });

  test('happens once', () => {
    expect(answerTo(ready(), approve(TEXT))).toMatchObject({ kind: 'refused', code: 'state' });
  });
});

describe('redo', () => {
  test.each(RESTING)('begins again from %s with the brief', (state) => {
    const world = settled(workshopAt(state), redo('without a database', 'decade'));
    expect(workshopIn(world)).toMatchObject({
      state: 'clarifying',
      rounds: 0,
      invalid: 0,
      result: null,
      last: null,
      document: null,
      from: 'decade',
      brief: 'Notes can be searched.',
    });
    expect(transitionsOf(world).at(-2)).toBe(`${state} -> draft: a person has the planning redone.`);
    expect(workshopIn(world).transcript.find(({ kind }) => kind === 'feedback')).toMatchObject({
      content: 'without a database',
      actor: 'person',
    });
  });

  test('keeps the plan before as a version, and has none where there was none', () => {
    const world = settled(workshopAt('review_ready'), redo());
    expect(workshopIn(world).versions).toEqual([STRUCTURED]);
    const twice = settled(world, redo());
    expect(workshopIn(twice).versions).toEqual([STRUCTURED, null]);
  });

  test('says nothing about feedback where there is none', () => {
    const world = settled(workshopAt('workshop'), redo(' '));
    expect(workshopIn(world).transcript.some(({ kind }) => kind === 'feedback')).toBe(false);
  });

  test('is the way out of every wait for a person', () => {
    const rounds = withBudgets(DEFAULT_POLICY, { rounds: 0 });
    const waits = [
      afterRounds(opened(), round({ questions: [blocking('scope')] })),
      afterRounds(opened(rounds), changing(1), changing(2)),
      afterRounds(opened(), INVALID, INVALID, INVALID),
    ];
    for (const world of waits) {
      const again = settled(world, redo());
      expect(workshopIn(again)).toMatchObject({ state: 'clarifying', invalid: 0, rounds: 0 });
      expect(workshopIn(again).session).not.toBeNull();
    }
  });

  test('of a plan that is ready starts planning first', () => {
    const world = settled(ready(), redo('smaller'));
    expect(planIn(world).status).toBe('planning');
    expect(workshopIn(world)).toMatchObject({ state: 'clarifying', published: TEXT, versions: [STRUCTURED] });
  });

  test.each([
    ['implementing', (world: World) => settled(world, move('implement_start'))],
    ['cancelled', (world: World) => settled(world, move('cancel'))],
  ] as const)('of a plan that is %s is refused', (_state, brought) => {
    expect(answerTo(brought(ready()), redo())).toMatchObject({ kind: 'refused', code: 'state' });
  });

  test('of a plan that is done is refused until it is started over', () => {
    expect(answerTo(done(), redo())).toMatchObject({ kind: 'refused', code: 'state' });
    const over = settled(done(), move('start_over'));
    expect(stateOf(over)).toBe('review_ready');
    expect(stateOf(settled(over, redo()))).toBe('clarifying');
    expect(planIn(settled(over, approve(TEXT))).status).toBe('ready');
  });
});

test('a reopened plan is where its workshop was: for review if it was approved', () => {
  const world = settled(ready(), move('cancel'), move('reopen'));
  expect(planIn(world).status).toBe('planning');
  expect(stateOf(world)).toBe('review_ready');
  expect(planIn(settled(world, approve(TEXT))).status).toBe('ready');
});

test('the transcript never shrinks and its rounds never decrease, whatever happens', () => {
  let world = opened();
  let before = workshopIn(world).transcript;
  const grow = (next: World): void => {
    const { transcript } = workshopIn(next);
    expect(transcript.slice(0, before.length)).toEqual(before);
    for (const [index, line] of transcript.entries())
      expect(line.round).toBeGreaterThanOrEqual(transcript[index - 1]?.round ?? 0);
    [world, before] = [next, transcript];
  };
  grow(afterRounds(world, round({ questions: [blocking('scope'), question('colour')] })));
  grow(settled(world, answers({ scope: 'words' })));
  grow(afterRounds(world, INVALID, changing(2)));
  grow(settled(world, redo('no')));
  grow(settled(world, { kind: 'pause', by: USER }, { kind: 'resume', by: USER }));
  grow(settled(world, move('cancel'), move('reopen')));
  grow(afterRounds(world, READY, STRUCTURED));
  grow(settled(world, approve()));
  grow(settled(world, move('plan_start')));
  grow(settled(world, redo('again')));
  grow(afterRounds(world, READY, structured('Another')));
  grow(settled(world, approve(TEXT)));
  grow(settled(world, read(TEXT), move('implement_start'), move('implement_finished'), move('review_approved')));
  grow(settled(world, move('start_over')));
  expect(before.filter(({ kind }) => kind === 'approval')).toHaveLength(2);
});
