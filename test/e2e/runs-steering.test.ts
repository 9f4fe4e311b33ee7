// People steer plans that are being built: several at once, cancelled, edited, followed and left.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { textOf } from '../support/hosts.ts';
import { implementing, mergesOf, PLAN, PLAN_BRANCH, type PlanRepo, planRepo, tasksOf } from '../support/plan-runs.ts';
import { MAIN } from '../support/repo.ts';

const OUTSIDE = '../../../../../..';

/** Reports that it is running, and waits for permission to continue. */
function waiting(name: string): string {
  return `run sh ${OUTSIDE}/note.sh
    role implementer
    run touch ${OUTSIDE}/running-${name}
    wait-for ${OUTSIDE}/go-${name}
    ${implementing(`made-${name}.txt`)}`;
}

describe('in parallel', () => {
  test('builds as many tasks at once as the limit allows', async () => {
    // Each waits until three are running: one after another, none would ever continue.
    const meeting = `role implementer
      run sh ${OUTSIDE}/meet.sh
      `;
    const scripts = [1, 2, 3, 4].map((task) => `${meeting}${implementing(`made-${task}.txt`)}`);
    const repo = planRepo({ plan: tasksOf(scripts, 'parallel'), settings: { max_parallel: 3 } });
    repo.script(
      'meet.sh',
      'mkdir -p "$HOME/met"; touch "$HOME/met/$CADRE_TASK"; until [ "$(ls "$HOME/met" | wc -l)" -ge 3 ]; do sleep 0.02; done',
    );
    await repo.built();
    expect(mergesOf(repo.records())).toHaveLength(4);
    expect(mostAtOnce(repo)).toBe(3);
  });

  test('applies the limit to all plans together', async () => {
    const repo = planRepo({ plan: tasksOf([waiting('a')]), settings: { max_parallel: 1 } });
    repo.noting();
    repo.writePlan('other.md', tasksOf([waiting('b')]));
    const first = repo.built();
    await repo.appears('running-a');
    const second = repo.start('run', 'other.md');
    await repo.until((world) => world.plans.get('other.md' as never)?.status === 'implementing');
    expect(repo.world().plans.get('other.md' as never)?.tasks[0]?.run).toBeUndefined();
    repo.go('go-a');
    repo.go('go-b');
    await first;
    expect(await second).toMatchObject({ code: 0 });
    expect(repo.git('show', 'plan/other:made-b.txt')).toBe('made\n');
    expect(mostAtOnce(repo)).toBe(1);
  });
});

test('a cancelled plan stops, and continues where it was when it is reopened', async () => {
  const repo = planRepo({ plan: tasksOf([waiting('a')]) });
  repo.noting();
  const ran = repo.run();
  await repo.appears('running-a');
  const { session } = repo.runOf('1');
  expect(repo.cadre('cancel', PLAN).code).toBe(0);
  expect(await ran).toMatchObject({ code: 1 });
  await repo.until(() => repo.processesOf(session?.id ?? '').length === 0);
  expect(repo.runOf('1').state).toBe('CODING');
  expect(existsSync(repo.worktree('1'))).toBe(true);
  expect(repo.cadre('reopen', PLAN).code).toBe(0);
  expect(repo.cadre('move', PLAN, 'planner_finished').code).toBe(0);
  repo.go('go-a');
  await repo.built();
  expect(mergesOf(repo.records())).toEqual([{ task: '1', pin: expect.any(String) }]);
  expect(repo.task('1').attempts).toBe(1);
});

test('a task removed from the file while it is built is not merged; an edited one is built as launched', async () => {
  const repo = planRepo({ plan: tasksOf([waiting('a'), waiting('b'), waiting('c')], 'parallel') });
  repo.noting();
  const ran = repo.run();
  for (const name of ['a', 'b', 'c']) await repo.appears(`running-${name}`);
  // Removes the second task and changes the third.
  repo.writePlan(
    PLAN,
    tasksOf([waiting('a'), waiting('c')], 'parallel')
      .replace('### Task 2: Part 2', '### Task 3: Part 3')
      .replace('made-c.txt', 'other-c.txt'),
  );
  await repo.until((world) => world.plans.get(PLAN)?.tasks.some((task) => task.stale) ?? false);
  for (const name of ['b', 'a', 'c']) repo.go(`go-${name}`);
  await repo.until(() => mergesOf(repo.records()).length === 2);
  expect(
    mergesOf(repo.records())
      .map(({ task }) => task)
      .sort(),
  ).toEqual(['1', '3']);
  expect(repo.git('ls-tree', '-r', '--name-only', PLAN_BRANCH)).toContain('made-c.txt');
  expect(repo.git('ls-tree', '-r', '--name-only', PLAN_BRANCH)).not.toContain('made-b.txt');
  await ran;
});

test('following can be interrupted and resumed; agents keep running without an engine, and the next one takes them over', async () => {
  const repo = planRepo({ plan: tasksOf([waiting('a')]) });
  repo.noting();
  const follower = spawn(process.execPath, [MAIN, 'run', PLAN], { cwd: repo.root, env: repo.env, stdio: 'ignore' });
  await repo.appears('running-a');
  const engine = repo.enginePid();
  follower.kill('SIGINT');
  expect(await once(follower, 'exit')).toEqual([0, null]);
  expect(repo.enginePid()).toBe(engine);
  const { session } = repo.runOf('1');
  const again = repo.built();
  expect(await repo.start('engine', 'stop')).toMatchObject({ code: 0 });
  expect(repo.processesOf(session?.id ?? '')).not.toEqual([]);
  repo.go('go-a');
  await repo.start('engine', 'start');
  await again;
  const started = textOf(repo.at('started')).trim().split('\n');
  expect(started.filter((line) => line.endsWith(' implementer'))).toEqual([`${session?.id} implementer`]);
});

/** The largest number of runs that were live at once. */
function mostAtOnce(repo: PlanRepo): number {
  let [now, most] = [0, 0];
  for (const { moves } of repo.records())
    for (const move of moves) {
      if (move.machine !== 'coder') continue;
      if (move.event === 'receive_task') now++;
      if (move.to === 'DONE' || move.to === 'ERROR') now--;
      most = Math.max(most, now);
    }
  return most;
}

test('a task that replaces another of the same number has one name everywhere, and so has the other', async () => {
  const repo = planRepo({ plan: `${tasksOf([waiting('old')])}` });
  repo.noting();
  const ran = repo.start('run', PLAN);
  await repo.appears('running-old');
  const script = `role implementer\nrun sh ${OUTSIDE}/say.sh\n${implementing()}`;
  repo.script('say.sh', 'echo "$CADRE_TASK" >"$HOME/task"');
  repo.writePlan(PLAN, `# Build it\n\n### Task 1: Painted walls\n\n\`\`\`script\n${script}\n\`\`\`\n`);
  await repo.until((world) => world.plans.get(PLAN)?.tasks[0]?.state === 'done');
  expect(textOf(repo.at('task'))).toBe('1\n');
  const [painted, old] = repo.plan().tasks.map(({ id, address }) => ({ id, address }));
  expect([painted, old]).toEqual([
    { id: '1~2', address: '1' },
    { id: '1', address: '1~3' },
  ]);
  const log = repo.cadre('log').stdout;
  expect(log).toContain(`${PLAN}#1  quality_review -> done, run AWAIT_MERGE -> DONE  (merged)`);
  expect(log).toContain(`${PLAN}#1~3  planned -> implementing, run WAITING -> SETUP  (launch)`);
  expect(log).not.toContain('#1~2');
  for (const name of ['1', '1~2'])
    expect(repo.cadre('why', `${PLAN}#${name}`).stdout).toContain('(Painted walls) is done');
  expect(repo.cadre('why', `${PLAN}#1~3`).stdout).toMatch(
    /\(Part 1\) is implementing[\s\S]*#1~3 {2}planned -> implementing/,
  );
  repo.go('go-old');
  await ran;
});
