// Whatever a person ends, nothing of what an agent left is lost: it stays where it is, or "cadre restore" brings it back.
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { KeptView } from '../../src/app/reads/kept.ts';
import { contentsOf } from '../support/pieces.ts';
import { implementing, PLAN, PLAN_BRANCH, type PlanRepo, planRepo, tasksOf } from '../support/plan-runs.ts';
import { eventually } from '../support/repo.ts';

const OUTSIDE = '../../../../../..';

/** Leaves everything that can be left: committed, changed, staged, staged and changed again, deleted, new, ignored. */
const LITTERS = `append committed.txt committed
  commit something
  append README.md changed
  append staged.txt staged
  run git add staged.txt
  append both.txt staged
  run git add both.txt
  append both.txt changed since
  delete deleted.txt
  append new/untracked.txt new
  append ignored-notes.txt mine
  append deep/.env secret`;

/** Does that, reports it, and waits forever. */
const LITTERS_AND_WAITS = `role implementer
  ${LITTERS}
  run touch ${OUTSIDE}/littered
  hang`;

const FILES = {
  '.gitignore': 'ignored*\n.env\nnode_modules/\n',
  'README.md': 'read me\n',
  'deleted.txt': 'delete me\n',
};

function litteredRepo(scripts: readonly string[] = [LITTERS_AND_WAITS], settings: object = {}): PlanRepo {
  return planRepo({ plan: tasksOf(scripts), files: FILES, settings: { ...settings } });
}

interface Snapshot {
  readonly files: ReadonlyMap<string, string>;
  readonly status: string;
  readonly staged: string;
  readonly branch: string;
}

/** Everything in a worktree that somebody could miss. */
function snapshot(repo: PlanRepo, folder: string): Snapshot {
  const all = [...contentsOf(folder)].map(([path, text]) => [path.slice(folder.length + 1), text] as const);
  return {
    files: new Map(all.filter(([path]) => path !== '.git')),
    status: repo.gitIn(folder, 'status', '--porcelain', '--ignored', '--untracked-files=all'),
    staged: repo.gitIn(folder, 'diff', '--cached'),
    branch: repo.gitIn(folder, 'rev-parse', '--symbolic-full-name', 'HEAD'),
  };
}

async function littered(repo: PlanRepo, address = '1'): Promise<Snapshot> {
  void repo.run();
  await repo.appears('littered');
  const left = snapshot(repo, repo.worktree(address));
  expect(left.status.split('\n').map((line) => line.trim())).toEqual([
    'M README.md',
    'AM both.txt',
    'D deleted.txt',
    'A  staged.txt',
    '?? new/untracked.txt',
    '!! deep/.env',
    '!! ignored-notes.txt',
  ]);
  return left;
}

function kept(repo: PlanRepo, ...argv: readonly string[]): readonly KeptView[] {
  return (repo.json('restore', ...argv) as { kept: readonly KeptView[] }).kept;
}

/** Waits until the engine has done everything that was decided. */
async function settled(repo: PlanRepo): Promise<void> {
  await repo.until((world) => world.outbox.size === 0);
}

function restored(repo: PlanRepo, ...argv: readonly string[]): { readonly path?: string; readonly branch?: string } {
  return (repo.json('restore', ...argv) as { restored: { path?: string; branch?: string } }).restored;
}

/** The files of a commit that are not as they were at the start. */
function changedIn(repo: PlanRepo, commit: string): Readonly<Record<string, string>> {
  const names = repo.git('diff', '--name-only', '--diff-filter=d', 'main', commit).trim().split('\n');
  return Object.fromEntries(names.map((name) => [name, repo.git('show', `${commit}:${name}`)]));
}

const UNIGNORED = {
  'README.md': 'read me\nchanged\n',
  'both.txt': 'staged\nchanged since\n',
  'committed.txt': 'committed\n',
  'new/untracked.txt': 'new\n',
  'staged.txt': 'staged\n',
};

test('a reverted task: its worktree comes back as it was', async () => {
  const repo = litteredRepo();
  const before = await littered(repo);
  const { session } = repo.runOf('1');
  expect(repo.cadre('revert', 'build-it#1').code).toBe(0);
  await settled(repo);
  expect(existsSync(repo.worktree('1'))).toBe(false);
  expect(repo.processesOf(session?.id ?? '')).toEqual([]);
  expect(kept(repo).map(({ id, task, why, files }) => ({ id, task, why, files }))).toEqual([
    expect.objectContaining({ id: 'build-it/t1-a1/ignored-1', task: '1', files: 2 }),
    { id: 'build-it/t1-a1/1', task: '1', why: 'A person reverted the task.', files: 6 },
  ]);
  expect(restored(repo, 'build-it#1').path).toBe(repo.worktree('1'));
  expect(snapshot(repo, repo.worktree('1'))).toEqual(before);
});

test('a task marked done: its worktree stays as it is, and comes back when somebody removes it', async () => {
  const repo = litteredRepo();
  const before = await littered(repo);
  expect(repo.cadre('mark-done', 'build-it#1').code).toBe(0);
  await settled(repo);
  expect(snapshot(repo, repo.worktree('1'))).toEqual(before);
  repo.git('worktree', 'remove', '--force', repo.worktree('1'));
  expect(kept(repo)).toMatchObject([{ why: 'A person marked the task done.', uncommitted: true }]);
  expect(restored(repo, 'build-it#1').path).toBe(repo.worktree('1'));
  const { files, staged, branch } = snapshot(repo, repo.worktree('1'));
  // Nobody but the person who removed the worktree had these.
  const ignored = ['ignored-notes.txt', 'deep/.env'];
  expect(files).toEqual(new Map([...before.files].filter(([name]) => !ignored.includes(name))));
  expect([staged, branch]).toEqual([before.staged, before.branch]);
});

test('an abandoned task that is launched again: the first run comes back beside the second', async () => {
  const repo = litteredRepo([
    `role implementer
    ${LITTERS}
    run touch ${OUTSIDE}/littered
    ask What now?
    attempt 2
    hang`,
  ]);
  const before = await littered(repo);
  await repo.reaches('1', 'QUESTION');
  expect(repo.cadre('abandon', 'build-it#1').code).toBe(0);
  expect(repo.cadre('retry', 'build-it#1').code).toBe(0);
  await repo.until(() => repo.runOf('1').attempt === 2);
  await settled(repo);
  expect(kept(repo)[1]).toMatchObject({ id: 'build-it/t1-a1/1', attempt: 1, why: 'The task was launched again.' });
  expect(restored(repo, 'build-it/t1-a1/1').path).toBe(repo.worktree('1'));
  expect(snapshot(repo, repo.worktree('1'))).toEqual(before);
});

test('a cancelled plan: everything stays in its worktree, and is there when the plan is reopened and run', async () => {
  const repo = litteredRepo([
    `role implementer
    ${LITTERS}
    run touch ${OUTSIDE}/littered
    hang
    attempt 2
    run touch ${OUTSIDE}/resumed
    hang`,
  ]);
  const before = await littered(repo);
  const { session } = repo.runOf('1');
  expect(repo.cadre('cancel', PLAN).code).toBe(0);
  await settled(repo);
  expect(repo.processesOf(session?.id ?? '')).toEqual([]);
  expect(snapshot(repo, repo.worktree('1'))).toEqual(before);
  expect(repo.cadre('reopen', PLAN).code).toBe(0);
  expect(repo.cadre('move', PLAN, 'planner_finished').code).toBe(0);
  expect(snapshot(repo, repo.worktree('1'))).toEqual(before);
  void repo.run();
  await repo.appears('resumed');
  expect(snapshot(repo, repo.worktree('1'))).toEqual(before);
  expect(repo.task('1').attempts).toBe(1);
});

test('a plan that is started over: its branch, and what was left of its tasks, come back as branches', async () => {
  const repo = litteredRepo([`role implementer\n${implementing()}`, LITTERS_AND_WAITS]);
  const before = await littered(repo, '2');
  expect(repo.cadre('mark-done', 'build-it#2').code).toBe(0);
  await repo.until((world) => world.plans.get(PLAN)?.status === 'done');
  await settled(repo);
  const tip = repo.commit(PLAN_BRANCH);
  expect(repo.cadre('start-over', PLAN).code).toBe(0);
  await settled(repo);
  expect(() => repo.git('rev-parse', '--verify', '--quiet', PLAN_BRANCH)).toThrow();
  expect(snapshot(repo, repo.worktree('2'))).toEqual(before);
  const reasons = kept(repo).map(({ id, why }) => [id, why]);
  expect(reasons.toSorted()).toEqual([
    ['build-it/plan/1', 'The plan was started over.'],
    ['build-it/t2-a1/1', 'A person marked the task done.'],
  ]);
  expect(kept(repo, '--all')).toHaveLength(4);
  expect(restored(repo, 'build-it/plan')).toMatchObject({ kind: 'branch', branch: 'restored/build-it-plan-1' });
  expect(repo.commit('restored/build-it-plan-1')).toBe(tip);
  expect(restored(repo, 'build-it#2', '--branch', 'mine')).toMatchObject({ kind: 'branch', uncommitted: true });
  expect(changedIn(repo, 'mine')).toEqual({ ...UNIGNORED, 'made.txt': 'made\n' });
});

test('a reviewer’s changes, which are undone, come back as a branch', async () => {
  const repo = litteredRepo([
    `role implementer
    ${implementing()}
    role spec-reviewer
    append README.md reviewed
    signal review-approved
    attempt 2
    hang`,
  ]);
  void repo.run();
  await repo.until(() => kept(repo).length > 0);
  const [first] = kept(repo);
  expect(first).toMatchObject({ task: '1', uncommitted: true, why: expect.stringContaining('Undone') });
  expect(restored(repo, first?.id ?? '', '--branch', 'reviewed')).toMatchObject({ kind: 'branch' });
  expect(repo.git('show', 'reviewed:README.md')).toBe('read me\nreviewed\n');
});

test('a stopped session leaves its worktree as it is, and a paused one has everything on its branch', async () => {
  const repo = litteredRepo();
  repo.script('litter.script', `${LITTERS}\nrun touch ${OUTSIDE}/littered\nhang`);
  const agent = `${repo.at('bin')}/cadre-scripted-agent --script ${repo.at('litter.script')}`;
  const { session } = await repo.view('new', '-p', agent);
  await eventually(
    () => existsSync(repo.at('littered')),
    (is) => is,
  );
  const before = snapshot(repo, repo.worktreeOf(session));
  await repo.view('stop', session);
  expect(repo.processesOf(session)).toEqual([]);
  expect(snapshot(repo, repo.worktreeOf(session))).toEqual(before);
  const { branch } = await repo.view('pause', session);
  expect(changedIn(repo, branch)).toEqual(UNIGNORED);
  // Files that no commit holds keep the worktree.
  expect(contentsOf(repo.worktreeOf(session)).get(`${repo.worktreeOf(session)}/ignored-notes.txt`)).toBe('mine\n');
});
