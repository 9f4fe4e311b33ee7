// Settings that change while a plan is being built: what decides about its work applies only when a person says so.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { atTerminal } from '../support/at-terminal.ts';
import { textOf } from '../support/hosts.ts';
import { implementing, PLAN, type PlanRepo, planRepo, tasksOf } from '../support/plan-runs.ts';

const OUTSIDE = '../../../../../..';

/** Passes only where the task did what it was asked for. */
const VERIFY = ['sh', '-c', 'test ! -e made.txt || test -e good.txt'];

/** The first attempt forgets good.txt and switches the verification off; the second repairs the work. */
const HOSTILE = `role implementer
  run sh ${OUTSIDE}/attack.sh
  wait-for ${OUTSIDE}/go
  ${implementing()}
  attempt 2
  edit good.txt good
  commit good
  signal fix-finished`;

function attackedRepo(): PlanRepo {
  const repo = planRepo({ plan: tasksOf([HOSTILE]), settings: { verify: VERIFY } });
  const none = JSON.stringify({ default_program: 'cadre-scripted-agent', verify: 'none' });
  repo.script('attack.sh', `echo '${none}' >"$HOME/repo/cadre.json"; touch "$HOME/attacked"`);
  return repo;
}

describe('an agent that edits cadre.json of the main checkout', () => {
  test('does not switch off the verification of its own work; the change is shown and waits for a person', async () => {
    const repo = attackedRepo();
    const built = repo.built('--json');
    await repo.appears('attacked');
    await repo.until((world) => world.proposed !== undefined);
    expect(repo.cadre('status').stdout).toContain(
      'the settings changed while it is being built: verify is "none" instead of sh -c',
    );
    expect(repo.cadre('status').stdout).toContain('cadre config accept');
    const set = repo.cadre('config', 'set', '--project', 'verify', 'none');
    expect(set.stdout).toContain('A plan is being built, so it applies there only after "cadre config accept".');
    repo.go('go');
    const { stdout } = await built;
    const events = repo.records().map(({ event }) => event);
    expect(events).toContain('tests_fail');
    expect(events.filter((event) => event === 'tests_pass')).toHaveLength(1);
    expect(repo.git('show', 'plan/build-it:good.txt')).toBe('good\n');
    expect(stdout).toContain('"event":"policy_set"');
    const passed = repo.records().find(({ event }) => event === 'tests_pass');
    expect(passed).toMatchObject({ verified: { command: VERIFY } });
  });

  test('is believed once a person accepts it, and what passes then is marked as not verified', async () => {
    const repo = attackedRepo();
    const built = repo.built();
    await repo.appears('attacked');
    await repo.until((world) => world.proposed !== undefined);
    const accepted = repo.cadre('config', 'accept');
    expect(accepted).toMatchObject({ code: 0, stdout: expect.stringContaining('verify is "none"') });
    repo.go('go');
    await built;
    const passed = repo.records().find(({ event }) => event === 'tests_pass');
    expect(passed).toMatchObject({ verified: { command: null } });
    expect(repo.cadre('log').stdout).toContain('no verify command');
    expect(repo.cadre('config', 'accept')).toMatchObject({ code: 2 });
  });
});

test('a run that changes what the verify command runs is pointed out', async () => {
  const script = `role implementer
    edit check.sh exit 0
    ${implementing()}
    role quality-reviewer
    run sh ${OUTSIDE}/look.sh
    signal review-approved`;
  const repo = planRepo({
    plan: tasksOf([script]),
    settings: { verify: ['sh', 'check.sh'] },
    files: { 'check.sh': 'exit 0 # always\n' },
  });
  // The last argument of the agent is the file with its prompt.
  repo.script('look.sh', `cat "$(ps -o args= -p "$PPID" | sed 's/.* //')" >"$HOME/prompt"`);
  const { stdout } = await repo.built();
  expect(stdout).toContain('"rewrites":["check.sh"]');
  expect(repo.cadre('why', `${PLAN}#1`).stdout).toContain(
    'Verified with: sh check.sh\nThe run changes what that command runs: check.sh.\n',
  );
  expect(repo.cadre('diff', `${PLAN}#1`).stderr).toContain('This changes what the verify command runs: check.sh.');
  expect(textOf(repo.at('prompt'))).toContain('The work changes what the verify command itself runs');
});

test('a settings file that cannot be read stops nothing; what it says later counts', async () => {
  const repo = planRepo({ plan: tasksOf([`role implementer\nwait-for ${OUTSIDE}/go\n${implementing()}`]) });
  const built = repo.built('--json');
  await repo.until((world) => [...world.sessions.values()].some(({ up }) => up !== undefined));
  const path = join(repo.root, 'cadre.json');
  const good = readFileSync(path, 'utf8');
  const engine = repo.enginePid();
  for (const text of ['', '{"verify": [1', '{"max_parallel": "many"}']) {
    writeFileSync(path, text);
    await repo.until(() => textOf(join(repo.state(), 'engine.log')).includes('The settings stay as they were'));
  }
  writeFileSync(path, good.replace('{', '{"max_parallel":7,'));
  await repo.until((world) => world.policy.maxParallel === 7);
  expect(repo.enginePid()).toBe(engine);
  repo.go('go');
  await built;
});

test('a setting that a person types at a terminal applies at once, and only that one', async () => {
  const repo = attackedRepo();
  repo.run();
  await repo.appears('attacked');
  await repo.until((world) => world.proposed !== undefined);
  const set = await atTerminal(repo, 'config', 'set', '--project', 'auto_verify', 'false');
  expect(set).toMatchObject({ code: 0 });
  await repo.until((world) => !world.policy.autoVerify);
  expect(repo.world().policy.verify).toEqual(VERIFY);
  expect(repo.world().proposed).toMatchObject({ verify: 'none' });
});

test('while nothing is being built, a changed setting applies at once', async () => {
  const repo = planRepo({ plan: tasksOf([`role implementer\n${implementing()}`]), settings: { verify: VERIFY } });
  repo.go('go');
  await repo.start('engine', 'start');
  await repo.until((world) => world.policy.verify !== undefined);
  const path = join(repo.root, 'cadre.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('good.txt', 'made.txt'));
  await repo.until((world) => JSON.stringify(world.policy.verify ?? '').includes('test -e made.txt'));
  expect(repo.world().proposed).toBeUndefined();
  await repo.built();
  expect(repo.cadre('why', `${PLAN}#1`).stdout).toContain('Verified with: sh -c');
});
