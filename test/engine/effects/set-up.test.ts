// Setting up a run's worktree, and verifying merged trees: what is verified there, and what is cleaned up after it.
import { describe, expect, test } from 'vitest';
import type { Effect, RunEffect } from '../../../src/core/model/effect.ts';
import { KeyedQueue } from '../../../src/core/model/keyed-queue.ts';
import { REVIEW_TREE } from '../../../src/core/model/run-name.ts';
import type { World } from '../../../src/core/model/world.ts';
import type { TreeLook } from '../../../src/core/ports/worktrees.ts';
import type { RunPorts } from '../../../src/engine/effects/ports.ts';
import { performRunEffect } from '../../../src/engine/effects/run.ts';
import { undoLeftovers, verifierOfMerges } from '../../../src/engine/effects/run-verify.ts';
import type { PlanFile } from '../../../src/plan/name.ts';
import { SimulatedRuns } from '../../simulation/simulated-runs.ts';
import { memoryGateway } from '../../support/memory-gateway.ts';
import { at, HUMAN, planIn, result, runIn, settled, TWO } from '../../support/runs.ts';
import { PLAN } from '../../support/world.ts';

const BASE = 'commit-0';

/** The effect that the run of this task waits for. */
function pending(world: World, task: string): RunEffect {
  const effect = world.outbox.get(runIn(world, task).issued?.effect ?? '');
  if (effect?.do !== 'worktree') throw new Error('No worktree is being set up.');
  return effect;
}

function ports(world: World, trees: Partial<RunPorts['trees']> = {}) {
  const done: string[] = [];
  const simulated = new SimulatedRuns().seenBy(() => undefined);
  const all: RunPorts = {
    ...simulated,
    trees: {
      ...simulated.trees,
      undo: async (_tree, commit) => {
        done.push(`undo to ${commit}`);
        return { kind: 'undone', pinned: { ref: 'kept', commit, missing: [] }, changed: ['left.txt'] };
      },
      renewBranch: async (plan) => {
        done.push(`renew ${plan}`);
        return { kind: 'renewed', pinned: undefined };
      },
      ...trees,
    },
    verifier: {
      ...simulated.verifier,
      verify: async ({ name }) => {
        done.push(`verify ${name}`);
        return { kind: 'passed' };
      },
    },
    gateway: memoryGateway(world),
    warn: ({ text }) => void done.push(`warn ${text}`),
    settings: {
      setup: [],
      verify: undefined,
      baseBranch: undefined,
      syncBase: false,
      land: 'manual',
      taskMerge: 'local',
    },
    stop: new AbortController().signal,
    queue: new KeyedQueue(),
  };
  return { done, all };
}

const looks = (...seen: readonly Partial<Extract<TreeLook, { kind: 'present' }>>[]): RunPorts['trees']['look'] => {
  const left = [...seen];
  const usual = { kind: 'present', head: BASE, branch: 'b', commits: 0, dirty: [], dirtyCount: 0 } as const;
  return async () => ({ ...usual, unfinished: undefined, ...left.shift() });
};

describe('what the verify command leaves in a new worktree', () => {
  const world = at('SETUP');

  test('is undone and named if the worktree was clean before', async () => {
    const { done, all } = ports(world, { look: looks({}, { dirtyCount: 1 }) });
    await performRunEffect(all, world, pending(world, '1'));
    expect(done.slice(0, 2)).toEqual(['verify baseline', `undo to ${BASE}`]);
    expect(done[2]).toContain('changed or left left.txt');
  });

  test('stays if the setup command had left files, which it may need', async () => {
    const { done, all } = ports(world, { look: looks({ dirtyCount: 2 }, { dirtyCount: 3 }) });
    await performRunEffect(all, world, pending(world, '1'));
    expect(done).toEqual(['verify baseline']);
  });
});

describe('leftovers', () => {
  const tree = { plan: PLAN, name: REVIEW_TREE };

  test.each([
    ['files', { dirtyCount: 1 }],
    ['another commit', { head: 'commit-9' }],
  ])('are undone where there are %s', async (_what, seen) => {
    const { all } = ports(at('SETUP'), { look: looks(seen) });
    expect(await undoLeftovers(all, tree, BASE)).toEqual(['left.txt']);
  });

  test('are none in a clean worktree at its commit, nor in one that is gone', async () => {
    expect(await undoLeftovers(ports(at('SETUP'), { look: looks({}) }).all, tree, BASE)).toEqual([]);
    const gone = async () => ({ kind: 'gone', why: 'w' }) as const;
    expect(await undoLeftovers(ports(at('SETUP'), { look: gone }).all, tree, BASE)).toEqual([]);
  });
});

test('the first setup of a run says so, since nobody can have worked for it', async () => {
  const world = at('SETUP');
  const asked: (boolean | undefined)[] = [];
  const { all } = ports(world, {
    setUp: async (_tree, _tip, { isFirst }) => {
      asked.push(isFirst);
      return { kind: 'ready', path: '/t', base: 'b0', portBase: 20_000, notes: [] };
    },
  });
  await performRunEffect(all, world, pending(world, '1'));
  expect(asked).toEqual([true]);
});

test('a task that starts from the merge of another is not verified again before it starts', async () => {
  let world = at('AWAIT_MERGE', HUMAN, TWO);
  world = settled(world, result(world, { of: 'merge', tip: 't1' }));
  const trees: Partial<RunPorts['trees']> = {
    tipOf: async () => 't1',
    setUp: async () => ({ kind: 'ready', path: '/t', base: 't1', portBase: 20_000, notes: [] }),
  };
  const { done, all } = ports(world, trees);
  expect(planIn(world).work?.tip).toBe('t1');
  await performRunEffect(all, world, pending(world, '2'));
  expect(done).toEqual([]);
  const elsewhere = ports(world, {
    ...trees,
    setUp: async () => ({ kind: 'ready', path: '/t', base: 't9', portBase: 20_000, notes: [] }),
  });
  await performRunEffect(elsewhere.all, world, pending(world, '2'));
  expect(elsewhere.done).toContain('verify baseline');
});

test('the branch of an earlier generation is renewed first, and only that of the same plan', async () => {
  const before = at('SETUP');
  const renew = (id: string, plan: string): [string, Effect] => [
    id,
    { id, do: 'renew-branch', plan: plan as PlanFile, generation: 2 },
  ];
  const world = { ...before, outbox: new Map([...before.outbox, renew('e1', PLAN), renew('e2', 'other.md')]) };
  const { done, all } = ports(world);
  await performRunEffect(all, world, pending(world, '1'));
  expect(done).toEqual([`renew ${PLAN}`, 'verify baseline']);
});

test('a merged tree whose worktree cannot be set up is not verified', async () => {
  const world = at('SETUP');
  const detach: RunPorts['trees']['detach'] = async () => ({ kind: 'failed', why: 'npm ci failed.', tail: 'the end' });
  const { done, all } = ports(world, { detach });
  expect(await verifierOfMerges(all, world, PLAN)('t1')).toEqual({
    kind: 'infrastructure',
    why: 'npm ci failed.',
    tail: 'the end',
  });
  expect(done).toEqual([]);
});
