// An agent changes how its worktree is linked to the repository: its run stops and costs nothing, nothing in it runs or
// merges, and a person has the worktree restored.
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { implementing, mergesOf, PLAN, PLAN_BRANCH, type PlanRepo, planRepo, tasksOf } from '../support/plan-runs.ts';

const ATTACK = 'run sh ../../../../../../attack.sh';

/** Once: the agent that continues afterwards works as it should. */
const REDIRECTIONS = {
  '.git': 'echo "gitdir: ./.e" >.git',
  commondir: 'echo "$PWD/.e" >"$(git rev-parse --git-dir)/commondir"',
};

function attackWith(redirect: string): string {
  return `[ -e "$HOME/attacked" ] && exit 0
    mkdir .e && cp -R "$(git rev-parse --git-common-dir)/." .e/
    git --git-dir=.e config filter.e.clean "[ -n "$CADRE_ROLE" ] || touch $HOME/canary; cat"
    echo '* filter=e' >.gitattributes; echo mine >draft.txt
    touch "$HOME/attacked"
    ${redirect}`;
}

/** The run waits for a person. */
async function attacked(redirect: string, script: string): Promise<PlanRepo> {
  const repo = planRepo({ plan: tasksOf([script, '']) });
  repo.script('attack.sh', attackWith(redirect));
  expect(await repo.run()).toMatchObject({ code: 3 });
  return repo;
}

const landed = (repo: PlanRepo) => repo.until((world) => world.plans.get(PLAN)?.work?.landed != null);

describe.each(Object.entries(REDIRECTIONS))('a changed %s', (file, redirect) => {
  const WORKS = `role implementer\n${ATTACK}\n${implementing('one.txt')}`;

  test('stops the agent, costs no restart, and is shown with what a person can do', async () => {
    const repo = await attacked(redirect, WORKS);
    expect(repo.runOf('1')).toMatchObject({ state: 'CODING', counts: { relaunches: 0, turns: 1 } });
    expect(repo.runOf('1').incident?.why).toContain(`${file} was changed: it says`);
    for (const command of [['status'], ['why', `${PLAN}#1`], ['incident']]) {
      const { stdout } = repo.cadre(...command);
      expect(stdout, command.join(' ')).toContain(`${file} was changed: it says`);
      expect(stdout).toContain('cadre incident restore build-it#1');
      expect(stdout).not.toContain('cadre retry');
    }
    expect(JSON.parse(repo.cadre('incident', '--json').stdout).incidents).toMatchObject([
      { plan: PLAN, task: '1', of: 'worktree', commands: ['cadre incident restore build-it#1'] },
    ]);
    expect(mergesOf(repo.records())).toEqual([]);
    expect(existsSync(repo.at('canary'))).toBe(false);
  });

  test('is undone by a person, and the same turn continues; what was in the worktree is kept', async () => {
    const repo = await attacked(redirect, WORKS);
    expect(repo.cadre('incident', 'restore', `${PLAN}#1`)).toMatchObject({ code: 0 });
    await landed(repo);
    expect(repo.git('show', `${PLAN_BRANCH}:one.txt`)).toBe('made\n');
    expect(repo.git('ls-tree', '--name-only', PLAN_BRANCH, 'draft.txt')).toBe('');
    expect(repo.runOf('1').counts).toMatchObject({ relaunches: 0, turns: 1, mergeAttempts: 1 });
    expect(repo.git('show', 'refs/cadre/keep/build-it/t1-a1/1:draft.txt')).toBe('mine\n');
    expect(existsSync(repo.at('canary'))).toBe(false);
    expect(repo.cadre('log').stdout).toContain('incident over: its worktree was restored');
  });
});

test('a signal that comes from such a worktree is neither taken nor lost', async () => {
  const signals = `role implementer\n${ATTACK}\nsignal implement-finished\nrun sleep 600`;
  const repo = await attacked(REDIRECTIONS['.git'], signals);
  expect(repo.runOf('1')).toMatchObject({ state: 'CODING' });
  expect(repo.records().filter(({ event }) => event === 'signal_refused')).toEqual([]);
});

test('a task that is reverted keeps what was in its worktree', async () => {
  const repo = await attacked(REDIRECTIONS['.git'], `role implementer\n${ATTACK}\nrun sleep 600`);
  expect(repo.cadre('revert', `${PLAN}#1`)).toMatchObject({ code: 0 });
  await expect.poll(() => repo.cadre('restore').stdout, { timeout: 20_000 }).toContain('build-it/t1-a1');
  expect(repo.git('show', 'refs/cadre/keep/build-it/t1-a1/1:draft.txt')).toBe('mine\n');
});
