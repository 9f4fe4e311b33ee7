// Only the commit that was verified and approved twice is merged, whatever is committed in the meantime.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { implementing, mergesOf, PLAN_BRANCH, type PlanRepo, planRepo, tasksOf } from '../support/plan-runs.ts';

test('builds a plan from its first task to its review, with one commit per task', async () => {
  const repo = planRepo({ plan: tasksOf(['', '']) });
  const ran = await repo.run();
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(mergesOf(repo.records()).map(({ task }) => task)).toEqual(['1', '2']);
  expect(subjects(repo)).toEqual(['Part 1', 'Part 2']);
  expect(repo.git('show', `${PLAN_BRANCH}:task-2.txt`)).toBe('Attempt 1 at task 2.\n');
});

/** A verify command that commits once in the first task's worktree, when its implementer asks for it. */
const COMMITS_WHILE_VERIFIED = [
  'sh',
  '-c',
  'case "$PWD" in */t1-a1) [ ! -e "$HOME/late-1" ] || ! rm "$HOME/late-1" || sh "$HOME/sneak.sh" 1;; esac',
];

/** A reviewer that reports that it is reading, and waits for permission to continue. */
function reading(task: number): string {
  return `run touch ../../../../../../reading-${task}\nwait-for ../../../../../../read-${task}\nsignal review-approved`;
}

test('a commit made after the pin sends the run back through testing and both reviews', async () => {
  const repo = planRepo({
    settings: { verify: COMMITS_WHILE_VERIFIED },
    plan: tasksOf(
      [
        `role implementer\nrun touch ../../../../../../late-1\n${implementing('one.txt')}\nattempt 2\n${implementing('one.txt')}`,
        `role implementer\n${implementing('two.txt')}\nrole spec-reviewer\n${reading(2)}`,
        `role implementer\n${implementing('three.txt')}\nrole quality-reviewer\n${reading(3)}`,
      ],
      'parallel',
    ),
  });
  writeFileSync(
    repo.at('sneak.sh'),
    'cd "$(dirname "$0")"/home/repos/*/worktrees/build-it/t"$1"-a1 && echo sneaked >sneaked && git add sneaked && git -c user.name=s -c user.email=s@s commit -qm sneaked\n',
  );
  const ran = repo.built();
  for (const task of ['2', '3']) {
    await repo.appears(`reading-${task}`);
    repo.gitIn(repo.worktree(task), 'commit', '--allow-empty', '--quiet', '-m', 'by somebody else');
    expect(repo.runOf(task)).toMatchObject({ state: 'CODE_REVIEW' });
    repo.go(`read-${task}`);
  }
  await ran;
  expect(
    mergesOf(repo.records())
      .map(({ task }) => task)
      .sort(),
  ).toEqual(['1', '2', '3']);
  for (const task of ['1', '2', '3']) expect(statesOf(repo, task), `task ${task}`).toContain('FIXING');
});

test('does not merge what is committed after the last approval', async () => {
  const repo = planRepo({ plan: tasksOf([`role implementer\n${implementing()}`]) });
  // A person works in a checkout of the plan branch, so the merge waits.
  const theirs = repo.at('theirs');
  repo.git('branch', PLAN_BRANCH);
  repo.git('worktree', 'add', '--quiet', theirs, PLAN_BRANCH);
  writeFileSync(join(theirs, 'cadre.json'), '{}');
  expect(await repo.run()).toMatchObject({ code: 3 });
  const { pinned } = repo.runOf('1');
  const worktree = repo.worktree('1');
  repo.gitIn(worktree, 'commit', '--allow-empty', '--quiet', '-m', 'afterwards');
  // An attempt that read the branch before this commit may merge what was approved, so wait for the next one.
  await repo.until(() => statesOf(repo, '1').includes('FIXING'));
  repo.gitIn(theirs, 'checkout', '--', 'cadre.json');
  await repo.built();
  const merges = mergesOf(repo.records());
  expect(merges).toHaveLength(1);
  expect(merges[0]?.pin).not.toBe(pinned);
  expect(statesOf(repo, '1')).toEqual(TWICE);
});

const ONCE = ['SETUP', 'PLANNING', 'PLAN_REVIEW', 'CODING', 'TESTING', 'CODE_REVIEW', 'AWAIT_MERGE'];
const TWICE = [...ONCE, 'FIXING', 'TESTING', 'CODE_REVIEW', 'AWAIT_MERGE', 'DONE'];

/** The states that the task's run went through. */
function statesOf(repo: PlanRepo, task: string): readonly string[] {
  return repo
    .records()
    .flatMap(({ moves }) => moves)
    .flatMap((move) => (move.machine === 'coder' && move.task === task ? [move.to] : []));
}

function subjects(repo: PlanRepo): readonly string[] {
  return repo.git('log', '--reverse', '--format=%s', `main..${PLAN_BRANCH}`).trim().split('\n');
}
