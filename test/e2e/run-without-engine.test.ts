// `cadre run` and the engine behind it: one that is killed is started again, one that was stopped ends the command.
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/surfaces/cli/context.ts';
import { atTerminal } from '../support/at-terminal.ts';
import { implementing, mergesOf, PLAN, type PlanRepo, planRepo, tasksOf } from '../support/plan-runs.ts';

const OUTSIDE = '../../../../../..';

/** A plan whose agent waits until the test lets it continue. */
function waitingRepo(): PlanRepo {
  return planRepo({
    plan: tasksOf([`role implementer\nrun touch ${OUTSIDE}/running\nwait-for ${OUTSIDE}/go\n${implementing()}`]),
  });
}

describe.each([[], ['--headless']])('cadre run %s', (...flags) => {
  test('starts an engine that was killed again, and says so', async () => {
    const repo = waitingRepo();
    const ran = repo.run(...flags);
    await repo.appears('running');
    const killed = repo.enginePid();
    await repo.killEngine();
    await repo.until(() => repo.enginePid() !== undefined);
    expect(repo.enginePid()).not.toBe(killed);
    repo.go('go');
    const { code, stdout } = await ran;
    expect(code).toBe(EXIT.ok);
    const lines = stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toContainEqual({
      version: 1,
      restarted: PLAN,
      engine: { pid: expect.any(Number), command: expect.stringContaining('watch') },
    });
    expect(mergesOf(repo.records())).toHaveLength(1);
  });
});

// One "cadre run" each: a second one that comes late would start an engine again.
describe('cadre run ends with the code for a person when the engine was stopped and nobody starts another', () => {
  test('at a terminal', async () => {
    const repo = waitingRepo();
    const shown = atTerminal(repo, 'run', PLAN);
    await stopEngineAtWork(repo);
    const { code, stdout } = await shown;
    expect(code).toBe(EXIT.person);
    expect(stdout).toMatch(/! No engine is running\. [\s\S]+The engine has stopped, [^\n]+"cadre engine start"/);
    expect(repo.enginePid()).toBeUndefined();
  });

  test('as JSON', async () => {
    const repo = waitingRepo();
    const ran = repo.run();
    await stopEngineAtWork(repo);
    const { code, stdout } = await ran;
    expect(code).toBe(EXIT.person);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.at(-2)).toEqual({ version: 1, noEngine: PLAN });
    expect(lines.at(-1)).toMatchObject({ end: 'person', sentence: expect.stringContaining('"cadre engine start"') });
    expect(repo.enginePid()).toBeUndefined();
  });
});

async function stopEngineAtWork(repo: PlanRepo): Promise<void> {
  await repo.appears('running');
  expect(await repo.start('engine', 'stop')).toMatchObject({ code: EXIT.ok });
}
