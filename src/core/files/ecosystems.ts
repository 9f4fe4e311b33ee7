// What cadre knows about kinds of projects: which command tests each, and which one installs what the tests need.
import {
  hasDependencies,
  hasMakeTarget,
  hasTestScript,
  isModernYarn,
  isPythonPackage,
  mentions,
  type PackageManager,
  type ProjectFiles,
  packageManagerOf,
  requirementsOf,
  testExtraOf,
  usesPytest,
} from './project-files.ts';

export interface FoundCommand {
  readonly words: readonly string[];
  readonly why: string;
}

export interface Ecosystem {
  readonly name: string;
  /** Whether the project is one of this kind. */
  readonly fits: (files: ProjectFiles) => boolean;
  /** The test command; undefined where the project has no tests of this kind. */
  readonly verify: (files: ProjectFiles) => FoundCommand | undefined;
  /** The command that prepares a new worktree; undefined where the test command needs none. */
  readonly setup: (files: ProjectFiles) => FoundCommand | undefined;
}

/** Where pip installs for a worktree. */
const VENV = '.venv';

/** The first one that fits is used. Make comes last because a Makefile often only calls one of the others. */
export const ECOSYSTEMS: readonly Ecosystem[] = [
  packages('pnpm', ['pnpm', 'install', '--frozen-lockfile', '--prefer-offline']),
  packages('yarn', ['yarn', 'install', '--frozen-lockfile']),
  packages('bun', ['bun', 'install', '--frozen-lockfile']),
  packages('npm', ['npm', 'ci', '--prefer-offline', '--no-audit', '--no-fund']),
  {
    name: 'cargo',
    fits: (files) => files.has('Cargo.toml'),
    verify: () => found(['cargo', 'test'], 'The project has a Cargo.toml.'),
    setup: none,
  },
  {
    name: 'go',
    fits: (files) => files.has('go.mod'),
    verify: () => found(['go', 'test', './...'], 'The project has a go.mod.'),
    setup: none,
  },
  {
    name: 'uv',
    fits: (files) => files.has('uv.lock'),
    verify: pytest(['uv', 'run', 'pytest'], 'uv'),
    setup: () => found(['uv', 'sync', '--frozen'], 'The project has a uv.lock.'),
  },
  {
    name: 'poetry',
    fits: (files) => files.has('poetry.lock') || mentions(files, 'pyproject.toml', /^\[tool\.poetry\]/m),
    verify: pytest(['poetry', 'run', 'pytest'], 'poetry'),
    setup: () => found(['poetry', 'install', '--no-interaction'], 'The project uses poetry.'),
  },
  {
    name: 'pip',
    fits: (files) => requirementsOf(files).length > 0 || isPythonPackage(files),
    verify: pytest([`${VENV}/bin/python`, '-m', 'pytest'], 'pip'),
    setup: pipSetup,
  },
  {
    name: 'pytest',
    fits: usesPytest,
    verify: pytest(['python3', '-m', 'pytest'], undefined),
    setup: none,
  },
  {
    name: 'maven',
    fits: (files) => files.has('pom.xml'),
    verify: (files) => found([files.has('mvnw') ? './mvnw' : 'mvn', '-q', 'test'], 'The project has a pom.xml.'),
    setup: none,
  },
  {
    name: 'gradle',
    fits: (files) => files.has('build.gradle') || files.has('build.gradle.kts'),
    verify: (files) =>
      found([files.has('gradlew') ? './gradlew' : 'gradle', 'test'], 'The project has a build.gradle.'),
    setup: none,
  },
  {
    name: 'bundler',
    fits: (files) => files.has('Gemfile'),
    verify: bundlerTests,
    setup: () => found(['bundle', 'install', '--quiet'], 'The project has a Gemfile.'),
  },
  {
    name: 'make',
    fits: (files) => hasMakeTarget(files, 'test'),
    verify: () => found(['make', 'test'], 'The Makefile has a target "test".'),
    setup: none,
  },
];

function found(words: readonly string[], why: string): FoundCommand {
  return { words, why };
}

function none(): undefined {
  return undefined;
}

/** A package without dependencies has nothing to install. */
function packages(name: PackageManager, install: readonly string[]): Ecosystem {
  return {
    name,
    fits: (files) => files.has('package.json') && packageManagerOf(files) === name,
    verify: (files) =>
      hasTestScript(files)
        ? found([name, ...(name === 'bun' ? ['run'] : []), 'test'], testScriptWords(name))
        : undefined,
    setup: (files) => (hasDependencies(files) ? installation(name, install, files) : undefined),
  };
}

function testScriptWords(name: PackageManager): string {
  return name === 'npm'
    ? 'package.json has a test script.'
    : `package.json has a test script, and the project uses ${name}.`;
}

/** Without a lock file the exact commands fail; the lenient ones would leave one behind, which nobody asked for. */
function installation(name: PackageManager, install: readonly string[], files: ProjectFiles): FoundCommand {
  const why = 'package.json has dependencies.';
  if (name === 'npm' && !files.has('package-lock.json') && !files.has('npm-shrinkwrap.json'))
    return found(['npm', 'install', '--no-package-lock', '--prefer-offline', '--no-audit', '--no-fund'], why);
  if (name === 'yarn' && isModernYarn(files)) return found(['yarn', 'install', '--immutable'], why);
  if (name === 'yarn' && !files.has('yarn.lock')) return found(['yarn', 'install', '--no-lockfile'], why);
  if (name === 'pnpm' && !files.has('pnpm-lock.yaml')) return found(['pnpm', 'install', '--no-lockfile'], why);
  if (name === 'bun' && !files.has('bun.lock') && !files.has('bun.lockb'))
    return found(['bun', 'install', '--no-save'], why);
  return found(install, why);
}

function pytest(words: readonly string[], by: string | undefined): Ecosystem['verify'] {
  const how = by === undefined ? '' : `, and uses ${by}`;
  return (files) => (usesPytest(files) ? found(words, `The project has tests for pytest${how}.`) : undefined);
}

/** A virtual environment of the worktree's own, with pytest in it. */
function pipSetup(files: ProjectFiles): FoundCommand {
  const requirements = requirementsOf(files).map((name) => `-r ${name}`);
  const extra = testExtraOf(files);
  const itself = isPythonPackage(files) ? [`-e ".${extra === undefined ? '' : `[${extra}]`}"`] : [];
  const what = [...requirements, ...itself, ...(usesPytest(files) ? ['pytest'] : [])].join(' ');
  const script = `python3 -m venv ${VENV} && ${VENV}/bin/pip install --quiet --disable-pip-version-check ${what}`;
  const why = requirements.length > 0 ? 'The project has requirements.' : 'The project is a Python package.';
  return found(['sh', '-c', script], why);
}

function bundlerTests(files: ProjectFiles): FoundCommand | undefined {
  if (files.has('.rspec') || files.list('spec').some((name) => name.endsWith('.rb')))
    return found(['bundle', 'exec', 'rspec'], 'The project has specs for RSpec.');
  const isRake = mentions(files, 'Rakefile', /TestTask|task\s*:?["']?test/);
  return isRake ? found(['bundle', 'exec', 'rake', 'test'], 'The Rakefile has a task "test".') : undefined;
}
