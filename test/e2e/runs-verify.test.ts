// The verify and setup commands of a project, which may fail, hang, print too much or leave things behind.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { processesWith, textOf } from '../support/hosts.ts';
import { implementing, mergesOf, PLAN_BRANCH, planRepo, tasksOf } from '../support/plan-runs.ts';

const OUTSIDE = '../../../../../..';

/** Saves the prompt of its second turn. */
const FIXED_AT_SECOND = `role implementer
  run sh ${OUTSIDE}/note-prompt.sh
  ${implementing()}`;

function verifyRepo(script: string, settings: object = {}) {
  const repo = planRepo({
    plan: tasksOf([FIXED_AT_SECOND]),
    settings: { verify: ['sh', '../../../../../../verify.sh'], ...settings },
  });
  repo.script('verify.sh', `[ -e made.txt ] && [ ! -e "$HOME/failed" ] || exit 0\ntouch "$HOME/failed"\n${script}`);
  repo.script(
    'note-prompt.sh',
    'cat "$(dirname "$CADRE_INBOX")"/../sessions/"$CADRE_SESSION"/agent/prompt.md >"$HOME/prompt-$(ls "$HOME" | grep -c "^prompt-")"',
  );
  return repo;
}

test('a failure goes back to the implementer with the sanitized output of the command', async () => {
  const repo = verifyRepo(
    `printf 'one \\033[31mred\\033[0m \\033]0;title\\007 \\010\\010 two\\n'; echo 'not ok 7'; exit 3`,
  );
  await repo.built();
  const prompt = textOf(repo.at('prompt-1'));
  expect(prompt).toContain('not ok 7');
  expect(prompt).toContain('exit code 3');
  expect(prompt).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f]/);
  expect(repo.cadre('log').stdout).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f]/);
  expect(mergesOf(repo.records())).toHaveLength(1);
});

test('shortens the output of a command that prints 50 MB, and ends processes that it leaves', async () => {
  const repo = verifyRepo(
    `setsid -f sleep 1000.75 >/dev/null 2>&1; sleep 1000.75 & yes 'a useless line' | head -c 52428800; echo 'the end'; exit 1`,
  );
  await repo.built();
  expect(textOf(repo.at('prompt-1'))).toContain('the end');
  expect(textOf(repo.at('prompt-1')).length).toBeLessThan(40_000);
  const journal = repo.records().reduce((sum, record) => sum + JSON.stringify(record).length, 0);
  expect(journal).toBeLessThan(200_000);
  expect(
    processesWith(`CADRE_COMMAND_IN=`).filter((pid) => textOf(`/proc/${pid}/environ`).includes(repo.home)),
  ).toEqual([]);
});

test('stops a command that takes too long, which says nothing about the work', async () => {
  const repo = verifyRepo('sleep 1000', { minutes: { verify: 0.02 } });
  await repo.built();
  expect(textOf(repo.at('prompt-1'))).toContain('took longer than 1 s and was stopped');
  const reasons = repo
    .records()
    .flatMap(({ changes = [] }) => changes)
    .flatMap((change) => (change.of === 'run' ? [change.change?.fixing?.reason] : []));
  expect(reasons).toContain('verify_infrastructure');
});

test('does not verify a merge again before the next task starts', async () => {
  const repo = planRepo({
    plan: tasksOf([`role implementer\n${implementing()}`, `role implementer\n${implementing()}`]),
    settings: { verify: ['sh', `${OUTSIDE}/count.sh`] },
  });
  repo.script('count.sh', 'pwd >>"$HOME/verified"');
  await repo.built();
  const verified = textOf(repo.at('verified')).trim().split('\n');
  // The base commit, and the work of each task.
  expect(verified.map((path) => path.split('/').at(-1))).toEqual(['t1-a1', 't1-a1', 't2-a1']);
});

test('starts nothing if the verify command is not installed', async () => {
  const repo = planRepo({ plan: tasksOf([implementing()]), settings: { verify: ['no-such-command'] } });
  expect((await repo.run()).code).toBe(5);
  expect(repo.records().filter(({ event }) => event === 'launch' || event === 'session_begun')).toEqual([]);
});

test('starts no agent if the verify command cannot be started in a new worktree', async () => {
  const repo = planRepo({ plan: tasksOf([implementing()]), settings: { verify: ['sh', '-c', 'no-such-command'] } });
  expect((await repo.run()).code).toBe(3);
  expect(repo.runOf('1').state).toBe('ERROR');
  expect(repo.records().filter(({ event }) => event === 'session_begun')).toEqual([]);
  expect(JSON.stringify(repo.records())).toContain('a program that it needs could not be started');
});

test('records a warning when verification already fails on the base commit', async () => {
  const repo = planRepo({
    plan: tasksOf([`role implementer\n${implementing()}`]),
    settings: { verify: ['sh', '-c', 'test -e made.txt'] },
  });
  const { stdout } = await repo.built();
  const warned = repo.records().filter(({ event }) => event === 'warned');
  expect(warned).toMatchObject([
    { taskId: '1', text: expect.stringMatching(/^Verification already fails on the base/) },
  ]);
  expect(stdout).toContain('"event":"warned"');
  expect(repo.cadre('log').stdout).toMatch(
    /build-it\.md#1 {2}warning: Verification already fails on the base commit\./,
  );
});

test('undoes what the verify command changes or leaves, and blames no reviewer for it', async () => {
  const repo = planRepo({
    plan: tasksOf([`role implementer\n${implementing()}`]),
    settings: { verify: ['sh', '-c', 'echo >>cadre.json; mkdir -p left; echo >left/over.txt'] },
  });
  const { stdout } = await repo.built();
  expect(repo.git('diff', '--name-only', `main..${PLAN_BRANCH}`)).toBe('made.txt\n');
  expect(repo.world().refused.size).toBe(0);
  const roles = repo.records().flatMap((record) => (record.event === 'session_begun' ? [record.begun.role] : []));
  expect(roles).toEqual(['implementer', 'spec-reviewer', 'quality-reviewer', 'reviewer']);
  expect(stdout).toContain('The verify command changed or left cadre.json, left/over.txt.');
});

test('a failed setup ends the run before its agent starts, and its output is shown', async () => {
  const repo = planRepo({
    plan: tasksOf([`role implementer\nrun cp secret.env ${OUTSIDE}/secret\n${implementing()}`]),
    settings: { setup: ['sh', '-c', 'cat secret.env; echo the setup says no; test -e "$HOME/setup-may"'] },
    files: { '.gitignore': 'secret.env\n', '.worktreeinclude': 'secret.env\n' },
  });
  writeFileSync(join(repo.root, 'secret.env'), 'SECRET=1\n');
  expect(await repo.run()).toMatchObject({ code: 3 });
  expect(repo.runOf('1').state).toBe('ERROR');
  const cause = repo.records().find(({ event }) => event === 'setup_failed');
  expect(JSON.stringify(cause)).toContain('the setup says no');
  // Shown where a person looks first, not only in the journal.
  for (const { stdout } of [repo.cadre('status'), repo.cadre('why', 'build-it#1')])
    expect(stdout).toMatch(/The worktree could not be set up\.[^#]*the setup says no/);
  expect(existsSync(repo.at('secret'))).toBe(false);
  expect(repo.git('rev-parse', PLAN_BRANCH)).toBe(repo.git('rev-parse', 'main'));
});

test('the output of the last verification and of the setup command can be read, and its path is shown', async () => {
  const repo = planRepo({
    plan: tasksOf([`role implementer\n  ${implementing()}`]),
    settings: { verify: ['sh', '-c', 'echo all 7 tests pass'], setup: ['sh', '-c', 'echo prepared'] },
  });
  repo.cadre('register', 'build-it');
  expect(repo.cadre('output', 'build-it#1').stderr).toContain('has no verification output yet');
  await repo.built();
  expect(repo.cadre('output', 'build-it', '1')).toMatchObject({ code: 0, stdout: 'all 7 tests pass\n' });
  expect(repo.cadre('output', 'build-it#1', '--setup').stdout).toBe('prepared\n');
  const path = repo.cadre('output', 'build-it#1', '--path').stdout.trim();
  expect(textOf(path)).toBe('all 7 tests pass\n');
  expect(repo.cadre('why', 'build-it#1').stdout).toContain(`Output of its last verification: ${path}`);
});
