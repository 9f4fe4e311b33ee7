// With `architect.workshop: agent` the architect reviews what a workshop has planned, with the scripted agent.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { WorkshopEntry } from '../../src/core/model/workshop/entry.ts';
import type { PlanEntry } from '../../src/core/model/world.ts';
import { type PlanRepo, planRepo } from '../support/plan-runs.ts';
import { quarantined } from '../support/plans.ts';

const SETTINGS = { architect: { workshop: 'agent' } };

/** A brief that gives the architect what to do; the planner does its work as usual. */
function brief(...lines: readonly string[]): string {
  return ['Notes can be searched by word.', '', '```script', 'role architect', ...lines, '```', ''].join('\n');
}

function plan(repo: PlanRepo, text: string): Promise<{ readonly code: number; readonly stdout: string }> {
  writeFileSync(repo.at('brief.md'), text);
  return repo.start('plan', 'new', '--name', 'search', '--brief-file', repo.at('brief.md'));
}

function entryIn(repo: PlanRepo): PlanEntry & { readonly workshop: WorkshopEntry } {
  const [entry] = repo.world().plans.values();
  if (entry?.workshop === undefined) throw new Error('no workshop');
  return { ...entry, workshop: entry.workshop };
}

test('it approves the plan, which is published and can be built at once', async () => {
  const repo = planRepo({ settings: SETTINGS });
  const { code, stdout } = await plan(repo, brief('signal review-approved'));
  expect([code, stdout]).toEqual([0, expect.stringContaining('is approved and ready: 1 task')]);
  const entry = entryIn(repo);
  expect(entry.status).toBe('ready');
  expect(existsSync(join(repo.plans, entry.plan))).toBe(true);
  expect(repo.records().find(({ event }) => event === 'planner_finished')).toMatchObject({ role: 'architect' });
  expect(entry.workshop.transcript.at(-1)).toMatchObject({ actor: 'architect', kind: 'approval' });
});

test('a file is no verdict: it is refused, and the command counts', async () => {
  const repo = planRepo({ settings: SETTINGS });
  expect((await plan(repo, brief('sentinel review-approved', 'signal review-approved'))).code).toBe(0);
  expect(quarantined(repo).map(({ name, code }) => `${name}: ${code}`)).toEqual(['review-approved: as-file']);
  expect(repo.records().find(({ event }) => event === 'planner_finished')).toMatchObject({ role: 'architect' });
});

test('what it asks for is shown, and the planner gets it when the person redoes the planning', async () => {
  const repo = planRepo({ settings: SETTINGS });
  const { code, stdout } = await plan(
    repo,
    brief('turn 1', 'signal review-changes Task 1 has no test', 'turn 2', 'signal review-approved'),
  );
  expect(code).toBe(3);
  expect(stdout).toContain("--feedback 'Task 1 has no test'");
  expect(entryIn(repo).workshop).toMatchObject({ state: 'review_ready', round: 2, versions: [] });
  expect(repo.cadre('status').stdout).toContain('The architect asks for changes');
  expect(repo.cadre('why', 'search').stdout).toContain('Task 1 has no test');
  expect(repo.json('status')).toMatchObject({
    plans: [{ actors: { planning: { advice: 'Task 1 has no test' } } }],
  });
  expect(repo.cadre('redo', 'planning', 'search').code).toBe(0);
  await repo.until(() => entryIn(repo).status === 'ready');
  const { transcript, versions } = entryIn(repo).workshop;
  expect(versions).toHaveLength(1);
  expect(transcript.filter(({ kind }) => kind === 'advice' || kind === 'feedback')).toMatchObject([
    { actor: 'architect', content: 'Task 1 has no test' },
    { actor: 'person', content: 'Task 1 has no test' },
  ]);
});

test('it is given the brief, the plan and what a good plan is', async () => {
  const repo = planRepo({ settings: SETTINGS });
  repo.script(
    'keep.sh',
    'cat "$(dirname "$CADRE_INBOX")"/../sessions/"$CADRE_SESSION"/agent/prompt.md >"$HOME/prompt"',
  );
  await plan(repo, brief(`run sh ${repo.at('keep.sh')}`, 'signal review-changes No'));
  const text = readFileSync(repo.at('prompt'), 'utf8');
  expect(text).toContain('Notes can be searched by word.');
  expect(text).toContain('### Task 1: Do what the brief asks for');
  expect(text).toContain('## What a good plan is');
});

test('one that only fails is restarted twice; then the person decides', async () => {
  const repo = planRepo({ settings: SETTINGS });
  const { code, stdout } = await plan(repo, brief('exit 1'));
  expect(code).toBe(3);
  expect(stdout).toContain('The architect failed, and the restart limit is reached');
  expect([...repo.world().sessions.values()].filter(({ role }) => role === 'architect')).toHaveLength(3);
  expect(repo.cadre('plan', 'approve', 'search').code).toBe(0);
  expect(entryIn(repo).status).toBe('ready');
});

test('a killed engine is followed by one that lets the same architect finish', async () => {
  const repo = planRepo({ settings: SETTINGS });
  writeFileSync(repo.at('brief.md'), brief(`wait-for ${repo.at('go')}`, 'signal review-approved'));
  repo.cadre('plan', 'new', '--name', 'search', '--brief-file', repo.at('brief.md'), '--no-wait');
  await repo.until(({ sessions }) =>
    [...sessions.values()].some(({ role, up }) => role === 'architect' && up !== undefined),
  );
  await repo.killEngine();
  repo.cadre('engine', 'start');
  repo.go('go');
  await repo.until(() => entryIn(repo).status === 'ready');
  expect([...repo.world().sessions.values()].filter(({ role }) => role === 'architect')).toHaveLength(1);
});
