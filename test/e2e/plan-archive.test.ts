// Retiring plans with `cadre plan archive`, and bringing them back.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planRepo } from '../support/plan-runs.ts';
import { startEngine, temporaryRepo } from '../support/repo.ts';

test('an archived plan leaves docs/plans and the status, and comes back', () => {
  const repo = temporaryRepo();
  repo.writePlan('search.md', '# Search\n\n### Task 1: Index\n');
  repo.cadre('register', 'search');
  const early = repo.cadre('plan', 'archive', 'search');
  expect([early.code, early.stderr]).toEqual([
    2,
    expect.stringContaining('search.md is ready; only a plan that is done'),
  ]);
  repo.cadre('cancel', 'search');
  expect(repo.cadre('plan', 'archive', 'search').stdout).toBe('search.md is archived in docs/plans/archive/search.\n');
  expect(existsSync(join(repo.plans, 'search.md'))).toBe(false);
  expect(existsSync(join(repo.plans, 'archive', 'search', 'search.md'))).toBe(true);
  expect(repo.status('search.md')).toBe('cancelled');
  expect(repo.cadre('status').stdout).toContain('Archived: 1. "cadre status --all" shows them.');
  expect(repo.cadre('status', '--all').stdout).toMatch(/search\.md +cancelled \(archived\)/);
  expect(repo.json('status')).toMatchObject({ plans: [], archived: 1, unregistered: [], needsYou: [] });
  expect(repo.cadre('reopen', 'search').stderr).toContain('cadre plan unarchive search');
  expect(repo.cadre('plan', 'unarchive', 'search').stdout).toBe('search.md is back; it is cancelled.\n');
  expect(repo.cadre('reopen', 'search').code).toBe(0);
});

test('the name of an archived plan stays taken, also for a file that is written later', async () => {
  const repo = temporaryRepo();
  repo.writePlan('search.md', '# Search\n\n### Task 1: Index\n');
  repo.cadre('register', 'search');
  repo.cadre('cancel', 'search');
  repo.cadre('plan', 'archive', 'search');
  repo.writePlan('search.md', '# Another\n\n### Task 1: Other\n\n### Task 2: More\n');
  expect(repo.cadre('register', 'search').stderr).toContain('is the name of an archived plan');
  expect(repo.cadre('plan', 'unarchive', 'search').stderr).toContain('Rename or remove the file first.');
  await (await startEngine(repo)).stop();
  expect(repo.json('status', '--all')).toMatchObject({ plans: [{ file: { state: 'archived' }, progress: { of: 1 } }] });
});

test('a plan of a workshop is archived with its transcript, and an engine does not write it again', async () => {
  const repo = planRepo();
  expect(repo.cadre('plan', 'new', 'Notes by word', '--name', 'search').code).toBe(3);
  repo.cadre('plan', 'approve', 'search');
  repo.cadre('cancel', 'search');
  expect(repo.cadre('plan', 'archive', 'search').code).toBe(0);
  const [plan] = repo.world().plans.values();
  const slug = plan?.plan.replace(/\.md$/, '') ?? '';
  const archived = join(repo.plans, 'archive', slug);
  const transcript = readFileSync(join(archived, 'planning', 'meeting.jsonl'), 'utf8');
  expect(transcript.trimEnd().split('\n')).toHaveLength(plan?.workshop?.transcript.length ?? 0);
  await repo.killEngine();
  repo.cadre('engine', 'start');
  repo.cadre('plan', 'new', 'Another', '--name', 'other');
  expect(existsSync(join(repo.plans, slug))).toBe(false);
  expect(repo.cadre('plan', 'transcript', slug).stdout).toContain('Notes by word');
  expect(repo.cadre('plan', 'unarchive', slug).code).toBe(0);
  expect(readFileSync(join(repo.plans, slug, 'planning', 'meeting.jsonl'), 'utf8')).toBe(transcript);
  expect(existsSync(join(repo.plans, `${slug}.md`))).toBe(true);
  await repo.killEngine();
});
