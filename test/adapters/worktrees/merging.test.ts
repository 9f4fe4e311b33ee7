// Merges on real git without a checkout: what is merged, what is not, and that a person's checkout stays intact.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MERGED_TREE, type Tree, type TreeName } from '../../../src/core/model/run-name.ts';
import type { BranchStep, MergeRequest, RecordedMove, SyncRequest } from '../../../src/core/ports/merging.ts';
import type { VerifyOutcome } from '../../../src/core/ports/verifier.ts';
import type { FoundBase } from '../../../src/core/ports/worktrees.ts';
import { textOf } from '../../support/hosts.ts';
import {
  BRANCH,
  filesOf,
  GOOD,
  litter,
  NOTHING_TO_SET_UP,
  ownOf,
  PLAN,
  PLAN_BRANCH,
  RUN,
  type RunBench,
  runBench,
  UNASKED,
  work,
  write,
} from '../../support/run-bench.ts';

const second: Tree = { plan: PLAN, name: 't2-a1' as TreeName };

const request = (at: RunBench, pin: string, run = RUN): MergeRequest => ({
  run,
  base: 'main',
  pin,
  tip: at.commit(PLAN_BRANCH),
  message: 'feat: it',
});
const mainOf = (at: RunBench, branch = 'main'): Promise<FoundBase> => at.trees.baseOf(PLAN, branch);
const syncing = async (at: RunBench, branch?: string): Promise<SyncRequest> => ({
  plan: PLAN,
  tip: at.commit(PLAN_BRANCH),
  base: await mainOf(at, branch),
  message: 'sync',
});
const inPlan = (at: RunBench, file: string): string => at.git(at.root, 'show', `${PLAN_BRANCH}:${file}`);
const log = (at: RunBench, range: string): string => at.git(at.root, 'log', '--format=%s', range).trim();

/** A run with one commit that writes these files. */
async function worked(at: RunBench, files: Readonly<Record<string, string>>, run = RUN): Promise<string> {
  await at.setUp(run);
  return work(at, files, at.pathOf(run));
}

describe('a run', () => {
  test('becomes one commit on the plan branch, identified by a trailer', async () => {
    const at = runBench();
    await worked(at, { one: '1' });
    const pin = work(at, { two: '2', tracked: 'two\n' });
    const tip = at.commit(PLAN_BRANCH);
    const answer = await at.merging.merge(request(at, pin), UNASKED);
    expect(answer).toEqual({ kind: 'merged', commit: at.commit(PLAN_BRANCH) });
    expect(at.git(at.root, 'log', '--format=%P%n%B', `${tip}..${PLAN_BRANCH}`)).toBe(
      `${tip}\nfeat: it\n\nCadre-Run: build-it/t1-a1 ${pin}\n\n`,
    );
    expect(at.git(at.root, 'diff', PLAN_BRANCH, pin)).toBe('');
  });

  test('is not merged if the intention cannot be recorded', async () => {
    const at = runBench();
    const pin = await worked(at, { one: '1' });
    const tip = at.commit(PLAN_BRANCH);
    const steps: unknown[] = [];
    const answer = await at.merging.merge(request(at, pin), UNASKED, async (step) => {
      expect(at.commit(PLAN_BRANCH)).toBe(tip);
      steps.push(step);
      return false;
    });
    expect([answer, at.commit(PLAN_BRANCH)]).toEqual([{ kind: 'withheld' }, tip]);
    expect(steps).toEqual([{ from: tip, to: expect.stringMatching(/^[0-9a-f]{40}$/) }]);
  });

  test('is not taken for merged because a commit on the branch claims it', async () => {
    const at = runBench();
    const pin = await worked(at, { one: '1' });
    const claim = `feat: it\n\nCadre-Run: build-it/t1-a1 ${pin}`;
    const forged = at.git(at.root, 'commit-tree', `${PLAN_BRANCH}^{tree}`, '-p', PLAN_BRANCH, '-m', claim).trim();
    at.git(at.root, 'update-ref', `refs/heads/${PLAN_BRANCH}`, forged);
    expect(await at.merging.merge(request(at, pin), UNASKED)).toMatchObject({ kind: 'merged' });
    expect(inPlan(at, 'one')).toBe('1');
  });

  test('counts as merged if the branch already has all of its content', async () => {
    const at = runBench();
    const pin = await worked(at, { one: 'same' });
    const same = await worked(at, { one: 'same' }, second);
    await at.merging.merge(request(at, pin), UNASKED);
    const tip = at.commit(PLAN_BRANCH);
    expect(await at.merging.merge(request(at, same, second), UNASKED)).toEqual({ kind: 'already', commit: tip });
    expect(at.commit(PLAN_BRANCH)).toBe(tip);
  });

  test('that conflicts leaves the branch where it is and reports the files', async () => {
    const at = runBench();
    const pin = await worked(at, { tracked: 'ours\n', 'a b\n"c': 'ours', fine: 'x' });
    const other = await worked(at, { tracked: 'theirs\n', 'a b\n"c': 'theirs' }, second);
    await at.merging.merge(request(at, pin), UNASKED);
    const tip = at.commit(PLAN_BRANCH);
    const answer = await at.merging.merge(request(at, other, second), UNASKED);
    expect(answer).toEqual({ kind: 'conflict', files: ['a b\n"c', 'tracked'] });
    expect(at.commit(PLAN_BRANCH)).toBe(tip);
  });

  test('with an unrelated history is turned down, and not retried forever', async () => {
    const at = runBench();
    const pin = await worked(at, { one: '1' });
    const unrelated = at.git(at.root, 'commit-tree', `${pin}^{tree}`, '-m', 'unrelated').trim();
    const answer = await at.merging.merge(request(at, unrelated), UNASKED);
    expect(answer).toEqual({ kind: 'turned-down', why: expect.stringContaining('the two have no common history') });
  });

  test('is merged after its agent merged the plan branch and resolved the conflicts', async () => {
    const at = runBench();
    const pin = await worked(at, { tracked: 'ours\n' });
    await worked(at, { tracked: 'theirs\n' }, second);
    await at.merging.merge(request(at, pin), UNASKED);
    const path = at.pathOf(second);
    expect(() => at.git(path, 'merge', '-q', PLAN_BRANCH)).toThrow();
    const mended = work(at, { tracked: 'both\n' }, path);
    expect(await at.merging.merge(request(at, mended, second), UNASKED)).toMatchObject({ kind: 'merged' });
    expect(inPlan(at, 'tracked')).toBe('both\n');
    expect(log(at, `main..${PLAN_BRANCH}`)).toBe('feat: it\nfeat: it');
  });

  test.each<[string, (at: RunBench) => string]>([
    ['has gone on', ({ git, root }) => git(root, 'commit-tree', 'main^{tree}', '-p', PLAN_BRANCH, '-m', 'x').trim()],
    ['was reset to another commit', ({ git, root }) => git(root, 'commit-tree', 'main^{tree}', '-m', 'x').trim()],
  ])('is not merged if the branch %s', async (_what, elsewhere) => {
    const at = runBench();
    const pin = await worked(at, { one: '1' });
    const asked = request(at, pin);
    const tip = elsewhere(at);
    at.git(at.root, 'update-ref', `refs/heads/${PLAN_BRANCH}`, tip);
    expect(await at.merging.merge(asked, UNASKED)).toEqual({ kind: 'moved', tip });
    expect(at.commit(PLAN_BRANCH)).toBe(tip);
  });

  test('is not merged if the branch moves while the merged tree is verified', async () => {
    const at = runBench();
    const pin = await worked(at, { one: '1' });
    const other = await worked(at, { two: '2' }, second);
    await at.merging.merge(request(at, pin), UNASKED);
    const tip = at.git(at.root, 'commit-tree', 'main^{tree}', '-p', PLAN_BRANCH, '-m', 'x').trim();
    const answer = await at.merging.merge(request(at, other, second), async () => {
      at.git(at.root, 'update-ref', `refs/heads/${PLAN_BRANCH}`, tip);
      return { kind: 'passed' };
    });
    expect(answer).toEqual({ kind: 'moved', tip });
  });

  test('is not merged if the branch was deleted, and what is on the branch stays pinned', async () => {
    const at = runBench();
    const pin = await worked(at, { one: '1' });
    await at.merging.merge(request(at, pin), UNASKED);
    const [asked, tip] = [request(at, pin), at.commit(PLAN_BRANCH)];
    at.git(at.root, 'update-ref', '-d', `refs/heads/${PLAN_BRANCH}`);
    expect(await at.merging.merge(asked, UNASKED)).toEqual({ kind: 'moved', tip: undefined });
    expect(at.commit('refs/cadre/tip/build-it')).toBe(tip);
  });

  test('gets a valid commit message whatever the task’s text is', async () => {
    const at = runBench();
    const pin = await worked(at, { one: '1' });
    const message = '\0 # fix: "$(touch canary)"\r\n\r\nbody\r\n\r\nCo-authored-by: A <a@b>\r\n';
    await at.merging.merge({ ...request(at, pin), message }, UNASKED);
    expect(at.git(at.root, 'log', '-1', '--format=%B', PLAN_BRANCH)).toBe(
      `# fix: "$(touch canary)"\n\nbody\n\nCo-authored-by: A <a@b>\nCadre-Run: build-it/t1-a1 ${pin}\n\n`,
    );
  });

  test('is merged if git does not know the person’s name and requires signed commits', async () => {
    const at = runBench();
    const settings = '[user]\n\tuseConfigOnly = true\n[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = /bin/false\n';
    writeFileSync(join(at.base, '.gitconfig'), settings);
    await at.setUp();
    write(at.path, 'one', '1');
    await at.trees.commitFor(RUN, 'work');
    expect(await at.merging.merge(request(at, at.commit(BRANCH)), UNASKED)).toMatchObject({ kind: 'merged' });
    expect(at.git(at.root, 'log', '-1', '--format=%an', PLAN_BRANCH).trim()).toBe('cadre');
  });

  test('is merged in a SHA-256 repository', async () => {
    const at = runBench({ format: 'sha256' });
    const pin = await worked(at, { one: '1' });
    const commit = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(await at.merging.merge(request(at, pin), UNASKED)).toEqual({ kind: 'merged', commit });
  });
});

describe('a recorded move', () => {
  /** A merge that was recorded and cut off before the branch moved. */
  async function cutOff(at: RunBench): Promise<RecordedMove> {
    const pin = await worked(at, { one: '1' });
    const steps: BranchStep[] = [];
    await at.merging.merge(request(at, pin), UNASKED, async (step) => {
      steps.push(step);
      return false;
    });
    const [step] = steps;
    if (step === undefined) throw new Error('Nothing was recorded.');
    return { plan: PLAN, branch: PLAN_BRANCH, ...step };
  }

  test('that was not made is made with the same commit, and found to be made when asked again', async () => {
    const at = runBench();
    const move = await cutOff(at);
    for (const _time of [1, 2]) expect(await at.merging.finish(move)).toEqual({ kind: 'merged', commit: move.to });
    expect([at.commit(PLAN_BRANCH), at.commit('refs/cadre/tip/build-it')]).toEqual([move.to, move.to]);
  });

  test.each<[string, (at: RunBench, move: RecordedMove) => string | undefined]>([
    ['elsewhere', ({ git, root }) => git(root, 'commit-tree', 'main^{tree}', '-p', PLAN_BRANCH, '-m', 'x').trim()],
    [
      'on top of the commit of the move',
      ({ git, root }, { to }) => git(root, 'commit-tree', `${to}^{tree}`, '-p', to, '-m', 'x').trim(),
    ],
    ['deleted', () => undefined],
  ])('of a branch that is %s changes nothing', async (_where, elsewhere) => {
    const at = runBench();
    const move = await cutOff(at);
    const tip = elsewhere(at, move);
    const ref = `refs/heads/${PLAN_BRANCH}`;
    at.git(at.root, 'update-ref', ...(tip === undefined ? ['-d', ref] : [ref, tip]));
    expect(await at.merging.finish(move)).toEqual({ kind: 'moved', tip });
    expect(await at.trees.tipOf(PLAN)).toBe(tip);
  });

  test('to a commit that was lost with the power changes nothing', async () => {
    const at = runBench();
    const { from, ...move } = await cutOff(at);
    expect(await at.merging.finish({ ...move, from, to: 'f'.repeat(40) })).toEqual({ kind: 'lost' });
    expect(at.commit(PLAN_BRANCH)).toBe(from);
  });
});

describe('a merged tree that differs from the verified one', () => {
  /** Two runs from the same tip; the first is merged. */
  async function oneMerged(at: RunBench): Promise<string> {
    const pin = await worked(at, { one: '1' });
    const other = await worked(at, { two: '2' }, second);
    await at.merging.merge(request(at, pin), UNASKED);
    return other;
  }

  test('is checked out separately, and moves the branch only if it passes', async () => {
    const at = runBench();
    const other = await oneMerged(at);
    const tip = at.commit(PLAN_BRANCH);
    const answer = await at.merging.merge(request(at, other, second), async (commit) => {
      expect(at.commit(PLAN_BRANCH)).toBe(tip);
      const tree = { plan: PLAN, name: MERGED_TREE };
      const made = await at.trees.detach(tree, commit, NOTHING_TO_SET_UP);
      if (made.kind !== 'ready') throw new Error(made.why);
      const command = ['sh', '-c', 'test -e one && test -e two'];
      return at.verifier.verify({ tree, portBase: made.portBase, name: 'merged', command, patience: 60_000 });
    });
    expect(answer).toEqual({ kind: 'merged', commit: at.commit(PLAN_BRANCH) });
    expect([inPlan(at, 'one'), inPlan(at, 'two')]).toEqual(['1', '2']);
  });

  test.each<Exclude<VerifyOutcome, { kind: 'passed' }>>([
    { kind: 'failed', exitCode: 1, tail: 'one and two do not go together' },
    { kind: 'infrastructure', why: 'no disk', tail: '' },
  ])('is not merged after $kind', async (result) => {
    const at = runBench();
    const other = await oneMerged(at);
    const tip = at.commit(PLAN_BRANCH);
    const answer = await at.merging.merge(request(at, other, second), async () => result);
    expect(answer).toEqual({ kind: 'unverified', result });
    expect(at.commit(PLAN_BRANCH)).toBe(tip);
  });
});

test('a merged tree that has passed is not verified again while its merge waits', async () => {
  const at = runBench();
  const first = await worked(at, { one: '1' });
  const other = await worked(at, { two: '2' }, second);
  await at.merging.merge(request(at, first), UNASKED);
  at.git(at.root, 'checkout', '-q', PLAN_BRANCH);
  write(at.root, 'tracked', 'mine\n');
  expect(await at.merging.merge(request(at, other, second), GOOD)).toMatchObject({ kind: 'occupied' });
  expect(await at.merging.merge(request(at, other, second), UNASKED)).toMatchObject({ kind: 'occupied' });
  at.git(at.root, 'checkout', '-q', '--', 'tracked');
  expect(await at.merging.merge(request(at, other, second), UNASKED)).toMatchObject({ kind: 'merged' });
});

describe('a checkout of the plan branch', () => {
  test('without changes is fast-forwarded, and untracked files stay', async () => {
    const at = runBench();
    const pin = await worked(at, { one: '1', tracked: 'two\n' });
    at.git(at.root, 'checkout', '-q', PLAN_BRANCH);
    write(at.root, 'untracked', 'mine');
    expect(await at.merging.merge(request(at, pin), UNASKED)).toEqual({ kind: 'merged', commit: at.commit('HEAD') });
    expect(at.git(at.root, 'status', '--porcelain')).toBe('?? untracked\n');
    expect([textOf(join(at.root, 'tracked')), textOf(join(at.root, 'one'))]).toEqual(['two\n', '1']);
  });

  test.each<[string, (at: RunBench) => void]>([
    ['a changed file', ({ root }) => write(root, 'deep/kept', 'mine\n')],
    [
      'a staged file',
      ({ git, root }) => {
        write(root, 'mine', 'x');
        git(root, 'add', 'mine');
      },
    ],
    ['an untracked file that the merge also has', ({ root }) => write(root, 'one', 'mine')],
    [
      'a merge that is not finished',
      (at) => {
        at.git(
          at.root,
          'branch',
          'side',
          at.git(at.root, 'commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'x').trim(),
        );
        at.git(at.root, 'merge', '-q', '--no-ff', '--no-commit', 'side');
      },
    ],
    [
      'a rebase of it',
      (at) => {
        at.git(at.root, 'branch', 'side');
        work(at, { other: 'ours' }, at.root);
        at.git(at.root, 'checkout', '-q', 'side');
        work(at, { other: 'theirs' }, at.root);
        at.git(at.root, 'checkout', '-q', PLAN_BRANCH);
        expect(() => at.git(at.root, 'rebase', '-q', 'side')).toThrow();
      },
    ],
  ])('with %s is not touched, and the answer says what the merge waits for', async (_what, prepare) => {
    const at = runBench();
    const pin = await worked(at, { one: '1' });
    at.git(at.root, 'checkout', '-q', PLAN_BRANCH);
    prepare(at);
    const [tip, before] = [at.commit(PLAN_BRANCH), ownOf(at)];
    const answer = await at.merging.merge(request(at, pin), GOOD);
    expect(answer).toMatchObject({ kind: 'occupied', path: at.root, why: expect.stringContaining(PLAN_BRANCH) });
    expect([at.commit(PLAN_BRANCH), ownOf(at)]).toEqual([tip, before]);
  });

  test('names the changed files, a few of many', async () => {
    const at = runBench();
    const pin = await worked(at, { one: '1' });
    at.git(at.root, 'checkout', '-q', PLAN_BRANCH);
    write(at.root, 'tracked', 'mine\n');
    for (const name of 'abcdefghijk') write(at.root, name, 'x');
    at.git(at.root, 'add', '--all');
    const answer = await at.merging.merge(request(at, pin), UNASKED);
    expect(answer).toMatchObject({
      why: expect.stringContaining('uncommitted changes in a, b, c, d, e, f, g, h, i, j and 2 more. '),
    });
  });

  test('names the untracked files that the merge would overwrite', async () => {
    const at = runBench();
    const pin = await worked(at, { one: '1', 'deep/two': '2' });
    at.git(at.root, 'checkout', '-q', PLAN_BRANCH);
    for (const name of ['one', 'deep/two', 'elsewhere']) write(at.root, name, 'mine');
    expect(await at.merging.merge(request(at, pin), GOOD)).toMatchObject({
      why: `${PLAN_BRANCH} is checked out in ${at.root}, which has untracked files that the merge would overwrite: deep/two, one. Move them away, or check out another branch there.`,
    });
  });

  test('in which only plan-state.json is changed moves along, and keeps that change', async () => {
    const at = runBench();
    work(at, { 'docs/plans/plan-state.json': '{}\n' }, at.root);
    const pin = await worked(at, { one: '1' });
    at.git(at.root, 'checkout', '-q', PLAN_BRANCH);
    write(at.root, 'docs/plans/plan-state.json', '{"version":1}\n');
    expect(await at.merging.merge(request(at, pin), UNASKED)).toMatchObject({ kind: 'merged' });
    expect(textOf(join(at.root, 'docs/plans/plan-state.json'))).toBe('{"version":1}\n');
    expect(textOf(join(at.root, 'one'))).toBe('1');
  });

  test('in a linked worktree is treated the same', async () => {
    const at = runBench();
    const pin = await worked(at, { tracked: 'two\n' });
    const linked = join(at.base, 'linked');
    at.git(at.root, 'worktree', 'add', '-q', linked, PLAN_BRANCH);
    write(linked, 'tracked', 'mine\n');
    expect(await at.merging.merge(request(at, pin), UNASKED)).toMatchObject({ kind: 'occupied', path: linked });
    at.git(linked, 'checkout', '-q', '--', 'tracked');
    expect(await at.merging.merge(request(at, pin), UNASKED)).toMatchObject({ kind: 'merged' });
    expect(filesOf(linked).get('tracked')).toBe('two\n');
  });

  test('that was removed by hand does not block the merge', async () => {
    const at = runBench();
    const pin = await worked(at, { one: '1' });
    const linked = join(at.base, 'linked');
    at.git(at.root, 'worktree', 'add', '-q', linked, PLAN_BRANCH);
    rmSync(linked, { recursive: true });
    expect(await at.merging.merge(request(at, pin), UNASKED)).toMatchObject({ kind: 'merged' });
  });
});

test('a checkout of another branch stays unchanged through every merge, byte for byte', async () => {
  const at = runBench();
  const pin = await worked(at, { one: '1', tracked: 'two\n' });
  write(at.root, 'stashed', 'x');
  at.git(at.root, 'stash', 'push', '-q', '--include-untracked');
  litter(at, at.root);
  write(at.root, 'one', 'untracked, where the merge has one');
  const before = ownOf(at);
  await at.merging.merge(request(at, pin), UNASKED);
  const tip = at.commit(PLAN_BRANCH);
  await at.merging.canLand(tip, await mainOf(at));
  await at.merging.syncBase(await syncing(at), GOOD);
  expect(await at.merging.land({ tip, base: 'main', message: 'x' })).toMatchObject({ kind: 'occupied', path: at.root });
  expect(ownOf(at)).toEqual(before);
});

describe('the base', () => {
  /** A plan with one merged run, and a base with a new commit that writes these files. */
  async function parted(at: RunBench, files: Readonly<Record<string, string>>): Promise<void> {
    const pin = await worked(at, { one: '1', tracked: 'plan\n' });
    await at.merging.merge(request(at, pin), UNASKED);
    work(at, files, at.root);
  }
  const canLand = async (at: RunBench) => at.merging.canLand(at.commit(PLAN_BRANCH), await mainOf(at));
  const land = (at: RunBench) => at.merging.land({ tip: at.commit(PLAN_BRANCH), base: 'main', message: 'land' });

  test('without new commits leaves the plan branch as it is', async () => {
    const at = runBench();
    const pin = await worked(at, { one: '1' });
    await at.merging.merge(request(at, pin), UNASKED);
    const commit = at.commit(PLAN_BRANCH);
    expect(await at.merging.syncBase(await syncing(at), UNASKED)).toEqual({ kind: 'already', commit });
  });

  test('is fast-forwarded into a plan without commits', async () => {
    const at = runBench();
    await at.planBranch();
    const commit = work(at, { new: 'x' }, at.root);
    expect(await at.merging.syncBase(await syncing(at), UNASKED)).toEqual({ kind: 'merged', commit });
    expect(at.commit(PLAN_BRANCH)).toBe(commit);
  });

  test('is merged into a plan with commits, after verification', async () => {
    const at = runBench();
    await parted(at, { new: 'x' });
    const [plan, base] = [at.commit(PLAN_BRANCH), at.commit('main')];
    const result = { kind: 'failed', exitCode: 1, tail: '' } as const;
    expect(await at.merging.syncBase(await syncing(at), async () => result)).toEqual({
      kind: 'unverified',
      result,
    });
    expect(at.commit(PLAN_BRANCH)).toBe(plan);
    const answer = await at.merging.syncBase(await syncing(at), GOOD);
    const commit = at.commit(PLAN_BRANCH);
    expect(answer).toEqual({ kind: 'merged', commit });
    expect(at.git(at.root, 'log', '-1', '--format=%P', PLAN_BRANCH).trim()).toBe(`${plan} ${base}`);
    expect([inPlan(at, 'new'), inPlan(at, 'one')]).toEqual(['x', '1']);
    expect(await at.merging.syncBase(await syncing(at), UNASKED)).toEqual({ kind: 'already', commit });
  });

  test('that conflicts with the plan is reported file by file, also by a trial', async () => {
    const at = runBench();
    await parted(at, { tracked: 'base\n' });
    const tips = [at.commit(PLAN_BRANCH), at.commit('main')];
    const conflict = { kind: 'conflict', files: ['tracked'] };
    expect(await canLand(at)).toEqual({ ...conflict, base: 'main' });
    expect(await at.merging.syncBase(await syncing(at), UNASKED)).toEqual(conflict);
    expect(await land(at)).toEqual(conflict);
    expect([at.commit(PLAN_BRANCH), at.commit('main')]).toEqual(tips);
  });

  test('that a run has merged, with resolved conflicts, no longer conflicts', async () => {
    const at = runBench();
    await parted(at, { tracked: 'base\n', new: 'x' });
    const [tip, base] = [at.commit(PLAN_BRANCH), at.commit('main')];
    await at.setUp(second);
    const path = at.pathOf(second);
    expect(() => at.git(path, 'merge', 'main')).toThrow();
    const pin = work(at, { tracked: 'plan and base\n' }, path);
    expect(await at.merging.merge(request(at, pin, second), UNASKED)).toMatchObject({ kind: 'merged' });
    expect(at.git(at.root, 'log', '-1', '--format=%P', PLAN_BRANCH).trim()).toBe(`${tip} ${base}`);
    expect([inPlan(at, 'tracked'), inPlan(at, 'new')]).toEqual(['plan and base\n', 'x']);
    expect(await canLand(at)).toEqual({ kind: 'lands', how: 'fast-forward' });
  });

  test('that only the remote has is reported under its remote name', async () => {
    const at = runBench();
    await parted(at, { tracked: 'base\n' });
    at.git(at.root, 'update-ref', 'refs/remotes/origin/main', 'main');
    at.git(at.root, 'checkout', '-q', '--detach');
    at.git(at.root, 'branch', '-q', '-D', 'main');
    expect(await canLand(at)).toEqual({ kind: 'conflict', base: 'origin/main', files: ['tracked'] });
  });

  test('is fast-forwarded to the plan if possible, together with its clean checkout', async () => {
    const at = runBench();
    const pin = await worked(at, { one: '1' });
    await at.merging.merge(request(at, pin), UNASKED);
    const commit = at.commit(PLAN_BRANCH);
    expect(await canLand(at)).toEqual({ kind: 'lands', how: 'fast-forward' });
    expect(await land(at)).toEqual({ kind: 'merged', commit });
    expect([at.commit('main'), at.git(at.root, 'status', '--porcelain'), textOf(join(at.root, 'one'))]).toEqual([
      commit,
      '',
      '1',
    ]);
    expect(await canLand(at)).toEqual({ kind: 'lands', how: 'nothing-to-do' });
    expect(await land(at)).toEqual({ kind: 'already', commit });
  });

  test('gets a merge commit if both have new commits', async () => {
    const at = runBench();
    await parted(at, { new: 'x' });
    at.git(at.root, 'checkout', '-q', '--detach');
    expect(await canLand(at)).toEqual({ kind: 'lands', how: 'merge' });
    expect(await land(at)).toEqual({
      kind: 'merged',
      commit: at.commit('main'),
    });
    expect(log(at, 'main^1..main')).toBe('land\nfeat: it');
  });

  test('is merged from the remote if there is no local branch', async () => {
    const at = runBench();
    await at.planBranch();
    const commit = at.git(at.root, 'commit-tree', 'main^{tree}', '-p', 'main', '-m', 'x').trim();
    at.git(at.root, 'update-ref', 'refs/remotes/origin/next', commit);
    expect(await at.merging.syncBase(await syncing(at, 'next'), UNASKED)).toEqual({ kind: 'merged', commit });
  });
});

test('of eight runs merged at once, each is merged or told that the branch has moved', async () => {
  const at = runBench();
  await at.planBranch();
  const runs = Array.from({ length: 8 }, (_, index): Tree => ({ plan: PLAN, name: `t${index}-a1` as TreeName }));
  const pins = new Map<Tree, string>();
  for (const run of runs) pins.set(run, await worked(at, { [run.name]: 'x' }, run));
  let left = runs;
  for (let round = 0; left.length > 0 && round < 8; round++) {
    const asked = left.map((run) => request(at, pins.get(run) ?? '', run));
    const answers = await Promise.all(asked.map((one) => at.merging.merge(one, GOOD)));
    expect(answers.filter(({ kind }) => kind === 'merged')).toHaveLength(1);
    left = left.filter((_, index) => answers[index]?.kind === 'moved');
  }
  expect(left).toEqual([]);
  expect(at.git(at.root, 'ls-tree', '--name-only', PLAN_BRANCH).split('\n')).toEqual(
    expect.arrayContaining(runs.map(({ name }) => name)),
  );
  expect(log(at, `main..${PLAN_BRANCH}`).split('\n')).toHaveLength(8);
});

test('works in a repository of 5,000 files', async () => {
  const at = runBench();
  for (let folder = 0; folder < 50; folder++) {
    mkdirSync(join(at.root, `folder${folder}`));
    for (let file = 0; file < 100; file++) writeFileSync(join(at.root, `folder${folder}`, `${file}`), `${file}\n`);
  }
  at.git(at.root, 'add', '--all');
  at.git(at.root, 'commit', '-q', '-m', 'many');
  const pin = await worked(at, { 'folder7/7': 'changed\n' });
  expect(await at.trees.look(RUN)).toMatchObject({ commits: 1, dirtyCount: 0 });
  expect(await at.merging.merge(request(at, pin), UNASKED)).toMatchObject({ kind: 'merged' });
  expect(await at.trees.remove(RUN)).toMatchObject({ kind: 'removed' });
});
