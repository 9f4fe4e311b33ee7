// A branch that somebody else moved or deleted: nothing is merged onto it, nothing that was merged is lost, and a person
// decides what holds.
import { describe, expect, test } from 'vitest';
import { implementing, mergesOf, PLAN, PLAN_BRANCH, type PlanRepo, planRepo, tasksOf } from '../support/plan-runs.ts';

/** A script for sh next to the repository, as seen from a worktree. */
const ATTACK = 'run sh ../../../../../../attack.sh';
const AS_AGENT = 'git -c user.name=a -c user.email=a@a';

const fileOn = (repo: PlanRepo, file: string): string | undefined =>
  repo.git('ls-tree', '--name-only', PLAN_BRANCH, file) === '' ? undefined : repo.git('show', `${PLAN_BRANCH}:${file}`);

/** The engine continues on its own once a person has decided. */
const finished = (repo: PlanRepo) => repo.until((world) => world.plans.get(PLAN)?.work?.landed != null);

/** A plan whose first task moves the plan branch before it is finished; the run waits for a person. */
async function attacked(attack: readonly string[], scripts: readonly string[]): Promise<PlanRepo> {
  const repo = planRepo({ plan: tasksOf(scripts) });
  repo.script('attack.sh', attack.join('\n'));
  expect(await repo.run()).toMatchObject({ code: 3 });
  return repo;
}

const ADDS_A_FILE = [
  'echo evil >evil.txt && git add evil.txt',
  `evil=$(${AS_AGENT} commit-tree "$(git write-tree)" -p ${PLAN_BRANCH} -m evil)`,
  `git update-ref refs/heads/${PLAN_BRANCH} "$evil" && git rm -qf evil.txt`,
];
const ATTACKS_AND_WORKS = `role implementer\n${ATTACK}\n${implementing('one.txt')}`;

describe('a plan branch with a commit that cadre did not make', () => {
  const withEvil = (): Promise<PlanRepo> => attacked(ADDS_A_FILE, [ATTACKS_AND_WORKS]);

  test('is shown with what a person can do, merges nothing, and costs no attempt', async () => {
    const repo = await withEvil();
    expect(mergesOf(repo.records())).toEqual([]);
    expect(repo.runOf('1')).toMatchObject({ state: 'AWAIT_MERGE', counts: { mergeAttempts: 0 } });
    for (const command of [['status'], ['why', PLAN], ['incident']]) {
      const { stdout } = repo.cadre(...command);
      expect(stdout, command.join(' ')).toContain(`${PLAN_BRANCH} is at `);
      expect(stdout).toContain('cadre incident restore build-it');
      expect(stdout).toContain('cadre incident take build-it');
    }
    expect(JSON.parse(repo.cadre('incident', PLAN, '--json').stdout).incidents).toMatchObject([
      { plan: PLAN, of: 'plan-branch', branch: PLAN_BRANCH, expected: repo.commit('main'), missing: [] },
    ]);
    expect(repo.cadre('mark-done', `${PLAN}#1`).code).toBe(2);
  });

  test('that a person restores goes back, and keeps that commit', async () => {
    const repo = await withEvil();
    const evil = repo.commit(PLAN_BRANCH);
    expect(repo.cadre('incident', 'restore', PLAN)).toMatchObject({ code: 0, stderr: '' });
    await finished(repo);
    expect([fileOn(repo, 'one.txt'), fileOn(repo, 'evil.txt')]).toEqual(['made\n', undefined]);
    expect(repo.commit('refs/cadre/keep/build-it/found/1')).toBe(evil);
    expect(repo.cadre('restore').stdout).toContain('build-it/found/1');
  });

  test('that a person takes as it is gets the work on top', async () => {
    const repo = await withEvil();
    expect(repo.cadre('incident', 'take', PLAN)).toMatchObject({ code: 0, stderr: '' });
    await finished(repo);
    expect([fileOn(repo, 'one.txt'), fileOn(repo, 'evil.txt')]).toEqual(['made\n', 'evil\n']);
  });

  test('stays where it is if it is checked out, and the person learns where', async () => {
    const repo = await withEvil();
    repo.git('worktree', 'add', '--quiet', repo.at('theirs'), PLAN_BRANCH);
    const restored = repo.cadre('incident', 'restore', PLAN);
    expect(restored).toMatchObject({ code: 2, stdout: '' });
    expect(restored.stderr).toContain(`${PLAN_BRANCH} is checked out in ${repo.at('theirs')}.`);
    repo.git('worktree', 'remove', repo.at('theirs'));
    expect(repo.cadre('incident', 'restore', PLAN)).toMatchObject({ code: 0 });
    await finished(repo);
    expect(fileOn(repo, 'evil.txt')).toBeUndefined();
  });

  test('is not for an agent to decide about', async () => {
    const repo = planRepo({
      plan: tasksOf([`role implementer\n${ATTACK}\nrun cadre incident take ${PLAN}\n${implementing('one.txt')}`]),
    });
    repo.script('attack.sh', ADDS_A_FILE.join('\n'));
    expect(await repo.run()).toMatchObject({ code: 3 });
    expect(repo.plan().work?.incident).toMatchObject({ of: 'plan-branch' });
    expect(repo.cadre('quarantine').stdout).toContain('incident');
  });
});

test('a task is not done because a commit on the plan branch claims that it was merged', async () => {
  const script = `role implementer\n${implementing('one.txt')}\nrole quality-reviewer\n${ATTACK}\nsignal review-approved`;
  const forge = [
    'pin=$(git rev-parse HEAD)',
    `forged=$(printf 'Part 1\\n\\nCadre-Run: build-it/t1-a1 %s\\n' "$pin" | ${AS_AGENT} commit-tree ${PLAN_BRANCH}^{tree} -p ${PLAN_BRANCH})`,
    `git update-ref refs/heads/${PLAN_BRANCH} "$forged"`,
  ];
  const repo = await attacked(forge, [script]);
  expect(repo.task('1').state).toBe('quality_review');
  repo.cadre('incident', 'take', PLAN);
  await finished(repo);
  expect(fileOn(repo, 'one.txt')).toBe('made\n');
});

test('a deleted plan branch is restored with everything that was merged, and no attempt is lost', async () => {
  const deletes = `role implementer\nrun git update-ref -d refs/heads/${PLAN_BRANCH}\n${implementing('two.txt')}`;
  const repo = planRepo({ plan: tasksOf(['', deletes]) });
  await repo.built();
  expect(mergesOf(repo.records()).map(({ task }) => task)).toEqual(['1', '2']);
  expect([fileOn(repo, 'task-1.txt'), fileOn(repo, 'two.txt')]).toEqual(['Attempt 1 at task 1.\n', 'made\n']);
  expect(repo.runOf('2').counts.mergeAttempts).toBe(1);
  expect(repo.cadre('log').stdout).toMatch(/was deleted\. It is restored at[\s\S]*cadre restored plan\/build-it/);
});

test('a base branch with an unrelated history is an incident, and a person can only take it', async () => {
  const repo = planRepo({ plan: tasksOf([`role implementer\n${ATTACK}\n${implementing('one.txt')}`, '']) });
  repo.script('attack.sh', `git update-ref refs/heads/main "$(${AS_AGENT} commit-tree 'main^{tree}' -m unrelated)"`);
  repo.git('checkout', '--quiet', '--detach');
  expect(await repo.run()).toMatchObject({ code: 3 });
  expect(repo.plan().work?.incident).toMatchObject({ of: 'base', branch: 'main', found: repo.commit('main') });
  expect(repo.cadre('incident', 'restore', PLAN)).toMatchObject({ code: 2 });
  const taken = repo.cadre('incident', 'take', PLAN);
  expect(taken).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`main is at ${repo.commit('main').slice(0, 10)}`),
  });
  expect(repo.plan().work?.base).toMatchObject({ commit: repo.commit('main') });
});
