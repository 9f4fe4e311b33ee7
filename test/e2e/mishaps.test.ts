// Mishaps of a machine while a plan is built: what status says about them, and that the plan is built once they are over.
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { processesWith } from '../support/hosts.ts';
import { smallDisk } from '../support/mounts.ts';
import { needing } from '../support/needs.ts';
import { implementing, PLAN, type PlanRepo, planRepo, tasksOf } from '../support/plan-runs.ts';
import { eventually } from '../support/repo.ts';

needing('root', () => {
  test('a full disk: status says so, the engine stays, and the plan is built when there is space', async () => {
    const repo = waitingRepo();
    const home = smallDisk(24 * 1024);
    repo.env.CADRE_HOME = home;
    const ran = repo.start('run', PLAN);
    await repo.appears('waits');
    const engine = repo.enginePid();
    fill(join(home, 'filler'));
    expect(repo.cadre('status').stdout).toContain(`The disk that holds ${home} is full, so nothing can be recorded.`);
    const agent = `CADRE_INBOX=${join(home, 'repos', readdirSync(join(home, 'repos'))[0] ?? '', 'inbox', sessionOf(repo))}`;
    expect(processesWith(agent)).not.toEqual([]);
    repo.go('go');
    await eventually(
      () => processesWith(agent),
      (left) => left.length === 0,
      20_000,
    );
    rmSync(join(home, 'filler'));
    expect(await ran).toMatchObject({ code: 0 });
    expect(repo.cadre('status').stdout).not.toContain('is full');
    expect(repo.enginePid()).toBe(engine);
  });
});

test('a plan file that is deleted: status says so, its work continues, and nothing becomes stale', async () => {
  const repo = waitingRepo();
  const ran = repo.start('run', PLAN);
  await repo.appears('waits');
  const file = join(repo.root, 'docs/plans', PLAN);
  renameSync(file, `${file}.moved`);
  expect(repo.cadre('status').stdout).toMatch(
    /build-it\.md.*\n(?:.*\n)*.*(?:missing|deleted|does not exist|no longer)/,
  );
  repo.go('go');
  await repo.until((world) => world.plans.get(PLAN)?.tasks[0]?.state === 'done');
  expect(repo.plan().tasks.map(({ stale }) => stale)).toEqual([false]);
  renameSync(`${file}.moved`, file);
  expect(await ran).toMatchObject({ code: 0 });
});

test('refs that git cannot read: status says so, the engine stays, and the plan is built once they are repaired', async () => {
  const repo = waitingRepo();
  const ran = repo.start('run', PLAN);
  await repo.appears('waits');
  const engine = repo.enginePid();
  const packed = join(repo.root, '.git/packed-refs');
  writeFileSync(packed, 'garbage\n');
  await eventually(
    () => repo.cadre('status').stdout,
    (status) => status.includes('packed-refs: garbage'),
  );
  rmSync(packed);
  repo.go('go');
  expect(await ran).toMatchObject({ code: 0 });
  expect(repo.cadre('status').stdout).not.toContain('garbage');
  expect(repo.enginePid()).toBe(engine);
});

function sessionOf(repo: PlanRepo): string {
  return repo.runOf('1').session?.id ?? '';
}

/** A plan of one task, whose agent creates `waits` and continues when `go` exists. */
function waitingRepo(): PlanRepo {
  const repo = planRepo();
  const script = `role implementer\nedit ${repo.at('waits')} x\nwait-for ${repo.at('go')}\n${implementing('made.txt')}`;
  repo.writePlan(PLAN, tasksOf([script]));
  repo.git('add', '--all');
  repo.git('commit', '--quiet', '-m', 'plan');
  return repo;
}

function fill(path: string): void {
  for (let size = 1 << 22; size >= 1; size >>= 1) while (append(path, size));
}

function append(path: string, size: number): boolean {
  try {
    writeFileSync(path, Buffer.alloc(size), { flag: 'a' });
    return true;
  } catch {
    return false;
  }
}
