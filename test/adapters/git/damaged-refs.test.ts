// Refs of cadre's own that a power failure or an agent has damaged: git cannot write them, so cadre removes what is there.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { baseRef, tipPin } from '../../../src/adapters/git/cadre-refs.ts';
import { failureOf } from '../../support/pieces.ts';
import { BRANCH, GOOD, PLAN, PLAN_BRANCH, RUN, type RunBench, runBench, work } from '../../support/run-bench.ts';

const DAMAGES = {
  'an empty file': '',
  garbage: 'garbage\n',
  'a commit that does not exist': '1234567890123456789012345678901234567890\n',
};

const fileOf = (at: RunBench, ref: string): string => join(at.root, '.git', ref);

describe.each(Object.entries(DAMAGES))('%s', (_what, text) => {
  test('in place of the plan branch counts as a deleted branch, which can be restored', async () => {
    const at = runBench();
    const tip = await at.planBranch();
    writeFileSync(fileOf(at, `refs/heads/${PLAN_BRANCH}`), text);
    expect(await at.trees.tipOf(PLAN)).toBeUndefined();
    expect(await at.merging.setBranch({ plan: PLAN, from: null, to: tip, keep: null })).toEqual({ kind: 'set' });
    expect(at.commit(PLAN_BRANCH)).toBe(tip);
  });

  test('in place of a plan branch that is not created yet does not keep it from being created', async () => {
    const at = runBench();
    at.git(at.root, 'update-ref', `refs/heads/${PLAN_BRANCH}`, 'main');
    writeFileSync(fileOf(at, `refs/heads/${PLAN_BRANCH}`), text);
    expect(await at.planBranch()).toBe(at.commit('main'));
  });

  test('in place of the pin of its tip does not keep a run from being merged', async () => {
    const at = runBench();
    await at.setUp();
    const pin = work(at, { one: '1' });
    writeFileSync(fileOf(at, tipPin(PLAN)), text);
    const request = { run: RUN, base: 'main', message: 'feat: it', pin, tip: at.commit(PLAN_BRANCH) };
    expect(await at.merging.merge(request, GOOD)).toMatchObject({ kind: 'merged' });
    expect(at.commit(tipPin(PLAN))).toBe(at.commit(PLAN_BRANCH));
  });

  test('in place of the branch of a run counts as a deleted branch, which comes back where its worktree was', async () => {
    const at = runBench();
    await at.setUp();
    const head = work(at, { one: '1' });
    writeFileSync(fileOf(at, `refs/heads/${BRANCH}`), text);
    expect(await at.trees.headOf(RUN)).toBeUndefined();
    expect(await at.setUp()).toMatchObject({ kind: 'ready' });
    expect(await at.trees.headOf(RUN)).toBe(head);
  });

  test('in place of the ref of the commit that a run started from does not hide the work of its agent', async () => {
    const at = runBench();
    await at.setUp();
    work(at, { one: '1' });
    writeFileSync(fileOf(at, baseRef(RUN)), text);
    expect(await at.trees.look(RUN, at.commit('main'))).toMatchObject({ kind: 'present', commits: 1 });
  });

  test('in place of a person’s branch is left alone', async () => {
    const at = runBench();
    const tip = await at.planBranch();
    at.git(at.root, 'checkout', '-q', '--detach');
    writeFileSync(fileOf(at, 'refs/heads/main'), text);
    await failureOf(() => at.merging.land({ tip, base: 'main', message: 'land' }));
    expect(readFileSync(fileOf(at, 'refs/heads/main'), 'utf8')).toBe(text);
  });
});

test('a ref that is well is not taken for a damaged one', async () => {
  const at = runBench();
  await at.setUp();
  const other = at.git(at.root, 'commit-tree', 'main^{tree}', '-p', 'main', '-m', 'other').trim();
  at.git(at.root, 'update-ref', `refs/heads/${PLAN_BRANCH}`, other);
  expect(await at.merging.setBranch({ plan: PLAN, from: null, to: at.commit('main'), keep: null })).toEqual({
    kind: 'moved',
    tip: other,
  });
  expect([at.commit(PLAN_BRANCH), at.commit(BRANCH)]).toEqual([other, at.commit('main')]);
});
