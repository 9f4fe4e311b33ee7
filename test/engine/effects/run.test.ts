// Effects of runs when git, the verify command or the engine itself fails.

import { describe, expect, test } from 'vitest';
import { preparationWords } from '../../../src/core/files/unprepared.ts';
import type { RunEffect } from '../../../src/core/model/effect.ts';
import { Failure } from '../../../src/core/model/failure.ts';
import { runPlaceFor } from '../../../src/core/model/ids.ts';
import { KeyedQueue } from '../../../src/core/model/keyed-queue.ts';
import { treeOfBranch } from '../../../src/core/model/run-name.ts';
import { EMPTY_WORLD, type World } from '../../../src/core/model/world.ts';
import type { MergeAnswer } from '../../../src/core/ports/merging.ts';
import type { PullOutcome } from '../../../src/core/ports/pull-requests.ts';
import type { VerifyOutcome } from '../../../src/core/ports/verifier.ts';
import { isCutShort, type RunPorts, type Warning } from '../../../src/engine/effects/ports.ts';
import { performRunEffect } from '../../../src/engine/effects/run.ts';
import { repairWorktree } from '../../../src/engine/effects/worktree.ts';
import type { PlanFile } from '../../../src/plan/name.ts';
import { SimulatedRuns } from '../../simulation/simulated-runs.ts';
import { memoryGateway } from '../../support/memory-gateway.ts';
import { at, going, planIn, runIn, settled } from '../../support/runs.ts';
import { PLAN } from '../../support/world.ts';

const OF_RUN = {
  id: 'e7.0',
  plan: 'x.md' as PlanFile,
  task: '1',
  attempt: 1,
  place: runPlaceFor(1),
  branch: 'cadre/x/t1-a1',
};
const { effect: WORKTREE } = waiting('SETUP');
const { effect: MERGE } = waiting('AWAIT_MERGE');
const verifyOf = (pin: string): RunEffect => ({ ...OF_RUN, do: 'verify', pin });

/** A plan whose first run waits for this effect. */
function waiting(place: 'SETUP' | 'AWAIT_MERGE'): { readonly world: World; readonly effect: RunEffect } {
  const world = at(place);
  const effect = world.outbox.get(runIn(world).issued?.effect ?? '');
  if (effect?.do !== 'worktree' && effect?.do !== 'merge') throw new Error('Nothing is pending.');
  return { world, effect };
}

function context(world: World = at('SETUP')): {
  readonly ports: RunPorts;
  readonly warned: string[];
  readonly stop: AbortController;
} {
  const warned: string[] = [];
  const stop = new AbortController();
  const settings = {
    setup: [],
    verify: undefined,
    baseBranch: undefined,
    syncBase: false,
    land: 'manual',
    taskMerge: 'local',
  } as const;
  const ports = {
    ...new SimulatedRuns().seenBy(() => undefined),
    gateway: memoryGateway(world),
    warn: ({ plan, task, text }: Warning) => void warned.push(`${plan}#${task}: ${text}`),
    settings,
    stop: stop.signal,
    queue: new KeyedQueue(),
  };
  return { ports, warned, stop };
}

const resultOf = async (ports: RunPorts, effect: RunEffect) => {
  const [event] = await performRunEffect(ports, EMPTY_WORLD, effect);
  return event?.kind === 'result' ? event.result : undefined;
};

/** The worktree exists, at its first commit. */
async function setUp(ports: RunPorts): Promise<void> {
  expect(await resultOf(ports, WORKTREE)).toEqual({ of: 'worktree', base: 'commit-0' });
}

const verifying = (ports: RunPorts, ...results: readonly VerifyOutcome[]): RunPorts => {
  const left = [...results];
  return { ...ports, verifier: { ...ports.verifier, verify: async () => left.shift() ?? { kind: 'passed' } } };
};

const WITH_TRUE = { command: ['true'], rewrites: [] };

describe('verification', () => {
  test('names the files of the command that the run has changed, and says where there is no command', async () => {
    const { ports } = context();
    await setUp(ports);
    const changed = async (from: string, to: string) =>
      from === 'b0' && to === 'commit-0' ? ['check.sh', 'a.ts'] : [];
    const words = ['sh', 'check.sh'];
    const verified = async (verifier: Partial<RunPorts['verifier']>): Promise<unknown> => {
      const trees = { ...ports.trees, changed };
      const [event] = await performRunEffect(
        { ...ports, trees, verifier: { ...ports.verifier, ...verifier } },
        at('TESTING'),
        verifyOf('commit-0'),
      );
      return event?.kind === 'result' && event.result.of === 'verify' && 'passed' in event.result
        ? event.result.verified
        : undefined;
    };
    expect(await verified({ command: () => ({ kind: 'command', words, why: '' }) })).toEqual({
      command: words,
      rewrites: ['check.sh'],
    });
    expect(await verified({ command: () => ({ kind: 'none' }) })).toEqual({ command: null, rewrites: [] });
  });

  test.each<[VerifyOutcome, unknown]>([
    [{ kind: 'passed' }, { of: 'verify', passed: true, text: '', verified: WITH_TRUE }],
    [
      { kind: 'failed', exitCode: 3, tail: 'not ok' },
      {
        of: 'verify',
        passed: false,
        text: 'Verification failed with exit code 3.\n\nnot ok',
        verified: WITH_TRUE,
      },
    ],
    [
      { kind: 'infrastructure', why: 'No room.', tail: '' },
      { of: 'verify', failed: 'No room.' },
    ],
  ])('that ends with %o', async (verified, result) => {
    const { ports } = context();
    await setUp(ports);
    expect(await resultOf(verifying(ports, verified), verifyOf('commit-0'))).toEqual(result);
  });

  test('of a commit restores its files first, if others are in the worktree', async () => {
    const { ports, warned } = context();
    await setUp(ports);
    const steps: string[] = [];
    const trees: RunPorts['trees'] = {
      ...ports.trees,
      differences: async () => ['checked.txt'],
      undo: async (_tree, commit) => {
        steps.push(`undo to ${commit}`);
        return { kind: 'undone', pinned: { ref: 'refs/kept', commit: 'kept', missing: [] }, changed: ['checked.txt'] };
      },
    };
    const verify: RunPorts['verifier']['verify'] = async () => {
      steps.push('verify');
      return { kind: 'passed' };
    };
    const result = await resultOf({ ...ports, trees, verifier: { ...ports.verifier, verify } }, verifyOf('commit-0'));
    expect(result).toMatchObject({ of: 'verify', passed: true, text: '' });
    expect(steps).toEqual(['undo to commit-0', 'verify']);
    expect(warned).toEqual([
      'x.md#1: Before verification, checked.txt differed from the commit commit-0. The files of the commit were restored, and what was there is pinned as refs/kept.',
    ]);
  });

  test('of a commit that is not checked out has no result', async () => {
    const { ports } = context();
    await setUp(ports);
    expect(await resultOf(ports, verifyOf('another'))).toEqual({
      of: 'verify',
      failed: 'The branch moved from another to commit-0, so another was not verified.',
    });
  });

  test('during which someone commits has no result', async () => {
    const { ports } = context();
    await setUp(ports);
    let looks = 0;
    const trees = {
      ...ports.trees,
      headOf: async (tree: Parameters<typeof ports.trees.headOf>[0]) =>
        looks++ === 0 ? ports.trees.headOf(tree) : 'later',
    };
    expect(await resultOf({ ...ports, trees }, verifyOf('commit-0'))).toMatchObject({
      failed: expect.stringContaining('moved from commit-0 to later'),
    });
  });

  test('without a worktree reports why', async () => {
    const { ports } = context();
    expect(await resultOf(ports, verifyOf('commit-0'))).toMatchObject({
      of: 'verify',
      failed: expect.stringContaining('is gone'),
    });
  });
});

test('work that is cut short because the engine stops is left for the next one', async () => {
  for (const effect of [WORKTREE, verifyOf('commit-0'), MERGE]) {
    const { ports, stop } = context();
    stop.abort();
    await expect(performRunEffect(ports, EMPTY_WORLD, effect)).rejects.toThrow(
      'The engine is stopping; the next one continues.',
    );
  }
});

describe('a worktree', () => {
  test('in which the verify command cannot be started is a failed setup', async () => {
    const { ports } = context();
    const broken = verifying(ports, { kind: 'infrastructure', why: 'npm is not installed.', tail: 'sh: npm' });
    expect(await resultOf(broken, WORKTREE)).toEqual({
      of: 'worktree',
      failed: `Verification does not work in the new worktree: npm is not installed. ${preparationWords([])}\n\nsh: npm`,
    });
  });

  test('in which verification already fails is reported and used', async () => {
    const { ports, warned } = context();
    const red = verifying(ports, { kind: 'failed', exitCode: 1, tail: '' });
    expect(await resultOf(red, WORKTREE)).toEqual({ of: 'worktree', base: 'commit-0' });
    expect(warned).toEqual([expect.stringContaining('Verification already fails on the base commit')]);
  });

  test('that git cannot create fails with git’s message', async () => {
    const { ports } = context();
    const trees = {
      ...ports.trees,
      baseOf: async () => {
        throw new Failure('failed', 'git-failed', 'fatal: no.');
      },
    };
    expect(await resultOf({ ...ports, trees }, WORKTREE)).toEqual({ of: 'worktree', failed: 'fatal: no.' });
  });
});

describe('a merge', () => {
  const merging = (ports: RunPorts, ...answers: readonly MergeAnswer[]): RunPorts => {
    const left = [...answers];
    const merge = async () => left.shift() ?? ({ kind: 'conflict', files: ['too often'] } as const);
    return { ...ports, merging: { ...ports.merging, merge } };
  };
  const ready = (): RunPorts => context(at('AWAIT_MERGE')).ports;
  const withheld = { kind: 'withheld' } as const;

  test.each<[string, readonly MergeAnswer[], unknown]>([
    ['merged', [{ kind: 'merged', commit: 'm' }], { of: 'merge', tip: 'm' }],
    ['already merged', [{ kind: 'already', commit: 'm' }], { of: 'merge', tip: 'm' }],
    ['conflict', [{ kind: 'conflict', files: ['a', 'b c'] }], { of: 'merge', conflict: 'a\nb c' }],
    ['withheld, then merged', [withheld, { kind: 'merged', commit: 'm' }], { of: 'merge', tip: 'm' }],
    [
      'red when merged',
      [{ kind: 'unverified', result: { kind: 'failed', exitCode: 1, tail: 'not ok' } }],
      {
        of: 'merge',
        failed: 'After merging with the current plan branch, verification failed with exit code 1.\n\nnot ok',
      },
    ],
  ])('%s', async (_, answers, result) => {
    expect(await resultOf(merging(ready(), ...answers), MERGE)).toEqual(result);
  });

  test('into a branch that moves again and again waits', async () => {
    const answer = resultOf(merging(ready(), withheld, withheld, withheld), MERGE);
    await expect(answer).rejects.toThrow('The base branch is being merged into plan/x.');
  });

  test.each<[string, string | undefined, string]>([
    ['moved by somebody else', 'further', 'plan/x is at further, but cadre left it at b0.'],
    ['deleted', undefined, 'plan/x was deleted. It is restored at b0.'],
  ])('into a branch that was %s is reverted, and no attempt is lost', async (_, tip, why) => {
    const gateway = memoryGateway(at('AWAIT_MERGE'));
    const { ports } = context();
    const moved = merging({ ...ports, gateway }, { kind: 'moved', tip });
    await expect(resultOf({ ...moved, trees: { ...ports.trees, tipOf: async () => tip } }, MERGE)).rejects.toThrow(why);
    expect(runIn(await gateway.look())).toMatchObject({ issued: null, counts: { mergeAttempts: 0 } });
  });

  test('that cadre itself overtook is not an incident', async () => {
    const gateway = memoryGateway(at('AWAIT_MERGE'));
    const { ports } = context();
    const moved = merging({ ...ports, gateway }, { kind: 'moved', tip: 'further' });
    const trees = { ...ports.trees, tipOf: async () => 'b0' };
    await expect(resultOf({ ...moved, trees }, MERGE)).rejects.toThrow('plan/x is being moved.');
    expect(planIn(await gateway.look()).work?.incident).toBeNull();
  });

  test('that was withdrawn by a pause has no result, and nothing is wrong', async () => {
    const ports = ready();
    const merge = async (): Promise<MergeAnswer> => {
      await ports.gateway.submit([{ kind: 'pause', by: { who: 'user' } }]);
      return withheld;
    };
    const withdrawn = resultOf({ ...ports, merging: { ...ports.merging, merge } }, MERGE);
    await expect(withdrawn).rejects.toSatisfy(isCutShort);
  });

  test('into a branch that someone has checked out waits, and says why', async () => {
    const occupied = { kind: 'occupied', path: '/x', why: 'plan/x is checked out.' } as const;
    await expect(performRunEffect(merging(ready(), occupied), at('AWAIT_MERGE'), MERGE)).rejects.toMatchObject({
      kind: 'person',
      message: 'plan/x is checked out. The merge then continues.',
    });
  });
});

describe('a merge by pull request', () => {
  const offering = (ports: RunPorts, answer: MergeAnswer): RunPorts => ({
    ...ports,
    settings: { ...ports.settings, taskMerge: 'pr' },
    merging: {
      ...ports.merging,
      merge: () => Promise.reject(new Error('It must be merged on the remote.')),
      offer: async () => answer,
    },
  });

  test.each<[string, MergeAnswer, unknown]>([
    ['merged', { kind: 'merged', commit: 'm' }, { of: 'merge', tip: 'm' }],
    ['conflict', { kind: 'conflict', files: ['a'] }, { of: 'merge', conflict: 'a' }],
    ['closed', { kind: 'turned-down', why: 'It was closed.' }, { of: 'merge', failed: 'It was closed.' }],
  ])('%s', async (_, answer, result) => {
    const { ports } = context(at('AWAIT_MERGE'));
    expect(await resultOf(offering(ports, answer), MERGE)).toEqual(result);
  });

  test.each([
    ['a check has not passed', false, 'failed'],
    ['it is not approved', true, 'person'],
  ] as const)('that the remote does not merge because %s waits, and says why', async (why, needsPerson, kind) => {
    const { ports } = context(at('AWAIT_MERGE'));
    const waits = offering(ports, { kind: 'waits', why: `It is open: ${why}.`, needsPerson });
    const message = `It is open: ${why}. The merge then continues.`;
    await expect(performRunEffect(waits, EMPTY_WORLD, MERGE)).rejects.toMatchObject({ kind, message });
  });

  test('is requested at once the first time, and after a delay once it waits', async () => {
    const { world, effect } = waiting('AWAIT_MERGE');
    const { ports, stop } = context(world);
    const merged = offering(ports, { kind: 'merged', commit: 'm' });
    const patient = { ...merged, pulls: { ...ports.pulls, patience: 2 ** 30 } };
    expect(await performRunEffect(patient, world, effect)).toMatchObject([{ kind: 'result' }]);
    const later = settled(world, {
      kind: 'held-up',
      effect: effect.id,
      why: 'A check has not passed.',
      needsPerson: false,
    });
    const again = performRunEffect(patient, later, effect);
    stop.abort();
    await expect(again).rejects.toThrow('The engine is stopping; the next one continues.');
  });
});

describe('a plan lands', () => {
  const LAND = { id: 'e9.0', do: 'land', plan: OF_RUN.plan, tip: 't' } as const;
  const url = 'https://github.com/people/thing/pull/1';
  const landing = (land: RunPorts['settings']['land'], more: Partial<RunPorts> = {}): RunPorts => {
    const { ports } = context(at('DONE'));
    const trees = { ...ports.trees, tipOf: async () => 't1' };
    return { ...ports, trees, ...more, settings: { ...ports.settings, land } };
  };
  const pulling = (pulled: PullOutcome | Failure): Partial<RunPorts> => ({
    pulls: {
      patience: 0,
      problem: async () => undefined,
      merge: async () => {
        if (pulled instanceof Failure) throw pulled;
        return pulled;
      },
      mergedAs: async () => undefined,
    },
  });
  const merging = (answer: MergeAnswer): Partial<RunPorts> => ({
    merging: { ...context().ports.merging, land: async () => answer },
  });
  const BY_HAND = 'The plan is on plan/x. To merge it into main: git merge plan/x';
  const LATER = 'When it is merged there, or can be merged, land the plan again.';

  test.each<[string, RunPorts, unknown]>([
    ['by hand', landing('manual'), { ok: false, byHand: true, text: BY_HAND }],
    ['here', landing('local', merging({ kind: 'merged', commit: 'm' })), { ok: true, text: 'Merged into main as m.' }],
    [
      'here, with a conflict',
      landing('local', merging({ kind: 'conflict', files: ['a', 'b'] })),
      {
        ok: false,
        text: 'plan/x conflicts with main in a, b. Merge main into plan/x, resolve the conflicts there, then land the plan again.',
      },
    ],
    [
      'here, with changes in a checkout',
      landing('local', merging({ kind: 'occupied', path: '/x', why: 'Commit or stash them.' })),
      { ok: false, text: 'Commit or stash them. Then land the plan again.' },
    ],
    [
      'here, while others keep committing',
      landing('local', merging({ kind: 'moved', tip: 'b9' })),
      { ok: false, text: 'main moved while plan/x was merged into it. Land the plan again.' },
    ],
    [
      'by a pull request',
      landing('pr', pulling({ kind: 'merged', url, commit: 'm' })),
      { ok: true, text: `Merged into main on the remote by ${url}. Run "git pull" to get it here.` },
    ],
    [
      'by a pull request that waits',
      landing('pr', pulling({ kind: 'waits', url, why: 'It is open.', needsPerson: true })),
      { ok: false, text: `It is open. ${LATER}` },
    ],
    [
      'by a pull request that was closed',
      landing('pr', pulling({ kind: 'turned-down', url, why: 'It was closed.' })),
      { ok: false, text: `It was closed. ${LATER}` },
    ],
    [
      'by a pull request that cannot be opened',
      landing('pr', pulling(new Failure('environment', 'gh-failed', 'gh failed: no.'))),
      { ok: false, text: 'gh failed: no.' },
    ],
  ])('%s', async (_, ports, outcome) => {
    const [event] = await performRunEffect(ports, EMPTY_WORLD, LAND);
    expect(event).toEqual({ kind: 'result', effect: 'e9.0', result: { of: 'land', ...Object(outcome) } });
  });
});

describe('a worktree that someone removed', () => {
  const world = settled(at('CODING'));
  const { branch } = runIn(world);
  const lost = { plan: PLAN, task: '1', branch };

  test('is created again from its branch, and the person learns what is lost', async () => {
    const { ports, warned } = context();
    expect(await repairWorktree(ports, world, lost)).toBeUndefined();
    expect(ports.trees.exists(treeOfBranch(PLAN, branch))).toBe(true);
    expect(warned).toEqual([
      `x.md#1: Someone removed its worktree /worktrees/x.md/t1-a1. It was created again from ${branch}; uncommitted work is lost.`,
    ]);
    expect(await repairWorktree(ports, world, lost)).toBeUndefined();
    expect(warned).toHaveLength(1);
  });

  test('whose branch someone deleted gets it back, and nothing counts as lost', async () => {
    const { ports, warned } = context();
    await repairWorktree(ports, world, lost);
    warned.length = 0;
    let head: string | undefined;
    const setUp: RunPorts['trees']['setUp'] = async (...request) => {
      head = 'h1';
      return ports.trees.setUp(...request);
    };
    const trees = { ...ports.trees, setUp, headOf: async () => head };
    expect(await repairWorktree({ ...ports, trees }, world, lost)).toBeUndefined();
    expect(warned).toEqual([
      `x.md#1: Someone deleted ${branch}. It was created again at the last commit of its worktree, h1.`,
    ]);
    expect(await repairWorktree({ ...ports, trees }, world, lost)).toBeUndefined();
    expect(warned).toHaveLength(1);
  });

  test('is not created for a run that has none yet, or that is over', async () => {
    for (const [now, which] of [
      [going(), lost],
      [world, { ...lost, branch: 'cadre/x/t1-a9' }],
    ] as const) {
      const { ports } = context();
      expect(await repairWorktree(ports, now, which)).toBeUndefined();
      expect(ports.trees.exists(treeOfBranch(PLAN, which.branch))).toBe(false);
    }
  });

  test('that cannot be created again says why', async () => {
    const { ports, warned } = context();
    const setUp = async () => {
      throw new Failure('person', 'folder-in-the-way', 'The folder is not empty.');
    };
    expect(await repairWorktree({ ...ports, trees: { ...ports.trees, setUp } }, world, lost)).toBe(
      'The folder is not empty.',
    );
    const failing = async () => ({ kind: 'failed', why: 'The setup says no.', tail: '' }) as const;
    expect(await repairWorktree({ ...ports, trees: { ...ports.trees, setUp: failing } }, world, lost)).toBe(
      'The setup says no.',
    );
    expect(warned).toEqual([]);
  });
});
