// A person pauses a build in the middle of coding, of a review and of a merge, and resumes it: no turn and no work is lost.
import { describe, expect, test } from 'vitest';
import { textOf } from '../support/hosts.ts';
import { implementing, mergesOf, PLAN, PLAN_BRANCH, type PlanRepo, planRepo, tasksOf } from '../support/plan-runs.ts';

const OUTSIDE = '../../../../../..';

/** Leaves a file unfinished and waits; the session that continues finds it. */
const HALFWAY = `run sh ${OUTSIDE}/note.sh
  role implementer
  append made.txt half
  run touch ${OUTSIDE}/halfway
  wait-for ${OUTSIDE}/go
  role implementer
  attempt 2
  append made.txt whole
  commit made
  signal implement-finished`;

/** A reviewer that waits. */
const REVIEWED = `role implementer
  ${implementing()}
  role spec-reviewer
  run touch ${OUTSIDE}/reviewing
  wait-for ${OUTSIDE}/go
  signal review-approved`;

function running(repo: PlanRepo): readonly string[] {
  return [...repo.world().sessions.values()].flatMap(({ id }) => (repo.processesOf(id).length > 0 ? [id] : []));
}

describe.each(['process', 'tmux'] as const)('with sessions in %s', (host) => {
  test('a pause stops the agent, survives a killed engine, and costs no turn', async () => {
    const repo = planRepo({ plan: tasksOf([HALFWAY]), host });
    repo.noting();
    const followed = repo.run();
    await repo.appears('halfway');
    const paused = await repo.start('pause');
    expect(paused).toMatchObject({ code: 0, stderr: '' });
    expect(paused.stdout).toContain('1 agent stopped.\n');
    expect(running(repo)).toEqual([]);
    const { code, stdout } = await followed;
    expect(code).toBe(3);
    expect(stdout).toContain('"sentence":"build-it.md is paused:"');
    await repo.killEngine();
    expect(textOf(`${repo.worktree('1')}/made.txt`)).toBe('half\n');
    expect(repo.cadre('status').stdout).toContain('implementing (paused)');
    expect(await repo.start('resume')).toMatchObject({
      code: 0,
      stdout: 'Resumed: agents continue where they were.\n',
    });
    await repo.until((world) => world.plans.get(PLAN)?.status === 'done');
    expect(repo.git('show', `${PLAN_BRANCH}:made.txt`)).toBe('half\nwhole\n');
    expect(repo.runOf('1').counts).toMatchObject({ coding: 1, turns: 1, relaunches: 0, mergeAttempts: 1 });
    expect(startedRoles(repo)).toEqual(['implementer', 'implementer', 'spec-reviewer', 'quality-reviewer']);
  });
});

/** Without the reviewer of the plan, whose script is its own. */
function startedRoles(repo: PlanRepo): readonly string[] {
  const lines = textOf(repo.at('started')).trim().split('\n');
  return lines.flatMap((line) => line.split(' ').slice(1)).filter((role) => role !== 'reviewer');
}

test('a pause stops the agents although no engine is running', async () => {
  const repo = planRepo({ plan: tasksOf([REVIEWED]) });
  void repo.run();
  await repo.appears('reviewing');
  await repo.start('engine', 'stop');
  expect(running(repo)).toHaveLength(1);
  expect(await repo.start('pause', PLAN)).toMatchObject({ code: 0 });
  expect(running(repo)).toEqual([]);
  repo.go('go');
  await repo.start('resume', PLAN);
  await repo.built();
  expect(repo.runOf('1').counts).toMatchObject({ turns: 1, relaunches: 0 });
});

test('during a pause no branch moves, although the merge was being verified', async () => {
  const two = [implementing('made-1.txt'), implementing('made-2.txt')].map((one) => `role implementer\n${one}`);
  const repo = planRepo({
    plan: tasksOf(two, 'parallel'),
    settings: { verify: ['sh', '-c', 'if test -e made-1.txt -a -e made-2.txt; then sh "$HOME/merged.sh"; fi'] },
  });
  repo.script(
    'merged.sh',
    'touch "$HOME/verifying"; until test -e "$HOME/go"; do sleep 0.02; done; touch "$HOME/verified"',
  );
  const followed = repo.run();
  await repo.appears('verifying');
  const tip = repo.commit(PLAN_BRANCH);
  const [waiting] = repo.plan().tasks.filter(({ state }) => state !== 'done');
  const address = waiting?.address ?? '';
  expect(repo.runOf(address)).toMatchObject({ issued: { do: 'merge' }, counts: { mergeAttempts: 1 } });
  await repo.start('pause');
  expect(await followed).toMatchObject({ code: 3 });
  expect(repo.runOf(address)).toMatchObject({ state: 'AWAIT_MERGE', issued: null, counts: { mergeAttempts: 0 } });
  repo.go('go');
  await repo.appears('verified');
  // It stops when it has nothing left to do: the merge whose verification has passed is over.
  await repo.start('engine', 'stop');
  expect(repo.commit(PLAN_BRANCH)).toBe(tip);
  await repo.start('resume');
  await repo.built();
  expect(mergesOf(repo.records())).toHaveLength(2);
  expect(repo.runOf(address).counts.mergeAttempts).toBe(1);
});

test('a session that a person started keeps running, and the answer says so', async () => {
  const repo = planRepo({ plan: tasksOf(['']) });
  expect(await repo.start('session', 'new', '```script\nhang\n```')).toMatchObject({ code: 0 });
  const { stdout } = await repo.start('freeze', '--now');
  expect(stdout).toContain('Sessions that you started yourself keep running.');
  expect(running(repo)).toHaveLength(1);
});

test('an agent cannot pause or resume anything', async () => {
  const repo = planRepo({
    plan: tasksOf([`role implementer\nrun cadre pause\nrun cadre resume\n${implementing()}`]),
  });
  await repo.built();
  expect(repo.records().filter(({ event }) => event === 'paused' || event === 'resumed')).toEqual([]);
  expect([...repo.world().refused.values()].map(({ code }) => code)).toEqual(['user-only', 'user-only']);
});
