// Reviewers of every kind, and how their reviews end: the turns of agents that each costs, and who has the last word.
import { expect, test } from 'vitest';
import type { World } from '../../../../src/core/model/world.ts';
import { DEFAULT_POLICY } from '../../../../src/core/settings/default-policy.ts';
import { listText } from '../../../../src/core/views/findings.ts';
import { taskWaitStatus } from '../../../../src/core/views/why.ts';
import { branchMade, going, planIn, result, runIn, says, settled } from '../../../support/runs.ts';
import { taskIn } from '../../../support/world.ts';

/** What the spec reviewer says in its first, second, ... review. The quality reviewer approves. */
type Reviewer = (review: number) => Said;

interface Said {
  readonly findings?: readonly object[];
  readonly verdicts?: Readonly<Record<string, 'addressed' | 'not-addressed'>>;
}

const important = (place: string, more: object = {}): object => ({
  severity: 'important',
  place,
  problem: 'It hangs.',
  ...more,
});

/** The files that the implementer changes in a fix. */
const FIXED = ['src/a.ts'];

interface Story {
  readonly world: World;
  /** Turns of agents: of the implementer, and of the two reviewers. */
  readonly turns: number;
  readonly verified: number;
  readonly ended: 'done' | 'person';
}

function story(reviewer: Reviewer): Story {
  let world = going(DEFAULT_POLICY);
  let turns = 0;
  let verified = 0;
  let commits = 0;
  let reviews = 0;
  const sends = (name: string, body: string): void => {
    turns++;
    const since = commits > 1 ? { since: FIXED } : {};
    world = settled(
      world,
      says(world, name, { body, worktree: { head: `c${commits}`, clean: true, commits: 1, ...since } }),
    );
  };
  for (let step = 0; step < 200; step++) {
    const { state, stage } = runIn(world);
    if (state === 'DONE') return { world, turns, verified, ended: 'done' };
    if (taskWaitStatus(world, planIn(world), taskIn(world, '1')).owner === 'user')
      return { world, turns, verified, ended: 'person' };
    if (state === 'SETUP') world = settled(world, ...branchMade(world), result(world, { of: 'worktree', base: 'b0' }));
    else if (state === 'TESTING') {
      verified++;
      world = settled(world, result(world, { of: 'verify', passed: true, text: '' }));
    } else if (state === 'AWAIT_MERGE') world = settled(world, result(world, { of: 'merge', tip: 't1' }));
    else if (state === 'CODE_REVIEW' && stage === 'spec') {
      const said = reviewer(++reviews);
      const isFine = Object.values(said.verdicts ?? {}).every((one) => one === 'addressed');
      sends(isFine && said.findings === undefined ? 'review-approved' : 'review-changes', JSON.stringify(said));
    } else if (state === 'CODE_REVIEW') sends('review-approved', '');
    else {
      commits++;
      sends(state === 'FIXING' ? 'fix-finished' : 'implement-finished', '');
    }
  }
  throw new Error('It never ends.');
}

const states = (world: World): string =>
  (taskIn(world, '1').findings ?? []).map(({ id, state }) => `${id} ${state}`).join(', ');

test('minor findings only: approved in one round, and on the list of the plan’s review', () => {
  const { world, turns, ended } = story(() => ({ findings: [{ severity: 'minor', problem: 'A name is odd.' }] }));
  expect([ended, turns, runIn(world).rounds ?? {}]).toEqual(['done', 3, {}]);
  expect(listText(planIn(world))).toBe('- task 1 f1 [minor, deferred] A name is odd.');
});

test('three important findings of which each fix addresses one: three rounds, and every later review is scoped', () => {
  const ids = ['f1', 'f2', 'f3'] as const;
  const { world, turns, verified, ended } = story((review) => {
    if (review === 1) return { findings: [1, 2, 3].map((line) => important(`src/a.ts:${line}`)) };
    const open = ids.slice(review - 2);
    return { verdicts: Object.fromEntries(open.map((id, index) => [id, index === 0 ? 'addressed' : 'not-addressed'])) };
  });
  expect([ended, turns, verified]).toEqual(['done', 9, 4]);
  expect(runIn(world)).toMatchObject({ rounds: { spec: 3 }, looked: { spec: 'c4', quality: 'c4' } });
  expect(states(world)).toBe('f1 addressed, f2 addressed, f3 addressed');
});

test('always something new outside of the fix: ends at the first review that only observes', () => {
  const { world, turns, ended } = story((review) =>
    review === 1
      ? { findings: [important('src/a.ts:1')] }
      : { verdicts: { f1: 'addressed' }, findings: [important(`src/new${review}.ts:1`)] },
  );
  expect([ended, turns, runIn(world).rounds]).toEqual(['done', 5, { spec: 1 }]);
  expect(states(world)).toBe('f1 addressed, f2 deferred');
});

test('never gives in: another agent after three rounds, and a person after five', () => {
  const { world, turns, ended } = story((review) =>
    review === 1 ? { findings: [important('src/a.ts:1')] } : { verdicts: { f1: 'not-addressed' } },
  );
  expect([ended, turns, runIn(world).rounds]).toEqual(['person', 12, { spec: 5 }]);
  expect([...world.sessions.values()].filter(({ escalated }) => escalated)).not.toEqual([]);
  const wait = taskWaitStatus(world, planIn(world), taskIn(world, '1'));
  expect(wait.sentence).toContain('these findings are open: f1');
  expect(wait.waysOut).toEqual(expect.arrayContaining(['park', 'overrule', 'back', 'approve']));
});

test('contradicts the plan: one question to the person with both texts, before anybody fixes anything', () => {
  const contradiction = important('src/a.ts:1', { contradicts_plan: 'It may hang.' });
  const { world, turns, ended } = story(() => ({ findings: [contradiction] }));
  expect([ended, turns, runIn(world).rounds ?? {}]).toEqual(['person', 2, {}]);
  expect(taskWaitStatus(world, planIn(world), taskIn(world, '1')).sentence).toBe(
    'A finding contradicts the plan. Which holds?\nf1: It hangs.\nThe plan says: It may hang.',
  );
});
