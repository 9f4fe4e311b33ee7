// The verify command: a table of project files, and of settings.
import { describe, expect, test } from 'vitest';
import { verifyCommand } from '../../../src/core/files/verify-command.ts';
import type { VerifySetting } from '../../../src/core/ports/verifier.ts';
import { filesOf } from '../../support/project-files.ts';

const scripts = (test: string, more: object = {}): string => JSON.stringify({ scripts: { test }, ...more });
const PYTEST = 'python3 -m pytest';
const VENV_PYTEST = '.venv/bin/python -m pytest';
const NONE = 'No verify command is configured, and the project has no files that suggest one.';

describe('without a setting it comes from the files:', () => {
  test.each<[string, Readonly<Record<string, string>>, string | undefined]>([
    ['nothing', {}, undefined],
    ['a test script', { 'package.json': scripts('vitest run') }, 'npm test'],
    ['the default script of npm', { 'package.json': scripts('echo "Error: no test specified" && exit 1') }, undefined],
    ['an empty script', { 'package.json': scripts(' ') }, undefined],
    ['a package without scripts', { 'package.json': '{}' }, undefined],
    ['a package that is not JSON', { 'package.json': '{"scripts":' }, undefined],
    ['a package that is a list', { 'package.json': '[]' }, undefined],
    ['a package that is null', { 'package.json': 'null' }, undefined],
    ['scripts that are text', { 'package.json': '{"scripts":"test"}' }, undefined],
    ['a script that is not text', { 'package.json': '{"scripts":{"test":true}}' }, undefined],
    ['a lock of pnpm', { 'package.json': scripts('x'), 'pnpm-lock.yaml': '' }, 'pnpm test'],
    ['a lock of yarn', { 'package.json': scripts('x'), 'yarn.lock': '' }, 'yarn test'],
    [
      'a lock of yarn, and pnpm by name',
      { 'package.json': scripts('x', { packageManager: 'pnpm@9.1.0' }), 'yarn.lock': '' },
      'pnpm test',
    ],
    [
      'a lock of pnpm, and npm by name',
      { 'package.json': scripts('x', { packageManager: 'npm@10.0.0' }), 'pnpm-lock.yaml': '' },
      'npm test',
    ],
    ['a lock of pnpm and no script', { 'package.json': '{}', 'pnpm-lock.yaml': '' }, undefined],
    ['a Cargo.toml', { 'Cargo.toml': '' }, 'cargo test'],
    ['a go.mod', { 'go.mod': '' }, 'go test ./...'],
    ['a lock of bun', { 'package.json': scripts('x'), 'bun.lock': '' }, 'bun run test'],
    ['a pytest.ini', { 'pytest.ini': '' }, PYTEST],
    ['a conftest.py', { 'conftest.py': '' }, PYTEST],
    ['pytest in pyproject.toml', { 'pyproject.toml': '[tool.pytest.ini_options]\n' }, PYTEST],
    ['pytest as a dependency', { 'pyproject.toml': '[project]\ndev = ["pytest>=8"]\n' }, VENV_PYTEST],
    ['a pyproject.toml without pytest', { 'pyproject.toml': '[project]\nname = "x"\n' }, undefined],
    ['pytest in setup.cfg', { 'setup.cfg': '[metadata]\n[tool:pytest]\n' }, PYTEST],
    ['pytest in tox.ini', { 'tox.ini': '[pytest]\n' }, PYTEST],
    ['only tests by the name that pytest looks for', { 'tests/test_sum.py': '' }, PYTEST],
    ['other Python files in the folder of tests', { 'tests/sum.py': '' }, undefined],
    ['requirements and tests', { 'requirements.txt': '', 'test_sum.py': '' }, VENV_PYTEST],
    ['requirements without tests', { 'requirements.txt': '' }, undefined],
    ['a lock of uv', { 'uv.lock': '', 'pyproject.toml': '[project]\n', 'tests/test_a.py': '' }, 'uv run pytest'],
    ['poetry', { 'pyproject.toml': '[tool.poetry]\n', 'tests/test_a.py': '' }, 'poetry run pytest'],
    ['a pom.xml', { 'pom.xml': '' }, 'mvn -q test'],
    ['a pom.xml and the wrapper of maven', { 'pom.xml': '', mvnw: '' }, './mvnw -q test'],
    ['a build.gradle', { 'build.gradle': '' }, 'gradle test'],
    ['a build.gradle.kts and the wrapper of gradle', { 'build.gradle.kts': '', gradlew: '' }, './gradlew test'],
    ['specs of RSpec', { Gemfile: '', 'spec/sum_spec.rb': '' }, 'bundle exec rspec'],
    ['a Rakefile with tests', { Gemfile: '', Rakefile: 'Rake::TestTask.new(:test)\n' }, 'bundle exec rake test'],
    ['a Gemfile without tests', { Gemfile: '' }, undefined],
    ['a target "test"', { Makefile: 'all:\n\techo\n\ntest: all\n\techo\n' }, 'make test'],
    ['a target among several', { Makefile: 'check test lint:\n\techo\n' }, 'make test'],
    ['a double-colon target', { makefile: 'test::\n\techo\n' }, 'make test'],
    ['a variable of that name', { Makefile: 'test := yes\ntest:=yes\n' }, undefined],
    ['a target with a longer name', { Makefile: 'test-all:\n\techo\n.PHONY: test\n' }, undefined],
    ['a line of a recipe', { Makefile: 'all:\n\ttest: x\n' }, undefined],
    ['a comment', { Makefile: '# test: later\n' }, undefined],
    ['a package and a Makefile', { 'package.json': scripts('x'), Makefile: 'test:\n' }, 'npm test'],
    ['a package without a test and a Makefile', { 'package.json': '{}', Makefile: 'test:\n' }, 'make test'],
    ['a Cargo.toml and a Makefile', { 'Cargo.toml': '', Makefile: 'test:\n' }, 'cargo test'],
  ])('%s', (_what, files, expected) => {
    const chosen = verifyCommand(undefined, filesOf(files));
    if (expected === undefined) expect(chosen).toMatchObject({ kind: 'problem', why: expect.stringContaining(NONE) });
    else expect(chosen).toMatchObject({ kind: 'command', words: expected.split(' ') });
  });
});

describe('a setting', () => {
  const npm = filesOf({ 'package.json': scripts('vitest') });
  test.each<[VerifySetting, unknown]>([
    ['none', { kind: 'none' }],
    [{ prompt: '/verify' }, { kind: 'prompt', prompt: '/verify' }],
    [['make', 'check all'], { kind: 'command', words: ['make', 'check all'] }],
    ['npm run "check all"', { kind: 'command', words: ['npm', 'run', 'check all'] }],
    ["grep '$(x) && y'", { kind: 'command', words: ['grep', '$(x) && y'] }],
    ['a\\&b', { kind: 'command', words: ['a&b'] }],
  ])('%j takes precedence over the files', (setting, expected) => {
    expect(verifyCommand(setting, npm)).toMatchObject(expected as object);
  });

  test.each([
    'npm run lint && npm test',
    'npm test | tee log',
    'echo $HOME',
    'CI=1 npm test',
    'ls *.ts',
    'echo "$HOME"',
    '(a)',
  ])('%j needs a shell, and a sentence says how to use one', (setting) => {
    expect(verifyCommand(setting, npm)).toEqual({
      kind: 'problem',
      why: `"verify" in cadre.json needs a shell: "${setting.replaceAll('"', '\\"')}". Write it as a list of words: ["sh", "-c", "..."].`,
    });
  });

  test('with an unclosed quote is a problem', () => {
    expect(verifyCommand('npm "test', npm)).toMatchObject({ kind: 'problem', why: expect.stringContaining('quote') });
  });
});
