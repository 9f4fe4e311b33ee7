// What is merged is the commit that was verified and approved twice, whatever else is committed meanwhile and by whom.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { implementing, mergesOf, PLAN_BRANCH, type PlanRepo, planRepo, tasksOf } from '../support/plan-runs.ts';

test('a plan is built from its first task to its review, one commit a task', async () => {
  const repo = planRepo({ plan: tasksOf(['', '']) });
  const ran = await repo.run();
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(mergesOf(repo.records()).map(({ task }) => task)).toEqual(['1', '2']);
  expect(subjects(repo)).toEqual(['Part 1', 'Part 2']);
  expect(repo.git('show', `${PLAN_BRANCH}:task-2.txt`)).toBe('Attempt 1 at task 2.\n');
});

/** In the first task's worktree a commit is made while it is verified, once, after its implementer has asked for it. */
const COMMITS_WHILE_VERIFIED = [
  'sh',
  '-c',
  'case "$PWD" in */t1-a1) [ ! -e "$HOME/late-1" ] || ! rm "$HOME/late-1" || sh "$HOME/sneak.sh" 1;; esac',
];

/** An implementer of the first turn leaves a process behind that nothing leads back to; it commits when it is told to. */
function leaving(task: number): string {
  return `run sh -c '[ -e "$HOME/left-${task}" ] || { touch "$HOME/left-${task}"; setsid -f env -i HOME="$HOME" sh -c "until [ -e $HOME/sneak-${task} ]; do sleep 0.02; done; sh $HOME/sneak.sh ${task}; touch $HOME/sneaked-${task}" >/dev/null 2>&1; }'`;
}

/** Says that it reads, and goes on when it may. */
function reading(task: number): string {
  return `run touch ../../../../../../reading-${task}\nwait-for ../../../../../../read-${task}\nsignal review-approved`;
}

test('a commit made after the pin sends the run back through testing and both reviews', async () => {
  const repo = planRepo({
    settings: { verify: COMMITS_WHILE_VERIFIED },
    plan: tasksOf(
      [
        `role implementer\nrun touch ../../../../../../late-1\n${implementing('one.txt')}\nattempt 2\n${implementing('one.txt')}`,
        `role implementer\n${leaving(2)}\n${implementing('two.txt')}\nrole spec-reviewer\n${reading(2)}`,
        `role implementer\n${leaving(3)}\n${implementing('three.txt')}\nrole quality-reviewer\n${reading(3)}`,
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
    repo.go(`sneak-${task}`);
    await repo.appears(`sneaked-${task}`);
    expect(repo.runOf(task)).toMatchObject({ state: 'CODE_REVIEW' });
    repo.go(`read-${task}`);
  }
  await ran;
  expect(
    mergesOf(repo.records())
      .map(({ task }) => task)
      .sort(),
  ).toEqual(['1', '2', '3']);
  for (const task of ['1', '2', '3']) expect(waysOf(repo, task), `task ${task}`).toContain('FIXING');
});

test('what is committed after the last approval is not merged with it', async () => {
  const repo = planRepo({ plan: tasksOf([`role implementer\n${implementing()}`]) });
  // A person has the plan's branch checked out and works there, so the merge waits.
  const theirs = repo.at('theirs');
  repo.git('branch', PLAN_BRANCH);
  repo.git('worktree', 'add', '--quiet', theirs, PLAN_BRANCH);
  writeFileSync(join(theirs, 'cadre.json'), '{}');
  expect(await repo.run()).toMatchObject({ code: 3 });
  const { pinned } = repo.runOf('1');
  const worktree = repo.worktree('1');
  repo.gitIn(worktree, 'commit', '--allow-empty', '--quiet', '-m', 'afterwards');
  // A try that has looked at the branch before would merge what was approved, and rightly so.
  await repo.until(() => waysOf(repo, '1').includes('FIXING'));
  repo.gitIn(theirs, 'checkout', '--', 'cadre.json');
  await repo.built();
  const merges = mergesOf(repo.records());
  expect(merges).toHaveLength(1);
  expect(merges[0]?.pin).not.toBe(pinned);
  expect(waysOf(repo, '1')).toEqual(TWICE);
});

const ONCE = ['SETUP', 'PLANNING', 'PLAN_REVIEW', 'CODING', 'TESTING', 'CODE_REVIEW', 'AWAIT_MERGE'];
const TWICE = [...ONCE, 'FIXING', 'TESTING', 'CODE_REVIEW', 'AWAIT_MERGE', 'DONE'];

/** The states that the run of a task went through. */
function waysOf(repo: PlanRepo, task: string): readonly string[] {
  return repo
    .records()
    .flatMap(({ moves }) => moves)
    .flatMap((move) => (move.machine === 'coder' && move.task === task ? [move.to] : []));
}

function subjects(repo: PlanRepo): readonly string[] {
  return repo.git('log', '--reverse', '--format=%s', `main..${PLAN_BRANCH}`).trim().split('\n');
}
