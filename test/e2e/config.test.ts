// cadre config show, set, check and path, as a person types them.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryRepo } from '../support/repo.ts';

test('a setting is shown with the file it comes from', () => {
  const repo = temporaryRepo();
  expect(repo.cadre('config', 'set', 'default_program', 'codex').stdout).toBe(
    `default_program is "codex" in ${join(repo.home, 'config.json')}.\n`,
  );
  expect(repo.cadre('config', 'set', '--project', 'verify', '["npm","test"]').code).toBe(0);
  const { code, stdout, stderr } = repo.cadre('config', 'show');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^default_program +"codex" {2}\(global\)$/m);
  expect(stdout).toMatch(/^verify +\["npm","test"\] {2}\(project\)$/m);
  expect(stdout).toMatch(/^max_parallel +4$/m);
  expect(repo.json('config', 'show', 'default_program')).toMatchObject({
    version: 1,
    settings: { default_program: 'codex' },
    from: { default_program: 'global', verify: 'project' },
  });
});

test('the files are those of the person and of the main checkout, even inside a worktree', () => {
  const repo = temporaryRepo();
  const worktree = join(repo.root, '..', 'worktree');
  repo.git('worktree', 'add', '-q', worktree);
  writeFileSync(join(worktree, 'cadre.json'), '{ "trust_worktrees": true }');
  const paths = `${join(repo.home, 'config.json')}\n${join(repo.root, 'cadre.json')}\n`;
  expect(repo.cadreWith({ cwd: worktree }, 'config', 'path').stdout).toBe(paths);
  expect(repo.cadreWith({ cwd: worktree }, 'config', 'show', 'trust_worktrees').stdout).toBe(
    'trust_worktrees  false\n',
  );
});

test('outside a repository the global settings apply', () => {
  const repo = temporaryRepo();
  const elsewhere = join(repo.root, '..', 'elsewhere');
  mkdirSync(elsewhere);
  expect(repo.cadreWith({ cwd: elsewhere }, 'config', 'set', 'max_parallel', '2').code).toBe(0);
  expect(repo.cadreWith({ cwd: elsewhere }, 'config', 'show', 'max_parallel').stdout).toBe(
    'max_parallel  2  (global)\n',
  );
  expect(JSON.parse(repo.cadreWith({ cwd: elsewhere }, 'config', 'path', '--json').stdout)).toEqual({
    version: 1,
    global: join(repo.home, 'config.json'),
    project: null,
  });
  expect(repo.cadreWith({ cwd: elsewhere }, 'config', 'set', '--project', 'land', 'pr')).toEqual({
    code: 2,
    stdout: '',
    stderr: 'This folder is not in a git repository, so there is no project to set it for.\n',
  });
});

test('an agent cannot change settings', () => {
  const repo = temporaryRepo();
  const env = { CADRE_SESSION: 'a', CADRE_ROLE: 'implementer' };
  for (const where of [[], ['--project']])
    expect(repo.cadreWith({ env }, 'config', 'set', ...where, 'trust_worktrees', 'true')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Only a person may change the settings, and this is the session of an agent.\n',
    });
  expect([existsSync(join(repo.home, 'config.json')), existsSync(join(repo.root, 'cadre.json'))]).toEqual([
    false,
    false,
  ]);
  expect(repo.cadreWith({ env }, 'config', 'show').code).toBe(0);
});

test('a check lists invalid values and settings without effect', () => {
  const repo = temporaryRepo();
  writeFileSync(join(repo.root, 'cadre.json'), '{ "default_program": "sh", "verify": "true" }');
  expect(repo.cadre('config', 'check')).toEqual({ code: 0, stdout: 'The settings are valid.\n', stderr: '' });
  const path = join(repo.root, 'cadre.json');
  writeFileSync(path, '{ "host": "screen", "max_paralel": 3 }');
  expect(repo.cadre('config', 'check')).toEqual({
    code: 1,
    stdout: `${path}: "host" must be one of "auto", "tmux", "process", not "screen".\n${path}: unknown setting "max_paralel"; it is kept and has no effect.\n`,
    stderr: '',
  });
  expect(repo.json('config', 'check')).toMatchObject({ usable: false });
  const shown = repo.cadre('config', 'show');
  expect([shown.code, shown.stdout]).toEqual([1, expect.stringMatching(/^host +"auto"$/m)]);
  expect(shown.stderr).toContain('Until this is fixed the files are ignored. These are the defaults:');
});

test('a file that is not JSON is left alone, and the position is named', () => {
  const repo = temporaryRepo();
  const path = join(repo.root, 'cadre.json');
  writeFileSync(path, '{\n  "host": "tmux",\n}\n');
  const sentence = `${path} is not JSON: at line 3, column 1, a name in double quotes is expected. Fix it, then try again.\n`;
  for (const argv of [['check'], ['show'], ['set', '--project', 'land', 'pr']])
    expect(repo.cadre('config', ...argv)).toEqual({ code: 3, stdout: '', stderr: sentence });
  expect(readFileSync(path, 'utf8')).toBe('{\n  "host": "tmux",\n}\n');
});

test('an unknown setting is refused', () => {
  const repo = temporaryRepo();
  expect(repo.cadre('config', 'set', 'max_paralel', '3')).toEqual({
    code: 2,
    stdout: '',
    stderr: 'Unknown setting "max_paralel". Did you mean "max_parallel"?\n  try: cadre config show\n',
  });
  expect(repo.cadre('config', 'show', 'max_paralel')).toEqual({
    code: 2,
    stdout: '',
    stderr: '"max_paralel" is not a setting, or is not set.\n  try: cadre config show\n',
  });
});

test('text from a file cannot control the terminal', () => {
  const repo = temporaryRepo();
  writeFileSync(
    join(repo.root, 'cadre.json'),
    JSON.stringify({ '\u001b[2J': 1, host: '\u001b[2J', base_branch: '\u202ex' }),
  );
  for (const command of ['check', 'show']) {
    const { stdout, stderr } = repo.cadre('config', command);
    expect(stdout + stderr).not.toMatch(/[\u001b\u202e]/);
  }
});

test('a check says whether plans can be built with the settings, as a dry run and the check-up do', () => {
  const repo = temporaryRepo();
  const settings = {
    default_program: 'no-such-agent',
    profiles: { reviewer: { program: 'no-such-reviewer' } },
    verify: 'no-such-tester --all',
    setup: 'npm ci && make',
  };
  writeFileSync(join(repo.root, 'cadre.json'), JSON.stringify(settings));
  mkdirSync(repo.plans, { recursive: true });
  writeFileSync(join(repo.plans, 'search.md'), '# Search\n\n### Task 1: Index\n\nWrite it.\n');
  const sentences = [
    'no-such-agent is not installed. Install it, or choose another program.',
    'The verify command "no-such-tester --all" needs no-such-tester, which is not installed. Install it, or set another command.',
    '"setup" in cadre.json needs a shell: "npm ci && make". Write it as a list of words: ["sh", "-c", "..."].',
  ];
  const check = repo.cadre('config', 'check');
  expect({ code: check.code, lines: check.stdout.trimEnd().split('\n') }).toEqual({ code: 5, lines: sentences });
  const doctor = repo.cadre('doctor');
  expect(doctor.code).toBe(5);
  for (const sentence of sentences) expect(doctor.stdout).toContain(sentence);
  const dry = repo.cadre('run', 'search', '--dry-run');
  expect(dry.code).toBe(5);
  expect(dry.stdout).toContain(
    `It cannot be built yet: ${sentences[0]}\n  try: cadre config set default_program <program>`,
  );
});

test('the setup command is set like the verify command', () => {
  const repo = temporaryRepo();
  expect(repo.cadre('config', 'set', '--project', 'setup', 'npm ci')).toMatchObject({ code: 0 });
  expect(readFileSync(join(repo.root, 'cadre.json'), 'utf8')).toContain('"setup": "npm ci"');
});
