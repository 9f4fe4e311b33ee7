// What is lost while a plan is being built: agents, their terminals, their worktrees. The truth is shown soon, nothing is
// taken for success, and there is a way on.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { killServer, textOf } from '../support/hosts.ts';
import { needing } from '../support/needs.ts';
import { implementing, mergesOf, PLAN, PLAN_BRANCH, type PlanRepo, planRepo, tasksOf } from '../support/plan-runs.ts';

const OUTSIDE = '../../../../../..';

/** Within so many milliseconds a person sees what has happened. */
const SOON = 5_000;

/** The first implementer tells that it is there, and waits for ever; whoever comes after it does the work. */
const FIRST_HANGS = `role implementer
  run sh ${OUTSIDE}/first.sh
  ${implementing()}`;

function lossRepo(host: 'process' | 'tmux', settings: object = {}) {
  const repo = planRepo({ host, plan: tasksOf([FIRST_HANGS]), settings: { ...settings } });
  repo.script('first.sh', '[ -e "$HOME/first" ] || { echo $PPID >"$HOME/first"; exec sleep 1000; }');
  return repo;
}

test('an agent that is killed is replaced within the run, and the plan is built', async () => {
  const repo = lossRepo('process');
  const ran = repo.built();
  const agent = Number(await repo.written('first'));
  const { session } = repo.runOf('1');
  process.kill(agent, 'SIGKILL');
  await repo.until((world) => world.sessions.get(session?.id as never)?.ended !== undefined, SOON);
  await ran;
  expect(mergesOf(repo.records())).toHaveLength(1);
  expect(
    repo.records().filter((record) => record.event === 'session_begun' && record.begun.role === 'implementer'),
  ).toHaveLength(2);
  expect(repo.processesOf(session?.id ?? '')).toEqual([]);
});

describe('a worktree that is removed under its agent', () => {
  /** The first implementer commits something, begins something else, and waits for ever. */
  const FIRST_COMMITS = `role implementer
  append early.txt early
  commit early
  append late.txt late
  run sh ${OUTSIDE}/first.sh
  ${implementing()}`;

  function committedRepo(settings: object = {}) {
    const repo = planRepo({ plan: tasksOf([FIRST_COMMITS]), settings: { ...settings } });
    // It outlives its agent, which would otherwise go on for a moment, and make anew the folder that is gone.
    const waiting = 'trap "" TERM; echo $PPID >"$HOME/first"; while kill -0 $PPID 2>&-; do sleep 0.1; done';
    repo.script('first.sh', `[ -e "$HOME/first" ] || { ${waiting}; }`);
    return repo;
  }

  const WAYS: readonly [string, (repo: PlanRepo) => void][] = [
    ['rm', (repo) => rmSync(repo.worktree('1'), { recursive: true })],
    ['git worktree remove', (repo) => void repo.git('worktree', 'remove', '--force', repo.worktree('1'))],
  ];

  test.each(WAYS)('by %s is noticed and made again from its branch, and the plan is built', async (_way, remove) => {
    const repo = committedRepo();
    const ran = repo.built();
    await repo.written('first');
    const { session } = repo.runOf('1');
    remove(repo);
    await repo.until((world) => world.sessions.get(session?.id as never)?.failure !== undefined, SOON);
    await ran;
    expect(repo.processesOf(session?.id ?? '')).toEqual([]);
    expect(mergesOf(repo.records())).toHaveLength(1);
    // What was committed before is there, and only once more than the agent that came after has added to it.
    expect(repo.git('show', `${PLAN_BRANCH}:early.txt`)).toBe('early\nearly\n');
    expect(repo.git('show', `${PLAN_BRANCH}:late.txt`)).toBe('late\n');
    expect(textOf(join(repo.state(), 'engine.log'))).toContain('somebody has removed its worktree');
  });

  test('waits for a person where no restart is left, and a retry goes on with what was committed', async () => {
    const repo = committedRepo({ limits: { relaunches: 0 } });
    const ran = repo.run();
    await repo.written('first');
    const { attempt, branch } = repo.runOf('1');
    rmSync(repo.worktree('1'), { recursive: true });
    expect(await ran).toMatchObject({ code: 4 });
    expect(repo.task('1')).toMatchObject({ state: 'implementing', held: false });
    expect(repo.cadre('status').stdout).toContain('cadre retry build-it#1');
    const early = repo.commit(branch);
    expect(repo.cadre('retry', 'build-it#1')).toMatchObject({ code: 0 });
    await repo.built();
    expect(repo.runOf('1')).toMatchObject({ attempt, state: 'DONE' });
    expect(repo.git('merge-base', branch, early).trim()).toBe(early);
    expect(mergesOf(repo.records())).toHaveLength(1);
  });

  test('and has something else in its place is left to a person, with nothing touched', async () => {
    const repo = committedRepo();
    const ran = repo.run();
    await repo.written('first');
    rmSync(repo.worktree('1'), { recursive: true });
    mkdirSync(repo.worktree('1'));
    writeFileSync(join(repo.worktree('1'), 'mine.txt'), 'mine\n');
    expect(await ran).toMatchObject({ code: 4 });
    expect(repo.cadre('session', 'list', '--all').stdout).toMatch(/failed/);
    expect(readFileSync(join(repo.worktree('1'), 'mine.txt'), 'utf8')).toBe('mine\n');
  });
});

needing('tmux', () => {
  describe('in tmux', () => {
    test('a server that is killed with everything in it is noticed, and the plan is built in another', async () => {
      const repo = lossRepo('tmux');
      const ran = repo.built();
      await repo.written('first');
      const { session } = repo.runOf('1');
      killServer(repo.server);
      await repo.until((world) => world.sessions.get(session?.id as never)?.ended !== undefined, SOON);
      await ran;
      expect(mergesOf(repo.records())).toHaveLength(1);
      expect(repo.status(PLAN)).toBe('done');
    });
  });
});
