// Planners without a workshop: a session with that role, or any agent that writes a plan and says so.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PlanFile } from '../../src/plan/name.ts';
import { type PlanRepo, planRepo } from '../support/plan-runs.ts';
import { eventually, startEngine } from '../support/repo.ts';

const WRITTEN = '# Search\n\n### Task 1: Index\n';

function scripted(...lines: readonly string[]): string {
  return ['Notes can be searched by word.', '', '```script', 'role planner', ...lines, '```', ''].join('\n');
}

/** A repository with a script next to it that writes the plan into the main checkout, as a planner is told to. */
function withWriter(): PlanRepo {
  const repo = planRepo();
  repo.script('write.sh', `printf '${WRITTEN.replaceAll('\n', '\\n')}' > '${join(repo.plans, 'search.md')}'`);
  return repo;
}

function startPlanner(repo: PlanRepo, prompt: string) {
  return repo.cadreWith(
    { input: prompt },
    'session',
    'new',
    '--role',
    'planner',
    '--plan',
    'search',
    '--prompt-file',
    '-',
  );
}

function planningPlan(repo: PlanRepo): void {
  repo.writePlan('search.md', WRITTEN);
  repo.cadre('register', 'search');
  repo.cadre('move', 'search', 'plan_start');
}

test('a planner that a person starts writes a new plan, and says so', async () => {
  const repo = withWriter();
  await startEngine(repo);
  const started = startPlanner(repo, scripted(`run sh ${repo.at('write.sh')}`, 'signal planner-finished'));
  expect(started.code).toBe(0);
  const world = await repo.until(({ plans }) => plans.has('search.md' as PlanFile));
  expect(world.plans.get('search.md' as PlanFile)?.status).toBe('ready');
  const registered = repo.records().find(({ event }) => event === 'register');
  expect(registered).toMatchObject({ by: 'agent', role: 'planner' });
});

test('it is told where the plan belongs, and how to say that it is written', () => {
  const repo = withWriter();
  startPlanner(repo, scripted('hang'));
  const [begun] = repo.records().filter(({ event }) => event === 'session_begun');
  const [effect] = begun?.effects ?? [];
  const prompt = effect?.do === 'start-session' ? effect.prompt : '';
  expect(prompt).toContain(`Write the plan to \`${join(repo.plans, 'search.md')}\``);
  expect(prompt).toContain('signal planner-finished`');
  expect(prompt).toContain('Notes can be searched by word.');
});

test('it ends the planning of a plan that is in planning', async () => {
  const repo = withWriter();
  planningPlan(repo);
  await startEngine(repo);
  startPlanner(repo, scripted(`wait-for ${repo.at('go')}`, 'signal planner-finished'));
  expect(repo.cadre('why', 'search').stdout).toMatch(/The planner \(s\d+\) is working\. \(owner: planner/);
  repo.go('go');
  await repo.until(({ plans }) => plans.get('search.md' as PlanFile)?.status === 'ready');
});

test('a planner that ends without a word is reported, and the plan stays in planning', async () => {
  const repo = withWriter();
  planningPlan(repo);
  const engine = await startEngine(repo);
  startPlanner(repo, scripted('say I give up', 'exit 3'));
  await engine.line(/The planner of search\.md \(s\d+\) ended, and the plan is not finished\./);
  const needs = await eventually(
    () =>
      repo.json('status') as { needsYou: readonly { plan: string; sentence: string; commands: readonly string[] }[] },
    ({ needsYou }) => needsYou.length > 0,
  );
  expect(needs.needsYou[0]?.sentence).toMatch(/its planner \(s\d+\) ended: The program exited \(exit code 3\)\./);
  expect(repo.status('search.md')).toBe('planning');
  const why = repo.cadre('why', 'search').stdout;
  expect(why).toMatch(/cadre session resume s\d+/);
  expect(why).toContain('cadre move search planner_finished');
  expect(repo.cadre('move', 'search', 'planner_finished').code).toBe(0);
  expect(repo.cadre('status').stdout).not.toContain('its planner');
});

test('an agent that cadre did not start writes a plan and drops a file', async () => {
  const repo = withWriter();
  await startEngine(repo);
  repo.writePlan('search.md', WRITTEN);
  writeFileSync(join(repo.signals, 'planner-finished-search.md'), '');
  await repo.until(({ plans }) => plans.get('search.md' as PlanFile)?.status === 'ready');
});

test.each([
  [['--plan', 'search'], 'Only a planner can be started for a plan.'],
  [['--role', 'nonsense'], 'Unknown role "nonsense". Roles: planner, architect,'],
  [['--role', 'planner', '--plan', 'a b'], 'is not a valid plan name'],
  [['--role', 'planner', '--plan', 'search'], 'search.md is ready, so no planner is started for it.'],
])('session new %j is refused', (options, sentence) => {
  const repo = withWriter();
  repo.writePlan('search.md', WRITTEN);
  repo.cadre('register', 'search');
  const ran = repo.cadre('session', 'new', 'write it', ...options);
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(sentence)]);
});
