// "cadre gc" removes what is over beside a running engine, loses nothing, and can be killed and repeated.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as moment } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { GarbageView } from '../../src/app/actions/action.ts';
import type { KeptView } from '../../src/app/reads/kept.ts';
import { contentsOf } from '../support/pieces.ts';
import { implementing, PLAN, type PlanRepo, planRepo, tasksOf } from '../support/plan-runs.ts';
import { MAIN } from '../support/repo.ts';

const OUTSIDE = '../../../../../..';

/** Leaves work of every kind, reports it, and waits forever. */
function leaves(name: string): string {
  return `role implementer
    append ${name}.txt committed
    commit ${name}
    append README.md ${name}
    append new-${name}.txt new
    append ignored-${name}.txt mine
    run touch ${OUTSIDE}/left-${name}
    wait-for ${OUTSIDE}/go-${name}
    run git checkout README.md
    commit the rest
    signal implement-finished`;
}

const FILES = { '.gitignore': 'ignored*\n', 'README.md': 'read me\n' };

interface DryRun {
  readonly items: readonly GarbageView[];
  readonly heldBack: readonly GarbageView[];
}

function dryRun(repo: PlanRepo, ...argv: readonly string[]): DryRun {
  return repo.json('gc', '--older-than', '0', ...argv);
}

function cleaned(
  repo: PlanRepo,
  ...argv: readonly string[]
): { readonly removed: readonly GarbageView[]; readonly stayed: readonly object[] } {
  return repo.json('gc', '--older-than', '0', '--yes', ...argv);
}

function kept(repo: PlanRepo): readonly KeptView[] {
  return (repo.json('restore', '--all') as { kept: readonly KeptView[] }).kept;
}

const ids = (all: readonly { readonly id: string }[]): readonly string[] => all.map(({ id }) => id).toSorted();

/** Task 1 is merged, task 2 was marked done with work in its worktree, task 3 is being built. */
async function halfBuilt(): Promise<PlanRepo> {
  const repo = planRepo({
    plan: tasksOf([`role implementer\n${implementing()}`, leaves('b'), leaves('c')], 'parallel'),
    files: FILES,
  });
  void repo.run();
  await repo.appears('left-b');
  await repo.appears('left-c');
  await repo.reaches('1', 'DONE');
  expect(repo.cadre('mark-done', 'build-it#2').code).toBe(0);
  await repo.until((world) => world.outbox.size === 0);
  return repo;
}

test('removes what is over while the engine builds on, and what it removes can be restored', async () => {
  const repo = await halfBuilt();
  const [marked, live] = [repo.worktree('2'), repo.worktree('3')];
  const before = {
    marked: contentsOf(marked),
    live: contentsOf(live),
    status: repo.gitIn(marked, 'status', '--short'),
  };
  const own = ownOf(repo);
  expect(repo.cadre('gc').stdout).toContain('Nothing older than 30d can be removed.');
  const found = dryRun(repo);
  expect(ids(found.items).filter((id) => !id.startsWith('sessions/'))).toEqual([
    'build-it/t1-a1/1',
    'cadre/build-it/t1-a1',
    'cadre/build-it/t2-a1',
    'runs/build-it/t1-a1',
    'runs/build-it/t2-a1',
    'worktrees/build-it/t2-a1',
  ]);
  expect(ids(found.heldBack)).toEqual(['build-it/t2-a1/1']);
  expect([existsSync(marked), repo.git('branch', '--list', 'cadre/*').split('\n').length]).toEqual([true, 4]);
  const done = cleaned(repo);
  expect([ids(done.removed), done.stayed]).toEqual([ids(found.items), []]);
  expect(existsSync(marked)).toBe(false);
  expect(repo.git('branch', '--list', '--format=%(refname:short)', 'cadre/*').trim()).toBe('cadre/build-it/t3-a1');
  expect(dryRun(repo).items).toEqual([]);
  expect(ids(kept(repo))).toEqual(['build-it/t2-a1/1', 'build-it/t2-a1/ignored-1']);
  expect(repo.cadre('restore', 'build-it#2').code).toBe(0);
  expect([contentsOf(marked), repo.gitIn(marked, 'status', '--short')]).toEqual([before.marked, before.status]);
  // Nothing of the run that is not over, and nothing of the person's, was touched.
  expect([contentsOf(live), ownOf(repo)]).toEqual([before.live, own]);
  repo.go('go-c');
  await repo.until((world) => world.plans.get(PLAN)?.status === 'done');
});

test('keeps work that is nowhere else until a person says otherwise', async () => {
  const repo = await halfBuilt();
  cleaned(repo);
  cleaned(repo);
  const [pin] = kept(repo).filter(({ kind }) => kind === 'commit');
  expect(pin).toMatchObject({ id: 'build-it/t2-a1/1', uncommitted: true });
  expect(ids(cleaned(repo, '--unmerged').removed)).toEqual(['build-it/t2-a1/1', 'build-it/t2-a1/ignored-1']);
  expect(kept(repo)).toEqual([]);
  expect(existsSync(repo.worktree('3'))).toBe(true);
});

test('leaves alone what cadre did not create, whatever it is called', async () => {
  const repo = await halfBuilt();
  const worktrees = join(repo.state(), 'worktrees');
  repo.git('worktree', 'add', '-q', '-b', 'cadre/build-it/mine', join(worktrees, 'build-it', 't2-a7'));
  repo.git('branch', 'cadre/build-it/t9-a9');
  mkdirSync(join(worktrees, 'build-it', 't8-a1'));
  writeFileSync(join(worktrees, 'build-it', 't8-a1', 'mine.txt'), 'mine\n');
  mkdirSync(join(repo.state(), 'runs', 'other', 't1-a1'), { recursive: true });
  writeFileSync(join(repo.state(), 'runs', 'other', 't1-a1', 'notes.md'), 'mine\n');
  repo.git('update-ref', 'refs/cadre/keep/other/t1-a1/1', 'HEAD');
  const removed = ids(cleaned(repo, '--unmerged').removed);
  expect(removed.filter((id) => /mine|t2-a7|t9-a9|t8-a1|other/.test(id))).toEqual([]);
  expect(readdirSync(join(worktrees, 'build-it')).toSorted()).toEqual(['t2-a7', 't3-a1', 't8-a1']);
  expect(repo.commit('refs/cadre/keep/other/t1-a1/1')).toBe(repo.commit('HEAD'));
});

test('killed at any moment, it loses nothing, and the next one finishes', async () => {
  const repo = await halfBuilt();
  const marked = repo.worktree('2');
  const before = { files: contentsOf(marked), status: repo.gitIn(marked, 'status', '--short', '--ignored') };
  for (let times = 0; times < 8; times++) {
    const child = spawn(process.execPath, [MAIN, 'gc', '--older-than', '0', '--yes'], {
      cwd: repo.root,
      env: repo.env,
      stdio: 'ignore',
    });
    const closed = once(child, 'close');
    await moment(150 + Math.random() * 500);
    child.kill('SIGKILL');
    await closed;
  }
  expect(cleaned(repo).stayed).toEqual([]);
  expect(dryRun(repo).items).toEqual([]);
  expect(existsSync(marked)).toBe(false);
  expect(repo.cadre('restore', 'build-it#2').code).toBe(0);
  expect({ files: contentsOf(marked), status: repo.gitIn(marked, 'status', '--short', '--ignored') }).toEqual(before);
});

test('an old session of a person is paused: its work is on its branch, and it can be resumed', async () => {
  const repo = planRepo({ files: FILES });
  repo.script(
    'work.script',
    'append made.txt made\ncommit made\nappend new.txt new\nrun touch ../../../../../../left\nhang',
  );
  const agent = `${repo.at('bin')}/cadre-scripted-agent --script ${repo.at('work.script')}`;
  const { session, branch } = await repo.view('new', '-p', agent);
  await repo.appears('left');
  expect(dryRun(repo).items).toEqual([]);
  await repo.view('stop', session);
  expect(ids(cleaned(repo).removed)).toEqual([`sessions/${session}`, `worktrees/adhoc/${session}`]);
  expect(existsSync(repo.worktreeOf(session))).toBe(false);
  expect([repo.git('show', `${branch}:made.txt`), repo.git('show', `${branch}:new.txt`)]).toEqual(['made\n', 'new\n']);
  expect(repo.sessions()).toMatchObject([{ session, state: 'paused' }]);
  expect(await repo.view('resume', session)).toMatchObject({ state: 'running', branch });
});

test('an agent cannot clean up', async () => {
  const repo = planRepo({ plan: tasksOf([`role implementer\nrun sh ${OUTSIDE}/try.sh\nhang`]), files: FILES });
  repo.script('try.sh', `${process.execPath} ${MAIN} gc --yes --json >"$HOME/tried" 2>&1`);
  void repo.run();
  expect(JSON.parse(await repo.written('tried'))).toMatchObject({ error: { code: 'user-only' } });
});

/** The person's files, branches, index and HEAD. */
function ownOf(repo: PlanRepo): readonly unknown[] {
  return [
    repo.git('status', '--porcelain', '--ignored'),
    repo.git('for-each-ref', 'refs/heads/main', 'refs/heads/plan'),
    repo.git('ls-files', '--stage'),
    repo.commit('HEAD'),
  ];
}
