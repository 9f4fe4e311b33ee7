// From the approval of a plan to its landing: conflicts are found before, and become a task.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mergesOf, PLAN, PLAN_BRANCH, type PlanRepo, planRepo } from '../support/plan-runs.ts';

/** An agent that resolves conflicts, and otherwise changes the file that all change. */
const WORK = `if [ "$CADRE_TASK" = 1 ]; then
  echo plan >shared.txt
else
  git merge main >/dev/null || { cat "$HOME/resolved" >shared.txt; git add shared.txt; git commit -qm resolved; }
  echo "it is resolved" >resolved.txt
fi
git add --all
git commit -qm work
`;

/** One task, whose reviewer waits for permission to continue. */
function landingRepo(settings: Readonly<Record<string, unknown>>): PlanRepo {
  const repo = planRepo({
    plan: '# Build it\n\n### Task 1: Part 1\n\nDo it.\n',
    files: { 'shared.txt': 'start\n' },
    settings,
  });
  repo.script('work.sh', WORK);
  writeFileSync(repo.at('resolved'), 'base and plan\n');
  const script = `role implementer
run sh ${repo.at('work.sh')}
signal implement-finished
role reviewer
wait-for ${repo.at('look')}
signal review-approved
`;
  writeFileSync(repo.at('script'), script);
  const config = JSON.parse(readFileSync(join(repo.root, 'cadre.json'), 'utf8'));
  const program = `${config.default_program} --script ${repo.at('script')}`;
  writeFileSync(join(repo.root, 'cadre.json'), JSON.stringify({ ...config, default_program: program }));
  repo.git('commit', '--quiet', '--all', '-m', 'the script');
  return repo;
}

/** The engine continues on its own once a person has decided. */
function finished(repo: PlanRepo): Promise<unknown> {
  return repo.until((world) => world.plans.get(PLAN)?.work?.landed != null);
}

function changeOnBase(repo: PlanRepo): void {
  writeFileSync(join(repo.root, 'shared.txt'), 'base\n');
  repo.git('commit', '--quiet', '--all', '-m', 'meanwhile');
}

test('a plan that conflicts with its base is not approved: a task resolves the conflict, then the plan lands', async () => {
  const repo = landingRepo({ land: 'local' });
  const built = repo.built();
  await repo.until((world) => world.plans.get(PLAN)?.status === 'reviewing');
  changeOnBase(repo);
  repo.go('look');
  await built;
  expect(repo.records().find(({ event }) => event === 'review_changes_requested')).toMatchObject({
    by: 'agent',
    signal: { name: 'review-approved' },
    feedback: expect.stringContaining('- shared.txt'),
  });
  expect(mergesOf(repo.records()).map(({ task }) => task)).toEqual(['1', 'R1']);
  expect(repo.plan().work?.landed).toMatchObject({ ok: true });
  // The worktrees for the review and for merged trees are no longer needed.
  expect(repo.git('worktree', 'list', '--porcelain').match(/^worktree .*/gm)).toEqual([`worktree ${repo.root}`]);
  expect(repo.commit('main')).toBe(repo.commit(PLAN_BRANCH));
  expect(readFileSync(join(repo.root, 'shared.txt'), 'utf8')).toBe('base and plan\n');
  expect(repo.git('log', '--first-parent', '--format=%s', PLAN_BRANCH)).toMatch(/^What the review asked for\nPart 1\n/);
});

test('a person who approves it is told about the conflict', async () => {
  const repo = landingRepo({});
  const ran = repo.run();
  await repo.until((world) => world.plans.get(PLAN)?.status === 'reviewing');
  changeOnBase(repo);
  const approved = repo.cadre('approve', PLAN);
  expect(approved).toMatchObject({ code: 2, stdout: '' });
  expect(approved.stderr).toContain(`${PLAN} is not approved: it cannot land, so task R1 was added.`);
  expect(approved.stderr).toContain('- shared.txt');
  expect(repo.task('R1').feedback).toContain('git merge main');
  repo.go('look');
  expect(await ran).toMatchObject({ code: 0 });
});

test('a commit on the plan branch stops its review, and nobody approves before a person has decided', async () => {
  const repo = landingRepo({});
  const ran = repo.run();
  await repo.until((world) => world.plans.get(PLAN)?.work?.session?.tip != null);
  const first = repo.plan().work?.session;
  const tree = repo.git('rev-parse', `${PLAN_BRANCH}^{tree}`).trim();
  const commit = repo.git('commit-tree', tree, '-p', PLAN_BRANCH, '-m', 'by hand').trim();
  repo.git('update-ref', `refs/heads/${PLAN_BRANCH}`, commit);
  const approved = repo.cadre('approve', PLAN);
  expect(approved).toMatchObject({ code: 2, stdout: '' });
  expect(approved.stderr).toContain(`${PLAN} cannot be approved. ${PLAN_BRANCH} is at ${commit.slice(0, 10)}`);
  repo.go('look');
  expect(await ran).toMatchObject({ code: 3 });
  expect(repo.cadre('incident', 'take', PLAN)).toMatchObject({ code: 0 });
  await finished(repo);
  const approval = repo.records().find(({ event }) => event === 'review_approved');
  expect(approval).toMatchObject({ by: 'agent', role: 'reviewer' });
  expect(approval?.session).not.toBe(first?.id);
  expect(repo.commit(PLAN_BRANCH)).toBe(commit);
});

describe('a plan branch that was reset and has lost the work of a task', () => {
  async function reset(): Promise<PlanRepo> {
    const repo = landingRepo({});
    const ran = repo.run();
    await repo.until((world) => world.plans.get(PLAN)?.work?.session?.tip != null);
    repo.git('update-ref', `refs/heads/${PLAN_BRANCH}`, 'main');
    expect(await ran).toMatchObject({ code: 3 });
    repo.go('look');
    return repo;
  }

  test('names the task, and the person has it built again', async () => {
    const repo = await reset();
    expect(repo.cadre('incident').stdout).toContain('Task 1 is done, but its work is not on plan/build-it');
    const undecided = repo.cadre('incident', 'take', PLAN);
    expect(undecided).toMatchObject({ code: 2 });
    expect(undecided.stderr).toContain('The work of task 1 is not on plan/build-it');
    expect(undecided.stderr).toContain('cadre incident take build-it --replan');
    expect(repo.cadre('incident', 'take', PLAN, '--replan')).toMatchObject({ code: 0 });
    await finished(repo);
    expect(mergesOf(repo.records()).map(({ task }) => task)).toEqual(['1', '1']);
    expect(repo.git('show', `${PLAN_BRANCH}:shared.txt`)).toBe('plan\n');
  });

  test('continues without it if the person wants that, and the work is kept', async () => {
    const repo = await reset();
    expect(repo.cadre('incident', 'take', PLAN, '--keep')).toMatchObject({ code: 0 });
    await finished(repo);
    expect(repo.git('show', `${PLAN_BRANCH}:shared.txt`)).toBe('start\n');
    expect(repo.git('show', 'refs/cadre/keep/build-it/found/1:shared.txt')).toBe('plan\n');
  });
});

test('says what blocks the landing, and a person lands the plan when that is gone', async () => {
  const repo = landingRepo({ land: 'local' });
  repo.go('look');
  writeFileSync(join(repo.root, 'shared.txt'), 'not committed\n');
  const ran = await repo.run('--json');
  expect(ran.code).toBe(3);
  expect(JSON.parse(ran.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
    end: 'person',
    waiting: [
      {
        task: null,
        sentence: expect.stringMatching(/has not landed: main is checked out in .*uncommitted changes in shared\.txt/),
      },
    ],
  });
  expect(repo.cadre('status').stdout).toContain('cadre land build-it');
  expect(await repo.start('run', PLAN)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/is done, and has not landed\.\n {2}try: cadre land build-it\n$/),
  });
  expect(await repo.start('land', PLAN, '--json')).toMatchObject({ code: 3 });
  repo.git('checkout', '--quiet', 'shared.txt');
  const landed = await repo.start('land', PLAN);
  expect(landed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Merged into main as [0-9a-f]{10}\.\n$/) });
  expect(repo.commit('main')).toBe(repo.commit(PLAN_BRANCH));
  expect(await repo.start('land', PLAN)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('has already landed'),
  });
});

test('a plan-state.json that the person commits does not block the landing, though cadre changes it', async () => {
  const repo = landingRepo({ land: 'local' });
  expect(repo.cadre('register', PLAN).code).toBe(0);
  repo.git('add', '--all');
  repo.git('commit', '--quiet', '-m', 'the state of the plans');
  repo.go('look');
  await repo.built();
  expect(repo.git('status', '--porcelain')).toBe(' M docs/plans/plan-state.json\n');
  expect(repo.commit('main')).toBe(repo.commit(PLAN_BRANCH));
  expect(repo.planState().plans[PLAN]).toMatchObject({ status: 'done' });
});
