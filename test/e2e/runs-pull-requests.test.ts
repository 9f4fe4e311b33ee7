// Plans built and landed by pull requests, with a bare repository as the remote and a fake `gh`.
import { describe, expect, test } from 'vitest';
import { bringHub, type Hub } from '../support/fake-gh.ts';
import { implementing, mergesOf, PLAN, PLAN_BRANCH, type PlanRepo, planRepo, tasksOf } from '../support/plan-runs.ts';

const TASKS = tasksOf([`role implementer\n${implementing()}`, `role implementer\n${implementing('other.txt')}`]);

function hubRepo(settings: Readonly<Record<string, unknown>>, plan = TASKS): { repo: PlanRepo; hub: Hub } {
  const repo = planRepo({ plan, settings });
  const hub = bringHub(repo.outside, repo.git);
  repo.env.PATH = `${hub.bin}:${repo.env.PATH}`;
  return { repo, hub };
}

test('merges each task by a pull request against the plan branch, and the plan by another', async () => {
  const { repo, hub } = hubRepo({ task_merge: 'pr', land: 'pr' });
  const main = repo.commit('main');
  const { stdout } = await repo.built();
  expect(hub.pulls()).toMatchObject([
    { head: 'cadre/build-it/t1-a1', base: PLAN_BRANCH, title: 'Part 1', state: 'MERGED' },
    { head: 'cadre/build-it/t2-a1', base: PLAN_BRANCH, title: 'Part 2', state: 'MERGED' },
    { head: PLAN_BRANCH, base: 'main', title: 'Build it', state: 'MERGED' },
  ]);
  expect(hub.pulls()[2]?.body).toContain('- Task 2: Part 2');
  expect(mergesOf(repo.records())).toHaveLength(2);
  expect(repo.plan().work?.landed).toMatchObject({ ok: true, text: expect.stringContaining('pull/3') });
  expect(stdout).toContain('pull/3');
  // The person's checkout was not touched: they pull what was merged.
  expect(repo.commit('main')).toBe(main);
  expect(repo.gitIn(hub.path, 'show', 'main:made.txt')).toBe('made');
  expect(repo.git('branch', '--list', 'cadre/*', 'plan/*').trim().split('\n')).toHaveLength(3);
});

test('a closed pull request sends the task back, and the fix gets another', async () => {
  const script = `role implementer
append made.txt made
commit made
signal implement-finished
attempt 2
wait-for ../../../../../../reopened
append made.txt again
commit again
signal fix-finished`;
  const { repo, hub } = hubRepo({ task_merge: 'pr' }, tasksOf([script]));
  hub.mood('closing');
  const built = repo.built();
  await repo.reaches('1', 'FIXING');
  expect(repo.runOf('1').fixing).toMatchObject({
    reason: 'merge_failure',
    text: expect.stringContaining('pull/1 was closed without being merged.'),
  });
  hub.mood('obliging');
  repo.go('reopened');
  await built;
  expect(hub.pulls().map(({ state }) => state)).toEqual(['CLOSED', 'MERGED']);
});

test('a plan whose pull request is blocked waits for a person, and lands when it is not', async () => {
  const { repo, hub } = hubRepo({ land: 'pr' });
  hub.mood('blocking');
  const ran = await repo.run('--json');
  expect(ran.code).toBe(3);
  expect(repo.cadre('why', PLAN).stdout).toMatch(/pull\/1 is open and cannot be merged yet \(BLOCKED/);
  expect(repo.status(PLAN)).toBe('done');
  hub.mood('obliging');
  expect(await repo.start('land', PLAN)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Merged into main'),
  });
  expect(hub.pulls()).toMatchObject([{ state: 'MERGED' }]);
});

describe('starts nothing, and says what pull requests need:', () => {
  const AT_ONCE = '"task_merge" is "pr", but';

  test('a remote', async () => {
    const repo = planRepo({ plan: TASKS, settings: { task_merge: 'pr' } });
    const hub = bringHub(repo.outside, repo.git);
    repo.env.PATH = `${hub.bin}:${repo.env.PATH}`;
    repo.git('remote', 'remove', 'origin');
    const ran = await repo.start('run', PLAN);
    expect(ran).toMatchObject({ code: 5, stdout: '' });
    expect(ran.stderr).toContain(`${AT_ONCE} the repository has no remote "origin".`);
    expect(repo.git('branch', '--list', 'plan/*', 'cadre/*')).toBe('');
  });

  test('gh or a remote; if only the landing needs them, warns and builds the plan', async () => {
    const repo = planRepo({ plan: tasksOf([`role implementer\n${implementing()}`]), settings: { land: 'pr' } });
    const ran = await repo.run();
    expect(ran.code).toBe(3);
    expect(ran.stderr).toMatch(/"land" is "pr", but (gh is not installed|the repository has no remote)/);
    expect(repo.cadre('status').stdout).toContain('has not landed: Cannot open a pull request:');
  });
});
