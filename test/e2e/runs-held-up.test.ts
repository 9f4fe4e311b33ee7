// Work that waits for a person to do something outside of cadre: shown everywhere, and reported once.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atTerminal } from '../support/at-terminal.ts';
import { bringHub, type Mood } from '../support/fake-gh.ts';
import { implementing, PLAN, PLAN_BRANCH, type PlanRepo, planRepo, tasksOf } from '../support/plan-runs.ts';

const TASK = tasksOf([`role implementer\n${implementing()}`]);

function tellings(repo: PlanRepo): readonly string[] {
  return repo.records().flatMap((record) => (record.event === 'held_up' ? [record.cause ?? ''] : []));
}

async function waits(repo: PlanRepo): Promise<void> {
  await repo.until(() => tellings(repo).length > 0);
}

test('a merge waits for a checkout with changes, says so once, and continues when they are gone', async () => {
  const repo = planRepo({ plan: TASK });
  const theirs = repo.at('theirs');
  repo.git('branch', PLAN_BRANCH);
  repo.git('worktree', 'add', '--quiet', theirs, PLAN_BRANCH);
  writeFileSync(join(theirs, 'cadre.json'), '{}');
  const why = `${PLAN_BRANCH} is checked out in ${theirs}, which has uncommitted changes in cadre.json. Commit or stash them, or check out another branch there. The merge then continues.`;
  const ran = atTerminal(repo, 'run', PLAN);
  await waits(repo);

  const told = repo.cadre('why', `${PLAN}#1`).stdout;
  expect(told).toContain(`Cannot merge yet: ${why} (owner: user, reminded at `);
  const asked = JSON.parse(repo.cadre('why', `${PLAN}#1`, '--json').stdout);
  expect(asked).toMatchObject({
    owner: 'user',
    deadline: { leadsTo: 'remind' },
    task: { merging: true, run: { doing: 'merge', heldUp: { why, needsPerson: true } } },
  });
  const status = repo.cadre('status').stdout;
  expect(status).toMatch(/Part 1 +quality_review, merging, held up +AWAIT_MERGE, attempt 1, owner user\n/);
  expect(status).toContain(`Needs you:\n  ${PLAN}#1 Part 1: Cannot merge yet: ${why}\n`);
  expect(JSON.parse(repo.cadre('status', '--json').stdout).needsYou).toMatchObject([
    { plan: PLAN, task: '1', sentence: expect.stringContaining(why) },
  ]);

  const { code, stdout } = await ran;
  expect({ code, stdout }).toMatchObject({
    code: 3,
    stdout: expect.stringContaining(`1 Part 1     cannot merge yet: ${why}`),
  });
  expect(stdout.match(/cannot merge yet: /g)).toHaveLength(1);
  expect(tellings(repo)).toEqual([why]);

  expect(readFileSync(join(theirs, 'cadre.json'), 'utf8')).toBe('{}');
  repo.gitIn(theirs, 'checkout', '--', 'cadre.json');
  await repo.until(() => repo.task('1').state === 'done');
  expect(await atTerminal(repo, 'run', PLAN)).toMatchObject({ code: 0 });
});

test('a worktree waits while a person has the old plan branch checked out, and is created when they switch', async () => {
  const repo = planRepo({ plan: TASK });
  await repo.built();
  const before = repo.commit(PLAN_BRANCH);
  repo.git('switch', '--quiet', PLAN_BRANCH);
  repo.cadre('start-over', PLAN);
  repo.cadre('move', PLAN, 'planner_finished');
  const ran = await repo.run();
  expect(ran.stdout.trim().split('\n').at(-1)).toMatch(/Cannot create the worktree yet: .*so it cannot be restarted/);
  expect(ran.code).toBe(3);
  repo.git('switch', '--quiet', 'main');
  await repo.built();
  expect(repo.git('log', '--format=%s', `main..${PLAN_BRANCH}`)).toBe('Part 1\n');
  expect(repo.commit('refs/cadre/keep/build-it/plan/1')).toBe(before);
});

test.each<[Mood, RegExp, 'user' | 'engine']>([
  [
    'reviewing',
    /^https:\S+\/pull\/1 is open and cannot be merged yet \(BLOCKED: .+\)\. Approve it there\. The merge then continues\.$/,
    'user',
  ],
  [
    'blocking',
    /\. See on its page which check or approval is missing, or merge it\. The merge then continues\.$/,
    'engine',
  ],
  ['logged out', /^gh failed: .+ Run "gh auth status" for details\.$/, 'user'],
])('a merge waits for a remote that is %s, and says what for', async (mood, why, whose) => {
  const repo = planRepo({ plan: TASK, settings: { task_merge: 'pr' } });
  const hub = bringHub(repo.outside, repo.git);
  repo.env.PATH = `${hub.bin}:${repo.env.PATH}`;
  hub.mood(mood);
  const ran = repo.run('--json');
  ran.catch(() => undefined);
  await waits(repo);
  const { owner, task } = JSON.parse(repo.cadre('why', `${PLAN}#1`, '--json').stdout);
  expect([owner, task.run.heldUp.why]).toEqual([whose, expect.stringMatching(why)]);
});
