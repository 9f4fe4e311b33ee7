// kill -9 of the engine while it builds a plan: the next one continues where it was, and nothing is done twice.
import { expect, test } from 'vitest';
import { randomFrom } from '../simulation/random.ts';
import { textOf } from '../support/hosts.ts';
import { implementing, mergesOf, PLAN, PLAN_BRANCH, type PlanRepo, planRepo, tasksOf } from '../support/plan-runs.ts';

/** How often the engine is killed in total, with a handful of kills per plan. */
const KILLS = Number(process.env.CADRE_RUN_KILLS ?? 6);
const KILLS_PER_PLAN = 6;

/** Records between two kills, and milliseconds after the last record. A task has some 28 records. */
const RECORDS = { least: 1, spread: 22 };
const LONGEST_WAIT = 150;

/** Every agent first records that it was started. */
const NOTED = 'run sh ../../../../../../note.sh';

for (let plan = 0; plan * KILLS_PER_PLAN < KILLS; plan++)
  test(`builds a plan of three tasks once, however often its engine is killed (${plan + 1})`, {
    timeout: 180_000,
  }, async () => {
    const random = randomFrom(Number(process.env.CADRE_SEED ?? 1) + plan);
    const kills = Math.min(KILLS_PER_PLAN, KILLS - plan * KILLS_PER_PLAN);
    const scripts = [1, 2, 3].map((task) => `${NOTED}\nrole implementer\n${implementing(`made-${task}.txt`)}`);
    const repo = planRepo({ plan: tasksOf(scripts, plan % 2 === 0 ? 'one-by-one' : 'parallel') });
    repo.noting();
    await repo.start('engine', 'start');
    const ran = repo.built();
    for (let kill = 0; kill < kills; kill++) {
      const from = repo.world().seq;
      const records = RECORDS.least + random.below(RECORDS.spread);
      await repo.until((world) => world.seq >= from + records || world.plans.get(PLAN)?.status === 'done');
      await new Promise((then) => setTimeout(then, random.below(LONGEST_WAIT)));
      await repo.killEngine();
      await repo.start('engine', 'start');
    }
    await ran;
    expectBuiltOnce(repo);
  });

function expectBuiltOnce(repo: PlanRepo): void {
  expect(
    mergesOf(repo.records())
      .map(({ task }) => task)
      .sort(),
  ).toEqual(['1', '2', '3']);
  const subjects = repo.git('log', '--format=%s', `main..${PLAN_BRANCH}`).trim().split('\n');
  expect(subjects.sort()).toEqual(['Part 1', 'Part 2', 'Part 3']);
  for (const task of [1, 2, 3]) expect(repo.git('show', `${PLAN_BRANCH}:made-${task}.txt`)).toBe('made\n');
  const started = textOf(repo.at('started')).trim().split('\n');
  expect(started.sort()).toEqual([...new Set(started)].sort());
  const sessions = repo.records().flatMap((record) => (record.event === 'session_begun' ? [record.begun] : []));
  const turns = sessions.map(({ task, role }) => `${task ?? 'all'} ${role}`).sort();
  const roles = ['implementer', 'quality-reviewer', 'spec-reviewer'];
  expect(turns).toEqual([...['1', '2', '3'].flatMap((task) => roles.map((role) => `${task} ${role}`)), 'all reviewer']);
}
