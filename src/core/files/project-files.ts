// The files at the top of a project, and what its manifests say.

/** The files of the main checkout. */
export interface ProjectFiles {
  /** Whether there is a file of this name at the top. */
  has(name: string): boolean;
  /** The text of a file; undefined if it does not exist or cannot be read. */
  text(name: string): string | undefined;
  /** The names of what is in a folder; none where it does not exist. */
  list(folder: string): readonly string[];
}

/** package.json as an object; empty where there is none, or none that is JSON. */
export function packageOf(files: ProjectFiles): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(files.text('package.json') ?? '{}');
    return Object(value);
  } catch {
    return {};
  }
}

export function mentions(files: ProjectFiles, name: string, pattern: RegExp): boolean {
  return pattern.test(files.text(name) ?? '');
}

/** The script that npm puts into every new package does not count. */
export function hasTestScript(files: ProjectFiles): boolean {
  const script = npmScript(files, 'test');
  return script !== undefined && script.trim() !== '' && !/no test specified/.test(script);
}

export function npmScript(files: ProjectFiles, name: string): string | undefined {
  const scripts = Object(packageOf(files).scripts);
  const script: unknown = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
  return typeof script === 'string' ? script : undefined;
}

const DEPENDENCIES = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;

/** Whether package.json names a package to install, or other packages of the same repository. */
export function hasDependencies(files: ProjectFiles): boolean {
  const manifest = packageOf(files);
  return manifest.workspaces !== undefined || DEPENDENCIES.some((key) => Object.keys(Object(manifest[key])).length > 0);
}

export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

const LOCK_FILES: readonly (readonly [string, PackageManager])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
];

/** The one that package.json names, or the one whose lock file is there. */
export function packageManagerOf(files: ProjectFiles): PackageManager {
  const [, named] = /^(npm|pnpm|yarn|bun)@/.exec(String(packageOf(files).packageManager)) ?? [];
  return (named as PackageManager | undefined) ?? LOCK_FILES.find(([lock]) => files.has(lock))?.[1] ?? 'npm';
}

/** Yarn 2 and later take other flags than yarn 1. */
export function isModernYarn(files: ProjectFiles): boolean {
  return files.has('.yarnrc.yml') || /^yarn@(?:[2-9]|\d\d)/.test(String(packageOf(files).packageManager));
}

/** Tests by the name that pytest looks for. */
export function hasPytestFiles(files: ProjectFiles): boolean {
  return ['.', 'tests', 'test'].some((folder) =>
    files.list(folder).some((name) => /^test_.+\.py$|_test\.py$/.test(name)),
  );
}

export function usesPytest(files: ProjectFiles): boolean {
  return (
    files.has('pytest.ini') ||
    files.has('conftest.py') ||
    mentions(files, 'pyproject.toml', /^\s*\[tool\.pytest|["'\s]pytest\b/m) ||
    mentions(files, 'setup.cfg', /^\[tool:pytest\]/m) ||
    mentions(files, 'tox.ini', /^\[pytest\]/m) ||
    hasPytestFiles(files)
  );
}

/** The files with the requirements of a Python project, those for development last. */
export function requirementsOf(files: ProjectFiles): readonly string[] {
  return ['requirements.txt', 'requirements-dev.txt', 'requirements-test.txt', 'dev-requirements.txt'].filter((name) =>
    files.has(name),
  );
}

/** Whether the project is a package that pip can install. */
export function isPythonPackage(files: ProjectFiles): boolean {
  return mentions(files, 'pyproject.toml', /^\[(?:project|build-system)\]/m) || files.has('setup.py');
}

/** The extra with the tools for tests, by its usual names. */
export function testExtraOf(files: ProjectFiles): string | undefined {
  const [, section = ''] =
    /^\[project\.optional-dependencies\]\s*$([\s\S]*?)(?=^\[|(?![\s\S]))/m.exec(files.text('pyproject.toml') ?? '') ??
    [];
  return ['test', 'tests', 'testing', 'dev'].find((name) =>
    new RegExp(`^\\s*["']?${name}["']?\\s*=`, 'm').test(section),
  );
}

export function hasMakeTarget(files: ProjectFiles, target: string): boolean {
  const text = ['GNUmakefile', 'makefile', 'Makefile'].map((name) => files.text(name)).find((one) => one !== undefined);
  return new RegExp(`^(?:[^\\s:#=]+ +)*${target}(?: +[^\\s:#=]+)* *::?(?!=)`, 'm').test(text ?? '');
}
