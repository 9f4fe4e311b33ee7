// Plans built in repositories as people have them: cadre leaves everything of theirs as it is.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { textOf } from '../support/hosts.ts';
import { contentsOf } from '../support/pieces.ts';
import { mergesOf, PLAN, PLAN_BRANCH, planRepo, tasksOf } from '../support/plan-runs.ts';

/** One task whose implementer reports with a sentinel file. A verdict counts as a command only. */
const BY_FILES = `role implementer
  append made.txt made
  commit made
  sentinel implement-finished
  role spec-reviewer
  signal review-approved
  role quality-reviewer
  signal review-approved
  role reviewer
  signal review-approved`;

test('leaves changed, staged and new files in the checkout, and its index, unchanged to the byte', async () => {
  const repo = planRepo({ plan: tasksOf([BY_FILES]), files: { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' } });
  // Created now, so that it does not count as a change.
  repo.cadre('register', PLAN);
  writeFileSync(join(repo.root, 'a.txt'), 'changed\n');
  writeFileSync(join(repo.root, 'b.txt'), 'staged\n');
  writeFileSync(join(repo.root, 'new.txt'), 'new\n');
  writeFileSync(join(repo.root, 'half.txt'), 'half\n');
  repo.git('add', 'b.txt', 'half.txt');
  repo.git('rm', '--quiet', 'c.txt');
  writeFileSync(join(repo.root, 'half.txt'), 'half and half\n');
  const theirs = () => ({
    files: [...contentsOf(repo.root)].filter(([path]) => !/\/(\.git|docs\/plans)\//.test(path)),
    index: readFileSync(join(repo.root, '.git', 'index')).toString('base64'),
    head: repo.commit('HEAD'),
    branch: repo.git('branch', '--show-current'),
  });
  const before = theirs();
  await repo.built();
  expect(theirs()).toEqual(before);
  expect(repo.git('show', `${PLAN_BRANCH}:a.txt`)).toBe('a\n');
});

test('runs the project’s hooks for people and agents only, and works with required signing and without a name', async () => {
  const repo = planRepo({
    plan: tasksOf([
      // The hook sees the agent's commits, and refuses those without a ticket.
      `role implementer
       append made.txt made
       run git add made.txt
       run git -c user.name=x -c user.email=x@x -c commit.gpgsign=false commit -qm "no ticket"
       run sh ../../../../../../refused.sh
       run git -c user.name=x -c user.email=x@x -c commit.gpgsign=false commit -qm "TICKET-1 made"
       sentinel implement-finished`,
    ]),
  });
  repo.script('refused.sh', 'git log --format=%s -1 >"$HOME/after-refusal"');
  const hook = join(repo.root, '.git', 'hooks', 'commit-msg');
  writeFileSync(hook, '#!/bin/sh\ngrep -q TICKET "$1"\n');
  chmodSync(hook, 0o755);
  const guard = join(repo.root, '.git', 'hooks', 'reference-transaction');
  writeFileSync(guard, '#!/bin/sh\n! grep -q refs/heads/plan\n');
  chmodSync(guard, 0o755);
  repo.git('config', '--unset', 'user.name');
  repo.git('config', '--unset', 'user.email');
  repo.git('config', 'user.useConfigOnly', 'true');
  repo.git('config', 'commit.gpgsign', 'true');
  await repo.built();
  expect(textOf(repo.at('after-refusal'))).toBe('start\n');
  expect(repo.git('log', '--format=%s %an', '-1', PLAN_BRANCH)).toBe('Part 1 cadre\n');
});

describe('builds a plan', () => {
  test('from a subfolder of a linked worktree, on another base, with spaces and quotes in the path', async () => {
    const repo = planRepo({ plan: tasksOf([BY_FILES]), files: { 'deep/er/x.txt': 'x\n' } });
    repo.git('switch', '--quiet', '-c', "trunk/it's");
    repo.git('commit', '--quiet', '--allow-empty', '-m', 'further on');
    const linked = repo.at('a "linked" worktree\'s folder');
    repo.git('worktree', 'add', '--quiet', '-b', 'theirs', linked, 'HEAD');
    const ran = await repo.startIn(join(linked, 'deep', 'er'), 'run', PLAN);
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(repo.git('log', '--format=%s', `trunk/it's..${PLAN_BRANCH}`)).toBe('Part 1\n');
    expect(repo.git('log', '--format=%s', '-1', 'theirs')).toBe('further on\n');
  });

  test('in a repository of 5,000 files whose path has spaces and quotes, with a detached head', async () => {
    const repo = planRepo({
      plan: tasksOf([BY_FILES]),
      root: `it's a "repo" $HOME`,
      settings: { base_branch: 'main' },
    });
    for (let folder = 0; folder < 50; folder++) {
      mkdirSync(join(repo.root, `folder ${folder}`));
      for (let file = 0; file < 100; file++)
        writeFileSync(join(repo.root, `folder ${folder}`, `${file}.txt`), `${file}\n`);
    }
    repo.git('add', '--all');
    repo.git('commit', '--quiet', '-m', 'many');
    repo.git('checkout', '--quiet', '--detach');
    await repo.built();
    expect(mergesOf(repo.records())).toHaveLength(1);
    expect(repo.git('ls-tree', '-r', '--name-only', PLAN_BRANCH).trim().split('\n').length).toBeGreaterThan(5_000);
    expect(repo.git('status', '--porcelain').trim()).toMatch(/^(\?\? docs\/plans\/plan-state\.json)?$/);
  });
});

describe('starts nothing, and says what is missing:', () => {
  test('a commit', async () => {
    const repo = planRepo({ plan: tasksOf([BY_FILES]) });
    repo.git('update-ref', '-d', 'HEAD');
    expectNothingStarted(repo, await repo.run(), 5, /has no commit yet/);
  });

  test.each([
    ['configuration', 'config', '[core', /git cannot read .*: .*bad config line 2 .*\. Repair it, then try again\./],
    ['HEAD', 'HEAD', 'xx', /git cannot read .*: .*not a git repository.*\. Repair it, then try again\./],
  ])('a %s that git can read', async (_what, file, damage, expected) => {
    const repo = planRepo({ plan: tasksOf([BY_FILES]) });
    const path = join(repo.root, '.git', file);
    const before = readFileSync(path);
    writeFileSync(path, damage);
    try {
      const ran = await repo.run();
      expect(ran.code).toBe(5);
      expect(`${ran.stdout}${ran.stderr}`).toMatch(expected);
      expect(repo.cadre('doctor').stdout).toMatch(expected);
    } finally {
      writeFileSync(path, before);
    }
    expect(repo.world().sessions.size).toBe(0);
  });

  test('a verify command', async () => {
    const repo = planRepo({ plan: tasksOf([BY_FILES]), settings: { verify: undefined } });
    expectNothingStarted(repo, await repo.run(), 5, /No verify command is configured/);
  });

  test('the agent program', async () => {
    const repo = planRepo({ plan: tasksOf([BY_FILES]), settings: { default_program: 'no-such-agent' } });
    expectNothingStarted(repo, await repo.run(), 5, /no-such-agent is not installed/);
    const { stdout } = repo.cadre('run', PLAN, '--dry-run');
    expect(stdout).toMatch(/^It cannot be built yet: no-such-agent is not installed\./m);
    expect(stdout).not.toMatch(/^Verified with: no-such-agent/m);
  });
});

function expectNothingStarted(
  repo: ReturnType<typeof planRepo>,
  ran: { readonly code: number; readonly stdout: string; readonly stderr: string },
  code: number,
  why: RegExp,
): void {
  expect(ran.stderr + ran.stdout).toMatch(why);
  expect(ran.code).toBe(code);
  expect(repo.enginePid()).toBeUndefined();
  expect(repo.world().plans.get(PLAN)?.status ?? 'ready').toBe('ready');
}
