// Programs that hang or are killed: every one that cadre waits for has a time limit, and a killed one has said nothing.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openGit } from '../../../src/adapters/git/git.ts';
import { findRepo } from '../../../src/adapters/repo/repo.ts';
import { run, runMeanwhile } from '../../../src/adapters/system/exec.ts';
import { processesWith } from '../../support/hosts.ts';
import { temporaryFolder } from '../../support/pieces.ts';
import { temporaryRepo } from '../../support/repo.ts';

const TOO_LONG = 'It took longer than 0.2 s and was stopped.';

test('a program that answers at once by rule is killed when it does not', () => {
  expect(run(['sh', '-c', 'echo begin; exec sleep 600'], { timeLimit: 200 })).toEqual({
    exitCode: 124,
    stdout: 'begin\n',
    stderr: TOO_LONG,
  });
});

test('a program in the background is killed with everything it started', async () => {
  const env = { PATH: process.env.PATH, CADRE_TEST_MARK: `exec-${process.pid}` };
  const ended = await runMeanwhile(['sh', '-c', 'sleep 600 & wait'], { env, timeLimit: 200 });
  expect(ended.stderr).toBe(TOO_LONG);
  expect(processesWith(`CADRE_TEST_MARK=exec-${process.pid}`)).toEqual([]);
});

test('so is git, with its filters and aliases', async () => {
  const repo = temporaryRepo();
  const env = { ...repo.env, CADRE_TEST_MARK: `git-${process.pid}` };
  const git = openGit({ ...findRepo(repo.root, env), env });
  const answer = await git.ask(repo.root, ['-c', 'alias.hang=!sleep 600', 'hang'], { timeLimit: 200 });
  expect(answer.stderr).toBe(TOO_LONG);
  expect(processesWith(`CADRE_TEST_MARK=git-${process.pid}`)).toEqual([]);
});

test('a program that somebody kills has given no answer', async () => {
  const argv = ['sh', '-c', 'kill -9 $$'];
  expect(run(argv)).toMatchObject({ exitCode: 137, signal: 'SIGKILL' });
  expect(await runMeanwhile(argv, {})).toMatchObject({ exitCode: 137, signal: 'SIGKILL' });
});

test('a git that somebody kills is a failure, not a "no"', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'git'), '#!/bin/sh\nkill -9 $$\n', { mode: 0o755 });
  const { root, env } = temporaryRepo();
  const git = openGit({ ...findRepo(root, env), env: { ...env, PATH: `${folder}:${env.PATH}` } });
  await expect(git.ask(root, ['merge-base', '--is-ancestor', 'a', 'b'])).rejects.toThrow(/was killed by SIGKILL/);
  await expect(git.resolve(root, ['refs/heads/plan/x'])).rejects.toThrow(/was killed by SIGKILL/);
});
