// The command that prepares a new worktree: a table of project files, and of settings.
import { describe, expect, test } from 'vitest';
import { setupCommand } from '../../../src/core/files/setup-command.ts';
import type { SetupSetting } from '../../../src/core/ports/verifier.ts';
import { filesOf } from '../../support/project-files.ts';

const packageWith = (more: object): string => JSON.stringify({ scripts: { test: 'x' }, ...more });
const PACKAGE = packageWith({ devDependencies: { typescript: '5' } });
const VENV = 'python3 -m venv .venv && .venv/bin/pip install --quiet --disable-pip-version-check';

describe('without a setting it comes from the files:', () => {
  test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['nothing', {}, []],
    ['a package without dependencies', { 'package.json': packageWith({}) }, []],
    [
      'a lock of npm',
      { 'package.json': PACKAGE, 'package-lock.json': '' },
      ['npm', 'ci', '--prefer-offline', '--no-audit', '--no-fund'],
    ],
    [
      'dependencies without a lock, and none is left behind',
      { 'package.json': PACKAGE },
      ['npm', 'install', '--no-package-lock', '--prefer-offline', '--no-audit', '--no-fund'],
    ],
    [
      'workspaces',
      { 'package.json': packageWith({ workspaces: ['a'] }), 'package-lock.json': '' },
      ['npm', 'ci', '--prefer-offline', '--no-audit', '--no-fund'],
    ],
    [
      'a lock of pnpm',
      { 'package.json': PACKAGE, 'pnpm-lock.yaml': '' },
      ['pnpm', 'install', '--frozen-lockfile', '--prefer-offline'],
    ],
    [
      'pnpm by name, without a lock',
      { 'package.json': packageWith({ dependencies: { a: '1' }, packageManager: 'pnpm@9.0.0' }) },
      ['pnpm', 'install', '--no-lockfile'],
    ],
    ['a lock of yarn', { 'package.json': PACKAGE, 'yarn.lock': '' }, ['yarn', 'install', '--frozen-lockfile']],
    [
      'a lock of a later yarn',
      { 'package.json': PACKAGE, 'yarn.lock': '', '.yarnrc.yml': '' },
      ['yarn', 'install', '--immutable'],
    ],
    ['a lock of bun', { 'package.json': PACKAGE, 'bun.lockb': '' }, ['bun', 'install', '--frozen-lockfile']],
    ['a lock of uv', { 'uv.lock': '', 'tests/test_a.py': '' }, ['uv', 'sync', '--frozen']],
    ['poetry', { 'poetry.lock': '', 'tests/test_a.py': '' }, ['poetry', 'install', '--no-interaction']],
    [
      'requirements',
      { 'requirements.txt': '', 'requirements-dev.txt': '', 'tests/test_a.py': '' },
      ['sh', '-c', `${VENV} -r requirements.txt -r requirements-dev.txt pytest`],
    ],
    [
      'a Python package',
      { 'pyproject.toml': '[project]\nname = "x"\n', 'tests/test_a.py': '' },
      ['sh', '-c', `${VENV} -e "." pytest`],
    ],
    [
      'a Python package with an extra for tests',
      {
        'pyproject.toml': '[project]\nname = "x"\n[project.optional-dependencies]\ndocs = []\ndev = ["pytest"]\n',
        'tests/test_a.py': '',
      },
      ['sh', '-c', `${VENV} -e ".[dev]" pytest`],
    ],
    ['tests for pytest and nothing else', { 'tests/test_a.py': '' }, []],
    ['a Gemfile', { Gemfile: '', '.rspec': '' }, ['bundle', 'install', '--quiet']],
    ['a Cargo.toml', { 'Cargo.toml': '' }, []],
    ['a go.mod', { 'go.mod': '' }, []],
    ['a pom.xml', { 'pom.xml': '' }, []],
    ['a build.gradle', { 'build.gradle': '' }, []],
    [
      'make that tests a package',
      { 'package.json': '{"dependencies":{"a":"1"}}', 'package-lock.json': '', Makefile: 'test:\n' },
      ['npm', 'ci', '--prefer-offline', '--no-audit', '--no-fund'],
    ],
    ['cargo beside requirements of its pages', { 'Cargo.toml': '', 'requirements.txt': '' }, []],
  ])('%s', (_what, files, expected) => {
    expect(setupCommand(undefined, filesOf(files))).toMatchObject({ kind: 'setup', words: expected });
  });
});

describe('a setting', () => {
  const npm = filesOf({ 'package.json': PACKAGE, 'package-lock.json': '' });
  test.each<[SetupSetting, unknown]>([
    ['none', { kind: 'setup', words: [] }],
    [[], { kind: 'setup', words: [] }],
    ['npm ci', { kind: 'setup', words: ['npm', 'ci'] }],
    [['make', 'all of it'], { kind: 'setup', words: ['make', 'all of it'] }],
    ['npm ci && npm run build', { kind: 'problem', why: expect.stringContaining('["sh", "-c", "..."]') }],
    ['npm "ci', { kind: 'problem', why: expect.stringContaining('quote') }],
  ])('%j takes precedence over the files', (setting, expected) => {
    expect(setupCommand(setting, npm)).toMatchObject(expected as object);
  });
});
