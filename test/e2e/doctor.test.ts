// "cadre doctor --fix" repairs what nobody needs, keeps what somebody may need, and leaves alone what is in use.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Check } from '../../src/app/ports.ts';
import { needing } from '../support/needs.ts';
import { type Repo, temporaryRepo, withAgentAndVerify } from '../support/repo.ts';

interface CheckUp {
  readonly checks: readonly Check[];
  readonly repaired?: { readonly done: readonly string[]; readonly stayed: readonly object[] };
}

test('a lock that a killed git left behind is found, and removed', () => {
  const repo = withAgentAndVerify(temporaryRepo());
  const lock = oldLock(repo);
  const { code, stdout } = repo.cadre('doctor');
  expect(code).toBe(5);
  expect(stdout).toContain(
    `BAD   git lock: A git process that was killed left ${lock} behind, and later git commands fail because of it.\n      try: cadre doctor --fix`,
  );
  expect(repo.cadre('doctor', '--fix')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`  fix: Remove ${lock}.\nDone: 1 of 1.\n`),
  });
  expect(existsSync(lock)).toBe(false);
  expect(repo.cadre('doctor', '--fix').stderr).toBe('Nothing to repair.\n');
});

needing('proc', () => {
  test('a lock that a process has open stays, however old it is', async () => {
    const repo = withAgentAndVerify(temporaryRepo());
    const lock = oldLock(repo);
    const holder = spawn('sh', ['-c', 'exec 9<"$0"; echo open; exec sleep 60', lock], { cwd: '/' });
    onTestFinished(() => void holder.kill());
    await new Promise((open) => holder.stdout.once('data', open));
    expect(repo.cadre('doctor', '--fix')).toMatchObject({
      code: 0,
      stderr: 'Nothing to repair.\n',
      stdout: expect.stringContaining(`note  git lock: ${lock} exists: git is working in the checkout.`),
    });
    expect(existsSync(lock)).toBe(true);
  });
});

test('a lock of a branch that only cadre writes is removed, and one of a person is not', () => {
  const repo = withAgentAndVerify(temporaryRepo());
  repo.git('branch', 'plan/x');
  const own = aged(join(repo.root, '.git/refs/heads/plan/x.lock'));
  const persons = aged(join(repo.root, '.git/refs/heads/main.lock'));
  expect((repo.json('doctor', '--fix') as CheckUp).repaired?.done).toEqual([`Remove ${own}.`]);
  expect([existsSync(own), existsSync(persons)]).toEqual([false, true]);
});

test('missing entries of the ignore list are added, and what is there stays', () => {
  const repo = withAgentAndVerify(temporaryRepo());
  repo.writePlan('a.md');
  repo.cadre('register', 'a');
  const exclude = join(repo.root, '.git/info/exclude');
  writeFileSync(exclude, 'mine\n');
  expect(repo.cadre('doctor', '--fix').code).toBe(0);
  const lines = readFileSync(exclude, 'utf8').split('\n');
  expect(lines).toContain('mine');
  expect(lines).toContain('docs/plans/.signals/');
});

test('an agent and a worktree that the journal does not know are stopped and removed, and the work is kept', () => {
  const repo = withAgentAndVerify(temporaryRepo());
  const env = { CADRE_HOST: 'process' };
  repo.cadreWith({ env }, 'session', 'new', '-p', "sh -c 'echo unsaved > work.txt; sleep 600'", 'dig');
  onTestFinished(() => void repo.cadreWith({ env }, 'doctor', '--fix'));
  const state = repo.state();
  const work = join(state, 'worktrees/adhoc/s1/work.txt');
  until(() => existsSync(work));
  renameSync(join(state, 'journal'), join(state, 'journal.moved'));
  rmSync(join(state, 'checkpoint.json'), { force: true });
  const names = checksOf(repo, env).map(({ name }) => name);
  expect(names).toEqual(['orphaned session', 'orphaned worktree']);
  expect(repo.cadreWith({ env }, 'doctor', '--fix')).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/Done: 2 of 2\.\n$/),
  });
  expect(existsSync(work)).toBe(false);
  const [ref = ''] = repo.git('for-each-ref', '--format=%(refname)', 'refs/cadre/keep').trim().split('\n');
  expect(repo.git('show', `${ref}:work.txt`)).toBe('unsaved\n');
  expect(checksOf(repo, env)).toEqual([]);
});

needing('tmux', () => {
  test('a tmux server of this repository without a program is ended', () => {
    const repo = withAgentAndVerify(temporaryRepo());
    repo.writePlan('a.md');
    repo.cadre('register', 'a');
    const server = `cadre-${basename(repo.state()).slice(-12)}`;
    const tmux = (...argv: string[]): string =>
      execFileSync('tmux', ['-L', server, '-f', '/dev/null', ...argv], { encoding: 'utf8', env: repo.env });
    tmux('new-session', '-d', '-s', '+hub', 'sleep 600');
    onTestFinished(() => void repo.cadre('doctor', '--fix'));
    expect(checksOf(repo).map(({ sentence }) => sentence)).toContain(
      `The tmux server ${server} is running without a program.`,
    );
    expect(repo.cadre('doctor', '--fix').code).toBe(0);
    expect(() => tmux('-N', 'list-sessions')).toThrow(/no server|error connecting|lost server/);
  });
});

test('an agent repairs nothing', () => {
  const repo = withAgentAndVerify(temporaryRepo());
  const lock = oldLock(repo);
  const agent = { CADRE_SESSION: 's-7', CADRE_ROLE: 'implementer' };
  expect(repo.cadreWith({ env: agent }, 'doctor', '--fix')).toMatchObject({ code: 2 });
  expect(existsSync(lock)).toBe(true);
});

function oldLock(repo: Repo): string {
  return aged(join(repo.root, '.git', 'index.lock'));
}

/** Creates an empty file that is an hour old. */
function aged(path: string): string {
  writeFileSync(path, '');
  const hourAgo = Date.now() / 1000 - 3600;
  utimesSync(path, hourAgo, hourAgo);
  return path;
}

/** What is not as it should be. */
function checksOf(repo: Repo, env: NodeJS.ProcessEnv = {}): readonly Check[] {
  const { stdout } = repo.cadreWith({ env }, 'doctor', '--json');
  return (JSON.parse(stdout) as CheckUp).checks.filter(({ result }) => result !== 'ok');
}

function until(isTrue: () => boolean): void {
  const deadline = Date.now() + 20_000;
  while (!isTrue()) {
    if (Date.now() > deadline) throw new Error('It did not happen.');
    execFileSync('sleep', ['0.05']);
  }
}
