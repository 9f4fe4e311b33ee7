// What the engine finds out for itself about branches and worktrees.
import { describe, expect, test } from 'vitest';
import type { Signal } from '../../src/core/model/event.ts';
import { Failure } from '../../src/core/model/failure.ts';
import type { Tree } from '../../src/core/model/run-name.ts';
import type { PlanEntry, World } from '../../src/core/model/world.ts';
import {
  branchEvents,
  landingFacts,
  linkEvents,
  overdueEvents,
  withFacts,
  worktreeFacts,
} from '../../src/engine/observe.ts';
import { SimulatedRuns } from '../simulation/simulated-runs.ts';
import { at, HUMAN, planIn, runIn, SIDE_BY_SIDE, settled } from '../support/runs.ts';
import { NOW, PLAN, signal, taskIn } from '../support/world.ts';

const { trees, merging, pulls } = new SimulatedRuns().seenBy(() => undefined);

describe('before a plan is approved', () => {
  const reviewing: PlanEntry = { ...planIn(at('DONE')), status: 'reviewing' };

  test('its branch is tried on the base', async () => {
    const ports = { trees: { ...trees, tipOf: async () => 't1' }, merging };
    expect(await landingFacts(ports, reviewing, undefined)).toEqual({ tip: 't1' });
  });

  test('nothing is known of a branch that does not exist', async () => {
    const asked: string[] = [];
    const canLand: typeof merging.canLand = async (tip) => {
      asked.push(tip);
      return { kind: 'unrelated', base: 'main' };
    };
    const ports = { trees: { ...trees, tipOf: async () => undefined }, merging: { ...merging, canLand } };
    expect(await landingFacts(ports, reviewing, undefined)).toBeUndefined();
    expect(asked).toEqual([]);
  });
});

describe('whether a plan could land', () => {
  const reviewing: PlanEntry = { ...planIn(at('DONE')), status: 'reviewing' };
  const tipOf = async () => 't1';

  test('nothing is tried for a plan that is not under review', async () => {
    const ports = { trees: { ...trees, tipOf }, merging };
    expect(await landingFacts(ports, { ...reviewing, status: 'implementing' }, undefined)).toBeUndefined();
  });

  test('a problem with the base is left to the landing', async () => {
    const baseOf = async (): Promise<never> => {
      throw new Failure('usage', 'no-base', 'There is no main.');
    };
    const ports = { trees: { ...trees, tipOf, baseOf }, merging };
    expect(await landingFacts(ports, reviewing, undefined)).toEqual({ tip: 't1' });
  });
});

describe('the branches of a plan', () => {
  const seen = (status: PlanEntry['status'], found: string | undefined, incident = false) => {
    const entry = planIn(at('DONE'));
    const { work } = entry;
    if (work === undefined) throw new Error('The plan is not managed.');
    const at_ = { of: 'plan-branch', branch: 'plan/x', expected: 't1', found: 'evil', at: 'then' } as const;
    const baseOf = async () => ({ branch: 'main', commit: 'b0', name: 'main' });
    const ports = {
      trees: { ...trees, tipOf: async () => found, baseOf },
      merging,
      settings: { baseBranch: undefined },
    };
    return branchEvents(ports, { ...entry, status, work: { ...work, tip: 't1', incident: incident ? at_ : null } });
  };

  test.each(['implementing', 'reviewing'] as const)('are read while it is %s', async (status) => {
    expect(await seen(status, 't1')).toEqual([]);
    expect(await seen(status, 'evil')).toMatchObject([{ kind: 'branch-seen', expected: 't1', found: 'evil' }]);
    expect(await seen(status, undefined)).toMatchObject([{ kind: 'branch-seen', expected: 't1', found: null }]);
  });

  test.each(['ready', 'done', 'cancelled'] as const)(
    'are not read while it is %s, unless a person has to decide',
    async (status) => {
      expect(await seen(status, 'evil')).toEqual([]);
      expect(await seen(status, 'evil', true)).toMatchObject([{ kind: 'branch-seen' }]);
    },
  );
});

describe('the base of a plan', () => {
  const seen = (commit: string, contains: boolean, incident = false) => {
    const entry = planIn(at('DONE'));
    const { work } = entry;
    if (work === undefined) throw new Error('The plan is not managed.');
    const since = { of: 'base', branch: 'main', expected: 'b0', found: 'x', at: 'then' } as const;
    const ports = {
      trees: { ...trees, tipOf: async () => 't1', baseOf: async () => ({ branch: 'main', commit, name: 'main' }) },
      merging: { ...merging, contains: async () => contains },
      settings: { baseBranch: undefined },
    };
    const known = { ...work, tip: 't1', base: { branch: 'main', commit: 'b0' }, incident: incident ? since : null };
    return branchEvents(ports, { ...entry, status: 'implementing', work: known });
  };

  test('may gain commits, and not lose those that the plan branch has', async () => {
    expect([await seen('b0', true), await seen('b1', true)]).toEqual([[], []]);
    expect(await seen('b1', false)).toMatchObject([{ kind: 'base-seen', contains: false, found: { commit: 'b1' } }]);
  });

  test('is read again while a person has to decide about it', async () => {
    expect(await seen('b0', true, true)).toMatchObject([{ kind: 'base-seen', contains: true }]);
  });
});

describe('a merge that takes too long', () => {
  const world = at('AWAIT_MERGE');
  const late = new Date(NOW.getTime() + 30 * 24 * 3_600_000);
  const overdueWith = async (taskMerge: 'local' | 'pr', mergedAs: () => Promise<string | undefined>) => {
    const ports = {
      trees: { ...trees, tipOf: async () => 'b0' },
      pulls: { ...pulls, mergedAs },
      settings: { taskMerge },
    };
    return (await overdueEvents(ports, world, late)).filter((event) => 'landed' in event);
  };
  const noAnswer = async (): Promise<never> => {
    throw new Failure('environment', 'gh-failed', 'No network.');
  };

  test('has failed, unless the remote has merged it or does not answer', async () => {
    expect(await overdueWith('local', noAnswer)).toMatchObject([{ kind: 'overdue', landed: null }]);
    expect(await overdueWith('pr', async () => undefined)).toMatchObject([{ kind: 'overdue', landed: null }]);
    expect(await overdueWith('pr', async () => 'm')).toEqual([]);
    expect(await overdueWith('pr', noAnswer)).toEqual([]);
  });
});

describe('a sentinel', () => {
  /** Two runs, each in its own worktree. */
  const world: World = at('CODING', HUMAN, SIDE_BY_SIDE);
  const dropped = (path: string): Signal =>
    signal({ name: 'implement-finished', place: 'main' as never, file: { path, inode: '1' } }).signal;
  const ports = {
    trees: { ...trees, pathOf: ({ name }: Tree) => `/worktrees/x/${name}` },
    merging,
    settings: { baseBranch: undefined },
    planText: () => undefined,
  };
  const placeOf = async (path: string) => (await withFacts(ports, world, dropped(path))).place;

  test('is from the place of the run in whose worktree it is', async () => {
    for (const task of ['1', '2']) {
      const { branch, place } = runIn(world, task);
      expect(await placeOf(`/worktrees/x/${branch.split('/').at(-1)}/docs/plans/.signals/it`)).toBe(place);
    }
  });

  test('is from nobody’s place in a folder that only has the name of a worktree', async () => {
    const name = runIn(world).branch.split('/').at(-1);
    expect(await placeOf(`/elsewhere/${name}/docs/plans/.signals/it`)).toBe('main');
  });
});

test('what an agent has committed is counted from where the journal says that its run started', async () => {
  const asked: (string | undefined)[] = [];
  const look: typeof trees.look = async (_tree, base) => {
    asked.push(base);
    return { kind: 'gone', why: 'It is of no interest here.' };
  };
  const world = at('CODING');
  await worktreeFacts({ ...trees, look }, {} as Tree, taskIn(world, '1'));
  expect(asked).toEqual([runIn(world).base]);
});

describe('how the worktree of a run is linked', () => {
  const linked = (why: string | undefined) => ({ trees: { ...trees, integrity: () => why } });
  const event = { kind: 'link-seen', plan: PLAN, task: '1', attempt: 1 } as const;

  test('is reported when it changes, and when it is as before', () => {
    const world = at('CODING');
    expect(linkEvents(linked(undefined), world)).toEqual([]);
    expect(linkEvents(linked('changed'), world)).toEqual([{ ...event, why: 'changed' }]);
    const known = settled(world, { ...event, why: 'changed' });
    expect(linkEvents(linked('changed'), known)).toEqual([]);
    expect(linkEvents(linked(undefined), known)).toEqual([{ ...event, why: null }]);
  });

  test('is not looked at before it is set up, nor after the run', () => {
    expect(runIn(at('SETUP')).base).toBeNull();
    for (const place of ['SETUP', 'DONE', 'ERROR'] as const)
      expect([place, linkEvents(linked('changed'), at(place))]).toEqual([place, []]);
  });
});
