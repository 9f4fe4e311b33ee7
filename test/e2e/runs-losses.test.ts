// Losses while a plan is built: agents, their terminals, their worktrees. They are shown soon, never taken for success, and
// the plan can continue.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { killServer } from '../support/hosts.ts';
import { needing } from '../support/needs.ts';
import { implementing, mergesOf, PLAN, PLAN_BRANCH, type PlanRepo, planRepo, tasksOf } from '../support/plan-runs.ts';

const OUTSIDE = '../../../../../..';

/** A person sees what happened within this time, in milliseconds. */
const SOON = 5_000;

/** The first implementer reports that it is running, and waits forever; its successor does the work. */
const FIRST_HANGS = `role implementer
  run sh ${OUTSIDE}/first.sh
  ${implementing()}`;

function lossRepo(host: 'process' | 'tmux', settings: object = {}) {
  const repo = planRepo({ host, plan: tasksOf([FIRST_HANGS]), settings: { ...settings } });
  repo.script('first.sh', '[ -e "$HOME/first" ] || { echo $PPID >"$HOME/first"; exec sleep 1000; }');
  return repo;
}

test('replaces a killed agent within the run, and builds the plan', async () => {
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

describe('a worktree removed while its agent runs', () => {
  /** The first implementer commits something, starts something else, and waits forever. */
  const FIRST_COMMITS = `role implementer
  append early.txt early
  commit early
  append late.txt late
  run sh ${OUTSIDE}/first.sh
  ${implementing()}`;

  function committedRepo(settings: object = {}) {
    const repo = planRepo({ plan: tasksOf([FIRST_COMMITS]), settings: { ...settings } });
    // Ends the agent first, which could otherwise create the removed folder again.
    const waiting = 'trap "" TERM; echo $PPID >"$HOME/first"; while kill -0 $PPID 2>&-; do sleep 0.1; done';
    repo.script('first.sh', `[ -e "$HOME/first" ] || { ${waiting}; }`);
    return repo;
  }

  const WAYS: readonly [string, (repo: PlanRepo) => void][] = [
    ['rm', (repo) => rmSync(repo.worktree('1'), { recursive: true })],
    ['git worktree remove', (repo) => void repo.git('worktree', 'remove', '--force', repo.worktree('1'))],
  ];

  test.each(WAYS)('by %s is created again from its branch, and the plan is built', async (_way, remove) => {
    const repo = committedRepo();
    const ran = repo.built();
    await repo.written('first');
    const { session } = repo.runOf('1');
    remove(repo);
    await repo.until((world) => world.sessions.get(session?.id as never)?.failure !== undefined, SOON);
    await ran;
    expect(repo.processesOf(session?.id ?? '')).toEqual([]);
    expect(mergesOf(repo.records())).toHaveLength(1);
    // The earlier commit is there, and the successor's work on top of it, once.
    expect(repo.git('show', `${PLAN_BRANCH}:early.txt`)).toBe('early\nearly\n');
    expect(repo.git('show', `${PLAN_BRANCH}:late.txt`)).toBe('late\n');
    expect(JSON.stringify(repo.records())).toContain('Someone removed its worktree');
  });

  test('waits for a person at the restart limit, and a retry continues from the commits', async () => {
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

  test('and replaced by something else is left to a person, and nothing is touched', async () => {
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
    test('notices a killed server, and builds the plan in another', async () => {
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
