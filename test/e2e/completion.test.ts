// Completion in a shell: the scripts are valid, and what they ask for names what is there.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAIN, temporaryRepo } from '../support/repo.ts';

test('a line is completed with commands and options, also outside a repository', () => {
  const repo = temporaryRepo();
  const words = (line: string, cwd?: string) =>
    repo
      .cadreWith(cwd === undefined ? {} : { cwd }, 'completion', '--line', line)
      .stdout.trim()
      .split('\n');
  expect(words('reh')).toEqual(['rehearse']);
  expect(words('config s')).toEqual(['show', 'set']);
  expect(words('init --r', '/')).toEqual(['--remove']);
});

test('bash accepts the script, and completes with it', () => {
  const repo = temporaryRepo();
  const { stdout: script } = repo.cadre('completion', 'bash');
  const asked = `${script}\ncadre() { "$NODE" "$MAIN" "$@"; }\nCOMP_LINE="cadre reh"; COMP_POINT=9; _cadre; echo "$COMPREPLY"`;
  const env = { ...repo.env, NODE: process.execPath, MAIN: `${process.cwd()}/dist/main.js` };
  expect(execFileSync('bash', ['-c', asked], { cwd: repo.root, env, encoding: 'utf8' })).toBe('rehearse\n');
});

test('settings are completed with their keys and their values', () => {
  const repo = temporaryRepo();
  const words = (line: string) => repo.cadre('completion', '--line', line).stdout.trim().split('\n');
  expect(words('config set limits.f')).toEqual(['limits.fixing_iterations']);
  expect(words('config set land ')).toEqual(['manual', 'local', 'pr']);
});

test.skipIf(spawnSync('fish', ['--version']).status !== 0)('fish completes with the script, also a task', () => {
  const repo = withTask();
  const asked = 'cadre completion fish | source; complete -C "cadre reh"; complete -C "cadre why search#"';
  const answered = execFileSync('fish', ['--no-config', '-c', asked], {
    cwd: repo.root,
    env: withCadre(repo.env, repo.root),
    encoding: 'utf8',
  });
  expect(answered).toBe('rehearse\nsearch#1\n');
});

test.skipIf(spawnSync('zsh', ['--version']).status !== 0)('zsh runs the script, and hands on what it found', () => {
  const repo = withTask();
  const asked = [
    'compdef() { :; }; compadd() { shift 2; print -l -- "$@"; }; _files() { print files; }',
    'eval "$(cadre completion zsh)"',
    'words=(cadre reh); CURRENT=2; _cadre',
    "words=(cadre why 'search\\#'); CURRENT=3; _cadre",
    'words=(cadre plan lint ./); CURRENT=4; _cadre',
  ].join('\n');
  const env = withCadre(repo.env, repo.root);
  expect(execFileSync('zsh', ['-f', '-c', asked], { cwd: repo.root, env, encoding: 'utf8' })).toBe(
    'rehearse\nsearch#1\nfiles\n',
  );
});

function withTask() {
  const repo = temporaryRepo();
  repo.writePlan('search.md', '# Search\n\n### Task 1: Find\n\nFind it.\n');
  repo.cadre('register', 'search');
  return repo;
}

/** With the program on the PATH, as a shell calls it. */
function withCadre(env: NodeJS.ProcessEnv, root: string): NodeJS.ProcessEnv {
  const bin = join(root, '..', 'bin-of-shell');
  mkdirSync(bin, { recursive: true });
  symlinkSync(MAIN, join(bin, 'cadre'));
  return { ...env, PATH: `${bin}:${process.env.PATH}` };
}

test('an unknown shell is refused with those that there are', () => {
  expect(temporaryRepo().cadre('completion', 'tcsh')).toMatchObject({
    code: 2,
    stderr: 'There is no script for "tcsh". Name bash, zsh or fish.\n',
  });
});
