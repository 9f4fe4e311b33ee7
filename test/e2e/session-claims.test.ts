// An agent cannot gain rights by claims about itself: no role, another role, another box, or a file instead of a command.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PLAN, planRepo, tasksOf } from '../support/plan-runs.ts';
import { quarantined } from '../support/plans.ts';
import { MAIN, type Repo, temporaryRepo } from '../support/repo.ts';

test.each(['nonsense', '', 'outside'])('a session with the role "%s" cannot approve anything', (role) => {
  const repo = underReview();
  const env = { CADRE_SESSION: 's1', CADRE_ROLE: role };
  for (const argv of [
    ['move', 'x', 'review_approved'],
    ['signal', 'review-approved', '--plan', 'x'],
  ]) {
    const ran = repo.cadreWith({ env }, ...argv);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('an agent whose role is not known (session s1) cannot');
  }
  expect(repo.status('x.md')).toBe('reviewing');
});

test('an implementer that claims to be a reviewer is still the implementer that cadre started', () => {
  const repo = underReview();
  const claim = `CADRE_SESSION=s2 CADRE_ROLE=reviewer ${process.execPath} ${MAIN} move x review_approved; echo "code $?"`;
  const env = { ...repo.env, CADRE_SESSION: 's1', CADRE_ROLE: 'implementer' };
  // The shell has the session's environment, its child a different one.
  const said = execFileSync('sh', ['-c', `(${claim}) 2>&1`], { cwd: repo.root, env, encoding: 'utf8' });
  expect(said).toContain('the implementer (session s1) cannot send it');
  expect(said).toContain('code 2');
  expect(repo.status('x.md')).toBe('reviewing');
});

test('a box that nobody reads is refused, and nothing is written there', () => {
  const repo = underReview();
  const elsewhere = join(repo.root, '..', 'elsewhere', 's1');
  mkdirSync(elsewhere, { recursive: true });
  const env = { CADRE_SESSION: 's1', CADRE_ROLE: 'reviewer', CADRE_INBOX: elsewhere };
  const ran = repo.cadreWith({ env }, 'signal', 'review-approved', '--plan', 'x');
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('they do not belong together');
  expect(readdirSync(elsewhere)).toEqual([]);
});

test.each([
  ['invalid UTF-8', Buffer.from([0x66, 0xff, 0x0a])],
  ['NUL bytes', Buffer.from('a\0b')],
])('a body with %s is refused, not altered', (_what, bytes) => {
  const repo = underReview();
  const file = join(repo.root, '..', 'body');
  writeFileSync(file, bytes);
  const ran = repo.cadre('signal', 'review-changes', '--plan', 'x', '--body-file', file);
  expect(ran).toMatchObject({
    code: 2,
    stderr: `${file} is not UTF-8 text, or contains NUL bytes.\n`,
  });
});

describe('a sentinel with its key counts as sent by the session in whose worktree it is:', () => {
  const drop = (name: string): string =>
    `mkdir -p docs/plans/.signals; printenv CADRE_PROOF >docs/plans/.signals/${name}.md`;

  test('one of a session that a person started is refused like its command', async () => {
    const repo = planRepo({ plan: tasksOf(['']) });
    for (const argv of [
      ['register', PLAN],
      ['move', PLAN, 'plan_start'],
      ['engine', 'start'],
    ])
      expect(repo.cadre(...argv)).toMatchObject({ code: 0 });
    const both = 'sentinel planner-finished-build-it.md\nrun cadre signal planner-finished --plan build-it\nhang\n';
    writeFileSync(repo.at('script'), both);
    const program = `cadre-scripted-agent --script ${repo.at('script')}`;
    expect(repo.cadre('session', 'new', '-p', program)).toMatchObject({ code: 0 });
    const { refused } = await repo.until((world) => world.refused.size === 2);
    expect([...refused.values()].map(({ name, code }) => `${name}: ${code}`)).toEqual(
      Array(2).fill('planner-finished: role'),
    );
    expect(repo.plan().status).toBe('planning');
  });

  test('one of a run cannot speak for another plan', async () => {
    const repo = planRepo({
      plan: tasksOf(['role implementer\nrun sh ../../../../../../drop.sh\nhang']),
      files: { 'docs/plans/other.md': '# Other\n' },
    });
    repo.script('drop.sh', drop('planner-finished-other'));
    for (const argv of [
      ['register', 'other'],
      ['move', 'other', 'plan_start'],
    ])
      expect(repo.cadre(...argv)).toMatchObject({ code: 0 });
    void repo.run();
    await repo.until((world) => world.refused.size > 0);
    expect(quarantined(repo)).toMatchObject([{ name: 'planner-finished', code: 'not-yours' }]);
    expect(repo.status('other.md')).toBe('planning');
  });

  test('one of the reviewer of a plan is no verdict, even with its key', async () => {
    const repo = planRepo({ plan: tasksOf(['']) });
    writeFileSync(repo.at('script'), 'role reviewer\nsentinel review-approved\nhang\n');
    writeFileSync(
      join(repo.root, 'cadre.json'),
      JSON.stringify({ default_program: `cadre-scripted-agent --script ${repo.at('script')}`, verify: 'none' }),
    );
    void repo.run();
    await repo.until((world) => world.refused.size > 0);
    expect(quarantined(repo)).toMatchObject([{ name: 'review-approved', code: 'as-file' }]);
    expect(repo.plan().status).toBe('reviewing');
  });
});

function underReview(): Repo {
  const repo = temporaryRepo();
  repo.writePlan('x.md');
  for (const argv of [
    ['register', 'x'],
    ['move', 'x', 'implement_start'],
    ['move', 'x', 'implement_finished'],
  ])
    expect(repo.cadre(...argv).code).toBe(0);
  return repo;
}
