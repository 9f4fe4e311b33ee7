// With `auto_verify` off a person takes one task through all its steps, one word at a time.
import { expect, test } from 'vitest';
import { implementing, PLAN_BRANCH, type PlanRepo, planRepo, tasksOf } from '../support/plan-runs.ts';
import { eventually } from '../support/repo.ts';

function running(repo: PlanRepo): readonly string[] {
  return [...repo.world().sessions.values()].flatMap(({ id }) => (repo.processesOf(id).length > 0 ? [id] : []));
}

/** `cadre run` ends because the task waits, and nothing is running meanwhile. */
async function waits(repo: PlanRepo, sentence: string): Promise<void> {
  const { code, stdout } = await repo.run();
  expect(code).toBe(3);
  expect(stdout).toContain(sentence);
  expect(stdout).toContain('cadre next build-it#1');
  await repo.until((world) => ![...world.outbox.values()].some((effect) => effect.do === 'stop-session'));
  await eventually(
    () => running(repo),
    (sessions) => sessions.length === 0,
  );
  expect(repo.cadre('why', 'build-it#1').stdout).toContain(sentence);
}

test('a task waits for a person before its verification, each review and its merge', async () => {
  const repo = planRepo({ plan: tasksOf([`role implementer\n${implementing()}`]), settings: { auto_verify: false } });
  const next = (): string => repo.cadre('next', 'build-it#1').stdout;
  await waits(repo, 'The agent has finished; waiting for you to start the verification.');
  expect(next()).toContain('continues: CODING -> TESTING.');
  await waits(repo, 'Tests passed; waiting for you to start the spec review.');
  expect(next()).toContain('continues: the spec review starts.');
  await waits(repo, 'The spec review passed; waiting for you to start the quality review.');
  await repo.killEngine();
  expect(next()).toContain('continues: the quality review starts.');
  await waits(repo, 'Approved; waiting for you to start the merge.');
  expect(next()).toContain('continues: the merge starts.');
  await repo.until(({ plans }) => [...plans.values()].every(({ status }) => status === 'done'));
  expect(repo.git('show', `${PLAN_BRANCH}:made.txt`)).toBe('made\n');
  expect(repo.runOf('1').counts).toMatchObject({ coding: 1, turns: 1, relaunches: 0 });
});
