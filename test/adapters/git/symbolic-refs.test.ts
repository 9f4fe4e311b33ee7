// Refs of cadre's own that an agent made symbolic: cadre moves and deletes these, and never the branch that they lead to.
import { describe, expect, test } from 'vitest';
import { tipPin } from '../../../src/adapters/git/cadre-refs.ts';
import type { MergeRequest } from '../../../src/core/ports/merging.ts';
import {
  ADHOC_BRANCH,
  BRANCH,
  GOOD,
  PLACE,
  PLAN,
  PLAN_BRANCH,
  RUN,
  type RunBench,
  runBench,
  work,
  write,
} from '../../support/run-bench.ts';

const linkTo = (at: RunBench, ref: string, target: string): string =>
  at.git(at.root, 'symbolic-ref', ref, `refs/heads/${target}`);

async function request(at: RunBench): Promise<MergeRequest> {
  const pin = (await at.trees.headOf(RUN)) ?? '';
  return { run: RUN, base: 'main', message: 'feat: it', pin, tip: at.commit(PLAN_BRANCH) };
}

describe('a merge leaves the base where it is', () => {
  const REFS = { 'plan branch': `refs/heads/${PLAN_BRANCH}`, 'pin of its tip': tipPin(PLAN) };
  for (const [what, ref] of Object.entries(REFS))
    test(`although the ${what} leads to it`, async () => {
      const at = runBench();
      await at.setUp();
      const [main, pin] = [at.commit('main'), work(at, { one: '1' })];
      linkTo(at, ref, 'main');
      expect(await at.merging.merge(await request(at), GOOD)).toMatchObject({ kind: 'merged' });
      expect(at.commit('main')).toBe(main);
      expect(at.git(at.root, 'show', `${PLAN_BRANCH}:one`)).toBe(at.git(at.root, 'show', `${pin}:one`));
      expect(at.commit(ref)).toBe(at.commit(PLAN_BRANCH));
    });
});

test('a plan branch that is restored leaves alone what it leads to', async () => {
  const at = runBench();
  const tip = await at.planBranch();
  const foreign = at.git(at.root, 'commit-tree', 'main^{tree}', '-p', 'main', '-m', 'foreign').trim();
  at.git(at.root, 'branch', 'theirs', foreign);
  linkTo(at, `refs/heads/${PLAN_BRANCH}`, 'theirs');
  expect(await at.merging.setBranch({ plan: PLAN, from: foreign, to: tip, keep: foreign })).toMatchObject({
    kind: 'set',
  });
  expect([at.commit('theirs'), at.commit(PLAN_BRANCH)]).toEqual([foreign, tip]);
});

describe('a run branch that leads to the base', () => {
  async function linked(): Promise<RunBench & { readonly main: string }> {
    const at = runBench();
    await at.setUp();
    const main = at.commit('main');
    at.git(at.root, 'update-ref', '--no-deref', '-d', `refs/heads/${BRANCH}`);
    linkTo(at, `refs/heads/${BRANCH}`, 'main');
    return { ...at, main };
  }

  test('gets no commit for an agent', async () => {
    const at = await linked();
    write(at.path, 'tracked', 'changed\n');
    expect(await at.trees.commitFor(RUN, 'for an agent')).toMatchObject({ kind: 'refused' });
    expect(at.commit('main')).toBe(at.main);
  });

  test('is reset without moving the base', async () => {
    const at = await linked();
    const other = at.git(at.root, 'commit-tree', 'main^{tree}', '-p', 'main', '-m', 'other').trim();
    await at.trees.undo(RUN, other);
    expect([at.commit('main'), at.commit(BRANCH)]).toEqual([at.main, other]);
  });
});

test('a session is paused without moving the branch that its own leads to', async () => {
  const at = runBench();
  const main = at.commit('main');
  await at.adhoc.ensure(PLACE, ADHOC_BRANCH, main);
  at.git(at.root, 'update-ref', '--no-deref', '-d', `refs/heads/${ADHOC_BRANCH}`);
  linkTo(at, `refs/heads/${ADHOC_BRANCH}`, 'main');
  write(at.adhocPath, 'tracked', 'by a session\n');
  await at.adhoc.release(PLACE, ADHOC_BRANCH, 'cadre: paused');
  expect(at.commit('main')).toBe(main);
  expect(at.git(at.root, 'show', `${ADHOC_BRANCH}:tracked`)).toBe('by a session\n');
});
