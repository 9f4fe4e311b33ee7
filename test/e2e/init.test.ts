// cadre init: from an empty folder to a repository in which a plan can be built, and back.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryRepo } from '../support/repo.ts';

test('it shows what it would write, and writes nothing unless somebody agrees', () => {
  const repo = temporaryRepo();
  const { code, stdout, stderr } = repo.cadre('init');
  expect([code, stderr]).toEqual([
    2,
    'Nothing was written. At a terminal cadre asks before it writes; elsewhere, add --yes.\n',
  ]);
  expect(stdout).toMatch(/^create +cadre\.json/m);
  expect(existsSync(join(repo.root, 'cadre.json'))).toBe(false);
});

test('it writes settings as they were found, a plan that can be built, and instructions; again, it changes nothing', () => {
  const repo = temporaryRepo();
  writeFileSync(join(repo.root, 'package.json'), '{"scripts":{"test":"node --test"},"dependencies":{"a":"1"}}');
  writeFileSync(join(repo.root, 'package-lock.json'), '{}');
  expect(repo.cadre('init', '--yes').code).toBe(0);
  const settings = JSON.parse(readFileSync(join(repo.root, 'cadre.json'), 'utf8'));
  expect(settings).toMatchObject({ setup: 'npm ci --prefer-offline --no-audit --no-fund', verify: 'npm test' });
  expect(existsSync(join(repo.plans, '.signals'))).toBe(true);
  expect(readFileSync(join(repo.root, '.gitignore'), 'utf8')).toContain('node_modules/\n');
  expect(repo.cadre('plan', 'lint', 'docs/plans/first-plan.md').code).toBe(0);
  const again = repo.json('init', '--yes') as { changes: readonly { does: string }[] };
  expect(new Set(again.changes.map(({ does }) => does))).toEqual(new Set(['keep']));
});

test('what it wrote can be removed, and what somebody has edited stays', () => {
  const repo = temporaryRepo();
  repo.cadre('init', '--yes');
  writeFileSync(join(repo.root, 'cadre.json'), '{ "max_parallel": 2 }');
  expect(repo.cadre('init', '--remove', '--yes').code).toBe(0);
  expect(readFileSync(join(repo.root, 'cadre.json'), 'utf8')).toBe('{ "max_parallel": 2 }');
  for (const path of ['AGENTS.md', '.claude', '.opencode', 'docs/plans/first-plan.md'])
    expect(existsSync(join(repo.root, path))).toBe(false);
  const { code, stdout } = repo.cadre('init', '--remove', '--yes');
  expect([code, stdout]).toEqual([0, 'keep  cadre.json  it is yours\nThere is nothing to remove.\n']);
});

test('the chosen agent is for all projects', () => {
  const repo = temporaryRepo();
  repo.cadre('init', '--yes', '--program', 'codex');
  expect(JSON.parse(readFileSync(join(repo.home, 'config.json'), 'utf8'))).toMatchObject({ default_program: 'codex' });
});
