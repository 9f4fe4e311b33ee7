// What reviews find: which findings start a round, who closes them, and what waits for whom.
import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../../src/core/model/review/finding.ts';
import type { WorktreeFacts } from '../../../../src/core/model/run.ts';
import type { World } from '../../../../src/core/model/world.ts';
import { DEFAULT_POLICY } from '../../../../src/core/settings/default-policy.ts';
import type { Policy } from '../../../../src/core/settings/policy.ts';
import { taskWaitStatus } from '../../../../src/core/views/why.ts';
import {
  act,
  answerTo,
  branchMade,
  going,
  placeOf,
  planIn,
  result,
  runIn,
  says,
  settled,
  withBudgets,
} from '../../../support/runs.ts';
import { sessionIn, taskIn } from '../../../support/world.ts';

const commit = (head: string, more: Partial<WorktreeFacts> = {}): WorktreeFacts => ({
  head,
  clean: true,
  commits: 1,
  ...more,
});
const IMPORTANT = { severity: 'important', place: 'src/a.ts:3', problem: 'It hangs.' } as const;
const MINOR = { severity: 'minor', problem: 'A name is odd.' } as const;
const review = (...findings: readonly object[]): string => JSON.stringify({ findings });
const verdicts = (given: Readonly<Record<string, string>>, ...findings: readonly object[]): string =>
  JSON.stringify({ verdicts: given, ...(findings.length === 0 ? {} : { findings }) });

function inReview(policy: Policy = DEFAULT_POLICY): World {
  const launched = going(policy);
  const coding = settled(launched, ...branchMade(launched), result(launched, { of: 'worktree', base: 'b0' }));
  return verified(settled(coding, says(coding, 'implement-finished', { worktree: commit('c1') })));
}

function verified(world: World): World {
  return settled(world, result(world, { of: 'verify', passed: true, text: '' }));
}

function fixed(world: World, worktree: WorktreeFacts): World {
  return verified(settled(world, says(world, 'fix-finished', { worktree })));
}

function reviewed(
  world: World,
  name: 'review-changes' | 'review-approved',
  body: string,
  worktree = commit('c1'),
): World {
  return settled(world, says(world, name, { body, worktree }));
}

const found = (world: World): readonly Finding[] => taskIn(world, '1').findings ?? [];
const states = (world: World): string =>
  found(world)
    .map(({ id, state }) => `${id} ${state}`)
    .join(', ');
const waits = (world: World) => taskWaitStatus(world, planIn(world), taskIn(world, '1'));

describe('the severity of findings', () => {
  test('decides whether a round starts: an important one does', () => {
    const world = reviewed(inReview(), 'review-changes', review(IMPORTANT, MINOR));
    expect(runIn(world)).toMatchObject({ state: 'FIXING', rounds: { spec: 1 }, looked: { spec: 'c1' } });
    expect(states(world)).toBe('f1 open, f2 deferred');
    expect(found(world)[0]).toMatchObject({ ...IMPORTANT, foundBy: 'spec', commit: 'c1' });
  });

  test('minor ones never start a round, whichever signal they come with', () => {
    for (const name of ['review-changes', 'review-approved'] as const) {
      const world = reviewed(inReview(), name, review(MINOR));
      expect(placeOf(world)).toBe('CODE_REVIEW quality');
      expect(states(world)).toBe('f1 deferred');
    }
  });

  test('what a reviewer could not judge waits like a minor one, so that somebody reads it', () => {
    const body = JSON.stringify({ findings: [MINOR], cannot_verify: ['whether it works on Windows'] });
    const world = reviewed(inReview(), 'review-approved', body);
    expect(placeOf(world)).toBe('CODE_REVIEW quality');
    expect(found(world).map(({ id, state, severity, problem }) => [id, state, severity, problem])).toEqual([
      ['f1', 'deferred', 'minor', 'A name is odd.'],
      ['f2', 'deferred', 'minor', 'Could not be judged: whether it works on Windows'],
    ]);
  });

  test('an approval with an important one is refused, and nothing changes', () => {
    const world = inReview();
    expect(answerTo(world, says(world, 'review-approved', { body: review(IMPORTANT) }))).toMatchObject({
      kind: 'refused',
      code: 'bad-review',
      why: expect.stringContaining('an approval cannot have an important finding'),
    });
  });

  test('a review that cannot be read goes back with what is wrong', () => {
    const world = inReview();
    expect(answerTo(world, says(world, 'review-changes', { body: '{"findings": [{}]}' }))).toMatchObject({
      code: 'bad-review',
      why: expect.stringContaining('findings[0].severity: missing'),
    });
  });
});

describe('a review after the first', () => {
  const second = (): World => fixed(reviewed(inReview(), 'review-changes', review(IMPORTANT)), commit('c2'));

  test('has to give a verdict on each open finding', () => {
    const world = second();
    expect(answerTo(world, says(world, 'review-approved', { body: '', worktree: commit('c2') }))).toMatchObject({
      code: 'no-verdict',
      why: expect.stringContaining('no verdict on f1'),
    });
    expect(
      answerTo(
        world,
        says(world, 'review-approved', {
          body: verdicts({ f1: 'addressed', f7: 'addressed' }),
          worktree: commit('c2'),
        }),
      ),
    ).toMatchObject({ code: 'no-verdict', why: expect.stringContaining('f7 is not a finding here') });
  });

  test('passes when everything is addressed', () => {
    const world = reviewed(second(), 'review-approved', verdicts({ f1: 'addressed' }), commit('c2'));
    expect(placeOf(world)).toBe('CODE_REVIEW quality');
    expect(found(world)[0]).toMatchObject({ state: 'addressed', decidedBy: 'spec-reviewer' });
  });

  test('goes back when something is not', () => {
    const world = reviewed(second(), 'review-changes', verdicts({ f1: 'not-addressed' }), commit('c2'));
    expect(runIn(world)).toMatchObject({ state: 'FIXING', rounds: { spec: 2 }, counts: { fixing: 1 } });
    expect(states(world)).toBe('f1 not-addressed');
  });

  test('defers what it finds outside of the fix, and does not go back for it', () => {
    const since = commit('c2', { since: ['src/a.ts'] });
    const outside = { ...IMPORTANT, place: 'src/other.ts:1' };
    const world = reviewed(second(), 'review-changes', verdicts({ f1: 'addressed' }, outside), since);
    expect([placeOf(world), states(world)]).toEqual(['CODE_REVIEW quality', 'f1 addressed, f2 deferred']);
    const inside = reviewed(second(), 'review-changes', verdicts({ f1: 'addressed' }, IMPORTANT), since);
    expect([placeOf(inside), states(inside)]).toEqual(['FIXING', 'f1 addressed, f2 open']);
  });

  test('reports something critical outside of the fix to the person at once', () => {
    const since = commit('c2', { since: ['src/a.ts'] });
    const outside = { severity: 'critical', place: 'src/other.ts:1', problem: 'It deletes data.' };
    const world = reviewed(second(), 'review-changes', verdicts({ f1: 'addressed' }, outside), since);
    const told = [...world.outbox.values()].flatMap((effect) => (effect.do === 'tell' ? [effect.text] : []));
    expect(told.join()).toContain('It deletes data.');
  });

  test('of a commit with the same files is not asked for: the stage passes', () => {
    const passed = reviewed(inReview(), 'review-approved', '');
    const merging = reviewed(passed, 'review-approved', '');
    const failed = settled(merging, result(merging, { of: 'merge', failed: 'the merged tree fails' }));
    const again = fixed(failed, commit('c1b', { same: ['c1'] }));
    expect(runIn(again)).toMatchObject({ state: 'AWAIT_MERGE', looked: { spec: 'c1b', quality: 'c1b' } });
  });

  test('looks at the quality again after a fix, with the spec before it', () => {
    const quality = reviewed(inReview(), 'review-approved', '');
    const back = reviewed(quality, 'review-changes', review(IMPORTANT));
    expect(runIn(back).rounds).toEqual({ quality: 1 });
    const spec = fixed(back, commit('c2'));
    const again = reviewed(spec, 'review-approved', '', commit('c2'));
    expect(placeOf(again)).toBe('CODE_REVIEW quality');
    const done = reviewed(again, 'review-approved', verdicts({ f1: 'addressed' }), commit('c2'));
    expect(placeOf(done)).toBe('AWAIT_MERGE');
  });

  test('on a branch that has moved closes nothing and loses nothing', () => {
    const world = settled(
      second(),
      says(second(), 'review-changes', {
        body: verdicts({ f1: 'addressed' }, MINOR, IMPORTANT),
        worktree: commit('c3'),
      }),
    );
    expect(states(world)).toBe('f1 open, f2 deferred, f3 open');
    expect(runIn(world)).toMatchObject({ state: 'FIXING', rounds: { spec: 1 } });
  });
});

describe('when no round is left', () => {
  const ONE_ROUND = withBudgets(DEFAULT_POLICY, { reviewRounds: 1 });
  const architect = (checkins: 'agent' | 'auto'): Policy => ({
    ...ONE_ROUND,
    architect: { ...ONE_ROUND.architect, checkins },
  });
  const used = (policy: Policy = ONE_ROUND): World => {
    const again = fixed(reviewed(inReview(policy), 'review-changes', review(IMPORTANT)), commit('c2'));
    return reviewed(again, 'review-changes', verdicts({ f1: 'not-addressed' }), commit('c2'));
  };

  test('the findings wait for a person, and no agent works', () => {
    const world = used();
    expect(placeOf(world)).toBe('CODE_REVIEW spec');
    expect(waits(world)).toMatchObject({ owner: 'user', need: 'budget', sentence: expect.stringContaining('f1') });
    expect([...world.sessions.values()].filter(({ wanted }) => wanted === 'running')).toEqual([]);
  });

  test.each([
    ['park', 'parked'],
    ['overrule', 'overruled'],
    ['confirm', 'addressed'],
  ] as const)('%s settles them, and the stage passes without another session', (ruling, state) => {
    const world = settled(used(), act(ruling, { findings: ['f1'], text: 'it is fine' }));
    expect(placeOf(world)).toBe('CODE_REVIEW quality');
    expect(found(world)[0]).toMatchObject({ state, decidedBy: 'person', because: 'it is fine' });
  });

  test('a person grants another round, which is not counted', () => {
    const world = settled(used(), act('back', { text: '' }));
    expect(runIn(world)).toMatchObject({ state: 'FIXING', rounds: { spec: 1 }, counts: { fixing: 1 } });
    expect(states(world)).toBe('f1 not-addressed');
  });

  test('a person who approves overrules them by name', () => {
    const world = settled(used(), act('approve', { worktree: commit('c2') }));
    expect(found(world)[0]).toMatchObject({ state: 'overruled', decidedBy: 'person' });
    expect(placeOf(world)).toBe('CODE_REVIEW quality');
  });

  test('the architect parks where the policy says so, and leaves the rest to the person', () => {
    const asked = used(architect('agent'));
    expect(waits(asked).owner).toBe('architect');
    const parked = settled(asked, says(asked, 'answer', { body: 'PARK f1: contestable' }));
    expect([placeOf(parked), states(parked)]).toEqual(['CODE_REVIEW quality', 'f1 parked']);
    const left = settled(asked, says(asked, 'answer', { body: 'This one has to be fixed.' }));
    expect(waits(left)).toMatchObject({ owner: 'user', need: 'budget' });
    expect(answerTo(asked, says(asked, 'answer', { body: 'PARK f9' }))).toMatchObject({ code: 'unknown-finding' });
  });

  test('with the policy "auto" what is not critical is parked', () => {
    expect(states(used(architect('auto')))).toBe('f1 parked');
    const again = fixed(
      reviewed(inReview(architect('auto')), 'review-changes', review({ ...IMPORTANT, severity: 'critical' })),
      commit('c2'),
    );
    const critical = reviewed(again, 'review-changes', verdicts({ f1: 'not-addressed' }), commit('c2'));
    expect(waits(critical)).toMatchObject({ owner: 'user', need: 'budget' });
  });

  test('an unknown finding, or one that is settled, cannot be decided about', () => {
    expect(answerTo(used(), act('park', { findings: ['f4'] }))).toMatchObject({ code: 'unknown-finding' });
    const parked = settled(used(), act('park', { findings: ['f1'] }));
    expect(answerTo(parked, act('park', { findings: ['f1'] }))).toMatchObject({ code: 'state' });
  });
});

describe('a finding that contradicts the plan', () => {
  const contradiction = { ...IMPORTANT, contradicts_plan: 'It must hang.' };
  const asked = (policy?: Policy): World => reviewed(inReview(policy), 'review-changes', review(contradiction, MINOR));

  test('waits for the person, with both texts, whatever the policy', () => {
    const agents: Policy = {
      ...DEFAULT_POLICY,
      architect: { plan_review: 'auto', questions: 'agent', checkins: 'agent' },
    };
    for (const world of [asked(), asked(agents)]) {
      expect(placeOf(world)).toBe('CODE_REVIEW spec');
      expect(waits(world)).toMatchObject({
        owner: 'user',
        need: 'decision',
        sentence: expect.stringMatching(/It hangs\.[\s\S]*The plan says: It must hang\./),
      });
    }
  });

  test('is overruled where the plan holds, and the stage passes', () => {
    const world = settled(asked(), act('plan-holds', { findings: ['f1'] }));
    expect([placeOf(world), states(world)]).toEqual(['CODE_REVIEW quality', 'f1 overruled, f2 deferred']);
  });

  test('is a demand where the finding holds, and the implementer gets it', () => {
    const world = settled(asked(), act('finding-holds', { findings: ['f1'] }));
    expect(runIn(world)).toMatchObject({ state: 'FIXING', fixing: { text: expect.stringContaining('It hangs.') } });
    expect(found(world)[0]).toMatchObject({ demand: true, answered: true, state: 'open' });
  });

  test('is never lost: after a reject it waits again', () => {
    const rejected = settled(asked(), act('changes', { text: 'Shorter.' }));
    const again = fixed(rejected, commit('c2'));
    const judged = reviewed(again, 'review-approved', verdicts({ f3: 'addressed' }), commit('c2', { changed: ['f3'] }));
    expect(states(judged)).toBe('f1 open, f2 deferred, f3 addressed');
    expect(waits(judged)).toMatchObject({ owner: 'user', need: 'decision' });
  });
});

describe('what a person demands', () => {
  const rejected = (text = 'src/a.ts:3: It hangs.\n\nUse another word.'): World =>
    settled(inReview(), act('changes', { text }));

  test('is one demand for each paragraph, with its place', () => {
    expect(found(rejected())).toMatchObject([
      { id: 'f1', demand: true, foundBy: 'person', place: 'src/a.ts:3', problem: 'It hangs.', commit: 'c1' },
      { id: 'f2', demand: true, problem: 'Use another word.' },
    ]);
    expect(runIn(rejected())).toMatchObject({ state: 'FIXING', counts: { fixing: 1 } });
    expect(runIn(rejected()).rounds ?? {}).toEqual({});
  });

  test('is closed by the spec reviewer only if its place has changed', () => {
    const world = fixed(rejected('src/a.ts:3: It hangs.'), commit('c2'));
    const body = verdicts({ f1: 'addressed' });
    const shown = reviewed(world, 'review-approved', body, commit('c2', { changed: ['f1'] }));
    expect([placeOf(shown), states(shown)]).toEqual(['CODE_REVIEW quality', 'f1 addressed']);
    const claimed = reviewed(world, 'review-approved', body, commit('c2'));
    expect([placeOf(claimed), states(claimed)]).toEqual(['CODE_REVIEW spec', 'f1 open']);
    expect(waits(claimed)).toMatchObject({ owner: 'user', need: 'decision' });
    const confirmed = settled(claimed, act('confirm'));
    expect([placeOf(confirmed), states(confirmed)]).toEqual(['CODE_REVIEW quality', 'f1 addressed']);
  });

  test('is not parked by the architect, and keeps waiting for the person', () => {
    const policy = withBudgets(
      { ...DEFAULT_POLICY, architect: { plan_review: 'auto', questions: 'agent', checkins: 'agent' } },
      { reviewRounds: 0 },
    );
    const world = fixed(settled(inReview(policy), act('changes', { text: 'Shorter.' })), commit('c2'));
    const left = reviewed(world, 'review-changes', verdicts({ f1: 'not-addressed' }), commit('c2'));
    expect(waits(left)).toMatchObject({ owner: 'user', need: 'budget' });
  });

  test('is made in verification and before the merge as well', () => {
    const merging = reviewed(reviewed(inReview(), 'review-approved', ''), 'review-approved', '');
    expect(runIn(merging).issued?.do).toBe('merge');
    const launched = going(DEFAULT_POLICY);
    const coding = settled(launched, ...branchMade(launched), result(launched, { of: 'worktree', base: 'b0' }));
    const testing = settled(coding, says(coding, 'implement-finished', { worktree: commit('c1') }));
    expect(states(settled(testing, act('back', { text: 'Shorter.' })))).toBe('f1 open');
  });

  test('stays with the task when the run is reverted, and the next run’s first review judges it', () => {
    const reverted = settled(rejected('Shorter.'), act('revert'));
    expect(states(reverted)).toBe('f1 open');
    const again = settled(reverted, act('launch'));
    const coding = settled(again, result(again, { of: 'worktree', base: 'b0' }));
    const spec = verified(settled(coding, says(coding, 'implement-finished', { worktree: commit('d1') })));
    expect(answerTo(spec, says(spec, 'review-approved', { body: '', worktree: commit('d1') }))).toMatchObject({
      code: 'no-verdict',
    });
  });

  test('is overruled and listed when the task is marked done', () => {
    const world = settled(rejected('Shorter.'), act('mark-done'));
    expect(found(world)).toMatchObject([{ state: 'overruled', decidedBy: 'person', listed: true }]);
  });
});

describe('a fix that changes nothing', () => {
  test('an empty commit is none', () => {
    const world = reviewed(inReview(), 'review-changes', review(IMPORTANT));
    const empty = says(world, 'fix-finished', { worktree: commit('c2', { same: ['c1'] }) });
    expect(answerTo(world, empty)).toMatchObject({ code: 'unchanged' });
  });
});

test('after several rounds another agent gets the work, in a fresh session', () => {
  const policy: Policy = {
    ...withBudgets(DEFAULT_POLICY, { escalateAfter: 2, reviewRounds: 4 }),
    escalation: 'strong',
    profiles: { strong: { program: 'codex', flags: ['--best'], env: [] } },
  };
  const first = reviewed(inReview(policy), 'review-changes', review(IMPORTANT));
  expect(sessionIn(first, runIn(first).session?.id ?? '')).not.toHaveProperty('escalated');
  const second = reviewed(
    fixed(first, commit('c2')),
    'review-changes',
    verdicts({ f1: 'not-addressed' }),
    commit('c2'),
  );
  expect(sessionIn(second, runIn(second).session?.id ?? '')).toMatchObject({
    role: 'implementer',
    profile: 'strong',
    program: 'codex',
    escalated: true,
  });
});
