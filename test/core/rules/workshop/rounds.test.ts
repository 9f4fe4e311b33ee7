// The rounds of a workshop: what each document leads to, and why, as the transcript says it.
import { describe, expect, test } from 'vitest';
import type { World } from '../../../../src/core/model/world.ts';
import { DEFAULT_POLICY } from '../../../../src/core/settings/default-policy.ts';
import { planWait } from '../../../../src/core/views/why.ts';
import { answerTo, planIn, settled, withBudgets } from '../../../support/runs.ts';
import {
  afterRounds,
  answers,
  blocking,
  CONTINUE,
  changing,
  handsIn,
  INVALID,
  opened,
  plannerOf,
  question,
  READY,
  redo,
  round,
  SETTLE,
  STRUCTURED,
  stateOf,
  transitionsOf,
  workshopAt,
  workshopIn,
} from '../../../support/workshop.ts';
import { sessionIn } from '../../../support/world.ts';

const TWO_ROUNDS = withBudgets(DEFAULT_POLICY, { rounds: 2 });

function questionIn(world: World, id: string) {
  return workshopIn(world).questions.find((one) => one.id === id);
}

function asked(world: World): readonly (string | undefined)[] {
  return workshopIn(world)
    .transcript.filter(({ kind }) => kind === 'question')
    .map((line) => line.question);
}

describe('a document leads to the next state, with its reason in the transcript', () => {
  test('planning starts with the brief, in the first round', () => {
    const world = opened();
    expect(workshopIn(world)).toMatchObject({
      state: 'clarifying',
      round: 1,
      rounds: 0,
      brief: 'Notes can be searched.',
    });
    expect(workshopIn(world).transcript.map(({ kind, actor, round: at }) => [kind, actor, at])).toEqual([
      ['brief', 'person', 0],
      ['transition', 'cadre', 0],
    ]);
    expect(transitionsOf(world)).toEqual(['draft -> clarifying: planning starts with the brief.']);
  });

  test('without a blocking question, and with a stable proposal, the plan is written next', () => {
    const world = afterRounds(opened(), READY);
    expect(stateOf(world)).toBe('formalizing');
    expect(transitionsOf(world).at(-1)).toBe(
      'clarifying -> formalizing: no blocking question is open, and the proposals are stable enough.',
    );
  });

  test('without a blocking question, and with a proposal that is not stable, the rounds begin', () => {
    const world = afterRounds(opened(), round());
    expect(stateOf(world)).toBe('workshop');
    expect(transitionsOf(world).at(-1)).toBe(
      'clarifying -> workshop: no blocking question is open, and the proposals are not stable yet.',
    );
  });

  test('with a blocking question it waits for the answer, and then the rounds begin', () => {
    const asks = afterRounds(opened(), round({ questions: [blocking('scope')], ready: true }));
    expect(stateOf(asks)).toBe('clarifying');
    expect(planWait(asks, planIn(asks)).owner).toBe('user');
    const world = settled(asks, answers({ scope: 'words' }));
    expect(stateOf(world)).toBe('workshop');
    expect(transitionsOf(world).at(-1)).toBe(
      'clarifying -> workshop: the blocking questions are answered; the planner works with the answers.',
    );
  });

  test('proposals that still change lead to another round', () => {
    const world = afterRounds(workshopAt('workshop'), changing(2));
    expect(workshopIn(world)).toMatchObject({ state: 'workshop', round: 3, rounds: 1 });
    expect(transitionsOf(world).at(-1)).toBe('workshop -> workshop: the proposals still change.');
  });

  test('a round that brings nothing new ends the rounds', () => {
    const world = afterRounds(workshopAt('workshop'), changing(1));
    expect(stateOf(world)).toBe('formalizing');
    expect(transitionsOf(world).at(-1)).toBe('workshop -> formalizing: the round brought nothing new.');
  });

  test('a proposal that is stable enough ends the rounds', () => {
    const world = afterRounds(workshopAt('workshop'), READY);
    expect(stateOf(world)).toBe('formalizing');
    expect(transitionsOf(world).at(-1)).toBe('workshop -> formalizing: the proposals are stable enough.');
  });

  test('a blocking question in a later round waits in place', () => {
    const asks = afterRounds(workshopAt('workshop'), changing(2, { questions: [blocking('limit')], ready: true }));
    expect(workshopIn(asks)).toMatchObject({ state: 'workshop', round: 2, session: null });
    const world = settled(asks, answers({ limit: 'none' }));
    expect(workshopIn(world)).toMatchObject({ state: 'workshop', round: 3 });
  });

  test('a valid plan is ready for review', () => {
    const world = workshopAt('review_ready');
    expect(workshopIn(world)).toMatchObject({ state: 'review_ready', document: { title: 'Search' }, session: null });
    expect(transitionsOf(world).at(-1)).toBe(
      'formalizing -> review_ready: the plan is valid, and its files fit the plan and the repository.',
    );
    expect(workshopIn(world).transcript.at(-1)?.heuristics).toEqual({ file_plan_consistency: true });
  });

  test('the line of a round and the transition after it have the heuristics', () => {
    const { transcript } = workshopIn(afterRounds(opened(), round({ questions: [question('colour')] })));
    const computed = { blocking_questions: 0, no_new_info: false, commitment_readiness: false };
    expect(transcript.find(({ kind }) => kind === 'proposal')).toMatchObject({
      actor: 'planner',
      role: 'planner',
      phase: 'clarifying',
      round: 1,
      heuristics: computed,
    });
    expect(transcript.at(-1)).toMatchObject({ kind: 'transition', actor: 'cadre', heuristics: computed });
  });
});

describe('rounds', () => {
  test('are counted with every document that is asked for', () => {
    const world = afterRounds(opened(), changing(1), changing(2), READY);
    expect(workshopIn(world)).toMatchObject({ state: 'formalizing', round: 4, rounds: 1 });
    expect(workshopIn(afterRounds(world, STRUCTURED)).round).toBe(4);
  });

  test('are limited: then a person is asked, and nobody works', () => {
    const world = afterRounds(opened(TWO_ROUNDS), changing(1), changing(2), changing(3), changing(4));
    expect(workshopIn(world)).toMatchObject({ state: 'workshop', round: 4, rounds: 2, session: null });
    expect(planWait(world, planIn(world)).owner).toBe('user');
    expect([...world.sessions.values()].filter(({ wanted }) => wanted === 'running')).toEqual([]);
  });

  test('a person allows more of them', () => {
    const world = afterRounds(opened(TWO_ROUNDS), changing(1), changing(2), changing(3), changing(4));
    const more = settled(world, CONTINUE);
    expect(workshopIn(more)).toMatchObject({ state: 'workshop', round: 5, rounds: 1 });
    expect(workshopIn(more).transcript.find(({ kind }) => kind === 'decision')?.content).toBe(
      'More rounds are allowed.',
    );
    expect(workshopIn(afterRounds(more, changing(5), changing(6)))).toMatchObject({ round: 6, rounds: 2 });
  });

  test('a person has the plan written instead', () => {
    const world = settled(afterRounds(opened(TWO_ROUNDS), changing(1), changing(2), changing(3), changing(4)), SETTLE);
    expect(workshopIn(world)).toMatchObject({ state: 'formalizing', round: 5 });
    expect(transitionsOf(world).at(-1)).toBe(
      'workshop -> formalizing: a person had the plan written although the proposals still changed.',
    );
  });

  test('a person neither settles nor continues what does not wait for that', () => {
    for (const event of [SETTLE, CONTINUE])
      expect(answerTo(workshopAt('workshop'), event)).toMatchObject({ kind: 'refused', code: 'state' });
    const asks = afterRounds(opened(), round({ questions: [blocking('scope')] }));
    for (const event of [SETTLE, CONTINUE])
      expect(answerTo(asks, event)).toMatchObject({ code: 'state', why: 'x.md waits for answers: scope.' });
  });

  test('never decrease, and begin again with redo: only the budget is new', () => {
    const before = afterRounds(opened(TWO_ROUNDS), changing(1), changing(2));
    expect(workshopIn(before)).toMatchObject({ round: 3, rounds: 1 });
    const world = settled(before, redo());
    expect(workshopIn(world)).toMatchObject({ state: 'clarifying', round: 4, rounds: 0 });
    const all = workshopIn(afterRounds(world, changing(3), READY, STRUCTURED)).transcript.map((line) => line.round);
    expect(all).toEqual(all.toSorted((one, other) => one - other));
  });
});

describe('a question', () => {
  test('that is optional holds nothing up, and can be answered or skipped at any time', () => {
    const world = afterRounds(opened(), round({ questions: [question('colour'), question('size')] }));
    expect(stateOf(world)).toBe('workshop');
    const answered = settled(world, answers({ colour: ' blue ', size: null }));
    expect(questionIn(answered, 'colour')).toMatchObject({ state: 'answered', answer: 'blue', round: 1 });
    expect(questionIn(answered, 'size')).toMatchObject({ state: 'skipped' });
    expect(workshopIn(answered).transcript.slice(-2)).toMatchObject([
      { kind: 'answer', question: 'colour', content: 'blue', actor: 'person' },
      { kind: 'skip', question: 'size' },
    ]);
    expect(workshopIn(answered).session).toEqual(workshopIn(world).session);
  });

  test('that is blocking cannot be skipped, and all of them have to be answered', () => {
    const asks = afterRounds(opened(), round({ questions: [blocking('scope'), blocking('who')] }));
    expect(answerTo(asks, answers({ scope: null }))).toMatchObject({ kind: 'refused', code: 'blocked' });
    const one = settled(asks, answers({ scope: 'words' }));
    expect(stateOf(one)).toBe('clarifying');
    expect(stateOf(settled(one, answers({ who: 'everybody' })))).toBe('workshop');
  });

  test('is answered with all others or not at all', () => {
    const asks = afterRounds(opened(), round({ questions: [blocking('scope'), question('colour')] }));
    expect(answerTo(asks, answers({ scope: 'words', missing: 'x' }))).toMatchObject({ code: 'unknown-question' });
    expect(answerTo(asks, answers({ colour: 'blue', scope: ' ' }))).toMatchObject({ code: 'no-body' });
    expect(answerTo(asks, answers({}))).toMatchObject({ code: 'no-body' });
    expect(answerTo(asks, answers({ scope: 'words', missing: 'x' })).records).toEqual([]);
  });

  test('is answered once', () => {
    const asks = afterRounds(opened(), round({ questions: [question('colour'), question('size')] }));
    const world = settled(asks, answers({ colour: 'blue', size: null }));
    expect(answerTo(world, answers({ colour: 'red' }))).toMatchObject({ code: 'state' });
    expect(answerTo(world, answers({ size: 'large' }))).toMatchObject({ code: 'state' });
  });

  test('that is repeated with the same id is not asked again', () => {
    const asks = afterRounds(opened(), round({ questions: [blocking('scope'), question('colour')] }));
    const world = settled(asks, answers({ scope: 'words' }));
    const again = afterRounds(world, changing(2, { questions: [blocking('scope'), question('colour')] }));
    expect(asked(again)).toEqual(['scope', 'colour']);
    expect(questionIn(again, 'scope')).toMatchObject({ state: 'answered', answer: 'words' });
    expect(workshopIn(again)).toMatchObject({ round: 3, result: null });
  });

  test('that was optional and is repeated as blocking has to be answered', () => {
    const world = afterRounds(opened(), round({ questions: [question('colour')] }));
    const blocks = afterRounds(world, changing(2, { questions: [blocking('colour')], ready: true }));
    expect(workshopIn(blocks)).toMatchObject({ state: 'workshop', result: { blocking_questions: 1 } });
    expect(asked(blocks)).toEqual(['colour', 'colour']);
    expect(workshopIn(blocks).questions).toHaveLength(1);
    expect(stateOf(settled(blocks, answers({ colour: 'blue' })))).toBe('workshop');
  });

  test('that a person skipped stays the planner’s to decide, also when it is repeated as blocking', () => {
    const world = settled(afterRounds(opened(), round({ questions: [question('colour')] })), answers({ colour: null }));
    const again = afterRounds(world, changing(2, { questions: [blocking('colour')] }));
    expect(questionIn(again, 'colour')).toMatchObject({ state: 'skipped', blocking: false });
    expect(workshopIn(again)).toMatchObject({ round: 3 });
  });

  test('is withdrawn by redo, and answers are kept', () => {
    const asks = afterRounds(opened(), round({ questions: [blocking('scope'), blocking('who')] }));
    const world = settled(asks, answers({ scope: 'words' }), redo());
    expect(questionIn(world, 'who')?.state).toBe('withdrawn');
    expect(questionIn(world, 'scope')).toMatchObject({ state: 'answered', answer: 'words' });
    expect(answerTo(world, answers({ who: 'me' }))).toMatchObject({ code: 'state' });
    expect(workshopIn(world)).toMatchObject({ state: 'clarifying', round: 2 });
  });

  test('that was withdrawn and is asked again waits for its answer', () => {
    const asks = afterRounds(opened(), round({ questions: [blocking('who')] }));
    const again = afterRounds(settled(asks, redo()), round({ questions: [blocking('who', { text: 'Who else?' })] }));
    expect(workshopIn(again)).toMatchObject({ state: 'clarifying', round: 2, result: { blocking_questions: 1 } });
    expect(workshopIn(again).questions).toMatchObject([{ id: 'who', state: 'open', text: 'Who else?', round: 2 }]);
    expect(stateOf(settled(again, answers({ who: 'me' })))).toBe('workshop');
  });
});

describe('an invalid document', () => {
  test('goes back with what is wrong with it, and the same planner may repair it', () => {
    const before = workshopAt('workshop');
    const world = afterRounds(before, INVALID);
    expect(workshopIn(world)).toMatchObject({ state: 'workshop', round: 2, invalid: 1, result: null });
    expect(workshopIn(world).violations).not.toEqual([]);
    expect(plannerOf(world)).toBe(plannerOf(before));
    expect(sessionIn(world, plannerOf(world)).wanted).toBe('running');
    const line = workshopIn(world).transcript.at(-1);
    expect(line).toMatchObject({ kind: 'invalid', actor: 'cadre', round: 2 });
    for (const violation of workshopIn(world).violations) expect(line?.content).toContain(violation);
    expect(workshopIn(afterRounds(world, changing(2)))).toMatchObject({ round: 3, invalid: 0, violations: [] });
  });

  test('that was sent twice counts once', () => {
    const world = workshopAt('workshop');
    const first = handsIn(world, INVALID);
    const again = { ...first, signal: { ...(first as { signal: object }).signal, id: 'another' } } as typeof first;
    const once = settled(world, first);
    expect(answerTo(once, again)).toMatchObject({ kind: 'refused', code: 'stale' });
  });

  test('is taken three times; then the planner is stopped and a person decides', () => {
    const before = workshopAt('formalizing');
    const planner = plannerOf(before);
    const world = afterRounds(before, INVALID, INVALID, INVALID);
    expect(workshopIn(world)).toMatchObject({ state: 'formalizing', invalid: 3, session: null });
    expect(sessionIn(world, planner).wanted).toBe('stopped');
    expect(planWait(world, planIn(world)).owner).toBe('user');
    const tried = settled(world, CONTINUE);
    expect(workshopIn(tried)).toMatchObject({ invalid: 0, state: 'formalizing', round: workshopIn(world).round });
    expect(plannerOf(tried)).not.toBe(planner);
    expect(workshopIn(tried).violations).toEqual(workshopIn(world).violations);
    expect(stateOf(afterRounds(tried, STRUCTURED))).toBe('review_ready');
  });

  test('that is a structured plan in an earlier round is refused, and none of it is kept', () => {
    for (const state of ['clarifying', 'workshop'] as const) {
      const world = afterRounds(workshopAt(state), STRUCTURED);
      expect(workshopIn(world)).toMatchObject({ state, document: null, invalid: 1 });
      expect(workshopIn(world).violations.join('\n')).toContain('the structured plan comes later');
    }
  });

  test('that is a round in formalizing is refused', () => {
    const world = afterRounds(workshopAt('formalizing'), READY);
    expect(workshopIn(world)).toMatchObject({ state: 'formalizing', document: null, invalid: 1 });
  });

  test('is a plan whose files do not fit the repository', () => {
    const world = workshopAt('formalizing');
    const next = settled(world, handsIn(world, STRUCTURED, { files: ['search.txt'] }));
    expect(workshopIn(next)).toMatchObject({ state: 'formalizing', document: null, invalid: 1 });
    expect(workshopIn(next).violations).toEqual(['Task "t1" creates "search.txt", which exists.']);
  });

  test('is not what a plan is called whose files nobody could look up', () => {
    const world = workshopAt('formalizing');
    const { files: _none, ...unseen } = (handsIn(world, STRUCTURED) as { signal: { files?: unknown } }).signal;
    const event = { kind: 'signal', signal: unseen } as ReturnType<typeof handsIn>;
    expect(answerTo(world, event)).toMatchObject({ kind: 'refused', code: 'not-looked' });
  });
});
