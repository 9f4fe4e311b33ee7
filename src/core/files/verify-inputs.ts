// Which changed files the verify command itself runs or is configured by, as far as names show. A run that changes them may
// have changed what a passing verification means.

/** The text of a file before the change; undefined if there was none. */
export type TextBefore = (path: string) => string | undefined;

export function verifyInputsIn(
  command: readonly string[],
  changed: readonly string[],
  before: TextBefore,
): readonly string[] {
  const names = new Set(wordsIn(command.join(' ')));
  const scripts = [...names].some(isPackageRunner) ? scriptsIn(before('package.json')) : {};
  for (const word of reachedScripts([...names], scripts)) names.add(word);
  const inputs = new Set([...names].flatMap((name) => [name, ...(FILES_OF.get(lastPart(name)) ?? [])]));
  return changed.filter((path) => inputs.has(path));
}

/** What each program reads besides its arguments to know what to do. */
const FILES_OF: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...['npm', 'npx', 'pnpm', 'yarn', 'bun'].map((name) => [name, ['package.json']] as const),
  ['make', ['Makefile', 'makefile', 'GNUmakefile']],
  ['just', ['justfile', 'Justfile']],
  ['cargo', ['Cargo.toml', 'build.rs']],
  ['go', ['go.mod']],
  ['deno', ['deno.json', 'deno.jsonc']],
  ['tox', ['tox.ini', 'pyproject.toml']],
  ['rake', ['Rakefile']],
  ['bundle', ['Gemfile', 'Rakefile']],
  ['mvn', ['pom.xml']],
  ['gradle', ['build.gradle', 'build.gradle.kts']],
  ['gradlew', ['build.gradle', 'build.gradle.kts', 'gradlew']],
  ...['pytest', 'python', 'python3', 'uv', 'poetry'].map(
    (name) => [name, ['conftest.py', 'pytest.ini', 'pyproject.toml', 'setup.cfg', 'tox.ini']] as const,
  ),
  ['vitest', ['vitest.config.ts', 'vitest.config.js', 'vitest.config.mts', 'vite.config.ts']],
  ['jest', ['jest.config.js', 'jest.config.ts', 'jest.config.json']],
]);

/** Also the words of a script for a shell, which is one argument. */
function wordsIn(text: string): readonly string[] {
  return text
    .split(/[\s;&|()'"`<>=]+/)
    .map((word) => word.replace(/^\.\//, ''))
    .filter((word) => word !== '');
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

function isPackageRunner(word: string): boolean {
  return ['npm', 'pnpm', 'yarn', 'bun'].includes(lastPart(word));
}

/** The words of every script that the command reaches, also through other scripts: "npm test" runs `pretest` and `test`. */
function reachedScripts(words: readonly string[], scripts: Readonly<Record<string, string>>): readonly string[] {
  const reached = new Set<string>();
  const found: string[] = [];
  const queue = [...words];
  for (let word = queue.shift(); word !== undefined; word = queue.shift())
    for (const name of [`pre${word}`, word, `post${word}`]) {
      const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
      if (script === undefined || reached.has(name)) continue;
      reached.add(name);
      const more = wordsIn(script);
      found.push(...more);
      queue.push(...more);
    }
  return found;
}

function scriptsIn(text: string | undefined): Readonly<Record<string, string>> {
  try {
    const { scripts } = Object(JSON.parse(text ?? '{}'));
    const all = Object.entries(Object(scripts));
    return Object.fromEntries(all.flatMap(([name, script]) => (typeof script === 'string' ? [[name, script]] : [])));
  } catch {
    return {};
  }
}
