// What the review of a whole plan finds: one task for all of it, a later review of that alone, and what waits for a person.
import { describe, expect, test } from 'vitest';
import type { Event, Ruling } from '../../../../src/core/model/event.ts';
import type { LandingFacts } from '../../../../src/core/model/run.ts';
import type { World } from '../../../../src/core/model/world.ts';
import { DEFAULT_POLICY } from '../../../../src/core/settings/default-policy.ts';
import type { Policy } from '../../../../src/core/settings/policy.ts';
import { planWaitStatus } from '../../../../src/core/views/why.ts';
import { act, answerTo, branchMade, going, planIn, reviewerSays, settled, withBudgets } from '../../../support/runs.ts';
import { PLAN, read, sessionIn, taskIn, USER } from '../../../support/world.ts';

const IMPORTANT = { severity: 'important', place: 'src/a.ts:3', problem: 'It hangs.' } as const;
const MINOR = { severity: 'minor', problem: 'A name is odd.' } as const;
const review = (...findings: readonly object[]): string => JSON.stringify({ findings });
const verdicts = (given: Readonly<Record<string, string>>, ...findings: readonly object[]): string =>
  JSON.stringify({ verdicts: given, ...(findings.length === 0 ? {} : { findings }) });

function inReview(policy: Policy = DEFAULT_POLICY): World {
  const started = going(policy);
  return settled(started, ...branchMade(started, 't1'), act('mark-done'));
}

function says(world: World, name: string, body: string, facts: Partial<LandingFacts> = {}): Event {
  const said = reviewerSays(world, name, body);
  if (said.kind !== 'signal' || said.signal.landing === undefined) throw new Error('There is nothing to land.');
  return { ...said, signal: { ...said.signal, landing: { ...said.signal.landing, ...facts } } };
}

const changes = (world: World, body: string, facts: Partial<LandingFacts> = {}): World =>
  settled(world, says(world, 'review-changes', body, facts));
const approves = (world: World, body = '', facts: Partial<LandingFacts> = {}): World =>
  settled(world, says(world, 'review-approved', body, facts));

/** The task that the review asked for is built, so the plan is reviewed again. */
const built = (world: World, task = 'R1'): World => settled(world, act('mark-done', { task }));
const moved = (world: World, more: object): World =>
  settled(world, { kind: 'move', plan: PLAN, by: USER, landing: { tip: 't1' }, ...more } as Event);
const rules = (ruling: Ruling, ...findings: readonly string[]): Event => ({
  kind: 'rule-plan',
  plan: PLAN,
  ruling,
  by: USER,
  findings,
});
const states = (world: World): string =>
  (planIn(world).findings ?? []).map(({ id, state }) => `${id} ${state}`).join(', ');
const fixes = (world: World): readonly string[] =>
  planIn(world).tasks.flatMap(({ feedback }) => (feedback === undefined ? [] : [feedback]));

describe('what a review of the plan finds', () => {
  test('is recorded, and becomes one task, however much it is', () => {
    const world = changes(inReview(), review(IMPORTANT, { ...IMPORTANT, place: 'src/b.ts:1' }, MINOR));
    expect(states(world)).toBe('f1 open, f2 open, f3 deferred');
    expect(planIn(world).findings?.[0]).toMatchObject({ ...IMPORTANT, foundBy: 'plan', commit: 't1' });
    expect(fixes(world)).toEqual(['f1 [important] src/a.ts:3: It hangs.\n\nf2 [important] src/b.ts:1: It hangs.']);
    expect(planIn(world)).toMatchObject({ status: 'implementing', work: { reviewCycles: 1, looked: 't1' } });
  });

  test('sends nothing back where all of it is minor, whichever signal it comes with', () => {
    for (const word of [changes, approves]) {
      const world = word(inReview(), review(MINOR));
      expect([planIn(world).status, states(world), fixes(world)]).toEqual(['done', 'f1 deferred', []]);
    }
  });

  test('is refused with an approval where it is important', () => {
    const world = inReview();
    expect(answerTo(world, says(world, 'review-approved', review(IMPORTANT)))).toMatchObject({ code: 'bad-review' });
  });
});

describe('a later review of the plan', () => {
  const second = (policy?: Policy): World => built(changes(inReview(policy), review(IMPORTANT)));

  test('has to give a verdict on each open finding', () => {
    const world = second();
    expect(planIn(world).status).toBe('reviewing');
    expect(answerTo(world, says(world, 'review-approved', ''))).toMatchObject({
      code: 'no-verdict',
      why: expect.stringContaining('no verdict on f1'),
    });
    expect(states(approves(world, verdicts({ f1: 'addressed' })))).toBe('f1 addressed');
  });

  test('sends the plan back for what is not addressed, with the same finding', () => {
    const world = changes(second(), verdicts({ f1: 'not-addressed' }));
    expect(states(world)).toBe('f1 not-addressed');
    expect(fixes(world)).toHaveLength(2);
  });

  test('defers what it finds outside of what has changed since, and approves', () => {
    const outside = { ...IMPORTANT, place: 'src/other.ts:1' };
    const world = changes(second(), verdicts({ f1: 'addressed' }, outside), { since: ['src/a.ts'] });
    expect([planIn(world).status, states(world)]).toEqual(['done', 'f1 addressed, f2 deferred']);
  });

  test('waits for a person when no cycle is left, and nothing is lost', () => {
    const world = changes(second(withBudgets(DEFAULT_POLICY, { reviewCycles: 1 })), verdicts({ f1: 'not-addressed' }));
    expect([planIn(world).status, states(world)]).toEqual(['reviewing', 'f1 not-addressed']);
    expect(planWaitStatus(world, planIn(world))).toMatchObject({ owner: 'user', need: 'budget' });
    expect(states(moved(world, { event: 'review_approved' }))).toBe('f1 overruled');
  });
});

describe('what a person demands of a plan', () => {
  const demanded = (): World =>
    moved(inReview(), { event: 'review_changes_requested', feedback: 'src/a.ts:3: Faster.\n\nShorter.' });

  test('is one finding for each paragraph, and one task', () => {
    expect(states(demanded())).toBe('f1 open, f2 open');
    expect(fixes(demanded())).toEqual(['src/a.ts:3: Faster.\n\nShorter.']);
  });

  test('is closed by the reviewer only where its place has changed; otherwise the person confirms it', () => {
    const again = built(demanded());
    const said = verdicts({ f1: 'addressed', f2: 'addressed' });
    const world = approves(again, said, { changed: ['f1'] });
    expect([planIn(world).status, states(world)]).toEqual(['reviewing', 'f1 addressed, f2 open']);
    expect(planWaitStatus(world, planIn(world))).toMatchObject({ owner: 'user', need: 'decision' });
    const confirmed = settled(world, rules('confirm', 'f2'));
    expect([planIn(confirmed).status, states(confirmed)]).toEqual(['reviewing', 'f1 addressed, f2 addressed']);
    expect(planWaitStatus(confirmed, planIn(confirmed)).sentence).toContain('Nothing is open any longer');
    expect(sessionIn(confirmed, planIn(confirmed).work?.session?.id ?? '').wanted).toBe('stopped');
    expect(planIn(moved(confirmed, { event: 'review_approved' })).status).toBe('done');
  });

  test('is for no agent to decide', () => {
    const by = { who: 'agent', role: 'reviewer' } as const;
    expect(answerTo(demanded(), { ...rules('overrule', 'f1'), by } as Event)).toMatchObject({ code: 'user-only' });
  });
});

describe('a finding that contradicts the plan', () => {
  const asked = (): World => changes(inReview(), review({ ...IMPORTANT, contradicts_plan: 'It may hang.' }, IMPORTANT));

  test('waits for the person with both texts, and no reviewer works', () => {
    const world = asked();
    expect(planIn(world).status).toBe('reviewing');
    const wait = planWaitStatus(world, planIn(world));
    expect(wait).toMatchObject({ owner: 'user', need: 'decision' });
    expect(wait.sentence).toContain('f1: It hangs.\nThe plan says: It may hang.');
    expect(sessionIn(world, planIn(world).work?.session?.id ?? '').wanted).toBe('stopped');
  });

  test('is overruled where the plan holds, and the others become a task', () => {
    const world = settled(asked(), rules('plan-holds', 'f1'));
    expect([planIn(world).status, states(world)]).toEqual(['implementing', 'f1 overruled, f2 open']);
    expect(fixes(world)).toEqual(['f2 [important] src/a.ts:3: It hangs.']);
  });

  test('is a demand where the finding holds', () => {
    const world = settled(asked(), rules('finding-holds', 'f1'));
    expect(planIn(world).findings?.[0]).toMatchObject({ state: 'open', demand: true, answered: true });
    expect(fixes(world)).toHaveLength(1);
  });
});

describe('the list of what the tasks left', () => {
  test('is what the reviewer was shown; one that was not is replaced, and its verdict does not count', () => {
    const world = changes(inReview(), review(MINOR, IMPORTANT));
    const again = built(world);
    expect(planIn(again).work?.session?.list).toBe('plan.f1');
    const parked = settled(again, rules('park', 'f2'));
    expect(planIn(parked).work?.session).toMatchObject({ list: 'plan.f1 plan.f2' });
    expect(planIn(parked).work?.session?.id).not.toBe(planIn(again).work?.session?.id);
    expect(answerTo(parked, says(again, 'review-approved', verdicts({ f2: 'addressed' }))).kind).toBe('refused');
    expect(states(approves(parked))).toBe('f1 deferred, f2 parked');
  });

  test('is started over with the plan', () => {
    const done = approves(inReview(), review(MINOR));
    expect(states(moved(done, { event: 'start_over' }))).toBe('f1 overruled');
  });

  test('stays with the plan when its file gains a task', () => {
    const world = settled(
      changes(inReview(), review(IMPORTANT)),
      read('### Task 1: Dig\n\ndig\n\n### Task 2: Pour\n\npour\n'),
    );
    expect([states(world), taskIn(world, '2').state]).toEqual(['f1 open', 'planned']);
  });
});
