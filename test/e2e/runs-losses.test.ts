// What is lost while a plan is being built: agents, their terminals, their worktrees. The truth is shown soon, nothing is
// taken for success, and there is a way on.
import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { killServer } from '../support/hosts.ts';
import { needing } from '../support/needs.ts';
import { implementing, mergesOf, PLAN, planRepo, tasksOf } from '../support/plan-runs.ts';

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

test('a worktree that is removed under its agent is noticed, and the task waits for a person', async () => {
  const repo = lossRepo('process');
  const ran = repo.run();
  await repo.written('first');
  const { session, place } = repo.runOf('1');
  rmSync(repo.worktree('1'), { recursive: true });
  await repo.until((world) => world.sessions.get(session?.id as never)?.failure !== undefined, SOON);
  expect(await ran).toMatchObject({ code: 3 });
  expect(repo.task('1')).toMatchObject({ state: 'planned', held: true });
  expect(repo.processesOf(session?.id ?? '')).toEqual([]);
  expect(repo.cadre('session', 'list', '--all').stdout, place).toMatch(/failed/);
  expect(mergesOf(repo.records())).toEqual([]);
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
